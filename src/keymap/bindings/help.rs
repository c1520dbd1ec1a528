//! The bindings as people read them: rows for the help overlay, a table for the README.

use crate::keymap::bindings::Keymap;
use crate::keymap::key::Key;
use crate::keymap::spelling;

/// One line of help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    /// Where the keys work.
    pub place: &'static str,
    /// The name in the configuration.
    pub name: &'static str,
    /// The keys, as they are shown.
    pub keys: Vec<String>,
    /// What they do.
    pub does: &'static str,
}

impl Keymap {
    /// Returns a line of help for everything that a key is bound to, in reading order.
    pub fn help(&self) -> Vec<HelpRow> {
        let shown = |keys: &[Key]| keys.iter().map(spelling::label).collect();
        self.rows()
            .map(|(row, keys)| HelpRow {
                place: row.place(),
                name: row.name,
                keys: shown(keys),
                does: row.does,
            })
            .collect()
    }
}

/// Returns the standard bindings as a markdown table, as the README has it.
pub fn table_markdown() -> String {
    let mut table = String::from("| where | keys | does | name in `[keys]` |\n|---|---|---|---|\n");
    for row in Keymap::standard().help() {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        let line = format!(
            "| {} | {} | {} | `{}` |\n",
            row.place,
            keys.join(" "),
            row.does,
            row.name
        );
        table.push_str(&line);
    }
    table
}
