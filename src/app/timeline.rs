//! What the conversation pane shows, in order: the conversation itself and what happened around it.
//!
//! Everything in here has passed the redactor. Each item has a version that grows with every
//! change, so that a view can keep what it laid out.

use crate::app::notice::Notice;
use crate::chat::id::{ServerName, ToolName, ToolUseId};
use crate::chat::listing::{Progress, ToolHints};
use crate::chat::moment::Millis;
use crate::chat::tool::{Audience, ToolOutcome};
use crate::redact::Redacted;

/// Names an item for as long as the program runs; grows down the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ItemId(pub u64);

/// One item of the conversation pane.
#[derive(Debug)]
pub struct Item {
    /// Its name.
    pub id: ItemId,
    /// Grows whenever the body changes.
    pub version: u32,
    /// What it is.
    pub body: ItemBody,
}

/// What an item is.
#[derive(Debug)]
pub enum ItemBody {
    /// What the person said.
    Person {
        /// The text.
        text: Redacted<String>,
        /// It waits until the turn is over.
        queued: bool,
    },
    /// What the model said: markdown.
    Reply {
        /// The source.
        source: Redacted<String>,
        /// Nothing more will come.
        whole: bool,
    },
    /// The model's reasoning, or a summary of it.
    Thinking {
        /// What can be read of it; may be empty.
        text: Redacted<String>,
        /// Nothing more will come.
        whole: bool,
    },
    /// A call whose arguments are still arriving.
    Preparing {
        /// The public name of the tool.
        tool: String,
        /// How many bytes of arguments have come.
        bytes: usize,
    },
    /// A call.
    Call(Box<CallCard>),
    /// A block of another kind, named rather than dropped.
    Other {
        /// The block's `type`.
        kind: String,
    },
    /// A line to the person.
    Notice(Notice),
}

/// A call as it is shown.
#[derive(Debug)]
pub struct CallCard {
    /// Which call.
    pub id: ToolUseId,
    /// The name that the model used.
    pub public_name: ToolName,
    /// The server that has the tool, if there is one.
    pub server: Option<ServerName>,
    /// The server's own name of the tool.
    pub tool: String,
    /// The server's title for it.
    pub title: Option<String>,
    /// What the server claims about it.
    pub hints: ToolHints,
    /// The arguments as indented JSON, or as they came when they are not JSON.
    pub arguments: Redacted<String>,
    /// Where it stands.
    pub state: CallState,
    /// What came back.
    pub result: Vec<ShownPart>,
    /// Further calls wait before and after this one: (place from 1, how many).
    pub place: (usize, usize),
}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq)]
pub enum CallState {
    /// At the gate since then.
    Waiting(Millis),
    /// Running since then.
    Running {
        /// Since when.
        since: Millis,
        /// How far it is, if it says so.
        progress: Option<Progress>,
        /// It was told to stop.
        stopping: bool,
    },
    /// Over.
    Ended {
        /// How.
        outcome: ToolOutcome,
        /// How long it ran.
        took: Millis,
    },
}

/// A piece of a result as it is shown.
#[derive(Debug)]
pub enum ShownPart {
    /// Text.
    Text {
        /// The text.
        text: Redacted<String>,
        /// Who it is for.
        audience: Audience,
    },
    /// A picture or a document, by its type and size in bytes.
    Media {
        /// MIME type.
        media_type: String,
        /// Size of the bytes.
        bytes: usize,
    },
}
