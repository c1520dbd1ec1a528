//! All state, and the one function that changes it.
//!
//! [`App::update`] takes a fact and returns requests to the world. It owns the [`Agent`] and all
//! that a person sees around the conversation: the composer, the place in the text, overlays,
//! notices, the servers' states. It draws nothing and waits for nothing.

mod browse;
pub mod command;
pub mod composer;
pub mod effect;
pub mod event;
pub mod feed;
mod gate_keys;
mod keys;
pub mod notice;
pub mod overlay;
pub mod paused;
mod portrait;
mod remember;
pub mod scene;
pub mod scroll;
pub mod servers;
mod servers_news;
pub mod settings;
pub mod shown;
mod spend;
mod stream;
#[cfg(test)]
mod tests;
pub mod timeline;
mod timers;

use std::sync::Arc;

use crate::agent::effect::AgentEffect;
use crate::agent::event::AgentEvent;
use crate::agent::{Agent, AgentOptions};
use crate::app::composer::Composer;
use crate::app::effect::Effect;
use crate::app::event::{Event, Fact, Signal};
use crate::app::feed::Feed;
use crate::app::gate_keys::Reason;
use crate::app::notice::{Level, Notice};
use crate::app::overlay::Overlay;
use crate::app::scroll::Scroll;
use crate::app::servers::Servers;
use crate::app::settings::Settings;
use crate::app::shown::Shown;
use crate::app::spend::Spend;
use crate::app::timers::Timers;
use crate::chat::id::{ToolUseId, TranscriptId};
use crate::chat::message::ContentBlock;
use crate::chat::moment::{Millis, Moment};
use crate::gate::Gate;
use crate::gate::arming::Pauses;
use crate::keymap::bindings::Keymap;
use crate::redact::Redactor;

/// All state.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own; they are not states of one thing"
)]
pub struct App {
    settings: Settings,
    keymap: Keymap,
    redactor: Arc<Redactor>,
    agent: Agent,
    feed: Feed,
    composer: Composer,
    scroll: Scroll,
    shown: Shown,
    gate_scroll: usize,
    reason: Option<Reason>,
    /// A reason that was put aside with Esc, and the call that it is about.
    reason_aside: Option<(ToolUseId, Composer)>,
    overlay: Option<Overlay>,
    servers: Servers,
    spend: Spend,
    timers: Timers,
    /// A decision key that must stay alone before it counts.
    held: Option<gate_keys::Held>,
    /// When the last key went down.
    last_key: Option<Millis>,
    title: Option<String>,
    transcript: Option<TranscriptId>,
    /// The first record of the transcript has been asked for.
    began: bool,
    saving: bool,
    /// The next transcript that is gone on with is copied first.
    fork_next: bool,
    awaits_transcript: bool,
    unfolded: bool,
    focused: bool,
    /// The bell has rung for the call in front.
    rang_for: Option<ToolUseId>,
    flash: Option<String>,
    quit_armed: bool,
    turn_since: Millis,
    now: Moment,
    dirty: bool,
    ended: Option<u8>,
}

impl App {
    /// Makes the state of a new session.
    pub fn new(
        settings: Settings,
        options: AgentOptions,
        keymap: Keymap,
        redactor: Arc<Redactor>,
    ) -> Self {
        let pauses = Pauses {
            quiet: settings.gate.quiet,
            ..Pauses::default()
        };
        Self::with_gate(
            settings,
            options,
            keymap,
            redactor,
            Gate::interactive(pauses),
        )
    }

