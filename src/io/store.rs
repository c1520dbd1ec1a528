//! Transcripts on disk: written in order by a thread of their own, read by whoever asks.
//!
//! [`Store`] writes, [`library::Library`] reads, [`guarded`] opens files so that no link that
//! somebody planted is followed and nobody else can read them.

pub mod guarded;
pub mod library;
mod open_file;
pub mod report;
mod writer;

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use tokio::sync::oneshot;

use crate::chat::id::TranscriptId;
use crate::io::store::writer::Writer;
use crate::redact::Redacted;
use crate::transcript::record::Record;

/// How many jobs may wait for the disk. When so many wait, the next one blocks: nothing is dropped,
/// and nothing goes on while what came before it is in memory only.
const QUEUE: usize = 4096;

/// What the store tells while it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A transcript is being written, and its file exists.
    Opened(TranscriptId),
    /// It is in use by another program, so this one goes on in a copy.
    Forked {
        /// The one in use.
        from: TranscriptId,
        /// The copy.
        to: TranscriptId,
        /// It was asked for; otherwise the transcript is open elsewhere.
        asked_for: bool,
    },
    /// It can't be written; a full sentence. Told once for each row of failures.
    SaveFailed(String),
    /// What could not be written before is on disk now.
    SavedAgain,
    /// Something else to tell: modes that were too open, a damaged end.
    Noticed(String),
}

/// Who hears the news; called on the store's own thread.
pub type Listener = Box<dyn Fn(News) + Send>;

/// What the store needs to know.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// DATA.
    pub data: PathBuf,
    /// The working folder, for copies.
    pub folder: String,
    /// The program's version, for copies.
    pub program: String,
    /// `--no-save`: nothing is written at all.
    pub save: bool,
}

/// Writes the transcript of this session.
pub struct Store {
    jobs: SyncSender<Job>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

/// What the thread is asked to do, in order.
enum Job {
    Append(Box<Redacted<Record>>),
    Begin,
    Continue { id: TranscriptId, fork: bool },
    Settle(oneshot::Sender<()>),
}

impl Store {
    /// Starts the thread that writes. It ends when the store is dropped and its queue is empty;
    /// await [`Store::settled`] before the program ends.
    pub fn start(options: StoreOptions, listener: Listener) -> std::io::Result<Self> {
        let (jobs, queue) = sync_channel(QUEUE);
        let mut writer = Writer::new(options, listener);
        // Not joined: it owns its file, and `settled` tells when everything is written.
        let _thread = thread::Builder::new()
            .name("transcript".into())
            .spawn(move || writer.run(&queue))?;
        Ok(Self { jobs })
    }

    /// Writes a record behind all that came before. The file of a new transcript is made with the
    /// first message of the person.
    pub fn append(&self, record: Redacted<Record>) {
        self.send(Job::Append(Box::new(record)));
    }

    /// Begins a new transcript with the next record.
    pub fn begin(&self) {
        self.send(Job::Begin);
    }

    /// Goes on in an existing transcript, or in a copy when it is in use or `fork` asks for one.
    pub fn go_on(&self, id: TranscriptId, fork: bool) {
        self.send(Job::Continue { id, fork });
    }

    /// Resolves when everything that was asked before is on disk or has failed.
    pub fn settled(&self) -> impl Future<Output = ()> + Send + 'static {
        let (sender, receiver) = oneshot::channel();
        self.send(Job::Settle(sender));
        async move {
            // A thread that is gone has nothing left to write.
            let _settled = receiver.await;
        }
    }

    fn send(&self, job: Job) {
        // The thread lives as long as the store; it could only be gone after a panic of its own.
        let _sent = self.jobs.send(job);
    }
}

#[cfg(test)]
mod tests;
