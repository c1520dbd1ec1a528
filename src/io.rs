//! The world: everything that touches a socket, a process, a file, a clock or the terminal.

pub mod auth;
pub mod blobs;
pub mod clock;
pub mod dotenv;
pub mod editor;
pub mod http;
pub mod log;
pub mod mcp;
pub mod places;
pub mod store;
pub mod terminal;
