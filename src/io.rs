//! The world: everything that touches a socket, a process, a file, a clock or the terminal.

pub mod clock;
pub mod terminal;
