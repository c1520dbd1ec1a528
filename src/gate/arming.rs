//! When a key press counts as an answer to the gate.
//!
//! A key counts when nobody was typing: the card was drawn, the keyboard was quiet for a while
//! after that, and the press is fresh and alone. A key that is followed at once by another one is
//! part of a burst (a paste without brackets, a key held down) and decides nothing. For that, each
//! press is *held* for an instant before it becomes an [`ArmedPress`].

use crate::chat::id::ToolUseId;
use crate::chat::moment::Millis;
use crate::keymap::key::{Key, KeyMotion};

/// The proof that a key was pressed at an armed gate. Made by [`Arming`] only.
#[derive(Debug, PartialEq, Eq)]
pub struct ArmedPress {
    call: ToolUseId,
    pressed_at: Millis,
}

impl ArmedPress {
    /// Returns the call that was in front when the key was pressed.
    pub const fn call(&self) -> &ToolUseId {
        &self.call
    }

    /// Returns when the key was pressed.
    pub const fn pressed_at(&self) -> Millis {
        self.pressed_at
    }
}

/// How long things take at the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses {
    /// No key for this long arms the gate.
    pub quiet: Millis,
    /// The next call takes keys this long after it was drawn.
    pub settle: Millis,
    /// A press must stay alone for this long.
    pub alone: Millis,
    /// A press of the key that was pressed just before must stay alone for this long: longer than
    /// the slowest key repeat, because a terminal may not tell the two apart.
    pub alone_again: Millis,
}

impl Default for Pauses {
    fn default() -> Self {
        Self {
            quiet: Millis(400),
            settle: Millis(250),
            alone: Millis(30),
            alone_again: Millis(130),
        }
    }
}

/// A second press of one key within this time may be the keyboard's own repeat.
const REPEAT_WINDOW: Millis = Millis(1_000);

/// Whether the gate takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// The call in front is not on the screen yet.
    NotDrawn,
    /// Somebody types; the gate waits for a pause.
    StopTyping,
    /// The next key decides.
    Armed,
}

/// Tells key presses that are meant for the gate from all others.
///
/// Invariant: an [`ArmedPress`] comes only from a fresh press that was made while the gate was
/// armed and that stayed alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arming {
    pauses: Pauses,
    front: Option<ToolUseId>,
    drawn_at: Option<Millis>,
    wait: Millis,
    last_input: Option<Millis>,
    last_press: Option<(Key, Millis)>,
    held: Option<Held>,
    tells_releases: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    call: ToolUseId,
    pressed_at: Millis,
    until: Millis,
}

impl Arming {
    /// Makes an arming that waits for its first call.
    pub const fn new(pauses: Pauses) -> Self {
        Self {
            pauses,
            front: None,
            drawn_at: None,
            wait: pauses.quiet,
            last_input: None,
            last_press: None,
            held: None,
            tells_releases: false,
        }
    }

    /// Returns the call in front.
    pub const fn front(&self) -> Option<&ToolUseId> {
        self.front.as_ref()
    }

    /// Puts a call in front: nothing counts before it was drawn and the keyboard was quiet.
    pub fn present(&mut self, call: ToolUseId) {
        self.put_in_front(call, self.pauses.quiet);
    }

    /// Puts the next call in front after the gate itself took a key.
    pub fn present_next(&mut self, call: ToolUseId) {
        self.put_in_front(call, self.pauses.settle);
    }

    /// Nothing is in front any more.
    pub fn clear(&mut self) {
        self.front = None;
        self.drawn_at = None;
        self.held = None;
    }

    /// A frame with this call in front has reached the terminal.
    pub fn drawn(&mut self, call: &ToolUseId, at: Millis) {
        if self.front.as_ref() == Some(call) && self.drawn_at.is_none() {
            self.drawn_at = Some(at);
        }
    }

    /// Something came from the keyboard, the mouse or the window that was not for the gate.
    pub fn disturbed(&mut self, at: Millis) {
        self.last_input = Some(at);
        self.wait = self.pauses.quiet;
        self.held = None;
    }

    /// Learns what the terminal tells of a key. Must be called for every key, before anything else.
    pub fn observe(&mut self, key: Key) {
        if matches!(key.motion, KeyMotion::Release | KeyMotion::Repeat) {
            self.tells_releases = true;
        }
    }

    /// Returns when the gate will be armed, if nothing comes in between.
    pub fn armed_at(&self) -> Option<Millis> {
        let drawn = self.drawn_at?;
        // A typed key starts the pause anew; a drawing alone starts only the card's own wait.
        let typed = self.last_input.map(|at| at + self.pauses.quiet);
        Some(typed.map_or(drawn + self.wait, |typed| typed.max(drawn + self.wait)))
    }

    /// Tells whether the gate takes keys.
    pub fn readiness(&self, now: Millis) -> Readiness {
        match self.armed_at() {
            None => Readiness::NotDrawn,
            Some(at) if now < at => Readiness::StopTyping,
            Some(_) => Readiness::Armed,
        }
    }

    /// Takes a press for the gate. Returns how long it must stay alone, or nothing when it does not
    /// count; a press that does not count is a disturbance.
    pub fn hold(&mut self, key: Key, at: Millis) -> Option<Millis> {
        let fresh = key.motion == KeyMotion::Press;
        let alone = self.held.is_none();
        let armed = self.readiness(at) == Readiness::Armed;
        let again = self.may_be_a_repeat(key, at);
        self.last_press = Some((key, at));
        let Some(call) = self.front.clone().filter(|_| fresh && alone && armed) else {
            self.disturbed(at);
            return None;
        };
        let wait = if again {
            self.pauses.alone_again
        } else {
            self.pauses.alone
        };
        self.held = Some(Held {
            call,
            pressed_at: at,
            until: at + wait,
        });
        Some(wait)
    }

    /// Takes a line that was typed and sent with Enter, where there are no single keys. It counts
    /// only if the gate was armed before the line came: a line typed ahead never does.
    pub fn line(&self, at: Millis) -> Option<ArmedPress> {
        let armed = self.readiness(at) == Readiness::Armed;
        let call = self.front.clone().filter(|_| armed)?;
        Some(ArmedPress {
            call,
            pressed_at: at,
        })
    }

    /// Tells whether a press is being held.
    pub const fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Gives the held press out once it has stayed alone for long enough.
    pub fn release(&mut self, now: Millis) -> Option<ArmedPress> {
        let held = self.held.take_if(|held| held.until <= now)?;
        Some(ArmedPress {
            call: held.call,
            pressed_at: held.pressed_at,
        })
    }

    fn put_in_front(&mut self, call: ToolUseId, wait: Millis) {
        self.front = Some(call);
        self.drawn_at = None;
        self.held = None;
        self.wait = wait;
    }

    fn may_be_a_repeat(&self, key: Key, at: Millis) -> bool {
        !self.tells_releases
            && self
                .last_press
                .is_some_and(|(last, when)| last.code == key.code && at.since(when) < REPEAT_WINDOW)
    }
}
