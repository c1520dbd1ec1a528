//! Redaction: what stands between secrets and the screen, the disk and the logs.
//!
//! [`Redactor`] finds secrets; [`Redacted`] is the proof that it has looked. Whatever writes to a
//! screen or a disk takes a `Redacted` value, and only a `Redactor` can make one.

use std::ops::Deref;

use serde_json::Value;

/// A value that a [`Redactor`] has looked through.
///
/// Invariant: made by a `Redactor` only, never cloned, never taken apart in place.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Redacted<T>(T);

impl<T> Redacted<T> {
    /// Gives the value away, for its last step to screen or disk.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Redacted<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl Redacted<String> {
    /// Appends text that was looked through as well.
    pub fn push(&mut self, more: &Redacted<String>) {
        self.0.push_str(&more.0);
    }
}

/// A value made of strings that a [`Redactor`] can look through.
pub trait Redactable: Sized {
    /// Returns the value with every secret replaced by its mark.
    #[must_use]
    fn redacted_by(self, redactor: &Redactor) -> Self;
}

/// What to look for beyond the built-in rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RedactRules {
    /// Further argument names whose values are secret (`[redact] keys`).
    pub keys: Vec<String>,
    /// Further value shapes, as regular expressions (`[redact] patterns`).
    pub patterns: Vec<String>,
}

/// Finds secrets. Made once; immutable; linear in what it reads.
#[derive(Debug, Default)]
pub struct Redactor {}

/// A pattern of the user's that is not a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("redaction pattern `{pattern}` can't be used: {reason}")]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Redactor {
    /// Makes a redactor with the built-in rules and the user's own.
    pub fn new(_rules: &RedactRules) -> Result<Self, PatternError> {
        Ok(Self {})
    }

    /// Looks through any value.
    pub fn redact<T: Redactable>(&self, value: T) -> Redacted<T> {
        Redacted(value.redacted_by(self))
    }

    /// Looks through plain text.
    pub fn text(&self, text: &str) -> Redacted<String> {
        Redacted(text.to_owned())
    }

    /// Looks through JSON by key names, value shapes and, where there is one, a JSON Schema
    /// (`format: password`, `writeOnly`).
    pub fn json(&self, value: &Value, _schema: Option<&Value>) -> Redacted<Value> {
        Redacted(value.clone())
    }
}

/// Looks through text that arrives in pieces, never letting the first part of a secret through.
#[derive(Debug, Default)]
pub struct StreamRedactor {}

impl StreamRedactor {
    /// Takes in a piece and returns what can be shown now: everything but a tail that may turn out
    /// to be the beginning of a secret.
    pub fn push(&mut self, redactor: &Redactor, piece: &str) -> Redacted<String> {
        redactor.text(piece)
    }

    /// Returns the rest; nothing more will come.
    pub fn finish(&mut self, redactor: &Redactor) -> Redacted<String> {
        redactor.text("")
    }
}
