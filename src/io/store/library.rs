//! Reads the transcripts on disk: which there are, and what is in them.

use std::fs::{DirEntry, File, TryLockError, read_dir};
use std::io::{Read as _, Result, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use uuid::Uuid;

use crate::chat::entry::Entry;
use crate::chat::id::TranscriptId;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Timestamp;
use crate::io::blobs::BlobFolder;
use crate::io::store::guarded;
use crate::transcript::read::read;
use crate::transcript::record::{NoBlobs, Parsed, ParsedBody};
use crate::transcript::replay::{Replay, replay};
use crate::transcript::summary::{Summary, title_of};

/// How much of the beginning and of the end of a file a list looks at, in bytes.
const GLANCE: u64 = 64 * 1024;

/// The transcripts below DATA.
#[derive(Debug, Clone)]
pub struct Library {
    data: PathBuf,
}

/// No transcript, or more than one, is meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// None begins so.
    #[error("no transcript has an id that begins with `{0}`")]
    None(String),
    /// More than one begins so.
    #[error("`{beginning}` is the beginning of more than one id: {}", ids.join(", "))]
    Several {
        /// What was given.
        beginning: String,
        /// The ids.
        ids: Vec<String>,
    },
}

impl Library {
    /// Names the folder DATA; it needs not exist.
    pub fn new(data: PathBuf) -> Self {
        Self { data }
    }

    /// Lists the transcripts, newest first. What is no transcript is passed over.
    pub fn list(&self) -> Vec<Summary> {
        let mut all: Vec<Summary> = self
            .files()
            .into_iter()
            .filter_map(|(id, path)| summary(id, &path))
            .collect();
        all.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| b.id.cmp(&a.id)));
        all
    }

    /// Returns the newest transcript that was made in a folder.
    pub fn newest_in(&self, folder: &str) -> Option<Summary> {
        self.list()
            .into_iter()
            .find(|summary| summary.folder == folder)
    }

    /// Returns the one transcript whose id begins so; ids begin with their time, so a longer end
    /// counts as well.
    pub fn find(&self, beginning: &str) -> std::result::Result<TranscriptId, FindError> {
        let fits = |id: &TranscriptId| {
            let id = id.as_str();
            id == beginning
                || (beginning.len() >= 4 && (id.starts_with(beginning) || id.ends_with(beginning)))
        };
        let mut found: Vec<TranscriptId> = self
            .files()
            .into_iter()
            .map(|(id, _)| id)
            .filter(fits)
            .collect();
        found.sort();
        match found.as_slice() {
            [] => Err(FindError::None(beginning.to_owned())),
            [one] => Ok(one.clone()),
            several => Err(FindError::Several {
                beginning: beginning.to_owned(),
                ids: several.iter().map(ToString::to_string).collect(),
            }),
        }
    }

    /// Returns where a transcript is.
    pub fn path(&self, id: &TranscriptId) -> Option<PathBuf> {
        let files = self.files().into_iter();
        files
            .filter(|(other, _)| other == id)
            .map(|(_, path)| path)
            .next()
    }

    /// Reads a transcript.
    pub fn load(&self, id: &TranscriptId) -> Result<Replay> {
        let path = self.path(id).ok_or_else(|| {
            std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such transcript")
        })?;
        let bytes = self.read(&path)?;
        Ok(replay(
            id.clone(),
            &bytes,
            &BlobFolder::new(self.data.clone()),
        ))
    }

    /// Returns the folder that holds them all.
    pub fn folder(&self) -> PathBuf {
        self.data.join("transcripts")
    }

    /// Reads the bytes of a transcript.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        guarded::read_file(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns every file that may be a transcript: `transcripts/YYYY/MM/ID.jsonl`.
    fn files(&self) -> Vec<(TranscriptId, PathBuf)> {
        let years = folders(&self.folder());
        let months = years.iter().flat_map(|year| folders(year));
        months
            .flat_map(|month| entries(&month))
            .filter_map(|entry| transcript_file(&entry))
            .collect()
    }
}

/// Returns the plain folders with a number for a name.
fn folders(path: &Path) -> Vec<PathBuf> {
    let is_numbered = |entry: &DirEntry| {
        let name = entry.file_name();
        let number = name
            .to_str()
            .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        number && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    let all = entries(path).into_iter();
    all.filter(is_numbered).map(|entry| entry.path()).collect()
}

fn entries(path: &Path) -> Vec<DirEntry> {
    // A folder that can't be read has nothing to show.
    read_dir(path).map_or_else(|_| Vec::new(), |all| all.flatten().collect())
}

fn transcript_file(entry: &DirEntry) -> Option<(TranscriptId, PathBuf)> {
    let path = entry.path();
    let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file());
    let is_jsonl = path
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let stem = path.file_stem()?.to_str()?;
    let id = TranscriptId::new(stem);
    (is_plain && is_jsonl).then_some((id, path))
}

/// Looks at the two ends of a file. A file of another program is `None`; an empty or broken one of
/// ours is known by its name.
fn summary(id: TranscriptId, path: &Path) -> Option<Summary> {
    let mut file = guarded::read_file(path).ok()?;
    let metadata = file.metadata().ok()?;
    let head = glance(&mut file, 0).ok()?;
    let mut records = read(&head, &NoBlobs).records;
    if records.is_empty() && Uuid::parse_str(id.as_str()).is_err() {
        return None;
    }
    if metadata.len() > GLANCE {
        let tail = glance(&mut file, metadata.len() - GLANCE).unwrap_or_default();
        records.extend(read(&tail, &NoBlobs).records);
    }
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(Summary {
        title: title(&records),
        folder: folder(&records),
        changed: Timestamp(i64::try_from(changed.as_millis()).unwrap_or(i64::MAX)),
        bytes: metadata.len(),
        in_use: is_locked(&file),
        id,
    })
}

fn glance(file: &mut File, from: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(GLANCE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_locked(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            let _unlocked = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

fn title(records: &[Parsed]) -> String {
    let titled = records.iter().rev().find_map(|record| match &record.body {
        ParsedBody::Titled(title) => Some(title.clone()),
        ParsedBody::Began { .. }
        | ParsedBody::Setup { .. }
        | ParsedBody::Requested { .. }
        | ParsedBody::Entry { .. }
        | ParsedBody::Unknown { .. } => None,
    });
    titled
        .or_else(|| records.iter().find_map(first_words))
        .unwrap_or_default()
}

fn first_words(record: &Parsed) -> Option<String> {
    match &record.body {
        ParsedBody::Entry {
            entry: Entry::UserSaid(blocks),
            ..
        } => {
            let text = blocks.iter().find_map(ContentBlock::as_text)?;
            Some(title_of(text))
        }
        ParsedBody::Entry { .. }
        | ParsedBody::Began { .. }
        | ParsedBody::Titled(_)
        | ParsedBody::Setup { .. }
        | ParsedBody::Requested { .. }
        | ParsedBody::Unknown { .. } => None,
    }
}

fn folder(records: &[Parsed]) -> String {
    let began = records.iter().find_map(|record| match &record.body {
        ParsedBody::Began { folder, .. } => Some(folder.clone()),
        ParsedBody::Titled(_)
        | ParsedBody::Setup { .. }
        | ParsedBody::Requested { .. }
        | ParsedBody::Entry { .. }
        | ParsedBody::Unknown { .. } => None,
    });
    began.unwrap_or_default()
}
