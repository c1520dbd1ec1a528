//! A JSON object whose values stay the bytes they came as.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::chat::raw_json::RawJson;

/// The fields of a JSON object in their order, each value as its own text.
///
/// For changing one field of a block that a model sent without touching the others.
#[derive(Debug, Default)]
pub struct RawObject(Vec<(String, Box<RawValue>)>);

impl RawObject {
    /// Reads an object; anything else is nothing.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the text of a field's value.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.get())
    }

    /// Returns a field that is a string.
    pub fn get_string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// Puts a value in its field's place, or at the end.
    pub fn set(&mut self, key: &str, value: &RawJson) {
        let value = value.as_raw().to_owned();
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, place)) => *place = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Writes the object out.
    pub fn to_raw(&self) -> RawJson {
        serde_json::value::to_raw_value(self).map_or_else(|_| RawJson::null(), RawJson::from_raw)
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = RawObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(RawObject(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_one_field_leaves_the_bytes_of_the_others() {
        let mut object =
            RawObject::parse(r#"{"id":"a","input":{"n": 1e400,"m":1.0},"x":"\u00e9"}"#).unwrap();
        object.set("id", &RawJson::parse("\"b\"").unwrap());
        assert_eq!(
            object.to_raw().text(),
            r#"{"id":"b","input":{"n": 1e400,"m":1.0},"x":"\u00e9"}"#
        );
    }
}