    /// Makes the state of a session whose gate is given: a run without a person.
    pub fn with_gate(
        settings: Settings,
        options: AgentOptions,
        keymap: Keymap,
        redactor: Arc<Redactor>,
        gate: Gate,
    ) -> Self {
        let mut feed = Feed::new(Arc::clone(&redactor));
        for greeting in &settings.greetings {
            feed.notice(Notice::new(Level::Warning, greeting.clone()));
        }
        Self {
            overlay: (!settings.has_credentials).then_some(Overlay::FirstRun),
            saving: settings.save,
            agent: Agent::new(options, gate),
            settings,
            keymap,
            redactor,
            feed,
            composer: Composer::default(),
            scroll: Scroll::default(),
            shown: Shown::default(),
            gate_scroll: 0,
            reason: None,
            reason_aside: None,
            servers: Servers::default(),
            spend: Spend::default(),
            timers: Timers::default(),
            held: None,
            last_key: None,
            title: None,
            transcript: None,
            began: false,
            fork_next: false,
            awaits_transcript: false,
            unfolded: false,
            focused: true,
            rang_for: None,
            flash: None,
            quit_armed: false,
            turn_since: Millis(0),
            now: Moment::default(),
            dirty: true,
            ended: None,
        }
    }

    /// Takes in a fact and returns what it asks of the world, in order.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        // What comes after the end, keys above all, must not begin anything any more.
        if self.ended.is_some() {
            return Vec::new();
        }
        self.now = event.at;
        self.dirty |= !matches!(event.fact, Fact::Drawn(_) | Fact::StreamAlive(_));
        let mut out = Vec::new();
        match event.fact {
            Fact::KeyPressed(key) => self.on_key(key, &mut out),
            Fact::Pasted(text) => self.on_paste(&text),
            Fact::Wheeled(notches) => self.on_wheel(notches),
            Fact::Clicked => self.disturb_gate(),
            Fact::Resized { .. } => self.on_resized(&mut out),
            Fact::FocusChanged(focused) => self.on_focus(focused),
            Fact::Drawn(shown) => self.on_drawn(shown),
            Fact::Streamed { request, events } => self.on_streamed(request, events, &mut out),
            Fact::StreamAlive(_) => {}
            Fact::RequestFailed {
                request,
                error,
                retry,
            } => {
                self.tell(
                    AgentEvent::RequestFailed {
                        request,
                        error,
                        retry,
                    },
                    &mut out,
                );
            }
            Fact::ToolProgressed { call, progress } => self.on_progress(call, progress, &mut out),
            Fact::ToolFinished(result) => self.tell(AgentEvent::ToolFinished(result), &mut out),
            Fact::ServerChanged { server, status } => self.on_server_changed(server, status),
            Fact::ToolsListed {
                server,
                tools,
                problems,
            } => {
                self.on_tools_listed(&server, tools, problems);
            }
            Fact::TimerFired(timer) => self.on_timer(timer, &mut out),
            Fact::Signalled(signal) => self.on_signal(signal, &mut out),
            Fact::SaveFailed(why) => self.on_save_failed(why),
            Fact::SavedAgain => self.on_saved_again(),
            Fact::TranscriptOpened(id) => self.transcript = Some(id),
            Fact::TranscriptsListed(list) => self.on_transcripts_listed(list, &mut out),
            Fact::TranscriptLoaded { purpose, outcome } => {
                self.on_transcript_loaded(purpose, outcome, &mut out);
            }
            Fact::EditorClosed(text) => self.on_editor_closed(text),
            Fact::Noticed(notice) => self.feed.notice(notice),
        }
        self.after_update(&mut out);
        out
    }

    /// Tells whether something visible has changed since the last call.
    pub const fn take_dirty(&mut self) -> bool {
        std::mem::replace(&mut self.dirty, false)
    }

    /// Returns the exit code, once the session is over.
    pub const fn ended(&self) -> Option<u8> {
        self.ended
    }

    /// Returns the turn loop.
    pub const fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Adds a line to the person to the conversation pane.
    pub fn tell_person(&mut self, notice: Notice) {
        self.feed.notice(notice);
        self.dirty = true;
    }

    /// Returns what is being written.
    pub fn draft(&self) -> String {
        self.composer.text()
    }

    /// Returns the conversation pane.
    pub const fn feed(&self) -> &Feed {
        &self.feed
    }

    /// Returns the servers and their states.
    pub const fn servers(&self) -> &Servers {
        &self.servers
    }

    /// Returns what the session has cost so far.
    pub const fn spend(&self) -> &Spend {
        &self.spend
    }

    /// Returns the id of the transcript, once its file exists.
    pub const fn transcript(&self) -> Option<&TranscriptId> {
        self.transcript.as_ref()
    }

    /// Sends a message, as Enter does with what the composer holds.
    pub fn say(&mut self, text: &str, at: Moment) -> Vec<Effect> {
        self.now = at;
        let mut out = Vec::new();
        self.submit(vec![ContentBlock::Text(text.to_owned())], &mut out);
        self.after_update(&mut out);
        out
    }

    /// Tells the agent a fact and carries out what it asks for.
    fn tell(&mut self, event: AgentEvent, out: &mut Vec<Effect>) {
        let was_busy = self.agent.is_busy();
        for effect in self.agent.handle(event, self.now.mono) {
            self.carry_out(effect, out);
        }
        if !was_busy && self.agent.is_busy() {
            self.turn_since = self.now.mono;
        }
    }

    fn carry_out(&mut self, effect: AgentEffect, out: &mut Vec<Effect>) {
        match effect {
            AgentEffect::Remember(entry) => self.remember(entry, out),
            AgentEffect::SendRequest { request, body } => {
                out.push(Effect::SendRequest { request, body });
            }
            AgentEffect::AbortRequest(request) => out.push(Effect::AbortRequest(request)),
            AgentEffect::WaitToRetry { request, after } => {
                let timer = event::Timer::Retry(request);
                out.push(Effect::StartTimer { timer, after });
            }
            AgentEffect::CallTool(approved) => {
                self.feed.start_call(&approved.tool_use().id, self.now.mono);
                out.push(Effect::CallTool(approved));
            }
            AgentEffect::CancelTool(call) => out.push(Effect::CancelTool(call)),
            AgentEffect::GiveBack(blocks) => self.give_back(&blocks),
            AgentEffect::TurnPaused => self.on_turn_paused(),
        }
    }

    fn submit(&mut self, blocks: Vec<ContentBlock>, out: &mut Vec<Effect>) {
        self.scroll_to_end();
        self.tell(AgentEvent::UserSubmitted(blocks), out);
    }

    fn give_back(&mut self, blocks: &[ContentBlock]) {
        let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
        self.composer.set_text(&texts.join("\n"));
    }

    fn on_signal(&mut self, signal: Signal, out: &mut Vec<Effect>) {
        match signal {
            Signal::Interrupt => self.quit(130, out),
            Signal::Terminate => self.quit(143, out),
            Signal::HangUp => self.quit(129, out),
            Signal::Continue => {
                self.disturb_gate();
                out.push(Effect::Redraw);
            }
        }
    }

    /// Answers all that is open, so that what is on disk can go on, and ends the session.
    fn quit(&mut self, code: u8, out: &mut Vec<Effect>) {
        if self.ended.is_none() {
            self.tell(AgentEvent::TurnStopped, out);
            self.ended = Some(code);
            out.push(Effect::Quit(code));
        }
    }

    fn on_save_failed(&mut self, why: String) {
        self.saving = false;
        self.feed.notice(Notice::new(Level::Failure, why));
    }

    fn on_saved_again(&mut self) {
        self.saving = true;
        let text = "The conversation is being saved again; nothing of it is missing.";
        self.feed.notice(Notice::new(Level::Info, text));
    }

    fn on_editor_closed(&mut self, text: Result<String, String>) {
        // Keys that were meant for the editor may still be on their way.
        self.disturb_gate();
        match text {
            Ok(text) => self.composer.set_text(text.trim_end_matches(['\r', '\n'])),
            Err(why) => self.feed.notice(Notice::new(Level::Warning, why)),
        }
    }

    fn on_focus(&mut self, focused: bool) {
        self.focused = focused;
        self.disturb_gate();
    }

    fn after_update(&mut self, out: &mut Vec<Effect>) {
        self.ring_if_nobody_looks(out);
        self.schedule(out);
    }

    /// A waiting gate rings once when the terminal is not looked at.
    fn ring_if_nobody_looks(&mut self, out: &mut Vec<Effect>) {
        let front = self.agent.gate().front().map(|call| call.id().clone());
        if !self.focused && front.is_some() && front != self.rang_for {
            out.push(Effect::Ring);
            self.rang_for = front;
        }
    }
}
