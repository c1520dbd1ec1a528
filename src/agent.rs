//! The turn loop: a state machine without I/O.
//!
//! A turn goes from a user message until the model stops for good. Each round is one request and
//! its reply; a reply that asks for calls leads to the gate, and when every call has its result the
//! model is asked again. The loop ends when a reply asks for no call, whatever its stop reason says.
//!
//! The agent owns the [`Conversation`] and the [`Gate`]. It is told facts ([`AgentEvent`]) and
//! answers with requests ([`AgentEffect`]); it never waits and never fails.

mod calls;
pub mod distinct;
pub mod effect;
pub mod event;
pub mod phase;
mod reply;
pub mod retry;
pub mod schema;
#[cfg(test)]
mod tests;
pub mod tools;
mod turn;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use crate::agent::effect::AgentEffect;
use crate::agent::event::AgentEvent;
use crate::agent::phase::{Halt, Phase};
use crate::agent::tools::Toolbox;
use crate::chat::conversation::Conversation;
use crate::chat::id::{RequestId, ServerName, ToolUseId};
use crate::chat::listing::ListedTool;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Millis;
use crate::chat::request::Setup;
use crate::gate::Gate;

/// What the agent is set up with.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentOptions {
    /// The model's id.
    pub model: String,
    /// The system prompt.
    pub system: Option<Arc<str>>,
    /// The most tokens of a reply.
    pub max_tokens: u32,
    /// How much effort the model puts in.
    pub effort: Option<String>,
    /// The most requests for one user message.
    pub max_turns: u32,
    /// Where the jitter of retries begins.
    pub seed: u64,
}

/// The turn loop.
///
/// Invariant: calls are open in the conversation exactly while the phase is `AtTools`, and each of
/// them is waiting at the gate, running, or answered.
#[derive(Debug)]
pub struct Agent {
    options: AgentOptions,
    conversation: Conversation,
    gate: Gate,
    toolbox: Toolbox,
    phase: Phase,
    /// Messages that wait until the turn is over, oldest first.
    queue: VecDeque<Vec<ContentBlock>>,
    last_request: RequestId,
    /// Requests made since the person last said something.
    rounds: u32,
    /// How long the conversation was before the turn's user message.
    turn_start: usize,
    /// The text of a reply that was cut. It joins the conversation when the person goes on from it,
    /// and is forgotten when the person asks again.
    leftover: Option<String>,
    /// Calls whose server went away while they waited: what was shown can't run any more.
    orphans: HashSet<ToolUseId>,
    random: u64,
}

impl Agent {
    /// Makes an agent with an empty conversation.
    pub fn new(options: AgentOptions, gate: Gate) -> Self {
        Self {
            random: options.seed,
            options,
            conversation: Conversation::default(),
            gate,
            toolbox: Toolbox::default(),
            phase: Phase::Idle,
            queue: VecDeque::new(),
            last_request: RequestId::default(),
            rounds: 0,
            turn_start: 0,
            leftover: None,
            orphans: HashSet::new(),
        }
    }

    /// Takes in a fact and returns what it asks for, in order.
    pub fn handle(&mut self, event: AgentEvent, now: Millis) -> Vec<AgentEffect> {
        let mut out = Vec::new();
        match event {
            AgentEvent::UserSubmitted(blocks) => self.on_user_submitted(blocks, &mut out),
            AgentEvent::Streamed { request, events } => {
                self.on_streamed(request, events, now, &mut out);
            }
            AgentEvent::RequestFailed {
                request,
                error,
                retry,
            } => {
                self.on_request_failed(request, error, retry, now, &mut out);
            }
            AgentEvent::RetryDue(request) => self.on_retry_due(request, &mut out),
            AgentEvent::Decided { press, decision } => {
                self.on_decided(&press, decision, now, &mut out);
            }
            AgentEvent::ToolProgressed { call, progress } => self.on_progress(&call, progress),
            AgentEvent::ToolFinished(result) => self.on_tool_finished(result, &mut out),
            AgentEvent::StreamStopped => self.on_stream_stopped(&mut out),
            AgentEvent::CallStopped(call) => self.on_call_stopped(&call, &mut out),
            AgentEvent::TurnStopped => self.on_turn_stopped(&mut out),
            AgentEvent::AskedAgain => self.on_asked_again(&mut out),
            AgentEvent::QueueTakenBack => self.on_queue_taken_back(&mut out),
        }
        out
    }

    /// Returns where the agent is.
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns the conversation so far.
    pub const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Returns the gate.
    pub const fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Returns the gate, for the keys and frames that arm it.
    pub const fn gate_mut(&mut self) -> &mut Gate {
        &mut self.gate
    }

    /// Returns the tools.
    pub const fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Returns what the agent is set up with.
    pub const fn options(&self) -> &AgentOptions {
        &self.options
    }

    /// Changes what the next request is made with.
    pub const fn options_mut(&mut self) -> &mut AgentOptions {
        &mut self.options
    }

    /// Returns the messages that wait until the turn is over, oldest first.
    pub fn queue(&self) -> impl Iterator<Item = &[ContentBlock]> {
        self.queue.iter().map(Vec::as_slice)
    }

    /// Takes in a server's tool list and returns what is odd about it.
    pub fn list_tools(&mut self, server: &ServerName, tools: Vec<ListedTool>) -> Vec<String> {
        self.toolbox.update(server, tools)
    }

    /// Takes in that a server is gone: its tools can't be called until it lists them again, and the
    /// calls of it that wait can't be run even then, because the server that they were meant for
    /// is no more.
    pub fn lose_server(&mut self, server: &ServerName) {
        self.toolbox.lost(server);
        let waiting = self
            .gate
            .waiting()
            .iter()
            .filter(|call| call.server == *server);
        self.orphans.extend(waiting.map(|call| call.id().clone()));
    }

    /// Goes on with a conversation from a transcript.
    pub fn resume(&mut self, conversation: Conversation, setup: Option<&Setup>) {
        if let Some(setup) = setup {
            self.toolbox.seed(&setup.tools);
        }
        self.turn_start = conversation.messages().len();
        self.conversation = conversation;
        self.phase = Phase::Idle;
        self.queue.clear();
        self.leftover = None;
    }

    /// Tells whether a request's answers are still of interest. All others are dropped.
    pub fn awaits(&self, request: RequestId) -> bool {
        match &self.phase {
            Phase::Streaming {
                request: current, ..
            } => *current == request,
            Phase::Idle | Phase::Retrying { .. } | Phase::AtTools(_) | Phase::Halted(_) => false,
        }
    }

    /// Tells whether a call is running.
    pub fn is_running(&self, call: &ToolUseId) -> bool {
        self.running().any(|running| running == call)
    }

    /// Tells whether a turn is under way and nobody has to press a key for it to go on.
    pub const fn is_busy(&self) -> bool {
        match &self.phase {
            Phase::Streaming { .. } | Phase::Retrying { .. } | Phase::AtTools(_) => true,
            Phase::Idle | Phase::Halted(_) => false,
        }
    }

    fn halt(&mut self, halt: Halt, out: &mut Vec<AgentEffect>) {
        self.phase = Phase::Halted(halt);
        out.push(AgentEffect::TurnPaused);
    }

    /// Returns a number between 0 and 1 (splitmix64): the seed comes from outside.
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let fraction = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        fraction
    }
}
