//! What the agent is told.

use crate::chat::failure::{RetryHint, TurnError};
use crate::chat::id::{RequestId, ToolUseId};
use crate::chat::listing::Progress;
use crate::chat::message::ContentBlock;
use crate::chat::stream::StreamEvent;
use crate::chat::tool::ToolResult;
use crate::gate::arming::ArmedPress;
use crate::gate::decision::Decision;

/// A fact that the turn loop has to know.
#[derive(Debug, PartialEq)]
pub enum AgentEvent {
    /// The person sent a message; during a turn it is queued.
    UserSubmitted(Vec<ContentBlock>),
    /// More of a reply arrived.
    Streamed {
        /// Which request it answers.
        request: RequestId,
        /// What it says.
        events: Vec<StreamEvent>,
    },
    /// A request ended without a whole reply.
    RequestFailed {
        /// Which request.
        request: RequestId,
        /// Why.
        error: TurnError,
        /// What the answer says about trying again.
        retry: RetryHint,
    },
    /// The wait before another attempt is over.
    RetryDue(RequestId),
    /// The person decided about waiting calls.
    Decided {
        /// The proof that a key was pressed.
        press: ArmedPress,
        /// What was decided.
        decision: Decision,
    },
    /// A running call reported progress.
    ToolProgressed {
        /// Which call.
        call: ToolUseId,
        /// How far it is.
        progress: Progress,
    },
    /// A call ended.
    ToolFinished(ToolResult),
    /// The person stopped the stream and keeps what came.
    StreamStopped,
    /// The person stopped one running call.
    CallStopped(ToolUseId),
    /// The person, or a signal, ended the turn.
    TurnStopped,
    /// The person asks again after a failure, or lets the turn go on.
    AskedAgain,
    /// The person takes the newest queued message back.
    QueueTakenBack,
}
