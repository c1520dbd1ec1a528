//! From what crossterm read to facts.

use crossterm::event::{
    Event, KeyCode as Code, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent, MouseEventKind,
};

use crate::app::event::Fact;
use crate::io::terminal::size;
use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

/// Returns what an event says, or nothing for what nobody here needs to know.
pub fn fact(event: Event) -> Option<Fact> {
    match event {
        Event::Key(event) => Some(Fact::KeyPressed(key(event))),
        Event::Paste(text) => Some(Fact::Pasted(text)),
        Event::Mouse(event) => mouse(event),
        Event::Resize(width, height) => {
            let (width, height) = size::usable((width, height));
            Some(Fact::Resized { width, height })
        }
        Event::FocusGained => Some(Fact::FocusChanged(true)),
        Event::FocusLost => Some(Fact::FocusChanged(false)),
    }
}

/// Returns the key in the one form in which bindings are written.
pub fn key(event: KeyEvent) -> Key {
    let held = event.modifiers;
    let mut mods = Mods {
        ctrl: held.contains(KeyModifiers::CONTROL),
        alt: held.contains(KeyModifiers::ALT),
        shift: held.contains(KeyModifiers::SHIFT),
    };
    let mut code = code(event.code);
    // A `y` with the Windows or Command key held is not a `y`.
    if held.intersects(KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META) {
        code = KeyCode::Other;
    }
    if code == KeyCode::Tab && mods.shift {
        code = KeyCode::BackTab;
    }
    if code == KeyCode::BackTab {
        mods.shift = false;
    }
    if let KeyCode::Char(char) = code {
        code = character(char, mods);
        mods.shift = false;
    }
    Key {
        code,
        mods,
        motion: motion(event.kind),
    }
}

/// Settles what a character is, whatever the terminal makes of the keys held with it.
fn character(char: char, mods: Mods) -> KeyCode {
    if mods.ctrl {
        return with_ctrl(char, mods.shift);
    }
    if mods.shift && char.is_ascii_lowercase() {
        return KeyCode::Char(char.to_ascii_uppercase());
    }
    // The enhanced protocol tells the key, not the character; `_` is Shift and `-` on most boards.
    if mods.shift && mods.alt && char == '-' {
        return KeyCode::Char('_');
    }
    KeyCode::Char(char)
}

/// Without the enhanced protocol the control bytes 0x1C to 0x1F arrive as Ctrl+4 to Ctrl+7; people
/// know them as Ctrl+\, Ctrl+], Ctrl+^ and Ctrl+_. Ctrl+/ sends the last of them, too.
fn with_ctrl(char: char, shift: bool) -> KeyCode {
    match (char, shift) {
        ('4', _) => KeyCode::Char('\\'),
        ('5', _) => KeyCode::Char(']'),
        ('6', _) => KeyCode::Char('^'),
        ('7' | '/' | '_', _) | ('-', true) => KeyCode::Char('_'),
        // Terminals use Ctrl+Shift and a letter for themselves; what they let through must not
        // be taken for Ctrl and the letter (copying with Ctrl+Shift+C must not stop a turn).
        ('a'..='z' | 'A'..='Z', true) => KeyCode::Other,
        (char, _) => KeyCode::Char(char.to_ascii_lowercase()),
    }
}

fn code(code: Code) -> KeyCode {
    match code {
        Code::Char(char) => KeyCode::Char(char),
        Code::Enter => KeyCode::Enter,
        Code::Esc => KeyCode::Esc,
        Code::Tab => KeyCode::Tab,
        Code::BackTab => KeyCode::BackTab,
        Code::Backspace => KeyCode::Backspace,
        Code::Delete => KeyCode::Delete,
        Code::Insert => KeyCode::Insert,
        Code::Up => KeyCode::Up,
        Code::Down => KeyCode::Down,
        Code::Left => KeyCode::Left,
        Code::Right => KeyCode::Right,
        Code::Home => KeyCode::Home,
        Code::End => KeyCode::End,
        Code::PageUp => KeyCode::PageUp,
        Code::PageDown => KeyCode::PageDown,
        Code::F(number) => KeyCode::F(number),
        Code::Null
        | Code::CapsLock
        | Code::ScrollLock
        | Code::NumLock
        | Code::PrintScreen
        | Code::Pause
        | Code::Menu
        | Code::KeypadBegin
        | Code::Media(_)
        | Code::Modifier(_) => KeyCode::Other,
    }
}

