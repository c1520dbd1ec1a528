//! Where the agent is.

use crate::chat::assemble::Draft;
use crate::chat::failure::TurnError;
use crate::chat::id::{RequestId, ServerName, ToolUseId};
use crate::chat::listing::Progress;
use crate::chat::moment::Millis;
use crate::chat::tool::ToolResult;

/// Where the agent is.
#[derive(Debug, PartialEq)]
pub enum Phase {
    /// Nothing is asked.
    Idle,
    /// A reply arrives, or is waited for.
    Streaming {
        /// Which request.
        request: RequestId,
        /// Which attempt this is, from 1.
        attempt: u32,
        /// What has come.
        draft: Draft,
    },
    /// An attempt failed; another one follows.
    Retrying {
        /// Which request failed.
        request: RequestId,
        /// Which attempt the next one is, from 2.
        attempt: u32,
        /// When it is made.
        until: Millis,
        /// Why the last one failed.
        error: TurnError,
    },
    /// Calls wait or run, in the order asked.
    AtTools(Vec<ToolCall>),
    /// The turn is not over, but goes on only when the person says so.
    Halted(Halt),
}

/// Why a turn waits for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// A request failed.
    Failed(TurnError),
    /// The person stopped the stream, or the whole turn.
    Stopped,
    /// The reply was cut by the output limit.
    MaxTokens,
    /// The turn made as many requests as it may.
    TurnLimit(u32),
    /// The context window is full.
    ContextFull,
    /// The model refused; the turn's messages are not sent again.
    Refused {
        /// The kind of refusal, in the service's word.
        category: Option<String>,
        /// The service's explanation.
        explanation: Option<String>,
    },
    /// The reply held nothing.
    EmptyReply,
    /// A call needs approval and there is nobody to ask: the public names of the tools.
    NeedsApproval(Vec<String>),
}

/// A call while its round runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Which call.
    pub id: ToolUseId,
    /// The server that runs it, if there is one.
    pub server: Option<ServerName>,
    /// The tool's own name there, or the public name that names nothing.
    pub tool: String,
    /// Where it stands.
    pub state: ToolState,
}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolState {
    /// At the gate.
    Waiting,
    /// Running.
    Running {
        /// Since when.
        since: Millis,
        /// How far it is, if it says so.
        progress: Option<Progress>,
    },
    /// Over.
    Answered(ToolResult),
}
