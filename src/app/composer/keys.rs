//! The editing keys of the composer: arrows, and the Emacs keys that a shell has too.

use tui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

/// Applies a key to the draft. Returns whether it meant something.
///
/// Enter alone, Ctrl+C, Ctrl+D and Tab mean nothing here: what they do depends on more than the
/// draft.
pub(super) fn apply(key: Key, area: &mut TextArea<'static>) -> bool {
    if key.motion == KeyMotion::Release {
        return false;
    }
    match key.mods {
        Mods {
            ctrl: false,
            alt: false,
            shift,
        } => plain(key.code, shift, area),
        Mods {
            ctrl: true,
            alt: false,
            ..
        } => with_ctrl(key.code, area),
        Mods {
            ctrl: false,
            alt: true,
            ..
        } => with_alt(key.code, area),
        Mods {
            ctrl: true,
            alt: true,
            ..
        } => false,
    }
}

fn plain(code: KeyCode, shift: bool, area: &mut TextArea<'static>) -> bool {
    match code {
        KeyCode::Char(char) => insert(char, area),
        KeyCode::Enter if shift => new_line(area),
        KeyCode::Backspace => delete_before(area),
        KeyCode::Delete => delete_after(area),
        KeyCode::Left => left(area),
        KeyCode::Right => right(area),
        KeyCode::Up => go(CursorMove::Up, area),
        KeyCode::Down => go(CursorMove::Down, area),
        KeyCode::Home => go(CursorMove::Head, area),
        KeyCode::End => go(CursorMove::End, area),
        KeyCode::Enter
        | KeyCode::Esc
        | KeyCode::Tab
        | KeyCode::BackTab
        | KeyCode::Insert
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::F(_)
        | KeyCode::Other => false,
    }
}

fn with_ctrl(code: KeyCode, area: &mut TextArea<'static>) -> bool {
    match code {
        KeyCode::Char('a') => go(CursorMove::Head, area),
        KeyCode::Char('e') => go(CursorMove::End, area),
        KeyCode::Char('b') => left(area),
        KeyCode::Char('f') => right(area),
        KeyCode::Char('n') => go(CursorMove::Down, area),
        KeyCode::Char('h') => delete_before(area),
        KeyCode::Char('j') | KeyCode::Enter => new_line(area),
        KeyCode::Char('k') => done(area.delete_line_by_end()),
        KeyCode::Char('u') => done(area.delete_line_by_head()),
        KeyCode::Char('w') | KeyCode::Backspace => done(area.delete_word()),
        KeyCode::Delete => done(area.delete_next_word()),
        KeyCode::Char('y') => done(area.paste()),
        // Terminals send Ctrl+_ for Ctrl+/ and Ctrl+7 as well.
        KeyCode::Char('_' | '/' | '7') => done(area.undo()),
        KeyCode::Left => go(CursorMove::WordBack, area),
        KeyCode::Right => go(CursorMove::WordForward, area),
        KeyCode::Char(_)
        | KeyCode::Esc
        | KeyCode::Tab
        | KeyCode::BackTab
        | KeyCode::Insert
        | KeyCode::Up
        | KeyCode::Down
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::F(_)
        | KeyCode::Other => false,
    }
}

fn with_alt(code: KeyCode, area: &mut TextArea<'static>) -> bool {
    match code {
        KeyCode::Enter => new_line(area),
        KeyCode::Char('b') | KeyCode::Left => go(CursorMove::WordBack, area),
        KeyCode::Char('f') | KeyCode::Right => go(CursorMove::WordForward, area),
        KeyCode::Char('d') | KeyCode::Delete => done(area.delete_next_word()),
        KeyCode::Backspace => done(area.delete_word()),
        KeyCode::Char('<') => go_to_start(area),
        KeyCode::Char('>') => go_to_end(area),
        KeyCode::Char('_' | '/') => done(area.redo()),
        KeyCode::Char(_)
        | KeyCode::Esc
        | KeyCode::Tab
        | KeyCode::BackTab
        | KeyCode::Insert
        | KeyCode::Up
        | KeyCode::Down
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::F(_)
        | KeyCode::Other => false,
    }
}

/// A key that was understood counts as taken even when there was nothing to do.
const fn done(_changed: bool) -> bool {
    true
}

fn insert(char: char, area: &mut TextArea<'static>) -> bool {
    area.insert_char(char);
    true
}

fn new_line(area: &mut TextArea<'static>) -> bool {
    area.insert_newline();
    true
}

fn go(to: CursorMove, area: &mut TextArea<'static>) -> bool {
    area.move_cursor(to);
    true
}

fn go_to_start(area: &mut TextArea<'static>) -> bool {
    area.move_cursor(CursorMove::Top);
    go(CursorMove::Head, area)
}

fn go_to_end(area: &mut TextArea<'static>) -> bool {
    area.move_cursor(CursorMove::Bottom);
    go(CursorMove::End, area)
}

/// The cursor steps over what is drawn as one character, however many code points it has.
fn left(area: &mut TextArea<'static>) -> bool {
    for _ in 0..chars_before(area).max(1) {
        area.move_cursor(CursorMove::Back);
    }
    true
}

fn right(area: &mut TextArea<'static>) -> bool {
    for _ in 0..chars_after(area).max(1) {
        area.move_cursor(CursorMove::Forward);
    }
    true
}

fn delete_before(area: &mut TextArea<'static>) -> bool {
    for _ in 0..chars_before(area).max(1) {
        area.delete_char();
    }
    true
}

fn delete_after(area: &mut TextArea<'static>) -> bool {
    match chars_after(area) {
        0 => area.delete_next_char(),
        chars => area.delete_str(chars),
    };
    true
}

fn chars_before(area: &TextArea<'static>) -> usize {
    let (before, _) = around_cursor(area);
    let last = before.graphemes(true).next_back();
    last.map_or(0, |grapheme| grapheme.chars().count())
}

fn chars_after(area: &TextArea<'static>) -> usize {
    let (_, after) = around_cursor(area);
    let first = after.graphemes(true).next();
    first.map_or(0, |grapheme| grapheme.chars().count())
}

fn around_cursor<'a>(area: &'a TextArea<'static>) -> (&'a str, &'a str) {
    let cursor = area.cursor();
    let line = area.lines().get(cursor.0).map_or("", String::as_str);
    let at = line
        .char_indices()
        .nth(cursor.1)
        .map_or(line.len(), |(at, _)| at);
    line.split_at_checked(at).unwrap_or((line, ""))
}
