//! What happens while a reply arrives, in words that every dialect shares.

use crate::chat::failure::TurnError;
use crate::chat::message::ModelBlock;

/// One step of a reply. Blocks are named by `index`; some servers let blocks overlap.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// The service began to answer.
    Started {
        /// The service's id of the reply.
        reply_id: Option<String>,
        /// The model that answers; it can differ from the one asked for.
        model: Option<String>,
    },
    /// A block begins.
    BlockStarted {
        /// Its place in the reply.
        index: usize,
        /// What can be said of it already.
        opening: BlockOpening,
    },
    /// Text for the person grew.
    TextGrew {
        /// The block's place.
        index: usize,
        /// What was added.
        text: String,
    },
    /// Readable reasoning grew.
    ThinkingGrew {
        /// The block's place.
        index: usize,
        /// What was added.
        text: String,
    },
    /// More of a call's arguments arrived; only their size is of interest before the end.
    ArgumentsGrew {
        /// The block's place.
        index: usize,
        /// How many bytes were added.
        bytes: usize,
    },
    /// A block is whole.
    BlockFinished {
        /// The block's place.
        index: usize,
        /// The block.
        block: ModelBlock,
    },
    /// Token counts; each report replaces the one before.
    UsageReported(Usage),
    /// Why the model stops. The reply is not over yet.
    Stopping(StopReason),
    /// The reply is over and whole. Nothing else is a success.
    Finished,
    /// The service reported an error in the middle of the reply.
    Failed(TurnError),
}

/// What is known of a block when it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockOpening {
    /// Text for the person.
    Text,
    /// Reasoning, readable or not.
    Thinking,
    /// A call of this tool.
    ToolUse {
        /// The public name of the tool.
        name: String,
    },
    /// A block of another kind.
    Other {
        /// The block's `type`.
        kind: String,
    },
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// It said all it wanted to say.
    EndTurn,
    /// It waits for the results of its calls.
    ToolUse,
    /// The output limit was reached; the last block may be cut.
    MaxTokens,
    /// It wrote a text that was to stop it.
    StopSequence(Option<String>),
    /// The service paused its own work; the same request, with this reply, goes on.
    PauseTurn,
    /// It refused.
    Refusal {
        /// The kind of refusal, in the service's word.
        category: Option<String>,
        /// The service's explanation, for display only.
        explanation: Option<String>,
    },
    /// The context window is full.
    ContextWindowExceeded,
    /// A reason made after us; treated as the end of the turn.
    Other(String),
}

/// Token counts of one request. The three kinds of input are disjoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Input read from the cache.
    pub cache_read: u64,
    /// Input written to the cache.
    pub cache_write: u64,
    /// Output, reasoning included.
    pub output: u64,
}

impl Usage {
    /// Returns the size of the whole prompt.
    pub const fn prompt(&self) -> u64 {
        self.input + self.cache_read + self.cache_write
    }

    /// Returns the sum of two counts.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input: self.input + other.input,
            cache_read: self.cache_read + other.cache_read,
            cache_write: self.cache_write + other.cache_write,
            output: self.output + other.output,
        }
    }
}
