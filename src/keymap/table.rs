//! The table of everything that a key can be bound to: bindings, help and README come from it.

use crate::keymap::action::{Action, Mode};

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The name in `[keys]` of the configuration.
    pub name: &'static str,
    /// Where it can be done.
    pub modes: &'static [Mode],
    /// What is done.
    pub action: Action,
    /// The keys it comes with, as [`spelling`](crate::keymap::spelling) writes them; the first is
    /// the one that is shown.
    pub keys: &'static [&'static str],
    /// What it does, in a few words.
    pub does: &'static str,
}

const COMPOSER: &[Mode] = &[Mode::Composer];
const GATE: &[Mode] = &[Mode::Gate];
const PAGER: &[Mode] = &[Mode::Pager];
const LIST: &[Mode] = &[Mode::List];
const LINE: &[Mode] = &[Mode::Line];
const OPEN: &[Mode] = &[Mode::Pager, Mode::List];
const SCROLLING: &[Mode] = &[Mode::Composer, Mode::Gate, Mode::Pager, Mode::List];
const TALKING: &[Mode] = &[Mode::Composer, Mode::Gate];
const EVERYWHERE: &[Mode] = &[
    Mode::Composer,
    Mode::Gate,
    Mode::Pager,
    Mode::List,
    Mode::Line,
];

const fn row(
    name: &'static str,
    modes: &'static [Mode],
    action: Action,
    keys: &'static [&'static str],
    does: &'static str,
) -> Row {
    Row {
        name,
        modes,
        action,
        keys,
        does,
    }
}

/// Everything that a key can be bound to, in the order in which help lists it.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    row("composer.send", COMPOSER, Action::Submit, &["Enter"], "send the message, or queue it while the model works"),
    row("composer.new_line", COMPOSER, Action::NewLine, &["Ctrl+J", "Alt+Enter", "Shift+Enter"], "begin a new line"),
    row("composer.edit", COMPOSER, Action::EditExternally, &["Ctrl+G"], "write in $VISUAL or $EDITOR"),
    row("composer.undo", COMPOSER, Action::Undo, &["Ctrl+_"], "take back the last change"),
    row("composer.redo", COMPOSER, Action::Redo, &["Alt+_"], "make it again"),
    row("composer.history_back", COMPOSER, Action::HistoryBack, &["Up"], "older message, in the first line; takes back a queued one"),
    row("composer.history_forward", COMPOSER, Action::HistoryForward, &["Down"], "newer message, in the last line"),
    row("composer.end", COMPOSER, Action::EndOfInput, &["Ctrl+D"], "quit, when the composer is empty"),
    row("escape", COMPOSER, Action::Escape, &["Esc"], "stop the stream and keep what came; cancel a running call"),
    row("ask_again", COMPOSER, Action::AskAgain, &["F5"], "ask again after an error; go on after a limit"),
    row("gate.run", GATE, Action::Run, &["y"], "run this call"),
    row("gate.deny", GATE, Action::Deny, &["n", "Esc"], "deny this call"),
    row("gate.reason", GATE, Action::DenyWithReason, &["r"], "deny it with a reason that the model is told"),
    row("gate.view", GATE, Action::ViewCall, &["v", "Ctrl+O"], "see the whole call, invisible characters shown"),
    row("gate.next", GATE, Action::NextCall, &["Tab", "Down"], "to the next waiting call"),
    row("gate.previous", GATE, Action::PreviousCall, &["Shift+Tab", "Up"], "to the previous waiting call"),
    row("gate.run_all", GATE, Action::RunAll, &["Y"], "run every call listed now"),
    row("gate.deny_all", GATE, Action::DenyAll, &["N"], "deny every call listed now"),
    row("scroll.page_up", SCROLLING, Action::PageUp, &["PgUp"], "one page up"),
    row("scroll.page_down", SCROLLING, Action::PageDown, &["PgDn"], "one page down"),
    row("scroll.start", TALKING, Action::ToStart, &["Ctrl+Home"], "to the beginning of the conversation"),
    row("scroll.end", TALKING, Action::ToEnd, &["Ctrl+End"], "to the newest text, and follow it"),
    row("details", COMPOSER, Action::ToggleDetails, &["Ctrl+O"], "fold or unfold details"),
    row("help", COMPOSER, Action::Help, &["?", "F1"], "help (`?` on an empty composer)"),
    row("browse", COMPOSER, Action::Browse, &["F2"], "browse the transcripts"),
    row("interrupt", EVERYWHERE, Action::Interrupt, &["Ctrl+C"], "stop what runs and deny what waits; clear the draft; twice: quit"),
    row("suspend", EVERYWHERE, Action::Suspend, &["Ctrl+Z"], "suspend; `fg` comes back"),
    row("redraw", EVERYWHERE, Action::Redraw, &["Ctrl+L"], "draw everything anew"),
    row("open.up", OPEN, Action::Up, &["Up", "k"], "up"),
    row("open.down", OPEN, Action::Down, &["Down", "j"], "down"),
    row("open.start", OPEN, Action::ToStart, &["Home", "Ctrl+Home"], "to the beginning"),
    row("open.end", OPEN, Action::ToEnd, &["End", "Ctrl+End"], "to the end"),
    row("pager.close", PAGER, Action::Close, &["Esc", "v", "q"], "close, without deciding anything"),
    row("list.open", LIST, Action::Open, &["Enter"], "open what is chosen"),
    row("list.close", LIST, Action::Close, &["Esc", "F2", "q"], "close"),
    row("line.send", LINE, Action::Submit, &["Enter"], "send the reason and deny the call"),
    row("line.close", LINE, Action::Close, &["Esc"], "go back without deciding"),
];

impl Row {
    /// Says where the row belongs, for headings.
    pub fn place(&self) -> &'static str {
        match self.modes {
            [Mode::Composer] => "composer",
            [Mode::Gate] => "gate",
            [Mode::Pager] => "open text",
            [Mode::List] => "list",
            [Mode::Line] => "reason of a denial",
            [Mode::Pager, Mode::List] => "open text, list",
            [Mode::Composer, Mode::Gate] => "conversation",
            _ => "anywhere",
        }
    }

    /// Says whether it answers the gate: such a key must be one that nobody presses in passing.
    pub fn decides(&self) -> bool {
        matches!(
            self.action,
            Action::Run | Action::RunAll | Action::Deny | Action::DenyAll | Action::DenyWithReason
        )
    }

    /// Says whether it lets a call run.
    pub fn approves(&self) -> bool {
        matches!(self.action, Action::Run | Action::RunAll)
    }
}
