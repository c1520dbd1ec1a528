//! From the records of a transcript back to a conversation that can go on.

mod build;
mod open;

use std::sync::Arc;

use crate::chat::conversation::Conversation;
use crate::chat::entry::Entry;
use crate::chat::id::TranscriptId;
use crate::chat::moment::Timestamp;
use crate::chat::request::Setup;
use crate::transcript::read::read;
use crate::transcript::record::Blobs;
use crate::transcript::replay::build::Builder;

/// What a transcript holds.
#[derive(Debug, PartialEq)]
pub struct Replay {
    /// Which transcript.
    pub id: TranscriptId,
    /// Its title.
    pub title: Option<String>,
    /// The working folder it was made in.
    pub folder: String,
    /// Everything that was said and done, in order, for the screen. Calls that were open when the
    /// program ended are answered at the end.
    pub entries: Vec<(Timestamp, Entry)>,
    /// The conversation to go on with: valid, no call open.
    pub conversation: Conversation,
    /// The model, system prompt and tools of the last request.
    pub setup: Option<Arc<Setup>>,
    /// What was repaired or left out, one full sentence each.
    pub notices: Vec<String>,
}

/// Reads a transcript file in whatever state it is.
pub fn replay(id: TranscriptId, bytes: &[u8], blobs: &dyn Blobs) -> Replay {
    let reading = read(bytes, blobs);
    let mut builder = Builder::new(id, reading.notices);
    for record in reading.records {
        builder.take(record);
    }
    builder.finish()
}

#[cfg(test)]
mod tests;
