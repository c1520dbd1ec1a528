//! JSON text that is looked into without being rewritten.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Writes text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Reads a JSON string; anything else is nothing.
pub(super) fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Reads raw JSON as a type; what doesn't fit is nothing.
pub(super) fn read<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// An object as the list of its fields, in their order, with their values' text untouched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads an object; anything else is nothing.
    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the text of a field's value.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Reads a field that is a string.
    pub(super) fn string(&self, key: &str) -> Option<String> {
        self.get(key)
            .and_then(|text| serde_json::from_str(text).ok())
    }

    /// Puts a value in the place of a field's, or at the end when there is no such field.
    pub(super) fn set(&mut self, key: &str, value: String) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, place)) => *place = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Returns the names of the fields and the texts of their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Writes the object.
    pub(super) fn text(&self) -> String {
        let fields: Vec<String> = self
            .iter()
            .map(|(key, value)| format!("{}:{value}", quoted(key)))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.push((key, value.get().to_owned()));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Replaces each half of a surrogate pair that stands alone (`\ud83d`) by `\ufffd`.
///
/// Such text is not valid JSON; a parser refuses it, and a service refuses to see it again. All
/// other bytes stay as they are.
pub(super) fn mended(text: &str) -> Cow<'_, str> {
    // Nearly every event has none of these, and finding that out is quick.
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        mended.push_str(plain);
        let whole = whole_escape(escape);
        let (taken, after) = escape
            .split_at_checked(whole.length)
            .unwrap_or((escape, ""));
        mended.push_str(if whole.is_half { "\\ufffd" } else { taken });
        rest = after;
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

struct Escape {
    length: usize,
    is_half: bool,
}

/// Measures the escape at the start of `text`; a surrogate pair counts as one.
fn whole_escape(text: &str) -> Escape {
    let escape = |length, is_half| Escape { length, is_half };
    match unit(text) {
        Some(0xd800..=0xdbff) => match text.get(6..).and_then(unit) {
            Some(0xdc00..=0xdfff) => escape(12, false),
            Some(_) | None => escape(6, true),
        },
        Some(0xdc00..=0xdfff) => escape(6, true),
        Some(_) => escape(6, false),
        // `\\` must be taken whole, or its second half would look like the start of an escape.
        None => escape(1 + text.chars().nth(1).map_or(0, char::len_utf8), false),
    }
}

/// Reads `\uXXXX` at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_surrogate_pair_becomes_a_replacement_character() {
        let cases = [
            (r#""cut \ud83d""#, r#""cut \ufffd""#),
            (
                r#""\ude00 \uD83D\ude00 \uD83D""#,
                r#""\ufffd \uD83D\ude00 \ufffd""#,
            ),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            (r#""\\ud83d é \\\ud83d""#, r#""\\ud83d é \\\ufffd""#),
            (r#""\ud83d\u00e9""#, r#""\ufffd\u00e9""#),
            (r"\ud8", r"\ud8"),
            ("\\ud\\", "\\ud\\"),
        ];
        for (broken, whole) in cases {
            assert_eq!(mended(broken), whole);
        }
    }

    #[test]
    fn fields_keep_their_order_and_the_spelling_of_their_values() {
        let text = r#"{"z":1e400,"a":{"b": [ 1.0 ]},"\u00e9":"\u00e9"}"#;
        let mut fields = Fields::parse(text).unwrap();
        assert_eq!(
            fields.text(),
            r#"{"z":1e400,"a":{"b": [ 1.0 ]},"é":"\u00e9"}"#
        );
        fields.set("a", "2".into());
        fields.set("n", "3".into());
        assert_eq!(fields.text(), r#"{"z":1e400,"a":2,"é":"\u00e9","n":3}"#);
        assert_eq!(fields.string("é").as_deref(), Some("é"));
        assert_eq!(Fields::parse("[1]"), None);
    }
}
