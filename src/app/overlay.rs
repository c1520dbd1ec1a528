//! A layer over the conversation.

use crate::chat::id::ToolUseId;
use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;

/// What lies over the conversation. It has the keyboard.
#[derive(Debug)]
pub enum Overlay {
    /// Keys and commands.
    Help {
        /// First line shown.
        scroll: usize,
    },
    /// One whole call, invisible characters shown.
    Call {
        /// Which call.
        call: ToolUseId,
        /// First line shown.
        scroll: usize,
    },
    /// The servers and why some are not there.
    Servers {
        /// First line shown.
        scroll: usize,
    },
    /// The transcripts on disk.
    Browser(Browser),
    /// What to do without a key.
    FirstRun,
}

/// The list of transcripts with a preview.
#[derive(Debug, Default)]
pub struct Browser {
    /// The transcripts, newest first; `None` until they were listed.
    pub list: Option<Vec<Summary>>,
    /// Which one is chosen.
    pub chosen: usize,
    /// What the chosen one holds, once it was read.
    pub preview: Option<Result<Box<Replay>, String>>,
}
