//! What a key does, wherever it is pressed.

use crate::agent::event::AgentEvent;
use crate::agent::phase::Phase;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::scroll::Wish;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Millis;
use crate::config::DEMO_MODEL;
use crate::keymap::action::{Action, Mode};
use crate::keymap::key::{Key, KeyCode, KeyMotion};

/// Lines that the wheel scrolls at a notch.
const WHEEL_LINES: i32 = 3;
/// Keys that follow each other faster than this are a paste from a terminal that doesn't mark one.
const TYPED_BY_HAND: Millis = Millis(10);

impl App {
    pub(in crate::app) fn on_key(&mut self, key: Key, out: &mut Vec<Effect>) {
        self.agent.gate_mut().observe(key);
        if key.motion == KeyMotion::Release {
            return;
        }
        let pasted = self.follows_at_once();
        let after_pause = self.follows_a_pause();
        self.last_key = Some(self.now.mono);
        let mode = self.mode();
        let action = self
            .keymap
            .action(mode, &key)
            .filter(|action| self.applies(mode, *action, key));
        if mode == Mode::Gate && self.offer_to_gate(key, action, out) {
            return;
        }
        self.break_hold();
        self.disturb_gate();
        if action != Some(Action::Interrupt) {
            self.disarm_quit();
        }
        match action {
            Some(Action::Submit) if pasted => self.paste_line_end(mode),
            Some(action) if !action.is_for_gate() => self.act(mode, action, out),
            None if pasted && key.code == KeyCode::Enter => self.paste_line_end(mode),
            Some(_) | None => self.type_key(mode, key, after_pause, out),
        }
    }

    /// Tells whether the key that is pressed now comes too soon after another one to be typed.
    fn follows_at_once(&self) -> bool {
        self.last_key
            .is_some_and(|last| self.now.mono.since(last) < TYPED_BY_HAND)
    }

    /// Tells whether nothing was typed for as long as the gate wants it quiet.
    fn follows_a_pause(&self) -> bool {
        self.last_key
            .is_none_or(|last| self.now.mono.since(last) >= self.settings.gate.quiet)
    }

    /// An Enter in the middle of a paste sends nothing.
    fn paste_line_end(&mut self, mode: Mode) {
        match mode {
            Mode::Composer | Mode::Gate => self.composer.new_line(),
            Mode::Line => {
                if let Some(reason) = &mut self.reason {
                    reason.line.insert(" ");
                }
            }
            Mode::Pager | Mode::List => {}
        }
    }

    /// Tells where the keyboard is.
    pub(in crate::app) fn mode(&self) -> Mode {
        match &self.overlay {
            Some(Overlay::Browser(_)) => Mode::List,
            Some(
                Overlay::Help { .. }
                | Overlay::Call { .. }
                | Overlay::Servers { .. }
                | Overlay::FirstRun,
            ) => Mode::Pager,
            None if self.reason.is_some() => Mode::Line,
            None if self.gate_is_armed() => Mode::Gate,
            None => Mode::Composer,
        }
    }

    pub(in crate::app) fn on_paste(&mut self, text: &str) {
        // A paste never decides; it goes to the line that is being written, or to the draft.
        self.break_hold();
        self.disturb_gate();
        self.disarm_quit();
        match &mut self.reason {
            Some(reason) => reason.line.insert(&text.replace(['\r', '\n'], " ")),
            None => self.composer.insert(text),
        }
    }

    pub(in crate::app) fn on_wheel(&mut self, notches: i32) {
        self.disturb_gate();
        if self.overlay.is_some() {
            self.scroll_overlay(i64::from(notches * WHEEL_LINES));
        } else {
            self.scroll_by(0, notches * WHEEL_LINES);
        }
    }

