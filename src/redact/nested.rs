//! An object or a list under the name of a secret, in JSON that is written as text: every leaf of
//! it is masked, however deep.

use crate::redact::mark::{Found, Kind};
use crate::redact::value::hides_nothing;
use crate::redact::{Redactor, part};

/// Where in the JSON we are. It begins before the opening bracket.
pub(crate) struct Nested {
    kind: Kind,
    /// For each open bracket: is it an object?
    open: Vec<bool>,
    /// The next string is the name of a member.
    at_name: bool,
    leaf: Leaf,
}

enum Leaf {
    None,
    Name { escaped: bool },
    Text { escaped: bool, found: Box<Found> },
    Bare { found: Box<Found> },
}

impl Nested {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            open: Vec::new(),
            at_name: false,
            leaf: Leaf::None,
        }
    }

    /// Takes in text and writes it with its leaves masked; returns where it ends, if it does. What
    /// is no JSON ends it too.
    pub(crate) fn read(&mut self, rules: &Redactor, text: &str, out: &mut String) -> Option<usize> {
        for (at, c) in text.char_indices() {
            let character = part(text, at, at + c.len_utf8());
            match &mut self.leaf {
                Leaf::Name { escaped } => {
                    out.push(c);
                    if c == '"' && !*escaped {
                        self.leaf = Leaf::None;
                    } else {
                        *escaped = c == '\\' && !*escaped;
                    }
                    continue;
                }
                Leaf::Text { escaped, found } => {
                    if c != '"' || *escaped {
                        *escaped = c == '\\' && !*escaped;
                        found.push(character);
                        continue;
                    }
                    self.close(out);
                    out.push('"');
                    continue;
                }
                Leaf::Bare { found } => {
                    if c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-') {
                        found.push(character);
                        continue;
                    }
                    self.close(out);
                }
                Leaf::None => {}
            }
            if !self.structure(rules, c, character, out) {
                return Some(at);
            }
            if self.open.is_empty() && matches!(c, '}' | ']') {
                return Some(at + 1);
            }
        }
        None
    }

    /// Ends the leaf that is being read: with its mark, or as it is when it hides nothing.
    pub(crate) fn close(&mut self, out: &mut String) {
        match std::mem::replace(&mut self.leaf, Leaf::None) {
            Leaf::Text { found, .. } => match found.whole() {
                Some(whole) if hides_nothing(whole) => out.push_str(whole),
                Some(_) | None => out.push_str(&found.mark(self.kind)),
            },
            Leaf::Bare { found } => {
                if let Some(whole @ ("null" | "true" | "false")) = found.whole() {
                    out.push_str(whole);
                } else {
                    // Quotes keep the text valid JSON.
                    out.push('"');
                    out.push_str(&found.mark(self.kind));
                    out.push('"');
                }
            }
            Leaf::None | Leaf::Name { .. } => {}
        }
    }

    /// Takes in what stands between leaves. `false`: this is no JSON.
    fn structure(&mut self, rules: &Redactor, c: char, character: &str, out: &mut String) -> bool {
        match c {
            '{' | '[' => {
                self.open.push(c == '{');
                self.at_name = c == '{';
            }
            '}' | ']' => {
                self.open.pop();
            }
            ',' => self.at_name = self.open.last() == Some(&true),
            ':' => self.at_name = false,
            '"' if self.at_name => self.leaf = Leaf::Name { escaped: false },
            '"' => {
                let found = Box::new(Found::new(&rules.fingerprint));
                self.leaf = Leaf::Text {
                    escaped: false,
                    found,
                };
            }
            '-' | '0'..='9' | 't' | 'f' | 'n' => {
                let mut found = Box::new(Found::new(&rules.fingerprint));
                found.push(character);
                self.leaf = Leaf::Bare { found };
                return true;
            }
            _ if c.is_whitespace() => {}
            _ => return false,
        }
        out.push(c);
        true
    }
}
