//! Stories about whole frames.

mod screens;
mod stage;
