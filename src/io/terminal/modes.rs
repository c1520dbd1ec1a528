//! The modes of the terminal: set once, reset exactly once, in the reverse order.
//!
//! What is owed to the terminal is kept in one place of the process, because a panic hook has to
//! reach it. Whoever takes it out pays it back.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};

use crate::io::terminal::TerminalError;
use crate::io::terminal::pen::Pen;

/// What to ask of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes {
    /// The enhanced keyboard protocol: tells Enter from Ctrl+M, a held key from a pressed one.
    /// A terminal that doesn't know it ignores the request.
    pub enhanced_keys: bool,
}

/// A mode: how it is set, how it is reset.
type Mode = (&'static str, &'static str);

/// A screen of its own, cleared.
const OWN_SCREEN: Mode = ("\x1b[?1049h\x1b[2J", "\x1b[?1049l");
/// Pastes arrive in brackets, so that they are not taken for typing.
const BRACKETED_PASTE: Mode = ("\x1b[?2004h", "\x1b[?2004l");
/// Tells when the window gains or loses the focus.
const FOCUS: Mode = ("\x1b[?1004h", "\x1b[?1004l");
/// Buttons and wheel, but no motion: nothing wakes the program when the mouse only moves.
const MOUSE: Mode = ("\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l");
/// Disambiguate (1), tell repeats and releases (2), tell what Shift makes of a key (4); see
/// <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>. Pushed without asking first: an answer
/// that comes late, or never, would look like typing.
const ENHANCED_KEYS: Mode = ("\x1b[>7u", "\x1b[<1u");
/// No cursor but where the composer puts it.
const HIDDEN_CURSOR: Mode = ("\x1b[?25l", "\x1b[?25h");
/// Colours as they were before.
const STYLE: Mode = ("", "\x1b[0m");

/// How long the terminal has to take what gives it back. One that has been stuck stays stuck.
const LAST_WRITE: Duration = Duration::from_millis(300);

/// What has to be done to give the terminal back.
struct Owed {
    termios: Termios,
    resets: String,
    pen: Pen,
}

static OWED: Mutex<Option<Owed>> = Mutex::new(None);

impl Modes {
    fn list(self) -> Vec<Mode> {
        let mut modes = vec![OWN_SCREEN, BRACKETED_PASTE, FOCUS, MOUSE];
        if self.enhanced_keys {
            modes.push(ENHANCED_KEYS);
        }
        modes.extend([HIDDEN_CURSOR, STYLE]);
        modes
    }

    fn sets(self) -> String {
        self.list().iter().map(|(set, _)| *set).collect()
    }

    fn resets(self) -> String {
        self.list().iter().rev().map(|(_, reset)| *reset).collect()
    }

    /// Sets every mode, or none.
    pub(super) fn enter(self) -> io::Result<()> {
        let mut owed = owed();
        if owed.is_some() {
            return Ok(());
        }
        let termios = tcgetattr(stdin())?;
        let pen = Pen::start(File::from(stdout().try_clone_to_owned()?))?;
        crossterm::terminal::enable_raw_mode()?;
        *owed = Some(Owed {
            termios,
            resets: self.resets(),
            pen,
        });
        drop(owed);
        write(self.sets().as_bytes()).inspect_err(|_| give_back())
    }
}

/// Gives the terminal back as it was. Does nothing when it has been given back already.
pub fn give_back() {
    let Some(mut owed) = owed().take() else {
        return;
    };
    // Whatever fails here fails because the terminal is gone; then there is nothing to reset.
    let resets = owed.resets.as_bytes();
    owed.pen.write_within(LAST_WRITE, resets).ok();
    crossterm::terminal::disable_raw_mode().ok();
    // Reports that came after the last key are not for the shell.
    tcflush(stdin(), QueueSelector::IFlush).ok();
    tcsetattr(stdin(), OptionalActions::Now, &owed.termios).ok();
}

/// Makes a panic give the terminal back before it is reported.
pub fn install_panic_hook() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        give_back();
        report(info);
    }));
}

/// Refuses what is not a terminal, before anything is written.
pub fn require_terminal() -> Result<(), TerminalError> {
    if !io::stdin().is_terminal() {
        return Err(TerminalError::NotATerminal("standard input"));
    }
    if !io::stdout().is_terminal() {
        return Err(TerminalError::NotATerminal("standard output"));
    }
    Ok(())
}

/// Says whether standard output takes a line now: a terminal that is stuck or gone must not hold
/// the end of the program up.
pub fn takes_output() -> bool {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let stdout = stdout();
    let mut ends = [PollFd::new(&stdout, PollFlags::OUT)];
    let told = poll(&mut ends, Some(&now));
    told.is_ok() && ends.iter().any(|end| end.revents() == PollFlags::OUT)
}

/// Says whether the modes are set.
pub(super) fn entered() -> bool {
    owed().is_some()
}

/// Writes to the terminal, unless it has been given back.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    match owed().as_mut() {
        Some(owed) => owed.pen.write(bytes),
        None => Ok(()),
    }
}

/// Sets raw keys again after another program may have changed them.
pub(super) fn raw_again() {
    let owed = owed();
    if let Some(owed) = owed.as_ref()
        && in_foreground()
    {
        let mut raw = owed.termios.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw).ok();
    }
}

/// Says whether this program, not another one, has the terminal.
pub(super) fn in_foreground() -> bool {
    // Without a controlling terminal nobody competes for it.
    tcgetpgrp(stdin()).map_or(true, |group| group == getpgrp())
}

/// Stops this process as Ctrl+Z does; returns when it is continued.
pub(super) fn stop_self() -> io::Result<()> {
    kill_process(getpid(), Signal::TSTP)?;
    // The signal may reach another thread first; this one must not touch the terminal until then.
    thread::park_timeout(Duration::from_millis(20));
    Ok(())
}

fn owed() -> MutexGuard<'static, Option<Owed>> {
    OWED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::Modes;

    #[test]
    fn every_mode_is_reset_once_in_the_reverse_order() {
        let modes = Modes {
            enhanced_keys: true,
        };
        assert_eq!(
            modes.sets(),
            "\x1b[?1049h\x1b[2J\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1006h\x1b[>7u\x1b[?25l"
        );
        assert_eq!(
            modes.resets(),
            "\x1b[0m\x1b[?25h\x1b[<1u\x1b[?1006l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?1049l"
        );
    }

    #[test]
    fn a_terminal_without_enhanced_keys_is_neither_asked_for_them_nor_rid_of_them() {
        let modes = Modes {
            enhanced_keys: false,
        };
        assert!(!modes.sets().contains('u'));
        assert!(!modes.resets().contains('u'));
    }
}
