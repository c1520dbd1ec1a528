//! A call that waits at the gate.

use crate::chat::id::{ServerName, ToolUseId};
use crate::chat::listing::ToolHints;
use crate::chat::moment::Millis;
use crate::chat::tool::ToolUse;

/// A call with everything that a person needs to decide about it.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCall {
    /// The call, with its true arguments.
    pub tool_use: ToolUse,
    /// The server that would run it.
    pub server: ServerName,
    /// The server's own name of the tool.
    pub tool: String,
    /// The server's title for the tool.
    pub title: Option<String>,
    /// What the server claims about the tool.
    pub hints: ToolHints,
    /// What needs more care about this call, one line each.
    pub raised: Vec<String>,
    /// Since when it waits.
    pub since: Millis,
}

impl PendingCall {
    /// Returns the call's id.
    pub const fn id(&self) -> &ToolUseId {
        &self.tool_use.id
    }
}
