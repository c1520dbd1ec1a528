//! Reading the transcripts on disk, away from the event loop.

use std::path::PathBuf;

use crate::app::event::{Fact, LoadPurpose};
use crate::chat::id::TranscriptId;
use crate::io::facts::Facts;
use crate::io::store::library::Library;

/// Lists and reads transcripts in the background.
#[derive(Debug)]
pub(in crate::io) struct Shelf {
    data: PathBuf,
    facts: Facts,
}

impl Shelf {
    pub(in crate::io) const fn new(data: PathBuf, facts: Facts) -> Self {
        Self { data, facts }
    }

    pub(in crate::io) fn list(&self) {
        self.read(|library| Fact::TranscriptsListed(library.list()));
    }

    pub(in crate::io) fn load(&self, id: TranscriptId, purpose: LoadPurpose) {
        self.read(move |library| {
            let outcome = library
                .load(&id)
                .map(Box::new)
                .map_err(|error| error.to_string());
            Fact::TranscriptLoaded { purpose, outcome }
        });
    }

    fn read(&self, read: impl FnOnce(&Library) -> Fact + Send + 'static) {
        let library = Library::new(self.data.clone());
        let facts = self.facts.clone();
        // The answer may be lost when the program ends first; nothing depends on it then.
        drop(tokio::task::spawn_blocking(move || {
            facts.tell_from_thread(read(&library));
        }));
    }
}
