//! The thread that writes: one line a record, one sync for all that waits together.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Result};
use std::sync::mpsc::Receiver;

use tokio::sync::oneshot;

use crate::chat::entry::Entry;
use crate::chat::id::TranscriptId;
use crate::chat::moment::Timestamp;
use crate::io::clock::Clock;
use crate::io::store::library::Library;
use crate::io::store::open_file::{OpenFile, Opened};
use crate::io::store::{Job, Listener, News, StoreOptions};
use crate::redact::{Redacted, Redactor};
use crate::transcript::record::{Body, Lines, Record};

/// The state of the thread.
pub(super) struct Writer {
    options: StoreOptions,
    listener: Listener,
    /// Where lines go; nothing before the first message of a new transcript.
    file: Option<OpenFile>,
    /// Records that wait for the file.
    waiting: Vec<Redacted<Record>>,
    /// Lines that the disk has not taken yet, in order.
    unsaved: VecDeque<Lines>,
    unsynced: bool,
    /// The last attempt failed and was told.
    failing: bool,
}

impl Writer {
    pub(super) fn new(options: StoreOptions, listener: Listener) -> Self {
        Self {
            options,
            listener,
            file: None,
            waiting: Vec::new(),
            unsaved: VecDeque::new(),
            unsynced: false,
            failing: false,
        }
    }

    /// Works until the store is dropped.
    pub(super) fn run(&mut self, queue: &Receiver<Job>) {
        while let Ok(first) = queue.recv() {
            let mut settled = Vec::new();
            self.work(first, &mut settled);
            while let Ok(next) = queue.try_recv() {
                self.work(next, &mut settled);
            }
            self.save();
            for waiter in settled {
                // Who asked may have stopped to wait.
                let _told = waiter.send(());
            }
        }
    }

    fn work(&mut self, job: Job, settled: &mut Vec<oneshot::Sender<()>>) {
        if !self.options.save {
            if let Job::Settle(waiter) = job {
                settled.push(waiter);
            }
            return;
        }
        match job {
            Job::Append(record) => self.append(*record),
            Job::Begin => self.begin(),
            Job::Continue { id, fork } => self.go_on(&id, fork),
            Job::Settle(waiter) => settled.push(waiter),
        }
    }

    fn append(&mut self, record: Redacted<Record>) {
        match &mut self.file {
            Some(file) => self.unsaved.push_back(file.encode(&record)),
            None => self.waiting.push(record),
        }
    }

    fn begin(&mut self) {
        self.save();
        self.file = None;
        self.waiting.clear();
        // What the disk refused until now belongs to a file that is closed.
        self.unsaved.clear();
    }

    fn go_on(&mut self, id: &TranscriptId, fork: bool) {
        self.begin();
        match self.open(id, fork) {
            Ok(()) => self.succeed(),
            Err(error) => self.fail(&error),
        }
    }

    fn open(&mut self, id: &TranscriptId, fork: bool) -> Result<()> {
        let library = Library::new(self.options.data.clone());
        let path = library
            .path(id)
            .ok_or_else(|| Error::new(ErrorKind::NotFound, "there is no such transcript"))?;
        if !fork {
            let opened = OpenFile::open(&self.options.data, id.clone(), &path)?;
            if let Opened::Here(file, mended) = opened {
                self.notice(mended);
                self.tell(News::Opened(id.clone()));
                self.file = Some(*file);
                return Ok(());
            }
        }
        let bytes = library.read(&path)?;
        self.fork(id, &bytes, fork)
    }

    fn fork(&mut self, from: &TranscriptId, bytes: &[u8], asked_for: bool) -> Result<()> {
        let at = Clock::start().now().wall;
        let (mut file, mended) = OpenFile::create(&self.options.data, at)?;
        let began = self.began(at, Some(from));
        let lines = file.encode(&began);
        file.put(&lines)?;
        file.copy(bytes)?;
        file.sync()?;
        self.notice(mended);
        let to = file.id.clone();
        self.tell(News::Forked {
            from: from.clone(),
            to: to.clone(),
            asked_for,
        });
        self.tell(News::Opened(to));
        self.file = Some(file);
        Ok(())
    }

    /// Writes all that waits and makes it survive a crash. What fails is tried again next time.
    fn save(&mut self) {
        match self.try_save() {
            Ok(()) => self.succeed(),
            Err(error) => self.fail(&error),
        }
    }

    fn try_save(&mut self) -> Result<()> {
        self.create_if_due()?;
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        while let Some(lines) = self.unsaved.front() {
            file.put(lines)?;
            self.unsaved.pop_front();
            self.unsynced = true;
        }
        if self.unsynced {
            file.sync()?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Makes the file once the person has said something; an empty session leaves nothing behind.
    fn create_if_due(&mut self) -> Result<()> {
        let due = self.waiting.iter().any(|record| is_said(&record.body));
        if !due || self.file.is_some() {
            return Ok(());
        }
        let at = self
            .waiting
            .first()
            .map_or(Timestamp(0), |record| record.at);
        let (mut file, mended) = OpenFile::create(&self.options.data, at)?;
        let begins =
            matches!(self.waiting.first(), Some(first) if matches!(first.body, Body::Began { .. }));
        if !begins {
            let began = self.began(at, None);
            self.unsaved.push_back(file.encode(&began));
        }
        for record in self.waiting.drain(..) {
            self.unsaved.push_back(file.encode(&record));
        }
        self.notice(mended);
        self.tell(News::Opened(file.id.clone()));
        self.file = Some(file);
        Ok(())
    }

    fn began(&self, at: Timestamp, from: Option<&TranscriptId>) -> Redacted<Record> {
        Redactor::default().redact(Record {
            at,
            body: Body::Began {
                folder: self.options.folder.clone(),
                program: self.options.program.clone(),
                forked_from: from.map(ToString::to_string),
            },
        })
    }

    fn succeed(&mut self) {
        if std::mem::take(&mut self.failing) {
            self.tell(News::SavedAgain);
        }
    }

    fn fail(&mut self, error: &Error) {
        if !std::mem::replace(&mut self.failing, true) {
            let reason = reason(error);
            self.tell(News::SaveFailed(format!(
                "The conversation can't be saved: {reason}. It goes on in memory, and saving is \
                 tried again with each new message."
            )));
        }
    }

    fn notice(&self, mended: Vec<String>) {
        for text in mended {
            self.tell(News::Noticed(text));
        }
    }

    fn tell(&self, news: News) {
        (self.listener)(news);
    }
}

fn is_said(body: &Body) -> bool {
    match body {
        Body::Entry(entry) | Body::Altered { entry, .. } => matches!(entry, Entry::UserSaid(_)),
        Body::Began { .. } | Body::Titled(_) => false,
    }
}

/// Says in a few words why the disk refuses.
fn reason(error: &Error) -> String {
    let kind = error.kind();
    if matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        "the disk is full".to_owned()
    } else if kind == ErrorKind::ReadOnlyFilesystem {
        "the disk is read-only".to_owned()
    } else {
        error.to_string()
    }
}
