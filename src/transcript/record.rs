//! One line of a transcript, version 1 of the format (JSON Schema in `assets/`).

use crate::chat::entry::Entry;
use crate::chat::moment::Timestamp;
use crate::redact::{Redactable, Redactor};

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
}

impl Redactable for Record {
    fn redacted_by(self, _redactor: &Redactor) -> Self {
        self
    }
}
