//! The mark that stands in a secret's place: its kind, a public prefix, a fingerprint.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::redact::shapes::public_prefix;

/// What kind of secret was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Password,
    Token,
    Secret,
    Key,
    Cookie,
    Auth,
    PrivateKey,
    Custom,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Password,
        Self::Token,
        Self::Secret,
        Self::Key,
        Self::Cookie,
        Self::Auth,
        Self::PrivateKey,
        Self::Custom,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Token => "token",
            Self::Secret => "secret",
            Self::Key => "key",
            Self::Cookie => "cookie",
            Self::Auth => "auth",
            Self::PrivateKey => "private-key",
            Self::Custom => "custom",
        }
    }
}

/// The key of the fingerprints: with it, two marks are equal when their secrets are.
#[derive(Clone)]
pub(crate) struct FingerprintKey(pub(crate) [u8; 32]);

impl Default for FingerprintKey {
    fn default() -> Self {
        Self(*b"keytide redaction fingerprint v1")
    }
}

impl fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FingerprintKey")
    }
}

/// How much of a secret's beginning is kept to recognise its shape, in characters.
const HEAD: usize = 80;

/// A secret while it is read: only its fingerprint and its first characters are kept.
#[derive(Clone)]
pub(crate) struct Found {
    head: String,
    characters: usize,
    hash: Sha256,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").finish_non_exhaustive()
    }
}

impl Found {
    pub(crate) fn new(key: &FingerprintKey) -> Self {
        Self {
            head: String::new(),
            characters: 0,
            hash: Sha256::new_with_prefix(key.0),
        }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.hash.update(text.as_bytes());
        let room = HEAD.saturating_sub(self.characters);
        self.head.extend(text.chars().take(room));
        self.characters += text.chars().count();
    }

    /// Returns the text when it was short enough to be kept whole.
    pub(crate) fn whole(&self) -> Option<&str> {
        (self.characters <= HEAD).then_some(self.head.as_str())
    }

    pub(crate) fn mark(self, kind: Kind) -> String {
        let digest = self.hash.finalize();
        let fingerprint = digest.first().copied().unwrap_or_default();
        let prefix = public_prefix(&self.head);
        // A vendor's prefix says more than the name it was found under.
        let kind = if prefix.is_empty() { kind } else { Kind::Token };
        format!("‹{}:{prefix}…{fingerprint:02x}›", kind.word())
    }
}

/// Makes the mark of a secret that is at hand.
pub(crate) fn mark(key: &FingerprintKey, kind: Kind, secret: &str) -> String {
    let mut found = Found::new(key);
    found.push(secret);
    found.mark(kind)
}

/// Tells whether `text` is one mark and nothing else.
pub(crate) fn is_mark(text: &str) -> bool {
    mark_length(text) == Some(text.len())
}

/// Returns the length in bytes of the mark that `text` begins with.
///
/// Only what [`Found::mark`] can have written counts: a secret dressed up as a mark is none.
pub(crate) fn mark_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('‹')?;
    let (inner, _) = inner.split_once('›')?;
    let (kind, rest) = inner.split_once(':')?;
    let (prefix, fingerprint) = rest.split_once('…')?;
    let known_kind = Kind::ALL.iter().any(|known| known.word() == kind);
    let known_prefix = prefix.is_empty() || public_prefix(prefix) == prefix;
    let known_fingerprint = fingerprint.len() == 2
        && fingerprint
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (known_kind && known_prefix && known_fingerprint)
        .then_some('‹'.len_utf8() + inner.len() + '›'.len_utf8())
}
