//! Redaction: what stands between secrets and the screen, the disk and the logs.
//!
//! [`Redactor`] finds secrets; [`Redacted`] is the proof that it has looked. Whatever writes to a
//! screen or a disk takes a `Redacted` value, and only a `Redactor` can make one.

mod assign;
mod json;
mod mark;
mod names;
mod nested;
mod pem;
mod shapes;
mod value;
mod words;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use regex::Regex;
use serde_json::Value;

use crate::redact::json::mask_json;
use crate::redact::mark::{FingerprintKey, Kind, is_mark, mark};
use crate::redact::names::Names;
use crate::redact::pem::Pem;
use crate::redact::words::Words;

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
    pub fn push(&mut self, more: &Self) {
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
    /// Further value shapes, as regular expressions (`[redact] patterns`). They match inside one
    /// line.
    pub patterns: Vec<String>,
}

/// Finds secrets. Made once; immutable; linear in what it reads.
///
/// A secret is replaced by a mark: `‹kind:prefix…fingerprint›`. The prefix is a vendor's public one
/// or empty; equal secrets have equal fingerprints; what is a mark already stays as it is.
#[derive(Default)]
pub struct Redactor {
    names: Names,
    own: Vec<Regex>,
    /// A pattern of the user's may match a blank, so it needs whole lines.
    by_line: bool,
    fingerprint: FingerprintKey,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

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
    pub fn new(rules: &RedactRules) -> Result<Self, PatternError> {
        Self::with_key(rules, FingerprintKey::default().0)
    }

    /// Makes a redactor whose fingerprints can't be told without `key`.
    pub fn with_key(rules: &RedactRules, key: [u8; 32]) -> Result<Self, PatternError> {
        let own: Result<Vec<Regex>, PatternError> = rules
            .patterns
            .iter()
            .map(|pattern| compile(pattern))
            .collect();
        Ok(Self {
            names: Names::new(&rules.keys),
            own: own?,
            by_line: rules
                .patterns
                .iter()
                .any(|pattern| may_match_blank(pattern)),
            fingerprint: FingerprintKey(key),
        })
    }

    /// Looks through any value.
    pub fn redact<T: Redactable>(&self, value: T) -> Redacted<T> {
        Redacted(value.redacted_by(self))
    }

    /// Looks through plain text.
    pub fn text(&self, text: &str) -> Redacted<String> {
        let mut stream = StreamRedactor::default();
        let mut shown = stream.push(self, text);
        shown.push(&stream.finish(self));
        shown
    }

    /// Looks through JSON by key names, value shapes and, where there is one, a JSON Schema
    /// (`format: password`, `writeOnly`).
    pub fn json(&self, value: &Value, schema: Option<&Value>) -> Redacted<Value> {
        Redacted(mask_json(self, value, schema))
    }

    /// Masks what the user's own patterns find, in a line or in a word.
    fn mask_own<'a>(&self, text: &'a str, is_line: bool) -> Cow<'a, str> {
        let mut masked = Cow::Borrowed(text);
        if self.by_line != is_line {
            return masked;
        }
        for pattern in &self.own {
            let hide = |found: &regex::Captures<'_>| {
                let secret = found.get(0).map_or("", |group| group.as_str());
                if secret.is_empty() || is_mark(secret) || secret.contains(['‹', '›']) {
                    secret.to_owned()
                } else {
                    mark(&self.fingerprint, Kind::Custom, secret)
                }
            };
            if let Cow::Owned(changed) = pattern.replace_all(&masked, hide) {
                masked = Cow::Owned(changed);
            }
        }
        masked
    }
}

impl Redactable for String {
    fn redacted_by(self, redactor: &Redactor) -> Self {
        redactor.text(&self).into_inner()
    }
}

/// Looks through text that arrives in pieces, never letting the first part of a secret through.
///
/// However the text is cut, the pieces that come out are together what [`Redactor::text`] makes of
/// the whole.
#[derive(Default)]
pub struct StreamRedactor {
    pem: Pem,
    line: String,
    words: Words,
}

impl fmt::Debug for StreamRedactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamRedactor").finish_non_exhaustive()
    }
}

impl StreamRedactor {
    /// Takes in a piece and returns what can be shown now: everything but a tail that may turn out
    /// to be the beginning of a secret.
    pub fn push(&mut self, redactor: &Redactor, piece: &str) -> Redacted<String> {
        let mut keyless = String::new();
        self.pem.push(&redactor.fingerprint, piece, &mut keyless);
        let mut out = String::new();
        self.push_lines(redactor, &keyless, &mut out);
        Redacted(out)
    }

    /// Returns the rest; nothing more will come.
    pub fn finish(&mut self, redactor: &Redactor) -> Redacted<String> {
        let mut keyless = String::new();
        self.pem.finish(&redactor.fingerprint, &mut keyless);
        let mut out = String::new();
        self.push_lines(redactor, &keyless, &mut out);
        let last = std::mem::take(&mut self.line);
        self.words
            .push(redactor, &redactor.mask_own(&last, true), &mut out);
        self.words.finish(redactor, &mut out);
        *self = Self::default();
        Redacted(out)
    }

    fn push_lines(&mut self, redactor: &Redactor, text: &str, out: &mut String) {
        if !redactor.by_line {
            self.words.push(redactor, text, out);
            return;
        }
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            if piece.ends_with('\n') {
                let line = std::mem::take(&mut self.line);
                self.words
                    .push(redactor, &redactor.mask_own(&line, true), out);
            }
        }
    }
}

fn compile(pattern: &str) -> Result<Regex, PatternError> {
    Regex::new(pattern).map_err(|error| PatternError {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    })
}

/// Errs on the side of yes: a pattern read by lines finds the same and more.
fn may_match_blank(pattern: &str) -> bool {
    let signs = [
        "\\s", "\\W", "\\D", "\\S", "\\p", "\\P", "\\x", "\\u", "\\t", "[^", "[[:", "(?", "^", "$",
        "\\b",
    ];
    pattern.contains(char::is_whitespace)
        || pattern.replace("\\.", "").contains('.')
        || signs.iter().any(|sign| pattern.contains(sign))
}

/// Cuts text in two at a byte that is known to begin a character.
fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// Returns the part of text between two bytes that are known to begin a character.
fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests;
