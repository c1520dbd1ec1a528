//! All state, and the one function that changes it.

pub mod composer;
pub mod effect;
pub mod event;
pub mod notice;
pub mod overlay;
pub mod scene;
pub mod scroll;
pub mod servers;
pub mod shown;
pub mod timeline;
