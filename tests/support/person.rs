//! What a person does at the keyboard, in the words of the contract.

use std::time::Duration;

use super::run::Run;

/// Enter.
pub const ENTER: &str = "\r";
/// Esc.
pub const ESC: &str = "\x1b";
/// Ctrl+C.
pub const CTRL_C: &str = "\x03";
/// Ctrl+D.
pub const CTRL_D: &str = "\x04";
/// Page up.
pub const PAGE_UP: &str = "\x1b[5~";
/// Page down.
pub const PAGE_DOWN: &str = "\x1b[6~";
/// Ctrl+End.
pub const CTRL_END: &str = "\x1b[1;5F";
/// Ctrl+Home.
pub const CTRL_HOME: &str = "\x1b[1;5H";
/// Left.
pub const LEFT: &str = "\x1b[D";
/// F2.
pub const F2: &str = "\x1bOQ";

/// What the gate's key line shows when it takes keys.
pub const ARMED: &str = "y run";
/// What it shows while a raised call was not seen to its end.
pub const TO_THE_END: &str = "to the end";
/// What it shows when it wants a second press.
pub const AGAIN: &str = "press y again";

impl Run {
    /// Types text and waits until its end can be seen (U4 is judged where it matters).
    pub fn type_text(&mut self, text: &str) {
        self.pty.send(text);
        let tail: Vec<char> = text
            .chars()
            .rev()
            .take_while(|c| *c != ' ')
            .take(8)
            .collect();
        let tail: String = tail.into_iter().rev().collect();
        self.pty.wait_for(&tail);
    }

    /// Writes a message and sends it.
    pub fn say(&mut self, text: &str) {
        self.type_text(text);
        // Enter together with other keys would be a pasted new line; on a busy machine keys that
        // were sent apart can still be read together.
        self.pause(Duration::from_millis(200));
        self.pty.send(ENTER);
    }

    /// Waits for an armed gate; a raised call that is longer than its card is read to its end.
    pub fn at_gate(&mut self) -> String {
        let open = |screen: &str| screen.contains(ARMED) || screen.contains(TO_THE_END);
        for _ in 0..200 {
            let screen = self.pty.wait_until("an armed gate", open);
            if screen.contains(ARMED) {
                return screen;
            }
            self.pty.send(PAGE_DOWN);
            self.pause(Duration::from_millis(60));
        }
        panic!(
            "the end of the call is never reached:\n{}",
            self.pty.screen()
        );
    }

    /// Approves the call that the gate asks about: the second press too where it is raised.
    pub fn approve(&mut self) {
        let card = card(&self.at_gate());
        self.pty.send("y");
        let decided = |screen: &str| !screen.contains(ARMED) || self::card(screen) != card;
        let screen = self.pty.wait_until("an answer to `y`", |screen| {
            screen.contains(AGAIN) || decided(screen)
        });
        if screen.contains(AGAIN) {
            self.pause(Duration::from_millis(400));
            self.pty.send("y");
            self.pty.wait_gone(AGAIN);
        }
        self.approved += 1;
    }

    /// Denies the call that the gate asks about.
    pub fn deny(&mut self) {
        let card = card(&self.at_gate());
        self.pty.send("n");
        self.pty.wait_until("an answer to `n`", |screen| {
            !screen.contains(ARMED) || self::card(screen) != card
        });
    }

    /// Denies it and says why.
    pub fn deny_because(&mut self, reason: &str) {
        self.at_gate();
        self.pty.send("r");
        // A key that others follow at once is part of a burst and opens nothing.
        self.pty.wait_for("Esc back");
        self.type_text(reason);
        self.pause(Duration::from_millis(40));
        self.pty.send(ENTER);
    }

    /// Asks the program to end: clears what stands in the composer first.
    pub fn ask_to_quit(&mut self) {
        self.pty.settle();
        self.pty.send(CTRL_C);
        self.pause(Duration::from_millis(60));
        self.pty.send(CTRL_D);
    }

    /// Resizes by a column and back, so that everything is drawn anew; returns the screen.
    pub fn fresh_draw(&mut self) -> String {
        let (columns, rows) = self.stage.size;
        let armed = self.pty.screen().contains(ARMED);
        self.pty.resize(columns - 1, rows);
        self.pty.settle();
        self.pty.resize(columns, rows);
        self.pty.settle();
        if armed {
            self.at_gate();
        }
        self.drawn()
    }

    /// The screen cell by cell, without the time that a gate has waited.
    pub fn drawn(&self) -> String {
        let exact = self.pty.exact_screen();
        let without_time = exact.lines().filter(|line| !line.contains('◆'));
        without_time.collect::<Vec<_>>().join("\n")
    }
}

/// The gate's first line without the time that it has waited: which call it asks about.
fn card(screen: &str) -> String {
    let line = screen
        .lines()
        .find(|line| line.contains('◆'))
        .unwrap_or_default();
    line.split("waits").next().unwrap_or_default().to_owned()
}
