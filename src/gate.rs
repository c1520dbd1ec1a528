//! The gate: no call runs without a key press that was made after the whole call could be seen.
//!
//! [`Approved`] is the only thing that the world can run a call with, and [`Gate`] is the only
//! maker of it. A decision needs an [`ArmedPress`], which only [`Arming`] makes; without a screen
//! ([`Gate::headless`]) it needs an [`AllowList`] that the person wrote on the command line.

pub mod allow;
pub mod arming;
pub mod call;
pub mod decision;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::chat::id::{ServerName, ToolUseId};
use crate::chat::moment::Millis;
use crate::chat::tool::ToolUse;
use crate::gate::allow::AllowList;
use crate::gate::arming::{ArmedPress, Arming, Pauses, Readiness};
use crate::gate::call::PendingCall;
use crate::gate::decision::{Decision, Outcome, Withheld};
use crate::keymap::key::Key;

/// The proof that a person let this call run. Made by [`Gate`] only; one proof, one run.
#[derive(Debug, PartialEq)]
pub struct Approved {
    tool_use: ToolUse,
    server: ServerName,
    tool: String,
}

impl Approved {
    /// Returns the call, with its true arguments.
    pub const fn tool_use(&self) -> &ToolUse {
        &self.tool_use
    }

    /// Returns the server that runs it.
    pub const fn server(&self) -> &ServerName {
        &self.server
    }

    /// Returns the server's own name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    fn new(call: PendingCall) -> Self {
        Self {
            tool_use: call.tool_use,
            server: call.server,
            tool: call.tool,
        }
    }
}

/// Holds the calls that wait and lets each of them through at most once.
///
/// Invariant: while calls wait, `focus` names one of them and the arming has that one in front.
#[derive(Debug)]
pub struct Gate {
    calls: Vec<PendingCall>,
    focus: usize,
    arming: Arming,
    seen: HashSet<ToolUseId>,
    allowed: Option<AllowList>,
}

impl Gate {
    /// Makes a gate that only key presses open.
    pub fn interactive(pauses: Pauses) -> Self {
        Self {
            calls: Vec::new(),
            focus: 0,
            arming: Arming::new(pauses),
            seen: HashSet::new(),
            allowed: None,
        }
    }

    /// Makes a gate for a run without a person: only what the list names goes through.
    pub fn headless(allowed: AllowList) -> Self {
        Self {
            allowed: Some(allowed),
            ..Self::interactive(Pauses::default())
        }
    }

    /// Returns the rule of the command line that lets a call through, for a run without a person.
    pub fn rule_for(&self, call: &PendingCall) -> Option<&str> {
        self.allowed.as_ref()?.rule_for(&call.server, &call.tool)
    }

    /// Tells whether there is nobody to ask.
    pub const fn is_headless(&self) -> bool {
        self.allowed.is_some()
    }

    /// Lets a call through by a rule of the command line; gives it back when no rule names it.
    pub fn admit(&self, call: PendingCall) -> Result<Approved, Box<PendingCall>> {
        if self.rule_for(&call).is_some() {
            Ok(Approved::new(call))
        } else {
            Err(Box::new(call))
        }
    }

    /// Adds calls that wait from now on.
    pub fn open(&mut self, calls: Vec<PendingCall>) {
        self.calls.extend(calls);
        self.present();
    }

    /// Returns the calls that wait, in the order asked.
    pub fn waiting(&self) -> &[PendingCall] {
        &self.calls
    }

    /// Returns the place of the call in front among those that wait.
    pub const fn focus(&self) -> usize {
        self.focus
    }

    /// Returns the call in front.
    pub fn front(&self) -> Option<&PendingCall> {
        self.calls.get(self.focus)
    }

    /// Tells whether a call was on the screen to its end.
    pub fn was_seen(&self, call: &ToolUseId) -> bool {
        self.seen.contains(call)
    }

    /// Moves to another waiting call, round the ends.
    pub fn move_focus(&mut self, step: isize) {
        let count = self.calls.len();
        if count < 2 {
            return;
        }
        let ahead = step.rem_euclid(count.cast_signed()).unsigned_abs();
        self.focus = (self.focus + ahead) % count;
        self.present_next();
    }

    /// Takes in what a frame showed.
    pub fn drawn(&mut self, call: &ToolUseId, end_visible: bool, at: Millis) {
        self.arming.drawn(call, at);
        if end_visible && self.calls.iter().any(|waiting| waiting.id() == call) {
            self.seen.insert(call.clone());
        }
    }

    /// Something came from the keyboard, the mouse or the window that was not for the gate.
    pub fn disturbed(&mut self, at: Millis) {
        self.arming.disturbed(at);
    }

