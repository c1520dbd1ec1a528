//! A transcript as a line in a list.

use crate::chat::id::TranscriptId;
use crate::chat::moment::Timestamp;

/// What a list shows of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Which transcript.
    pub id: TranscriptId,
    /// Its title, else its first message, else nothing.
    pub title: String,
    /// The working folder it was made in.
    pub folder: String,
    /// When it was last written.
    pub changed: Timestamp,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// It is open in another program.
    pub in_use: bool,
}
