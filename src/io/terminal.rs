//! The terminal: taking it, drawing on it, hearing its keys, giving it back.
//!
//! [`Terminal`] owns both directions. However a run ends (quit, error, panic, signal), the modes
//! are reset exactly once, by [`modes::give_back`].

pub mod canvas;
pub mod convert;
mod hangup;
mod input;
pub mod modes;
mod pen;
pub mod signals;
mod size;

use std::io;

use ratatui::Frame;

use crate::app::event::Event;
use crate::io::clock::Clock;
use crate::io::terminal::canvas::Canvas;
use crate::io::terminal::input::Input;
use crate::io::terminal::modes::Modes;

/// Returns the size of the terminal in cells, never zero.
pub fn size_now() -> (u16, u16) {
    size::now()
}

/// Why the terminal can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// It is a file or a pipe.
    #[error(
        "{0} is not a terminal: start keytide in a terminal, or ask one question with `keytide -p`"
    )]
    NotATerminal(&'static str),
    /// It takes nothing more, and the program has been told to end.
    #[error("the terminal takes nothing more")]
    Stuck,
    /// It has gone away.
    #[error("the terminal is gone ({0})")]
    Gone(String),
    /// It could not be set up.
    #[error("the terminal can't be set up: {0}")]
    Setup(#[from] io::Error),
}

/// The terminal while the program has it. Dropping it gives it back.
#[derive(Debug)]
pub struct Terminal {
    modes: Modes,
    screen: ratatui::Terminal<Canvas>,
    input: Input,
    held: Held,
    repaint: bool,
}

/// Who has the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// This program.
    Here,
    /// Something that this program runs: nothing is drawn and no key is read until it is done.
    Lent,
    /// Another program, after this one was stopped. The first frame in the foreground takes it.
    Background,
}

impl Terminal {
    /// Takes the terminal: raw keys, a screen of its own. Call it inside a tokio runtime.
    ///
    /// # Errors
    ///
    /// `NotATerminal` without having written a byte; `Setup` with everything undone.
    pub fn enter(modes: Modes, clock: Clock) -> Result<Self, TerminalError> {
        modes::require_terminal()?;
        let screen = ratatui::Terminal::new(Canvas::new(Box::new(size::now)))?;
        modes.enter()?;
        Ok(Self {
            modes,
            screen,
            input: Input::start(clock),
            held: Held::Here,
            repaint: true,
        })
    }

    /// Returns the size in cells, never zero.
    pub fn size(&self) -> (u16, u16) {
        size::now()
    }

    /// Draws one frame. Nothing reaches the terminal before it is whole.
    ///
    /// While the terminal is lent, or the program is in the background, it draws nothing; in the
    /// foreground again, it takes the terminal with its first frame.
    ///
    /// # Errors
    ///
    /// `Gone` when the terminal has vanished or was given back because of a panic: end the program.
    /// `Stuck` when it took nothing until a signal came that ends the program.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> Result<(), TerminalError> {
        let here = match self.held {
            Held::Here => true,
            Held::Lent => false,
            Held::Background => self.come_back()?,
        };
        if !here {
            return Ok(());
        }
        if !modes::entered() {
            return Err(TerminalError::Gone("it was given back".to_owned()));
        }
        if std::mem::take(&mut self.repaint) {
            self.screen.clear()?;
        }
        self.screen.backend_mut().begin_frame();
        self.screen.draw(render)?;
        let frame = self.screen.backend_mut().end_frame();
        modes::write(&frame).map_err(|error| gone(&error))
    }

    /// Makes the next frame repaint every cell, and sets the keyboard up again: another program
    /// may have changed either while this one was stopped.
    pub fn redraw(&mut self) {
        self.repaint = true;
        if self.held == Held::Here {
            modes::raw_again();
        }
    }

    /// Rings the bell, once.
    pub fn ring(&mut self) -> Result<(), TerminalError> {
        if self.held != Held::Here {
            return Ok(());
        }
        modes::write(b"\x07").map_err(|error| gone(&error))
    }

    /// Waits for the next thing that the person does. Cancel-safe; after `HangUp` nothing comes.
    pub async fn next(&mut self) -> Event {
        self.input.next().await
    }

    /// Returns what has been done already, without waiting.
    pub fn ready(&mut self) -> Option<Event> {
        self.input.ready()
    }

    /// Gives the terminal back and stops the program until it is continued.
    pub fn suspend(&mut self) -> Result<(), TerminalError> {
        if self.held == Held::Lent {
            return Ok(());
        }
        self.step_aside(Held::Background);
        modes::stop_self()?;
        self.come_back().map(|_| ())
    }

    /// Gives the terminal back while something else uses it (an editor).
    pub fn lend(&mut self) {
        self.step_aside(Held::Lent);
    }

    /// Takes the terminal back from something that it was lent to.
    pub fn take_back(&mut self) -> Result<(), TerminalError> {
        self.held = Held::Background;
        self.come_back().map(|_| ())
    }

    fn step_aside(&mut self, held: Held) {
        self.input.pause();
        self.held = held;
        modes::give_back();
    }

    /// Takes the terminal again, unless another program is in the foreground.
    fn come_back(&mut self) -> Result<bool, TerminalError> {
        if !modes::in_foreground() {
            return Ok(false);
        }
        self.modes.enter().map_err(|error| gone(&error))?;
        self.input.resume();
        self.held = Held::Here;
        self.repaint = true;
        Ok(true)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.input.pause();
        modes::give_back();
    }
}

fn gone(error: &io::Error) -> TerminalError {
    if error.kind() == io::ErrorKind::Interrupted {
        return TerminalError::Stuck;
    }
    TerminalError::Gone(error.to_string())
}
