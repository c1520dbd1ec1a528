//! Pictures and documents of a record: small ones inside the line, others in a file of their own.

use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::chat::tool::Media;
use crate::transcript::record::decode::Blobs;
use crate::transcript::record::line::MediaLine;

/// Up to this many characters of base64 stay inside the line.
const INLINE: usize = 4 * 1024;

/// Bytes that a record refers to by their hash. They are written before the record is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// SHA-256 of the bytes in hexadecimal: the name of the file.
    pub hash: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Blob {
    /// Takes bytes and names them by their hash.
    pub fn new(bytes: Vec<u8>) -> Self {
        let hash = hash(&bytes);
        Self { hash, bytes }
    }
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string can't fail.
            let _unused = write!(text, "{byte:02x}");
            text
        })
}

/// Writes media down; large ones are added to `blobs`.
pub(super) fn to_line(media: &Media, blobs: &mut Vec<Blob>) -> MediaLine {
    let mut line = MediaLine {
        media_type: media.media_type.clone(),
        base64: None,
        blob: None,
    };
    match decoded(media) {
        Some(bytes) if media.base64.len() > INLINE => {
            let blob = Blob::new(bytes);
            line.blob = Some(blob.hash.clone());
            blobs.push(blob);
        }
        Some(_) | None => line.base64 = Some(media.base64.to_string()),
    }
    line
}

/// Reads media back. `None`: the file it is in is missing.
pub(super) fn from_line(line: MediaLine, blobs: &dyn Blobs) -> Option<Media> {
    let base64: Arc<str> = match (line.base64, line.blob) {
        (Some(base64), _) => base64.into(),
        (None, Some(hash)) => STANDARD.encode(blobs.read(&hash)?).into(),
        (None, None) => return None,
    };
    Some(Media {
        media_type: line.media_type,
        base64,
    })
}

/// Returns the bytes if writing them as base64 again gives the same text.
fn decoded(media: &Media) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(media.base64.as_bytes()).ok()?;
    (STANDARD.encode(&bytes) == *media.base64).then_some(bytes)
}