    /// A key that means something only under a condition goes to the composer otherwise.
    fn applies(&self, mode: Mode, action: Action, key: Key) -> bool {
        if mode != Mode::Composer {
            return true;
        }
        match action {
            // `?` is help only on an empty composer; elsewhere it is a character.
            Action::Help => self.composer.is_empty() || !matches!(key.code, KeyCode::Char(_)),
            Action::EndOfInput => self.composer.is_empty(),
            Action::HistoryBack => self.composer.at_first_line(),
            Action::HistoryForward => self.composer.at_last_line(),
            Action::Submit
            | Action::NewLine
            | Action::EditExternally
            | Action::Undo
            | Action::Redo
            | Action::PageUp
            | Action::PageDown
            | Action::ToStart
            | Action::ToEnd
            | Action::ToggleDetails
            | Action::Browse
            | Action::Escape
            | Action::Interrupt
            | Action::AskAgain
            | Action::Suspend
            | Action::Redraw
            | Action::Run
            | Action::Deny
            | Action::DenyWithReason
            | Action::ViewCall
            | Action::NextCall
            | Action::PreviousCall
            | Action::RunAll
            | Action::DenyAll
            | Action::Up
            | Action::Down
            | Action::Open
            | Action::Close => true,
        }
    }

    fn act(&mut self, mode: Mode, action: Action, out: &mut Vec<Effect>) {
        match action {
            Action::Submit if mode == Mode::Line => self.send_reason(out),
            Action::Submit => self.enter(out),
            Action::NewLine => self.composer.new_line(),
            Action::EditExternally => out.push(Effect::OpenEditor(self.composer.text())),
            Action::Undo => drop(self.composer.undo()),
            Action::Redo => drop(self.composer.redo()),
            Action::HistoryBack => self.history_back(out),
            Action::HistoryForward => drop(self.composer.history_forward()),
            Action::PageUp => self.page(-1, out),
            Action::PageDown => self.page(1, out),
            Action::ToStart => self.go_to_start(out),
            Action::ToEnd => self.go_to_end(out),
            Action::ToggleDetails => self.unfolded = !self.unfolded,
            Action::Help => self.overlay = Some(Overlay::Help { scroll: 0 }),
            Action::Browse => self.open_browser(out),
            Action::Escape => self.escape(out),
            Action::Interrupt => self.interrupt(out),
            Action::EndOfInput => self.end_of_input(out),
            Action::AskAgain => self.tell(AgentEvent::AskedAgain, out),
            Action::Suspend => out.push(Effect::Suspend),
            Action::Redraw => out.push(Effect::Redraw),
            Action::Up => self.up_or_down(-1, out),
            Action::Down => self.up_or_down(1, out),
            Action::Open => self.open_chosen(out),
            Action::Close => self.close(),
            // The gate's own keys were offered to it; in a burst of keys they are text.
            Action::Run
            | Action::Deny
            | Action::DenyWithReason
            | Action::ViewCall
            | Action::NextCall
            | Action::PreviousCall
            | Action::RunAll
            | Action::DenyAll => {}
        }
    }

    fn type_key(&mut self, mode: Mode, key: Key, after_pause: bool, out: &mut Vec<Effect>) {
        match mode {
            Mode::Line => self.type_reason(key),
            Mode::Composer | Mode::Gate => {
                self.composer.input(key);
            }
            Mode::Pager => self.on_pager_key(key, after_pause, out),
            Mode::List => {}
        }
    }

    /// The first-run page takes one key, and only after a pause: a word that was begun before the
    /// page came goes on in the draft.
    fn on_pager_key(&mut self, key: Key, after_pause: bool, out: &mut Vec<Effect>) {
        if !matches!(self.overlay, Some(Overlay::FirstRun)) {
            return;
        }
        if key.code == KeyCode::Char('d') && after_pause {
            self.overlay = None;
            self.settings.has_credentials = true;
            DEMO_MODEL.clone_into(&mut self.agent.options_mut().model);
            out.push(Effect::StartDemo);
        } else if matches!(key.code, KeyCode::Char(_)) {
            self.overlay = None;
            self.composer.input(key);
        }
    }

    pub(in crate::app) fn enter(&mut self, out: &mut Vec<Effect>) {
        if self.composer.is_blank() {
            return;
        }
        if self.awaits_transcript {
            self.flash(
                "The transcript is still being read; your draft is kept.",
                out,
            );
            return;
        }
        let text = self.composer.text();
        let typed = text.trim();
        if matches!(typed, "quit" | "exit") {
            self.quit(0, out);
        } else if text.starts_with('/') && !typed.contains('\n') {
            // A blank before the slash makes it a message.
            self.run_command(typed, out);
        } else if self.settings.has_credentials {
            let text = self.composer.take();
            self.submit(vec![ContentBlock::Text(text)], out);
        } else {
            // The draft stays: nothing that was written is lost.
            self.overlay = Some(Overlay::FirstRun);
        }
    }

