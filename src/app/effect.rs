//! Requests to the world.

use crate::app::event::{LoadPurpose, Timer};
use crate::chat::id::{RequestId, ToolUseId, TranscriptId};
use crate::chat::moment::Millis;
use crate::chat::request::ModelRequest;
use crate::gate::Approved;
use crate::redact::Redacted;
use crate::transcript::record::Record;

/// Something that the world is asked to do. Returns at once; an answer comes as an
/// [`Event`](crate::app::event::Event).
///
/// Order is a promise: a `SendRequest` or `CallTool` starts only when every `Append` before it is
/// on the disk, or has failed.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Ask the model. Answers: `Streamed`, `StreamAlive`, `RequestFailed`.
    SendRequest {
        /// Names the answers.
        request: RequestId,
        /// What to ask.
        body: Box<ModelRequest>,
    },
    /// Drop a request; nothing is heard of it again.
    AbortRequest(RequestId),
    /// Run a call. Answers: `ToolProgressed`, then one `ToolFinished`.
    CallTool(Approved),
    /// Tell the server to stop a call. `ToolFinished` still comes.
    CancelTool(ToolUseId),
    /// Write a record to the transcript.
    Append(Redacted<Record>),
    /// Begin a new transcript with the next record.
    NewTranscript,
    /// Go on in an existing transcript; `fork` makes a copy first.
    ContinueTranscript {
        /// Which one.
        id: TranscriptId,
        /// Go on in a copy.
        fork: bool,
    },
    /// List the transcripts. Answer: `TranscriptsListed`.
    ListTranscripts,
    /// Read a transcript. Answer: `TranscriptLoaded`.
    LoadTranscript {
        /// Which one.
        id: TranscriptId,
        /// What for.
        purpose: LoadPurpose,
    },
    /// Wait. Answer: `TimerFired`. A timer that is already running starts anew.
    StartTimer {
        /// Names the answer.
        timer: Timer,
        /// How long.
        after: Millis,
    },
    /// Forget a timer.
    StopTimer(Timer),
    /// Start the servers of the configuration. Answers: `ServerChanged`, `ToolsListed`.
    StartServers,
    /// Start the demo: its model becomes the one that is asked, its server is added. Answers:
    /// `ServerChanged`, `ToolsListed`.
    StartDemo,
    /// Open the external editor. Answer: `EditorClosed`.
    OpenEditor(String),
    /// Ring the bell, once.
    Ring,
    /// Give the terminal back and stop the program until it is continued.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// End the program with this exit code, after the servers have been stopped.
    Quit(u8),
}
