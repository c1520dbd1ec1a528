//! A call on its way to a server.

use serde_json::{Map, Value};

use crate::chat::id::{ServerName, ToolUseId};
use crate::chat::moment::Millis;
use crate::chat::tool::{Arguments, ResultPart, ToolOutcome, ToolResult};
use crate::gate::Approved;

/// The limits of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimits {
    /// It may be silent this long; progress starts it anew. A server's own `timeout` goes first.
    pub idle: Millis,
    /// It may take this long in all, though never less than the idle limit.
    pub total: Millis,
    /// So many bytes of text go into the conversation.
    pub result_bytes: usize,
}

/// What to ask which server. Made from a proof of approval only.
#[derive(Debug)]
pub(crate) struct Order {
    /// Names the answer.
    pub id: ToolUseId,
    /// Who runs it.
    pub server: ServerName,
    /// The server's own name of the tool.
    pub tool: String,
    /// What the tool is called with.
    pub arguments: Map<String, Value>,
    /// How long it may take, and how much it may say.
    pub limits: CallLimits,
}

impl Order {
    /// Uses an approval up. Arguments that are no object can't be sent; the call is then over.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a proof is used up by the one call that it lets run"
    )]
    pub(crate) fn of(approved: Approved, limits: CallLimits) -> Result<Self, ToolResult> {
        let tool_use = approved.tool_use();
        let arguments = match &tool_use.arguments {
            Arguments::Object { map, .. } => map.clone(),
            Arguments::Invalid { reason, .. } => {
                let text = format!("The arguments can't be sent: {reason}.");
                return Err(not_run(&tool_use.id, text));
            }
        };
        Ok(Self {
            id: tool_use.id.clone(),
            server: approved.server().clone(),
            tool: approved.tool().to_owned(),
            arguments,
            limits,
        })
    }

    /// Ends the call; what happened says it all.
    pub(crate) fn without_words(&self, outcome: ToolOutcome) -> ToolResult {
        ToolResult {
            id: self.id.clone(),
            outcome,
            content: Vec::new(),
        }
    }

    /// Ends the call with a sentence about what is particular. That it failed, and whether it may
    /// have had an effect, is said by the outcome already.
    pub(crate) fn ended(&self, outcome: ToolOutcome, text: impl Into<String>) -> ToolResult {
        ended(&self.id, outcome, text)
    }
}

/// Ends a call that never ran.
pub(crate) fn not_run(id: &ToolUseId, text: impl Into<String>) -> ToolResult {
    ended(id, ToolOutcome::NotRun, text)
}

fn ended(id: &ToolUseId, outcome: ToolOutcome, text: impl Into<String>) -> ToolResult {
    ToolResult {
        id: id.clone(),
        outcome,
        content: vec![ResultPart::text(text)],
    }
}