fn motion(kind: KeyEventKind) -> KeyMotion {
    match kind {
        KeyEventKind::Press => KeyMotion::Press,
        KeyEventKind::Repeat => KeyMotion::Repeat,
        KeyEventKind::Release => KeyMotion::Release,
    }
}

fn mouse(event: MouseEvent) -> Option<Fact> {
    match event.kind {
        MouseEventKind::ScrollUp => Some(Fact::Wheeled(-1)),
        MouseEventKind::ScrollDown => Some(Fact::Wheeled(1)),
        MouseEventKind::Down(_) => Some(Fact::Clicked),
        MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode as Code, KeyEvent, KeyEventKind, KeyModifiers};

    use super::key;
    use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

    fn read(code: Code, mods: KeyModifiers) -> Key {
        key(KeyEvent::new(code, mods))
    }

    #[test]
    fn a_character_says_itself_whether_shift_was_held() {
        for mods in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            assert_eq!(read(Code::Char('Y'), mods), Key::char('Y'));
            assert_eq!(read(Code::Char('?'), mods), Key::char('?'));
        }
        assert_eq!(read(Code::Char('y'), KeyModifiers::NONE), Key::char('y'));
        assert_eq!(read(Code::Char('y'), KeyModifiers::SHIFT), Key::char('Y'));
    }

    #[test]
    fn enter_and_its_relatives_are_told_apart() {
        let shift_enter = Key {
            mods: Mods::SHIFT,
            ..Key::press(KeyCode::Enter)
        };
        for (code, mods, expected) in [
            (Code::Enter, KeyModifiers::NONE, Key::press(KeyCode::Enter)),
            (Code::Enter, KeyModifiers::SHIFT, shift_enter),
            (Code::Enter, KeyModifiers::ALT, Key::alt(KeyCode::Enter)),
            (Code::Char('j'), KeyModifiers::CONTROL, Key::ctrl('j')),
            (Code::Char('m'), KeyModifiers::CONTROL, Key::ctrl('m')),
        ] {
            assert_eq!(read(code, mods), expected);
        }
    }

    #[test]
    fn undo_and_redo_are_the_same_keys_in_old_and_new_terminals() {
        let ctrl = KeyModifiers::CONTROL;
        let alt = KeyModifiers::ALT;
        let shift = KeyModifiers::SHIFT;
        for (char, mods) in [('7', ctrl), ('_', ctrl), ('-', ctrl | shift), ('/', ctrl)] {
            assert_eq!(read(Code::Char(char), mods), Key::ctrl('_'), "{char}");
        }
        for (char, mods) in [('_', alt), ('_', alt | shift), ('-', alt | shift)] {
            let expected = Key::alt(KeyCode::Char('_'));
            assert_eq!(read(Code::Char(char), mods), expected, "{char}");
        }
    }

    #[test]
    fn control_keys_keep_their_letters() {
        let ctrl = KeyModifiers::CONTROL;
        assert_eq!(read(Code::Char('h'), ctrl), Key::ctrl('h'));
        assert_eq!(read(Code::Char('4'), ctrl), Key::ctrl('\\'));
        assert_eq!(read(Code::Char(' '), ctrl), Key::ctrl(' '));
        assert_eq!(read(Code::Char('C'), ctrl), Key::ctrl('c'));
    }

    #[test]
    fn copying_with_ctrl_shift_c_is_not_ctrl_c() {
        let held = KeyModifiers::CONTROL | KeyModifiers::SHIFT;
        for char in ['c', 'C'] {
            assert_eq!(read(Code::Char(char), held).code, KeyCode::Other);
        }
    }

    #[test]
    fn a_y_with_the_super_key_is_not_a_y() {
        for held in [KeyModifiers::SUPER, KeyModifiers::META, KeyModifiers::HYPER] {
            assert_eq!(read(Code::Char('y'), held).code, KeyCode::Other);
        }
    }

    #[test]
    fn shift_tab_has_one_form() {
        for code in [Code::BackTab, Code::Tab] {
            assert_eq!(
                read(code, KeyModifiers::SHIFT),
                Key::press(KeyCode::BackTab)
            );
        }
    }

    #[test]
    fn repeats_and_releases_are_not_presses() {
        for (kind, motion) in [
            (KeyEventKind::Press, KeyMotion::Press),
            (KeyEventKind::Repeat, KeyMotion::Repeat),
            (KeyEventKind::Release, KeyMotion::Release),
        ] {
            let event = KeyEvent::new_with_kind(Code::Char('y'), KeyModifiers::NONE, kind);
            assert_eq!(
                key(event),
                Key {
                    motion,
                    ..Key::char('y')
                }
            );
        }
    }
}
