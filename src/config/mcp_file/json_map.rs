//! A JSON object that keeps every member, twins included, and knows its line.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::config::mcp_file::McpFileError;

/// The members of an object in the order of the text.
#[derive(Debug)]
pub struct JsonMap<'a> {
    /// Names and values; a name may come twice.
    pub members: Vec<(String, &'a RawValue)>,
}

/// Finds lines in the text of a file.
#[derive(Debug)]
pub struct Place<'a> {
    text: &'a str,
}

impl<'a> Place<'a> {
    /// Remembers the whole text.
    pub const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Returns the line, counted from 1, on which `part` begins. `part` is a piece of the text
    /// itself, not a copy; line 1 otherwise.
    pub fn line_of(&self, part: &str) -> usize {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let before = start.and_then(|start| self.text.get(..start)).unwrap_or("");
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }
}

impl<'a> JsonMap<'a> {
    /// Reads `part`, a piece of the text that `place` knows.
    pub fn parse(part: &'a str, place: &Place<'_>) -> Result<Self, McpFileError> {
        serde_json::from_str(part).map_err(|error| {
            let wrong_kind = error.classify() == serde_json::error::Category::Data;
            let reason = if wrong_kind {
                "this is not a JSON object".to_owned()
            } else {
                format!("not valid JSON: {}", without_place(&error))
            };
            McpFileError {
                line: place.line_of(part) + error.line().saturating_sub(1),
                reason,
            }
        })
    }

    /// Returns the value of a member; of twins the last.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.members.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.get())
    }
}

/// Returns what the parser said, without its own line and column, which count from another start.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => said,
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonMap<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        let members = deserializer.deserialize_map(Members)?;
        Ok(Self { members })
    }
}