    fn history_back(&mut self, out: &mut Vec<Effect>) {
        if self.composer.is_empty() && self.agent.queue().next().is_some() {
            self.tell(AgentEvent::QueueTakenBack, out);
        } else {
            self.composer.history_back();
        }
    }

    fn escape(&mut self, out: &mut Vec<Effect>) {
        match self.agent.phase() {
            Phase::Streaming { .. } | Phase::Retrying { .. } => {
                self.tell(AgentEvent::StreamStopped, out);
            }
            Phase::AtTools(_) => self.stop_newest_call(out),
            Phase::Idle | Phase::Halted(_) => {}
        }
    }

    /// Stops what runs; clears the draft; quits on the second press.
    fn interrupt(&mut self, out: &mut Vec<Effect>) {
        let armed = self.quit_armed;
        self.disarm_quit();
        if self.agent.is_busy() {
            self.reason = None;
            self.overlay = None;
            self.tell(AgentEvent::TurnStopped, out);
        } else if self.overlay.is_some() {
            self.close();
        } else if !self.composer.is_empty() {
            self.composer.take();
        } else if armed {
            self.quit(0, out);
        } else {
            self.arm_quit(out);
        }
    }

    fn end_of_input(&mut self, out: &mut Vec<Effect>) {
        // While a call waits the key does nothing: it is too near to the ones that decide.
        if self.agent.gate().waiting().is_empty() {
            self.quit(0, out);
        }
    }

    fn page(&mut self, pages: i32, out: &mut Vec<Effect>) {
        let height = i64::from(self.page_height());
        match self.overlay {
            Some(Overlay::Browser(_)) => self.choose_by(pages.signum() * 10, out),
            Some(_) => self.scroll_overlay(i64::from(pages) * height),
            None => self.scroll_by(pages, 0),
        }
    }

    fn up_or_down(&mut self, step: i32, out: &mut Vec<Effect>) {
        if matches!(self.overlay, Some(Overlay::Browser(_))) {
            self.choose_by(step, out);
        } else {
            self.scroll_overlay(i64::from(step));
        }
    }

    fn go_to_start(&mut self, out: &mut Vec<Effect>) {
        match self.overlay {
            Some(Overlay::Browser(_)) => self.choose_by(i32::MIN, out),
            Some(_) => self.scroll_overlay(i64::MIN),
            None => self.scroll.wish = Wish::Start,
        }
    }

    fn go_to_end(&mut self, out: &mut Vec<Effect>) {
        match self.overlay {
            Some(Overlay::Browser(_)) => self.choose_by(i32::MAX, out),
            Some(_) => self.scroll_overlay(i64::MAX),
            None => self.scroll_to_end(),
        }
    }

    pub(in crate::app) fn close(&mut self) {
        if self.overlay.take().is_none() {
            self.put_reason_aside();
        }
    }

    pub(in crate::app) fn scroll_to_end(&mut self) {
        self.scroll.wish = Wish::End;
    }

    fn scroll_by(&mut self, pages: i32, lines: i32) {
        self.scroll.wish_for(Wish::By { pages, lines });
    }

    fn scroll_overlay(&mut self, lines: i64) {
        let most = self.shown.overlay_max_scroll;
        let moved = |scroll: usize| {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let now = i64::try_from(scroll).unwrap_or(i64::MAX);
            usize::try_from(now.saturating_add(lines).clamp(0, most)).unwrap_or_default()
        };
        match &mut self.overlay {
            Some(
                Overlay::Help { scroll }
                | Overlay::Call { scroll, .. }
                | Overlay::Servers { scroll },
            ) => *scroll = moved(*scroll),
            Some(Overlay::Browser(_) | Overlay::FirstRun) | None => {}
        }
    }
}
