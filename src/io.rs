//! The world: everything that touches a socket, a process, a file, a clock or the terminal.
//!
//! [`outside`] is the way in: it carries out what the state asks for and brings back what comes of
//! it. [`terminal`] is the other side, with the keys and the frames.

pub mod auth;
pub mod blobs;
pub mod clock;
pub mod dotenv;
pub mod editor;
pub mod facts;
pub mod http;
pub mod lines;
pub mod log;
pub mod mcp;
pub mod model;
pub mod outside;
pub mod places;
mod shelf;
pub mod store;
pub mod terminal;
mod timers;