    /// Learns what the terminal tells of a key. Must be called for every key, before anything else.
    pub fn observe(&mut self, key: Key) {
        self.arming.observe(key);
    }

    /// Tells whether the gate takes keys.
    pub fn readiness(&self, now: Millis) -> Readiness {
        self.arming.readiness(now)
    }

    /// Returns when the gate will be armed, if nothing comes in between.
    pub fn armed_at(&self) -> Option<Millis> {
        if self.calls.is_empty() {
            None
        } else {
            self.arming.armed_at()
        }
    }

    /// Takes a decision key. Returns how long it must stay alone before it counts.
    pub fn hold(&mut self, key: Key, at: Millis) -> Option<Millis> {
        self.arming.hold(key, at)
    }

    /// Takes a typed line as an answer, where there are no single keys.
    pub fn line(&self, at: Millis) -> Option<ArmedPress> {
        self.arming.line(at)
    }

    /// Tells whether a press is being held.
    pub const fn holds(&self) -> bool {
        self.arming.holds()
    }

    /// Gives out a press that has stayed alone.
    pub fn release(&mut self, now: Millis) -> Option<ArmedPress> {
        self.arming.release(now)
    }

    /// Decides with a press that was made at the armed gate.
    ///
    /// Returns what became of each call that was decided. A call runs only if it was seen to its
    /// end, and only if it was in front when the key was pressed, or was listed then.
    pub fn decide(
        &mut self,
        press: &ArmedPress,
        decision: Decision,
    ) -> Result<Vec<Outcome>, Withheld> {
        let front = self.front().ok_or(Withheld::NothingWaits)?;
        if front.id() != press.call() {
            return Err(Withheld::AnotherCall);
        }
        let outcomes = match decision {
            Decision::Run => vec![self.run_front()?],
            Decision::Deny => vec![self.deny_front(None)?],
            Decision::DenyBecause(reason) => vec![self.deny_front(Some(reason))?],
            Decision::RunAll => self.run_all()?,
            Decision::DenyAll => self.take_all().into_iter().map(deny).collect(),
        };
        self.present_next();
        Ok(outcomes)
    }

    /// Takes a call back that can't be run any more.
    pub fn withdraw(&mut self, call: &ToolUseId) -> Option<PendingCall> {
        let at = self.calls.iter().position(|waiting| waiting.id() == call)?;
        let taken = self.take(at);
        self.present();
        Some(taken)
    }

    /// Takes all calls back: the turn is stopped.
    pub fn withdraw_all(&mut self) -> Vec<PendingCall> {
        let calls = self.take_all();
        self.present();
        calls
    }

    fn run_front(&mut self) -> Result<Outcome, Withheld> {
        let front = self.front().ok_or(Withheld::NothingWaits)?;
        if !self.was_seen(front.id()) {
            return Err(Withheld::EndNotSeen);
        }
        Ok(Outcome::Run(Approved::new(self.take(self.focus))))
    }

    fn deny_front(&mut self, reason: Option<String>) -> Result<Outcome, Withheld> {
        if self.calls.is_empty() {
            return Err(Withheld::NothingWaits);
        }
        Ok(Outcome::Denied {
            call: self.take(self.focus),
            reason,
        })
    }

    fn run_all(&mut self) -> Result<Vec<Outcome>, Withheld> {
        if self.calls.iter().any(|call| !self.was_seen(call.id())) {
            return Err(Withheld::EndNotSeen);
        }
        Ok(self
            .take_all()
            .into_iter()
            .map(|call| Outcome::Run(Approved::new(call)))
            .collect())
    }

    fn take(&mut self, at: usize) -> PendingCall {
        let call = self.calls.remove(at);
        self.seen.remove(call.id());
        if at < self.focus || self.focus >= self.calls.len() {
            self.focus = self.focus.saturating_sub(1);
        }
        call
    }

    fn take_all(&mut self) -> Vec<PendingCall> {
        self.focus = 0;
        self.seen.clear();
        std::mem::take(&mut self.calls)
    }

    /// Puts the call in front before the arming, after something that was not a key for the gate.
    fn present(&mut self) {
        match self.calls.get(self.focus).map(|call| call.id().clone()) {
            Some(id) if self.arming.front() == Some(&id) => {}
            Some(id) => self.arming.present(id),
            None => self.arming.clear(),
        }
    }

    /// The same after a key that the gate took.
    fn present_next(&mut self) {
        match self.calls.get(self.focus).map(|call| call.id().clone()) {
            Some(id) => self.arming.present_next(id),
            None => self.arming.clear(),
        }
    }
}

const fn deny(call: PendingCall) -> Outcome {
    Outcome::Denied { call, reason: None }
}
