//! Keys at the gate: which of them the gate takes, and what they decide.

use crate::agent::event::AgentEvent;
use crate::agent::phase::{Phase, ToolState};
use crate::app::App;
use crate::app::composer::Composer;
use crate::app::effect::Effect;
use crate::app::event::Timer;
use crate::app::overlay::Overlay;
use crate::app::shown::Shown;
use crate::chat::id::ToolUseId;
use crate::chat::moment::Moment;
use crate::gate::arming::{ArmedPress, Readiness};
use crate::gate::decision::Decision;
use crate::keymap::action::Action;
use crate::keymap::key::{Key, KeyCode};

/// A decision key that must stay alone before it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Held {
    /// The key, which is text after all when another one follows at once.
    key: Key,
    wants: Wanted,
}

/// What a held key will ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Run,
    Deny,
    Because,
    RunAll,
    DenyAll,
}

/// The reason of a denial while it is being written.
#[derive(Debug)]
pub(in crate::app) struct Reason {
    /// The press that asked for it.
    pub(in crate::app) press: ArmedPress,
    /// The line.
    pub(in crate::app) line: Composer,
}

impl App {
    /// Tells whether the gate takes keys right now.
    pub(in crate::app) fn gate_is_armed(&self) -> bool {
        let gate = self.agent.gate();
        !gate.waiting().is_empty() && gate.readiness(self.now.mono) == Readiness::Armed
    }

    /// Offers a key to the armed gate. Says whether the gate took it.
    pub(in crate::app) fn offer_to_gate(
        &mut self,
        key: Key,
        action: Option<Action>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let Some(action) = action else { return false };
        if self.held.is_some() && !decides(action) {
            // The held key is not alone any more: both are part of a burst.
            return false;
        }
        match action {
            Action::Run => self.hold(key, Wanted::Run, out),
            Action::Deny => self.hold(key, Wanted::Deny, out),
            Action::DenyWithReason => self.hold(key, Wanted::Because, out),
            Action::RunAll => self.hold(key, Wanted::RunAll, out),
            Action::DenyAll => self.hold(key, Wanted::DenyAll, out),
            Action::ViewCall => self.view_call(),
            Action::NextCall => self.move_gate_focus(1),
            Action::PreviousCall => self.move_gate_focus(-1),
            Action::PageUp => self.scroll_gate(-1),
            Action::PageDown => self.scroll_gate(1),
            Action::Submit
            | Action::NewLine
            | Action::EditExternally
            | Action::Undo
            | Action::Redo
            | Action::HistoryBack
            | Action::HistoryForward
            | Action::ToStart
            | Action::ToEnd
            | Action::ToggleDetails
            | Action::Help
            | Action::Browse
            | Action::Escape
            | Action::Interrupt
            | Action::EndOfInput
            | Action::AskAgain
            | Action::Suspend
            | Action::Redraw
            | Action::Up
            | Action::Down
            | Action::Open
            | Action::Close => return false,
        }
        true
    }

    /// The held key has stayed alone.
    pub(in crate::app) fn on_hold_over(&mut self, out: &mut Vec<Effect>) {
        let Some(held) = self.held.take() else { return };
        let Some(press) = self.agent.gate_mut().release(self.now.mono) else {
            return;
        };
        let decision = match held.wants {
            Wanted::Run => Decision::Run,
            Wanted::Deny => Decision::Deny,
            Wanted::RunAll => Decision::RunAll,
            Wanted::DenyAll => Decision::DenyAll,
            Wanted::Because => return self.begin_reason(press),
        };
        self.decide(press, decision, out);
    }

    /// Keeps the reason that is being written for the next time that one is asked for.
    pub(in crate::app) fn put_reason_aside(&mut self) {
        if let Some(Reason { press, line }) = self.reason.take() {
            self.reason_aside = Some((press.call().clone(), line));
        }
    }

    /// Another key came right after the held one: both were typed ahead, and go to the draft.
    pub(in crate::app) fn break_hold(&mut self) {
        if let Some(held) = self.held.take() {
            self.composer.input(held.key);
        }
    }

    pub(in crate::app) fn type_reason(&mut self, key: Key) {
        let begins_line = key.code == KeyCode::Enter || key == Key::ctrl('j');
        match &mut self.reason {
            // A reason is one line.
            Some(reason) if !begins_line => drop(reason.line.input(key)),
            Some(_) | None => {}
        }
    }

    pub(in crate::app) fn send_reason(&mut self, out: &mut Vec<Effect>) {
        let Some(Reason { press, line }) = self.reason.take() else {
            return;
        };
        let text = line.text().trim().to_owned();
        let decision = if text.is_empty() {
            Decision::Deny
        } else {
            Decision::DenyBecause(text)
        };
        self.decide(press, decision, out);
    }

    /// Something came that was not for the gate: it is armed anew.
    pub(in crate::app) fn disturb_gate(&mut self) {
        self.held = None;
        self.agent.gate_mut().disturbed(self.now.mono);
    }

    /// A window that was narrower for a moment has lost what stood at its edge, also where it has
    /// its old size again before the next frame.
    pub(in crate::app) fn on_resized(&mut self, out: &mut Vec<Effect>) {
        self.disturb_gate();
        out.push(Effect::Redraw);
    }

