//! Stories about whole frames.

mod drafts;
mod gates;
mod reading;
mod screens;
mod stage;
mod storms;
