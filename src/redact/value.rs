//! A secret value that is being read: where it ends and what stands in its place.

use crate::redact::mark::{Found, Kind, is_mark, mark_length};
use crate::redact::shapes::is_placeholder;
use crate::redact::{Redactor, part};

/// A value that is being read.
pub(crate) struct Value {
    kind: Kind,
    until: Until,
    /// The last character was a backslash that nothing has used yet.
    backslash: bool,
    found: Found,
}

/// Where a value ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// At this quote, or at the end of the line. `escaped`: the quote itself follows a backslash.
    Quote { quote: char, escaped: bool },
    /// At the end of the line.
    Line,
    /// At the first character that no token holds.
    Token,
}

impl Value {
    pub(crate) fn new(rules: &Redactor, kind: Kind, until: Until) -> Self {
        let found = Found::new(&rules.fingerprint);
        Self {
            kind,
            until,
            backslash: false,
            found,
        }
    }

    /// Takes in the value's part of `text`; returns where the value ends, if it does.
    pub(crate) fn read(&mut self, text: &str) -> Option<usize> {
        let mut taken = 0;
        for (at, c) in text.char_indices() {
            let ends = match self.until {
                Until::Line => matches!(c, '\n' | '"' | '\''),
                Until::Token => !is_token_char(c),
                Until::Quote { quote, escaped } => {
                    c == '\n' || (c == quote && self.backslash == escaped)
                }
            };
            if ends {
                self.found.push(part(text, taken, at));
                return Some(at);
            }
            if std::mem::take(&mut self.backslash) {
                // The backslash was not the beginning of the end, so it belongs to the value.
                self.found.push("\\");
            } else if c == '\\' {
                self.found.push(part(text, taken, at));
                self.backslash = true;
                taken = at + 1;
            }
        }
        self.found.push(part(text, taken, text.len()));
        None
    }

    /// Returns the mark, or the text itself when it hides nothing.
    pub(crate) fn close(self) -> String {
        if self.until == Until::Token {
            // The mark of its beginning stands for it.
            return String::new();
        }
        let mut shown = match self.found.whole() {
            Some(whole) if hides_nothing(whole) => whole.to_owned(),
            Some(_) | None => self.found.mark(self.kind),
        };
        if self.backslash {
            // It belongs to the quote that follows.
            shown.push('\\');
        }
        shown
    }
}

/// Tells whether a word announces credentials in the next one.
pub(crate) fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "token", "apikey", "negotiate"]
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// Returns the length of the quote that a value opens with, and where such a value ends.
pub(crate) fn opening_quote(value: &str) -> Option<(usize, Until)> {
    let after = value.strip_prefix('\\');
    let escaped = after.is_some();
    let quote = after.unwrap_or(value).chars().next()?;
    if !matches!(quote, '"' | '\'' | '`') || (escaped && quote == '`') {
        return None;
    }
    let length = usize::from(escaped) + quote.len_utf8();
    Some((length, Until::Quote { quote, escaped }))
}

/// A value that is empty, is a mark already, or stands for one that is filled in elsewhere.
pub(crate) fn hides_nothing(value: &str) -> bool {
    let bare = value.trim_end_matches('\\');
    let after_scheme = bare
        .split_once(' ')
        .filter(|(scheme, _)| is_scheme(scheme))
        .map_or(bare, |(_, credentials)| credentials);
    is_placeholder(bare) || is_mark(bare) || mark_length(after_scheme) == Some(after_scheme.len())
}

pub(crate) fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}
