//! Facts: what has happened, and when.

use crate::app::servers::ServerStatus;
use crate::app::shown::Shown;
use crate::chat::failure::{RetryHint, TurnError};
use crate::chat::id::{RequestId, ServerName, ToolUseId, TranscriptId};
use crate::chat::listing::{ListedTool, Progress};
use crate::chat::moment::Moment;
use crate::chat::stream::StreamEvent;
use crate::chat::tool::ToolResult;
use crate::keymap::key::Key;
use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;

/// Something that has happened.
#[derive(Debug)]
pub struct Event {
    /// When.
    pub at: Moment,
    /// What.
    pub fact: Fact,
}

/// What has happened. Every answer carries the id of its question; `App` drops late ones.
#[derive(Debug)]
pub enum Fact {
    /// A key went down, repeats or came up.
    KeyPressed(Key),
    /// Text was pasted (bracketed paste).
    Pasted(String),
    /// The wheel was turned by so many notches; negative is up.
    Wheeled(i32),
    /// A mouse button was pressed somewhere.
    Clicked,
    /// The terminal has a new size, in cells.
    Resized {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// The terminal gained or lost the focus.
    FocusChanged(bool),
    /// A frame has reached the terminal; this is what could be seen in it.
    Drawn(Shown),
    /// More of a reply arrived.
    Streamed {
        /// Which request it answers.
        request: RequestId,
        /// What it says, in order.
        events: Vec<StreamEvent>,
    },
    /// A sign of life that says nothing: a ping or a comment.
    StreamAlive(RequestId),
    /// A request ended without a whole reply.
    RequestFailed {
        /// Which request.
        request: RequestId,
        /// Why.
        error: TurnError,
        /// What the answer says about trying again.
        retry: RetryHint,
    },
    /// A running call reported progress.
    ToolProgressed {
        /// Which call.
        call: ToolUseId,
        /// How far it is.
        progress: Progress,
    },
    /// A call ended. Each `CallTool` gives exactly one of these.
    ToolFinished(ToolResult),
    /// A server changed its state.
    ServerChanged {
        /// Which server.
        server: ServerName,
        /// Its state now.
        status: ServerStatus,
    },
    /// A server listed its tools, at the start or after a change. Replaces its earlier list.
    ToolsListed {
        /// Which server.
        server: ServerName,
        /// Every tool that could be read.
        tools: Vec<ListedTool>,
        /// What was wrong with the list, one line each.
        problems: Vec<String>,
    },
    /// A timer ran out.
    TimerFired(Timer),
    /// The system asks the program to end or to continue.
    Signalled(Signal),
    /// The transcript can't be written: why and what follows, as full sentences. The conversation
    /// goes on in memory.
    SaveFailed(String),
    /// The transcript is written again, with everything that was missing.
    SavedAgain,
    /// The transcript that is being written, once its file exists.
    TranscriptOpened(TranscriptId),
    /// The transcripts on disk, newest first.
    TranscriptsListed(Vec<Summary>),
    /// A transcript was read for reading or resuming.
    TranscriptLoaded {
        /// What for.
        purpose: LoadPurpose,
        /// What it holds, or why it can't be read.
        outcome: Result<Box<Replay>, String>,
    },
    /// The external editor was closed: the text, or why there is none.
    EditorClosed(Result<String, String>),
    /// Something to tell the person that belongs to nothing else.
    Noticed(crate::app::notice::Notice),
}

/// Why a transcript is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadPurpose {
    /// To look at, in the browser.
    Preview,
    /// To go on with.
    Resume,
}

/// A wait that `App` asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timer {
    /// The gate may be armed by now.
    GateQuiet,
    /// A decision key stayed alone long enough.
    GateHold,
    /// It is time to send a request again.
    Retry(RequestId),
    /// A second has passed and something on the screen counts seconds.
    Tick,
    /// A notice has been up long enough.
    NoticeFades,
    /// The second Ctrl+C didn't come.
    QuitWindow,
}

/// A signal from the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT, from outside: Ctrl+C arrives as a key.
    Interrupt,
    /// SIGTERM or SIGQUIT.
    Terminate,
    /// SIGHUP, or the terminal is gone.
    HangUp,
    /// SIGCONT: the program was stopped and goes on.
    Continue,
}
