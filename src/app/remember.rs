//! From what the agent remembers to the screen and the transcript.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::spend::spent;
use crate::chat::entry::Entry;
use crate::chat::message::ContentBlock;
use crate::transcript::record::{Body, Record};
use crate::transcript::summary;

impl App {
    pub(in crate::app) fn remember(&mut self, entry: Entry, out: &mut Vec<Effect>) {
        if let Entry::UserSaid(blocks) = &entry {
            self.begin_transcript(blocks, out);
        }
        self.spend.add(spent(&entry), &self.agent.options().model);
        self.feed
            .take_in(&entry, self.agent.toolbox(), self.now.mono);
        self.append(Body::Entry(entry), out);
    }

    /// The file begins with the first message, so that a session without one leaves nothing behind.
    fn begin_transcript(&mut self, blocks: &[ContentBlock], out: &mut Vec<Effect>) {
        if self.began {
            return;
        }
        self.began = true;
        self.append(
            Body::Began {
                folder: self.settings.folder.clone(),
                program: env!("CARGO_PKG_VERSION").to_owned(),
                forked_from: None,
            },
            out,
        );
        let text = blocks
            .iter()
            .find_map(ContentBlock::as_text)
            .unwrap_or_default();
        let title = summary::title_of(text);
        if !title.is_empty() {
            self.title = Some(self.redactor.text(&title).into_inner());
            self.append(Body::Titled(title), out);
        }
    }

    fn append(&self, body: Body, out: &mut Vec<Effect>) {
        if self.settings.save {
            let record = Record {
                at: self.now.wall,
                body,
            };
            out.push(Effect::Append(self.redactor.redact(record)));
        }
    }
}
