//! What the agent asks for.

use crate::chat::entry::Entry;
use crate::chat::id::{RequestId, ToolUseId};
use crate::chat::message::ContentBlock;
use crate::chat::moment::Millis;
use crate::chat::request::ModelRequest;
use crate::gate::Approved;

/// A request of the turn loop. Order is a promise: what is remembered comes before what follows
/// from it.
#[derive(Debug, PartialEq)]
pub enum AgentEffect {
    /// Write this down.
    Remember(Entry),
    /// Ask the model.
    SendRequest {
        /// Names the answers.
        request: RequestId,
        /// What to ask.
        body: Box<ModelRequest>,
    },
    /// Drop a request.
    AbortRequest(RequestId),
    /// Come back with `RetryDue` after a while.
    WaitToRetry {
        /// Names the answer.
        request: RequestId,
        /// How long.
        after: Millis,
    },
    /// Run a call.
    CallTool(Approved),
    /// Tell a server to stop a call; its answer is not waited for.
    CancelTool(ToolUseId),
    /// A queued message goes back to where it was written.
    GiveBack(Vec<ContentBlock>),
    /// The turn is over, or waits for the person.
    TurnPaused,
}
