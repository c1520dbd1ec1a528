//! Which key means what where: the standard bindings and a person's own.

mod error;
mod help;
mod rules;
#[cfg(test)]
mod tests;

pub use error::KeymapError;
pub use help::{HelpRow, table_markdown};

use crate::keymap::action::{Action, Mode};
use crate::keymap::key::{Key, KeyMotion};
use crate::keymap::spelling;
use crate::keymap::table::{Row, TABLE};

/// What every key means.
///
/// Invariant: within a mode a key means one thing; nothing that answers the gate is on a key that
/// is pressed in passing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    /// The keys of each row of [`TABLE`], in its order.
    keys: Vec<Vec<Key>>,
}

impl Keymap {
    /// Returns the bindings that Keytide comes with.
    pub fn standard() -> Self {
        let keys = |row: &Row| row.keys.iter().filter_map(|key| spelling::parse(key));
        Self {
            keys: TABLE.iter().map(|row| keys(row).collect()).collect(),
        }
    }

    /// Returns the standard bindings with a person's own in place of them: pairs of an action's
    /// name and a key. An action that is named more than once has all of these keys.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the pairs, in their order, then every clash.
    pub fn with(own: &[(String, String)]) -> Result<Self, Vec<KeymapError>> {
        let mut keymap = Self::standard();
        let mut errors = Vec::new();
        let mut replaced = vec![false; TABLE.len()];
        for (name, key) in own {
            match rules::check(name, key) {
                Ok((index, key)) => keymap.bind(index, key, &mut replaced),
                Err(error) => errors.push(error),
            }
        }
        errors.extend(rules::clashes(&keymap.keys));
        if errors.is_empty() {
            Ok(keymap)
        } else {
            Err(errors)
        }
    }

    /// Returns what a key means in a mode. A key that comes up means nothing; whether a repeat
    /// counts is for the action to say.
    pub fn action(&self, mode: Mode, key: &Key) -> Option<Action> {
        if key.motion == KeyMotion::Release {
            return None;
        }
        let same = |bound: &Key| bound.code == key.code && bound.mods == key.mods;
        self.rows()
            .find(|(row, keys)| row.modes.contains(&mode) && keys.iter().any(same))
            .map(|(row, _)| row.action)
    }

    /// Returns how the key for an action is written in a mode (`y`, `Ctrl+C`, `F5`), or nothing
    /// when the action can't be done there.
    pub fn label(&self, mode: Mode, action: Action) -> String {
        self.rows()
            .find(|(row, _)| row.action == action && row.modes.contains(&mode))
            .and_then(|(_, keys)| keys.first())
            .map(spelling::label)
            .unwrap_or_default()
    }

    fn bind(&mut self, index: usize, key: Key, replaced: &mut [bool]) {
        let (Some(keys), Some(replaced)) = (self.keys.get_mut(index), replaced.get_mut(index))
        else {
            return;
        };
        if !std::mem::replace(replaced, true) {
            keys.clear();
        }
        if !keys.contains(&key) {
            keys.push(key);
        }
    }

    fn rows(&self) -> impl Iterator<Item = (&'static Row, &Vec<Key>)> {
        TABLE.iter().zip(&self.keys)
    }
}

impl Default for Keymap {
    fn default() -> Self {
        Self::standard()
    }
}
