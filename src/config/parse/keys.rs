//! `[keys]`: a person's own key bindings.

use crate::config::parse::section::{Item, Reader, Section};
use crate::keymap::bindings::{Keymap, KeymapError};

/// Reads the bindings and lets the keymap judge them.
pub(super) fn bindings(section: &Section<'_>, reader: &mut Reader<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, item) in section.items() {
        collect(name, item, reader, &mut found);
    }
    let pairs: Vec<(String, String)> = found.iter().map(|(_, pair)| pair.clone()).collect();
    for error in Keymap::with(&pairs).err().unwrap_or_default() {
        let at = place(&error, &found);
        reader.problem(at, error.to_string());
    }
    pairs
}

type Found = Vec<(usize, (String, String))>;

/// Takes `"gate.run" = "y"`, `"gate.run" = ["y", "F9"]` and `gate.run = "y"`, which TOML reads as
/// a table in a table.
fn collect(name: &str, item: &Item<'_>, reader: &mut Reader<'_>, found: &mut Found) {
    if item.value.as_table().is_some() {
        if let Some(section) = reader.section(item) {
            for (inner, item) in section.items() {
                collect(&format!("{name}.{inner}"), item, reader, found);
            }
        }
    } else if item.value.as_array().is_some() {
        for (at, key) in reader.words(item) {
            found.push((at, (name.to_owned(), key)));
        }
    } else if item.value.as_str() == Some(" ") {
        found.push((item.at, (name.to_owned(), "Space".to_owned())));
    } else if let Some(key) = reader.word(item) {
        found.push((item.at, (name.to_owned(), key)));
    }
}

/// Returns where the binding stands that an error is about.
fn place(error: &KeymapError, found: &Found) -> usize {
    let about = |name: &str| found.iter().rev().find(|(_, (action, _))| action == name);
    let first = match error {
        KeymapError::Clash { first, .. } => about(first),
        KeymapError::UnknownAction { .. }
        | KeymapError::UnknownKey { .. }
        | KeymapError::Ambiguous { .. }
        | KeymapError::NeverDecides { .. }
        | KeymapError::IsText { .. } => None,
    };
    about(error.action()).or(first).map_or(0, |(at, _)| *at)
}
