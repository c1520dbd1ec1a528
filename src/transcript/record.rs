//! One line of a transcript, version 1 of the format (JSON Schema in `assets/`).

mod decode;
mod encode;
mod line;
mod media;
mod redacting;
pub mod stamp;
mod words;

pub use decode::{Blobs, NoBlobs, Parsed, ParsedBody, decode};
pub use encode::{Encoder, Lines};
pub use media::Blob;

use crate::chat::entry::Entry;
use crate::chat::moment::Timestamp;

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// A record before its id and its parent are known; the writer gives both.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub body: Body,
}

/// What a record says.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// The first record of each file: where and with what the conversation began.
    Began {
        /// The working folder.
        folder: String,
        /// Version of the program that wrote it.
        program: String,
        /// Made as a copy of this transcript.
        forked_from: Option<String>,
    },
    /// The conversation has this title now.
    Titled(String),
    /// Something happened in the conversation.
    Entry(Entry),
    /// The same, where redaction has changed something. Made by redaction only.
    Altered {
        /// What is left of it.
        entry: Entry,
        /// Blocks that could not be altered and are missing.
        left_out: Vec<LeftOut>,
    },
}

/// A block of a reply that is not in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place in the reply.
    pub index: usize,
    /// Why.
    pub why: String,
}
