//! How a key is written in the configuration and on the screen.

use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

/// Keys with a name, as they are shown; further spellings are in [`parse`].
const NAMED: &[(&str, KeyCode)] = &[
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Shift+Tab", KeyCode::BackTab),
    ("Backspace", KeyCode::Backspace),
    ("Del", KeyCode::Delete),
    ("Ins", KeyCode::Insert),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("Space", KeyCode::Char(' ')),
];

/// Other spellings that people use, in lower case.
const ALSO: &[(&str, KeyCode)] = &[
    ("return", KeyCode::Enter),
    ("escape", KeyCode::Esc),
    ("backtab", KeyCode::BackTab),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("plus", KeyCode::Char('+')),
];

/// Reads a key as a person writes it: `y`, `Ctrl+C`, `Alt+Enter`, `F5`.
///
/// Returns `None` for anything that no terminal sends: an unknown name, or Shift with a character
/// (the character itself says it: `Y`, not `Shift+y`).
pub fn parse(text: &str) -> Option<Key> {
    let mut mods = Mods::NONE;
    let mut rest = text.trim();
    while let Some((word, tail)) = rest.split_once(['+', '-']) {
        // A lone `+` or `-`, or one behind a modifier, is the key itself.
        if word.is_empty() || tail.is_empty() {
            break;
        }
        match word.to_ascii_lowercase().as_str() {
            "ctrl" | "control" => mods.ctrl = true,
            "alt" | "option" | "meta" => mods.alt = true,
            "shift" => mods.shift = true,
            _ => return None,
        }
        rest = tail;
    }
    normal(code(rest)?, mods)
}

/// Writes a key as it is shown: `y`, `Ctrl+C`, `F5`.
pub fn label(key: &Key) -> String {
    let mut text = String::new();
    for (held, name) in [
        (key.mods.ctrl, "Ctrl+"),
        (key.mods.alt, "Alt+"),
        (key.mods.shift, "Shift+"),
    ] {
        if held {
            text.push_str(name);
        }
    }
    text.push_str(&code_label(key.code, key.mods.ctrl));
    text
}

fn code(text: &str) -> Option<KeyCode> {
    let mut chars = text.chars();
    if let (Some(char), None) = (chars.next(), chars.next()) {
        return (!char.is_control()).then_some(KeyCode::Char(char));
    }
    let lower = text.to_ascii_lowercase();
    let named = NAMED
        .iter()
        .find(|(name, _)| name.to_ascii_lowercase() == lower);
    let also = ALSO.iter().find(|(name, _)| *name == lower);
    named.or(also).map(|(_, code)| *code).or_else(|| {
        let number: u8 = lower.strip_prefix('f')?.parse().ok()?;
        (1..=24).contains(&number).then_some(KeyCode::F(number))
    })
}

/// Brings a key to the one form in which the terminal tells it.
fn normal(code: KeyCode, mut mods: Mods) -> Option<Key> {
    let mut code = code;
    if code == KeyCode::Tab && mods.shift {
        code = KeyCode::BackTab;
        mods.shift = false;
    }
    if let KeyCode::Char(char) = code {
        if mods.shift {
            return None;
        }
        if mods.ctrl {
            code = KeyCode::Char(char.to_ascii_lowercase());
        }
    }
    Some(Key {
        code,
        mods,
        motion: KeyMotion::Press,
    })
}

fn code_label(code: KeyCode, ctrl: bool) -> String {
    if let Some((name, _)) = NAMED.iter().find(|(_, named)| *named == code) {
        return (*name).to_owned();
    }
    match code {
        KeyCode::Char(char) if ctrl => char.to_uppercase().collect(),
        KeyCode::Char(char) => char.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        KeyCode::Enter
        | KeyCode::Esc
        | KeyCode::Tab
        | KeyCode::BackTab
        | KeyCode::Backspace
        | KeyCode::Delete
        | KeyCode::Insert
        | KeyCode::Up
        | KeyCode::Down
        | KeyCode::Left
        | KeyCode::Right
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::Other => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{label, parse};
    use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

    #[test]
    fn keys_are_read_in_the_spellings_people_use() {
        for (text, key) in [
            ("y", Key::char('y')),
            ("Y", Key::char('Y')),
            ("ctrl+c", Key::ctrl('c')),
            ("Ctrl+C", Key::ctrl('c')),
            ("Control-C", Key::ctrl('c')),
            ("Ctrl+_", Key::ctrl('_')),
            ("Alt+Enter", Key::alt(KeyCode::Enter)),
            ("alt+-", Key::alt(KeyCode::Char('-'))),
            ("Ctrl++", Key::ctrl('+')),
            ("+", Key::char('+')),
            ("F5", Key::press(KeyCode::F(5))),
            ("PageUp", Key::press(KeyCode::PageUp)),
            ("escape", Key::press(KeyCode::Esc)),
            ("Shift+Tab", Key::press(KeyCode::BackTab)),
            ("Space", Key::char(' ')),
        ] {
            assert_eq!(parse(text), Some(key), "{text}");
        }
    }

    #[test]
    fn what_no_terminal_sends_is_not_a_key() {
        for text in [
            "", "Shift+y", "Hyper+x", "F25", "F0", "Entr", "Ctrl+", "\u{1b}",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_label_reads_back_as_its_key() {
        let codes = [
            KeyCode::Char('y'),
            KeyCode::Char(' '),
            KeyCode::Char('+'),
            KeyCode::Char('-'),
            KeyCode::Char('_'),
            KeyCode::Enter,
            KeyCode::BackTab,
            KeyCode::PageDown,
            KeyCode::F(12),
        ];
        for code in codes {
            for mods in [Mods::NONE, Mods::CTRL, Mods::ALT] {
                let motion = KeyMotion::Press;
                let key = Key { code, mods, motion };
                // Shift+Tab with more held is not sent by terminals in a form of its own.
                if code != KeyCode::BackTab || mods == Mods::NONE {
                    assert_eq!(parse(&label(&key)), Some(key), "{}", label(&key));
                }
            }
        }
    }
}
