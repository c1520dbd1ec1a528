//! A transcript file that is open for writing, with its lock.

use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use uuid::Uuid;

use crate::chat::id::{RecordId, TranscriptId};
use crate::chat::moment::Timestamp;
use crate::io::blobs::BlobFolder;
use crate::io::store::guarded;
use crate::redact::Redacted;
use crate::transcript::read::read;
use crate::transcript::record::{Encoder, Lines, NoBlobs, ParsedBody, Record, stamp};

/// A transcript that this program writes; nobody else can while this value lives.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) id: TranscriptId,
    file: File,
    encoder: Encoder,
    blobs: BlobFolder,
    /// Up to here the file holds whole lines, in bytes.
    length: u64,
    /// What comes before may be half a line.
    torn: bool,
}

/// How opening an existing transcript ended.
#[derive(Debug)]
pub(super) enum Opened {
    Here(Box<OpenFile>, Vec<String>),
    InUse,
}

impl OpenFile {
    /// Creates the file of a new transcript.
    pub(super) fn create(data: &Path, at: Timestamp) -> Result<(Self, Vec<String>)> {
        let mut mended = Vec::new();
        mended.extend(guarded::root_folder(data)?);
        let day = stamp::to_text(at);
        let year = day.get(..4).unwrap_or("1970");
        let month = day.get(5..7).unwrap_or("01");
        let mut folder = data.join("transcripts");
        mended.extend(guarded::inner_folder(&folder)?);
        for name in [year, month] {
            folder.push(name);
            mended.extend(guarded::inner_folder(&folder)?);
        }
        let (id, file) = create_in(&folder)?;
        lock(&file)?;
        guarded::sync_folder(&folder)?;
        let open = Self {
            id,
            file,
            encoder: Encoder::default(),
            blobs: BlobFolder::new(data.to_path_buf()),
            length: 0,
            torn: false,
        };
        Ok((open, mended))
    }

    /// Opens a transcript to go on with it.
    pub(super) fn open(data: &Path, id: TranscriptId, path: &Path) -> Result<Opened> {
        let mut mended = tighten_folders(data, path)?;
        let (mut file, loose) = guarded::append_file(path)?;
        mended.extend(loose);
        if lock(&file).is_err() {
            return Ok(Opened::InUse);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let open = Self {
            id,
            file,
            encoder: encoder_after(&bytes),
            blobs: BlobFolder::new(data.to_path_buf()),
            length: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            torn: bytes.last().is_some_and(|last| *last != b'\n'),
        };
        Ok(Opened::Here(Box::new(open), mended))
    }

    /// Copies lines of another transcript as they are, records of later versions too.
    pub(super) fn copy(&mut self, bytes: &[u8]) -> Result<()> {
        let mut copy = bytes.to_vec();
        if copy.last().is_some_and(|last| *last != b'\n') {
            copy.push(b'\n');
        }
        self.write(&copy)?;
        self.encoder = encoder_after(bytes);
        Ok(())
    }

    /// Makes the lines of a record. They must be written in the order they were made in.
    pub(super) fn encode(&mut self, record: &Redacted<Record>) -> Lines {
        let mut new_id = || RecordId::new(Uuid::now_v7().to_string());
        self.encoder.encode(record, &mut new_id)
    }

    /// Writes lines, and first what they refer to.
    pub(super) fn put(&mut self, lines: &Lines) -> Result<()> {
        for blob in &lines.blobs {
            self.blobs.keep(blob)?;
        }
        self.write(lines.text.as_bytes())
    }

    /// Makes sure that all that was written survives a crash.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        // Behind half a line the next record begins on a line of its own.
        let written = if self.torn {
            self.file.write_all(&[b"\n", bytes].concat())
        } else {
            self.file.write_all(bytes)
        };
        if let Err(error) = written {
            // A full disk may have taken a part; take it back, else remember that it is there.
            self.torn |= self.file.set_len(self.length).is_err();
            return Err(error);
        }
        self.length = self
            .file
            .metadata()
            .map_or(self.length, |metadata| metadata.len());
        self.torn = false;
        Ok(())
    }
}

/// Creates a file under a name that nothing else has.
fn create_in(folder: &Path) -> Result<(TranscriptId, File)> {
    const ATTEMPTS: usize = 8;
    for _ in 0..ATTEMPTS {
        let id = Uuid::now_v7().to_string();
        match guarded::create_file(&folder.join(format!("{id}.jsonl"))) {
            Ok(file) => return Ok((TranscriptId::new(id), file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::new(
        ErrorKind::AlreadyExists,
        "every name that was tried is taken",
    ))
}

/// Takes the lock of a file. A list that looks at the same moment holds it for a blink only.
fn lock(file: &File) -> Result<()> {
    const ATTEMPTS: u32 = 5;
    for attempt in 1..=ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => pause(),
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(Error::new(
        ErrorKind::WouldBlock,
        "it is open in another program",
    ))
}

#[expect(
    clippy::disallowed_methods,
    reason = "on the store's own thread, for a few milliseconds, and nothing tells when a lock is free"
)]
fn pause() {
    sleep(Duration::from_millis(5));
}

fn tighten_folders(data: &Path, path: &Path) -> Result<Vec<String>> {
    let mut mended = Vec::new();
    mended.extend(guarded::root_folder(data)?);
    let below: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != data)
        .map(Path::to_path_buf)
        .collect();
    for folder in below.iter().rev() {
        mended.extend(guarded::inner_folder(folder)?);
    }
    Ok(mended)
}

fn encoder_after(bytes: &[u8]) -> Encoder {
    let records = read(bytes, &NoBlobs).records;
    let setup = records.iter().rev().find_map(|record| match &record.body {
        ParsedBody::Setup { hash, .. } => Some(hash.clone()),
        ParsedBody::Began { .. }
        | ParsedBody::Titled(_)
        | ParsedBody::Requested { .. }
        | ParsedBody::Entry { .. }
        | ParsedBody::Unknown { .. } => None,
    });
    Encoder::after(records.last().map(|record| record.id.clone()), setup)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, read_to_string};

    use super::OpenFile;
    use crate::chat::moment::Timestamp;

    #[test]
    fn a_write_that_failed_leaves_whole_lines_and_can_be_tried_again() {
        let home = tempfile::tempdir().unwrap();
        let (mut open, _) = OpenFile::create(home.path(), Timestamp(0)).unwrap();
        let name = format!("transcripts/1970/01/{}.jsonl", open.id);
        let path = home.path().join(name);
        open.write(b"one\n").unwrap();
        // A disk that takes nothing any more.
        let writable = std::mem::replace(&mut open.file, File::open(&path).unwrap());
        assert!(open.write(b"two\n").is_err());
        open.file = writable;
        open.write(b"two\n").unwrap();
        // It could not be told whether a part was taken, so an empty line stands between.
        assert_eq!(read_to_string(&path).unwrap(), "one\n\ntwo\n");
    }
}
