//! Finds the records in a file in whatever state it is: torn, glued, doubled, with holes.

use std::collections::HashSet;

use serde_json::value::RawValue;

use crate::transcript::record::{Blobs, Parsed, ParsedBody, decode};

/// What was found in a file.
#[derive(Debug, Default, PartialEq)]
pub struct Reading {
    /// Every record that is whole, in order, each once.
    pub records: Vec<Parsed>,
    /// What was skipped, one full sentence each.
    pub notices: Vec<String>,
}

/// How every record begins; inside a JSON string it would be written with backslashes.
const RECORD_START: &str = "{\"v\":";

/// Reads a whole file. Nothing in it is an error.
pub fn read(bytes: &[u8], blobs: &dyn Blobs) -> Reading {
    let mut finder = Finder::default();
    let mut lines = bytes.split(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        finder.line(line, is_last, blobs);
    }
    finder.finish()
}

#[derive(Default)]
struct Finder {
    reading: Reading,
    seen: HashSet<String>,
    torn: bool,
    damaged: usize,
    not_text: usize,
    unknown: usize,
}

impl Finder {
    fn line(&mut self, line: &[u8], is_last: bool, blobs: &dyn Blobs) {
        let line: Vec<u8> = line.iter().copied().filter(|byte| *byte != 0).collect();
        let text = String::from_utf8_lossy(&line);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.not_text += 1;
        }
        let mut rest = text.trim();
        let mut broken = false;
        while !rest.is_empty() {
            rest = if let Some((value, after)) = first_value(rest) {
                broken |= !self.record(value, blobs);
                after.trim_start()
            } else {
                broken = true;
                next_start(rest)
            };
        }
        if broken && is_last {
            self.torn = true;
        } else if broken {
            self.damaged += 1;
        }
    }

    fn record(&mut self, text: &str, blobs: &dyn Blobs) -> bool {
        let Some(parsed) = decode(text, blobs) else {
            return false;
        };
        if matches!(parsed.body, ParsedBody::Unknown { .. }) {
            self.unknown += 1;
        }
        // After a crash a record can have been written twice.
        if self.seen.insert(parsed.id.to_string()) {
            self.reading.records.push(parsed);
        }
        true
    }

    fn finish(self) -> Reading {
        let mut reading = self.reading;
        let mut say = |text: String| reading.notices.push(text);
        if self.torn {
            say("The last record of this transcript was cut short when the program ended; it is left out.".into());
        }
        if self.damaged > 0 {
            let count = self.damaged;
            say(format!(
                "{count} damaged lines of this transcript were left out; all whole records are here."
            ));
        }
        if self.not_text > 0 {
            let count = self.not_text;
            say(format!(
                "{count} lines of this transcript hold bytes that are no text; they are shown as `\u{fffd}`."
            ));
        }
        if self.unknown > 0 {
            let count = self.unknown;
            say(format!(
                "{count} records of this transcript were made by a newer version of Keytide; they are kept in the file and not shown."
            ));
        }
        reading
    }
}

/// Splits off the JSON value that a text begins with.
fn first_value(text: &str) -> Option<(&str, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    let after = text.get(values.byte_offset()..)?;
    Some((value.get(), after))
}

/// Returns the text from where the next record may begin.
fn next_start(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    let rest = characters.as_str();
    rest.find(RECORD_START)
        .and_then(|at| rest.get(at..))
        .unwrap_or_default()
}