    /// Esc on running calls stops the newest of them.
    pub(in crate::app) fn stop_newest_call(&mut self, out: &mut Vec<Effect>) {
        if !self.agent.gate().waiting().is_empty() {
            return;
        }
        if let Some(call) = self.newest_running() {
            self.tell(AgentEvent::CallStopped(call), out);
        }
    }

    pub(in crate::app) fn on_drawn(&mut self, shown: Shown) {
        let before = self.gate_view();
        if let Some(call) = &shown.gate {
            let gate = self.agent.gate_mut();
            gate.drawn(&call.call, call.end_visible, self.now.mono);
            self.gate_scroll = self.gate_scroll.min(call.max_scroll);
        }
        self.scroll.settle(&shown);
        self.shown = shown;
        self.dirty |= before != self.gate_view();
    }

    pub(in crate::app) fn page_height(&self) -> u16 {
        self.shown.page_height.max(2) - 1
    }

    fn hold(&mut self, key: Key, wants: Wanted, out: &mut Vec<Effect>) {
        let after = self.agent.gate_mut().hold(key, self.now.mono);
        if let Some(after) = after {
            self.held = Some(Held { key, wants });
            out.push(Effect::StartTimer {
                timer: Timer::GateHold,
                after,
            });
        } else if self.held.is_some() {
            self.break_hold();
            self.composer.input(key);
        }
    }

    fn begin_reason(&mut self, press: ArmedPress) {
        let line = self
            .reason_aside
            .take()
            .filter(|(call, _)| call == press.call())
            .map(|(_, line)| line)
            .unwrap_or_default();
        self.reason = Some(Reason { press, line });
    }

    fn decide(&mut self, press: ArmedPress, decision: Decision, out: &mut Vec<Effect>) {
        let runs = matches!(decision, Decision::Run | Decision::RunAll);
        let waiting = self.agent.gate().waiting().len();
        self.tell(AgentEvent::Decided { press, decision }, out);
        if self.agent.gate().waiting().len() < waiting {
            self.gate_scroll = 0;
        } else if runs {
            self.flash(
                "Scroll to the end of the call first (PgDn), or press v to see it whole.",
                out,
            );
        }
    }

    fn view_call(&mut self) {
        if let Some(call) = self.agent.gate().front() {
            self.overlay = Some(Overlay::Call {
                call: call.id().clone(),
                scroll: 0,
            });
        }
    }

    fn move_gate_focus(&mut self, step: isize) {
        self.agent.gate_mut().move_focus(step);
        self.gate_scroll = 0;
    }

    fn scroll_gate(&mut self, pages: i32) {
        let Some(call) = &self.shown.gate else { return };
        let page = call.page_height.max(2) - 1;
        self.gate_scroll = if pages < 0 {
            self.gate_scroll.saturating_sub(page)
        } else {
            (self.gate_scroll + page).min(call.max_scroll)
        };
    }

    fn newest_running(&self) -> Option<ToolUseId> {
        let Phase::AtTools(calls) = self.agent.phase() else {
            return None;
        };
        let runs = |state: &ToolState| matches!(state, ToolState::Running { .. });
        calls
            .iter()
            .rev()
            .find(|call| runs(&call.state))
            .map(|call| call.id.clone())
    }

    /// What of the gate a frame depends on beyond the calls themselves.
    fn gate_view(&self) -> (Readiness, bool) {
        let gate = self.agent.gate();
        let seen = gate.front().is_some_and(|call| gate.was_seen(call.id()));
        (gate.readiness(self.now.mono), seen)
    }
}

const fn decides(action: Action) -> bool {
    matches!(
        action,
        Action::Run | Action::Deny | Action::DenyWithReason | Action::RunAll | Action::DenyAll
    )
}

/// The same without single keys: questions and typed lines.
impl App {
    /// A question about a call was written out whole.
    pub fn question_shown(&mut self, call: &ToolUseId, at: Moment) {
        self.now = at;
        self.agent.gate_mut().drawn(call, true, at.mono);
    }

    /// Takes a typed word as an answer. Nothing when it came before the question could be read.
    pub fn answer_line(&mut self, decision: Decision, at: Moment) -> Option<Vec<Effect>> {
        self.now = at;
        let press = self.agent.gate().line(at.mono);
        let Some(press) = press else {
            self.disturb_gate();
            return None;
        };
        let mut out = Vec::new();
        self.decide(press, decision, &mut out);
        self.after_update(&mut out);
        Some(out)
    }

    /// Takes a typed line as a message or a command.
    pub fn enter_line(&mut self, line: &str, at: Moment) -> Vec<Effect> {
        self.now = at;
        let mut out = Vec::new();
        self.composer.set_text(line);
        self.enter(&mut out);
        self.after_update(&mut out);
        out
    }

    /// Ends the session: what waits is denied, nothing runs.
    pub fn leave(&mut self, at: Moment) -> Vec<Effect> {
        self.now = at;
        let mut out = Vec::new();
        self.quit(0, &mut out);
        out
    }
}
