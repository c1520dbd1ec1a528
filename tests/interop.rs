//! Programs that this project did not write: real MCP servers and another project's API server.
//!
//! They are installed with npm and pip into `target/interop/` on first use. Where Node or Python is
//! missing, a test says that it was not run; with `CI=true` it fails instead.

mod aimock;
mod everything;
mod install;
mod service;
mod time;
