//! Which key may be bound to what.

use crate::keymap::action::{Action, Mode};
use crate::keymap::bindings::KeymapError;
use crate::keymap::key::{Key, KeyCode, Mods};
use crate::keymap::spelling;
use crate::keymap::table::{Row, TABLE};

/// Reads one binding: the row of the table it is for, and the key.
pub(super) fn check(name: &str, text: &str) -> Result<(usize, Key), KeymapError> {
    let Some((index, row)) = TABLE.iter().enumerate().find(|(_, row)| row.name == name) else {
        return Err(KeymapError::UnknownAction {
            name: name.to_owned(),
            nearest: nearest(name),
        });
    };
    let (action, written) = (name.to_owned(), text.to_owned());
    let Some(key) = spelling::parse(text) else {
        return Err(KeymapError::UnknownKey {
            action,
            key: written,
        });
    };
    if let Some(like) = sent_as(&key) {
        return Err(KeymapError::Ambiguous {
            action,
            key: written,
            like,
        });
    }
    if let Some(reason) = never_decides(row, &key) {
        return Err(KeymapError::NeverDecides {
            action,
            key: written,
            reason,
        });
    }
    if is_text(row, &key) {
        return Err(KeymapError::IsText {
            action,
            key: written,
        });
    }
    Ok((index, key))
}

/// Returns every key that means two things in one mode.
pub(super) fn clashes(bound: &[Vec<Key>]) -> Vec<KeymapError> {
    let mut found = Vec::new();
    let rows: Vec<(&Row, &Vec<Key>)> = TABLE.iter().zip(bound).collect();
    for (at, (first, keys)) in rows.iter().enumerate() {
        for (second, others) in rows.iter().skip(at + 1) {
            if !first.modes.iter().any(|mode| second.modes.contains(mode)) {
                continue;
            }
            for key in keys.iter().filter(|key| others.contains(key)) {
                found.push(KeymapError::Clash {
                    key: spelling::label(key),
                    first: first.name,
                    second: second.name,
                });
            }
        }
    }
    found
}

/// Returns the key whose bytes are the same in a terminal without an enhanced keyboard protocol.
fn sent_as(key: &Key) -> Option<&'static str> {
    match (key.code, key.mods.ctrl) {
        (KeyCode::Char('m'), true) => Some("Enter"),
        (KeyCode::Char('i'), true) => Some("Tab"),
        (KeyCode::Char('['), true) => Some("Esc"),
        _ => None,
    }
}

/// Says why a key must not answer the gate, if it must not.
fn never_decides(row: &Row, key: &Key) -> Option<&'static str> {
    if !row.decides() {
        return None;
    }
    match key.code {
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab | KeyCode::Char(' ') => {
            Some("Enter, Tab and Space never answer the gate")
        }
        KeyCode::Char('j') if key.mods.ctrl => Some("a pasted line break looks the same"),
        KeyCode::Esc if row.approves() => Some("Esc never lets a call run"),
        KeyCode::Char('c' | 'd' | 'z') if key.mods.ctrl && row.approves() => {
            Some("it is pressed to stop something")
        }
        KeyCode::Up
        | KeyCode::Down
        | KeyCode::Left
        | KeyCode::Right
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown => Some("keys that move never answer the gate"),
        KeyCode::Char(_)
        | KeyCode::Esc
        | KeyCode::Backspace
        | KeyCode::Delete
        | KeyCode::Insert
        | KeyCode::F(_)
        | KeyCode::Other => None,
    }
}

/// Says whether the key is one that a person types into the composer or a line. Help is the
/// exception: its key counts only while there is nothing in the composer.
fn is_text(row: &Row, key: &Key) -> bool {
    let writes = row.modes.contains(&Mode::Composer) || row.modes.contains(&Mode::Line);
    let types = matches!(key.code, KeyCode::Char(_)) && key.mods == Mods::NONE;
    writes && types && row.action != Action::Help
}

fn nearest(name: &str) -> Option<String> {
    TABLE
        .iter()
        .map(|row| (strsim::damerau_levenshtein(row.name, name), row.name))
        .filter(|(distance, _)| *distance <= 5)
        .min()
        .map(|(_, name)| name.to_owned())
}
