//! The gate: no call runs without a key press that was made after the whole call could be seen.
//!
//! [`Approved`] is the only thing that the world can run a call with, and [`Gate`] is the only
//! maker of it. A decision needs an [`arming::ArmedPress`], which only [`arming::Arming`] makes.

pub mod arming;
pub mod call;
pub mod decision;

use crate::chat::id::ServerName;
use crate::chat::tool::ToolUse;

/// The proof that a person let this call run. Made by [`Gate`] only; one proof, one run.
#[derive(Debug, PartialEq)]
pub struct Approved {
    tool_use: ToolUse,
    server: ServerName,
    tool: String,
}

impl Approved {
    /// Returns the call, with its true arguments.
    pub fn tool_use(&self) -> &ToolUse {
        &self.tool_use
    }

    /// Returns the server that runs it.
    pub fn server(&self) -> &ServerName {
        &self.server
    }

    /// Returns the server's own name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }
}
