//! What is worth remembering of a conversation: the agent tells it, a transcript writes it down.
//!
//! An entry is a fact about the conversation itself. Playing the entries of a transcript in order
//! gives the same conversation again; `transcript/replay.rs` does so.

use std::sync::Arc;

use crate::chat::id::{RequestId, ServerName, ToolUseId};
use crate::chat::message::ContentBlock;
use crate::chat::request::Setup;
use crate::chat::stream::{StopReason, Usage};
use crate::chat::tool::ToolResult;

/// One fact about a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The person said something.
    UserSaid(Vec<ContentBlock>),
    /// A request was made. Written before it leaves.
    Requested {
        /// Which request.
        request: RequestId,
        /// With which model, system prompt and tools.
        setup: Arc<Setup>,
    },
    /// The model replied in full.
    Replied {
        /// To which request.
        request: RequestId,
        /// The service's id of the reply.
        reply_id: Option<String>,
        /// The model that answered.
        model: Option<String>,
        /// What it said, as it said it.
        blocks: Vec<ContentBlock>,
        /// Why it stopped.
        stop: Option<StopReason>,
        /// What it cost.
        usage: Usage,
    },
    /// A reply was cut, or never came.
    Cut {
        /// To which request.
        request: RequestId,
        /// The text that had arrived.
        text: Option<String>,
        /// Why: `stopped`, `overloaded`, `network`, …
        reason: String,
        /// What was reported of its cost.
        usage: Usage,
    },
    /// The model refused; the messages of the turn are not sent again.
    Refused {
        /// To which request.
        request: RequestId,
        /// The kind of refusal.
        category: Option<String>,
        /// What it cost.
        usage: Usage,
    },
    /// Somebody decided about a call.
    Decided {
        /// Which call.
        call: ToolUseId,
        /// The server that would run it.
        server: Option<ServerName>,
        /// The tool's own name there.
        tool: Option<String>,
        /// What was decided.
        decision: Verdict,
    },
    /// A call ended, or never ran. Written as soon as it is known, before the model hears of it.
    Answered(ToolResult),
}

/// What was decided about a call, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A key press let it run.
    Approved,
    /// A rule of the command line let it run (`-p --allow-tool`).
    AllowedByFlag(String),
    /// A key press denied it.
    Denied,
    /// A key press denied it, with a reason for the model.
    DeniedWithReason(String),
    /// The turn was stopped while it waited.
    Stopped,
}
