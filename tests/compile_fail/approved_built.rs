//! Nobody but the gate builds the proof that a call may run.

use keytide::chat::id::ServerName;
use keytide::chat::tool::ToolUse;
use keytide::gate::Approved;

pub fn build(tool_use: ToolUse, server: ServerName, tool: String) -> Approved {
    Approved { tool_use, server, tool } //~ E0451
}
