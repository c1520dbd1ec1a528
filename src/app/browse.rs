//! Browsing the transcripts and going on in one of them.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::LoadPurpose;
use crate::app::notice::{Level, Notice};
use crate::app::overlay::{Browser, Overlay};
use crate::app::spend::{Spend, spent};
use crate::chat::conversation::Conversation;
use crate::chat::entry::Entry;
use crate::chat::id::TranscriptId;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Moment;
use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;

impl App {
    pub(in crate::app) fn open_browser(&mut self, out: &mut Vec<Effect>) {
        self.overlay = Some(Overlay::Browser(Browser::default()));
        out.push(Effect::ListTranscripts);
    }

    /// Goes on with a transcript, in a copy if wanted; it is read in the background.
    pub fn resume_from(&mut self, id: TranscriptId, fork: bool, at: Moment) -> Vec<Effect> {
        self.now = at;
        self.fork_next = fork;
        self.awaits_transcript = true;
        vec![Effect::LoadTranscript {
            id,
            purpose: LoadPurpose::Resume,
        }]
    }

    /// Lets the person choose the transcript to go on with.
    pub fn browse_to_resume(&mut self, fork: bool, at: Moment) -> Vec<Effect> {
        self.now = at;
        self.fork_next = fork;
        let mut out = Vec::new();
        self.open_browser(&mut out);
        out
    }

    /// Tells whether a transcript is still being read.
    pub const fn awaits_transcript(&self) -> bool {
        self.awaits_transcript
    }

    pub(in crate::app) fn on_transcripts_listed(
        &mut self,
        list: Vec<Summary>,
        out: &mut Vec<Effect>,
    ) {
        if let Some(Overlay::Browser(browser)) = &mut self.overlay {
            browser.list = Some(list);
            browser.chosen = 0;
            self.preview(out);
        }
    }

    pub(in crate::app) fn on_transcript_loaded(
        &mut self,
        purpose: LoadPurpose,
        outcome: Result<Box<Replay>, String>,
        out: &mut Vec<Effect>,
    ) {
        if purpose == LoadPurpose::Resume {
            self.awaits_transcript = false;
        }
        match (purpose, outcome) {
            (LoadPurpose::Preview, outcome) => self.show_preview(outcome),
            (LoadPurpose::Resume, Ok(_)) if self.agent.is_busy() => {
                let text = "The transcript was not opened, because a turn has begun meanwhile.";
                self.feed.notice(Notice::new(Level::Warning, text));
            }
            (LoadPurpose::Resume, Ok(replay)) => self.resume(*replay, out),
            (LoadPurpose::Resume, Err(why)) => {
                let text = format!("The transcript can't be opened: {why}.");
                self.feed.notice(Notice::new(Level::Failure, text));
            }
        }
    }

    pub(in crate::app) fn choose_by(&mut self, step: i32, out: &mut Vec<Effect>) {
        let Some(Overlay::Browser(browser)) = &mut self.overlay else {
            return;
        };
        let last = browser.list.as_ref().map_or(0, Vec::len).saturating_sub(1);
        let wanted = i64::try_from(browser.chosen).unwrap_or(0) + i64::from(step);
        let chosen = usize::try_from(wanted.max(0)).unwrap_or(0).min(last);
        if chosen != browser.chosen {
            browser.chosen = chosen;
            browser.preview = None;
            self.preview(out);
        }
    }

    pub(in crate::app) fn open_chosen(&mut self, out: &mut Vec<Effect>) {
        let Some(id) = self.chosen() else { return };
        if self.agent.is_busy() {
            self.flash("Stop the turn first (Ctrl+C).", out);
            return;
        }
        if std::mem::replace(&mut self.awaits_transcript, true) {
            return;
        }
        out.push(Effect::LoadTranscript {
            id,
            purpose: LoadPurpose::Resume,
        });
    }

    /// Begins a new conversation.
    pub(in crate::app) fn begin_anew(&mut self, out: &mut Vec<Effect>) {
        self.feed.clear();
        self.agent.resume(Conversation::default(), None);
        self.title = None;
        self.transcript = None;
        self.began = false;
        self.saving = self.settings.save;
        self.spend = Spend::default();
        self.scroll_to_end();
        out.push(Effect::NewTranscript);
    }

    fn resume(&mut self, replay: Replay, out: &mut Vec<Effect>) {
        self.overlay = None;
        self.feed.clear();
        self.agent
            .resume(replay.conversation, replay.setup.as_deref());
        self.spend = Spend::default();
        let mut model = self.agent.options().model.clone();
        for (_, entry) in &replay.entries {
            self.feed
                .take_in(entry, self.agent.toolbox(), self.now.mono);
            if let Entry::Requested { setup, .. } = entry {
                model.clone_from(&setup.model);
            }
            self.spend.add(spent(entry), &model);
        }
        for notice in replay.notices {
            self.feed.notice(Notice::new(Level::Info, notice));
        }
        let own: Vec<String> = replay
            .entries
            .iter()
            .filter_map(|(_, entry)| said(entry))
            .collect();
        self.composer.remember_all(own);
        self.title = replay.title;
        self.began = true;
        self.transcript = None;
        self.saving = self.settings.save;
        self.scroll_to_end();
        // Where no copy is wanted and the file is open elsewhere, the store makes one and says so.
        out.push(Effect::ContinueTranscript {
            id: replay.id,
            fork: std::mem::take(&mut self.fork_next),
        });
    }

    fn preview(&self, out: &mut Vec<Effect>) {
        if let Some(id) = self.chosen() {
            out.push(Effect::LoadTranscript {
                id,
                purpose: LoadPurpose::Preview,
            });
        }
    }

    fn show_preview(&mut self, outcome: Result<Box<Replay>, String>) {
        let chosen = self.chosen();
        let Some(Overlay::Browser(browser)) = &mut self.overlay else {
            return;
        };
        // A preview of one that is no longer chosen comes too late.
        let late = matches!(&outcome, Ok(replay) if Some(&replay.id) != chosen.as_ref());
        if !late {
            browser.preview = Some(outcome);
        }
    }

    fn chosen(&self) -> Option<TranscriptId> {
        match &self.overlay {
            Some(Overlay::Browser(browser)) => browser
                .list
                .as_ref()?
                .get(browser.chosen)
                .map(|summary| summary.id.clone()),
            Some(
                Overlay::Help { .. }
                | Overlay::Call { .. }
                | Overlay::Servers { .. }
                | Overlay::FirstRun,
            )
            | None => None,
        }
    }
}

fn said(entry: &Entry) -> Option<String> {
    match entry {
        Entry::UserSaid(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Entry::Requested { .. }
        | Entry::Replied { .. }
        | Entry::Cut { .. }
        | Entry::Refused { .. }
        | Entry::Decided { .. }
        | Entry::Answered(_) => None,
    }
}
