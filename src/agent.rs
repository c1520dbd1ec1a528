//! The turn loop: a state machine without I/O.

pub mod schema;
pub mod tools;
