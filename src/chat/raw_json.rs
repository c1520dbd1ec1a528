//! JSON text kept byte for byte as it came.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// One JSON value as the text it arrived in.
///
/// What a model sent is replayed from this text, never from a parsed form: a parse would lose the
/// order of keys, the spelling of numbers and every field that we don't know. Two values are equal
/// when their bytes are. Clones share the text.
#[derive(Clone)]
pub struct RawJson(Arc<RawValue>);

/// The text is not one JSON value.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("not valid JSON: {reason}")]
pub struct RawJsonError {
    /// What the parser said.
    pub reason: String,
}

impl RawJson {
    /// Keeps `text` after checking that it is one JSON value.
    pub fn parse(text: impl Into<String>) -> Result<Self, RawJsonError> {
        RawValue::from_string(text.into())
            .map(|raw| Self(raw.into()))
            .map_err(|error| RawJsonError {
                reason: error.to_string(),
            })
    }

    /// Writes `value` out in compact form.
    pub fn from_value(value: &Value) -> Self {
        // A `Value` has only string keys, so writing it out cannot fail; `null` is never taken.
        to_raw_value(value).map_or_else(|_| Self::null(), |raw| Self(raw.into()))
    }

    /// Takes over a raw value from a parser.
    pub fn from_raw(raw: Box<RawValue>) -> Self {
        Self(raw.into())
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned().into())
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Returns the raw value, which serialises as the same bytes.
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// Parses the text; numbers outside `f64` are an error.
    pub fn to_value(&self) -> Result<Value, RawJsonError> {
        serde_json::from_str(self.text()).map_err(|error| RawJsonError {
            reason: error.to_string(),
        })
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
