//! Reads text word by word: names with a secret value, and the value that follows.
//!
//! The unit is the word, so text can arrive in pieces and be cut anywhere: only a word that is not
//! over yet is held back. What a word leaves open (a name without its value, a quoted value with
//! blanks) is the [`State`] that the next word is read in.

use crate::redact::assign::{
    Assignment, Lead, find_assignment, looks_secret, names_a_secret, trailing_name,
};
use crate::redact::mark::{Kind, is_mark, mark, mark_length};
use crate::redact::nested::Nested;
use crate::redact::shapes::{is_placeholder, mask_shapes};
use crate::redact::value::{Until, Value, is_scheme, is_token_char, opening_quote};
use crate::redact::{Redactor, split};

/// A word longer than this, in bytes, is read in parts.
const MAX_WORD: usize = 8 * 1024;

/// The reader of words.
#[derive(Default)]
pub(crate) struct Words {
    word: String,
    /// The word's first part was read before.
    mid_word: bool,
    state: State,
}

/// What the text before means for the next word.
#[derive(Default)]
enum State {
    /// Nothing.
    #[default]
    Plain,
    /// It was the name of a secret; a sign such as `:` or `=` makes it a value's name.
    AfterName(Kind),
    /// It was a name and its sign; the value comes next.
    AfterSign(Kind, Lead),
    /// It was `Bearer` or `Basic`.
    AfterScheme,
    /// It was `-u` or `--user`: `name:password` comes next.
    AfterUserFlag,
    /// A word that is a secret if the line ends with it.
    LastWord(Kind, String, String),
    /// We are inside an object or a list whose every leaf is secret.
    Nested(Box<Nested>),
    /// We are inside a value.
    Value(Box<Value>),
}

impl Words {
    /// Takes in text and appends what can be shown of it to `out`.
    pub(crate) fn push(&mut self, rules: &Redactor, text: &str, out: &mut String) {
        let mut rest = text;
        while !rest.is_empty() {
            rest = if matches!(self.state, State::Nested(_)) {
                self.take_nested(rules, rest, out)
            } else if matches!(self.state, State::Value(_)) {
                self.take_value(rest, out)
            } else {
                self.take_word(rules, rest, out)
            };
        }
    }

    /// Takes in the end of the text.
    pub(crate) fn finish(&mut self, rules: &Redactor, out: &mut String) {
        self.end_word(rules, out);
        match std::mem::take(&mut self.state) {
            State::Value(value) => out.push_str(&value.close()),
            State::Nested(mut nested) => nested.close(out),
            State::LastWord(kind, word, space) => {
                self.decide_last_word(rules, kind, &word, &space, true, out);
            }
            State::Plain
            | State::AfterName(_)
            | State::AfterSign(..)
            | State::AfterScheme
            | State::AfterUserFlag => {}
        }
    }

    fn take_nested<'a>(&mut self, rules: &Redactor, text: &'a str, out: &mut String) -> &'a str {
        let State::Nested(nested) = &mut self.state else {
            return text;
        };
        let Some(end) = nested.read(rules, text, out) else {
            return "";
        };
        self.state = State::Plain;
        self.mid_word = true;
        split(text, end).1
    }

    fn take_value<'a>(&mut self, text: &'a str, out: &mut String) -> &'a str {
        let State::Value(value) = &mut self.state else {
            return text;
        };
        let Some(end) = value.read(text) else {
            return "";
        };
        let (_, rest) = split(text, end);
        if let State::Value(value) = std::mem::take(&mut self.state) {
            out.push_str(&value.close());
        }
        self.mid_word = true;
        rest
    }

    fn take_word<'a>(&mut self, rules: &Redactor, text: &'a str, out: &mut String) -> &'a str {
        let length = self.word_length(text);
        if length == 0 {
            if !self.word.is_empty() {
                self.end_word(rules, out);
                return text;
            }
            let (space, rest) = split(text, text.chars().next().map_or(0, char::len_utf8));
            self.take_space(rules, space, out);
            return rest;
        }
        let mut room = length.min(MAX_WORD.saturating_sub(self.word.len()));
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        let (more, rest) = split(text, room);
        self.word.push_str(more);
        if room < length {
            self.cut_word(rules, out);
        }
        rest
    }

    /// How much of `text` goes on with the word; more than there is room for, where it does not end
    /// before. Looking further would make a line of megabytes cost the square of its length.
    fn word_length(&self, text: &str) -> usize {
        let mut enough = MAX_WORD.saturating_sub(self.word.len()) + char::MAX.len_utf8();
        while enough < text.len() && !text.is_char_boundary(enough) {
            enough -= 1;
        }
        let (near, _) = split(text, enough.min(text.len()));
        near.find(char::is_whitespace).unwrap_or(text.len())
    }

    fn take_space(&mut self, rules: &Redactor, space: &str, out: &mut String) {
        self.mid_word = false;
        let is_line_end = space == "\n";
        match std::mem::take(&mut self.state) {
            State::LastWord(kind, word, mut before) => {
                before.push_str(space);
                if is_line_end {
                    self.decide_last_word(rules, kind, &word, &before, true, out);
                } else {
                    self.state = State::LastWord(kind, word, before);
                }
                return;
            }
            // Only JSON and code go on with the value on the next line.
            State::AfterSign(kind, lead) if !is_line_end || lead == Lead::Quoted => {
                self.state = State::AfterSign(kind, lead);
            }
            State::AfterName(kind) if !is_line_end => self.state = State::AfterName(kind),
            State::AfterScheme if !is_line_end => self.state = State::AfterScheme,
            State::AfterUserFlag if !is_line_end => self.state = State::AfterUserFlag,
            State::Plain
            | State::AfterName(_)
            | State::AfterSign(..)
            | State::AfterScheme
            | State::AfterUserFlag
            | State::Nested(_)
            | State::Value(_) => {}
        }
        out.push_str(space);
    }

    fn end_word(&mut self, rules: &Redactor, out: &mut String) {
        if !self.word.is_empty() {
            let word = std::mem::take(&mut self.word);
            self.read_word(rules, &word, out);
        }
    }

    /// Reads the first part of a word that is too long, up to where it can be cut without harm.
    fn cut_word(&mut self, rules: &Redactor, out: &mut String) {
        let word = std::mem::take(&mut self.word);
        let weak = word.rfind(|c: char| ",;&{}[]()<>\"'".contains(c));
        let gap = weak.or_else(|| word.rfind(|c: char| !is_token_char(c)));
        let at = gap.filter(|at| *at > 0).unwrap_or(word.len());
        let (part, kept) = split(&word, at);
        let before = out.len();
        self.read_word(rules, part, out);
        self.mid_word = true;
        // A token that fills the whole part goes on in the next one.
        let token_goes_on = kept.is_empty() && split(out, before).1.ends_with('›');
        if token_goes_on && matches!(self.state, State::Plain) {
            self.state = State::Value(Box::new(Value::new(rules, Kind::Token, Until::Token)));
        }
        let kept = kept.to_owned();
        self.push(rules, &kept, out);
    }

    fn read_word(&mut self, rules: &Redactor, word: &str, out: &mut String) {
        let masked = rules.mask_own(word, false);
        let masked = mask_shapes(&rules.fingerprint, &masked).into_owned();
        let whole = !self.mid_word;
        self.mid_word = true;
        match std::mem::take(&mut self.state) {
            State::LastWord(kind, held, space) => {
                self.decide_last_word(rules, kind, &held, &space, false, out);
                self.read_plain(rules, &masked, whole, out);
            }
            State::AfterName(kind) => self.read_sign(rules, kind, &masked, out),
            State::AfterSign(kind, lead) => self.read_value(rules, kind, lead, &masked, out),
            State::AfterScheme => self.read_credentials(rules, &masked, out),
            State::AfterUserFlag => self.read_user(rules, &masked, out),
            State::Plain | State::Nested(_) | State::Value(_) => {
                self.read_plain(rules, &masked, whole, out);
            }
        }
    }

    fn read_plain(&mut self, rules: &Redactor, word: &str, whole: bool, out: &mut String) {
        let mut rest = word;
        let mut at_start = whole;
        while let Some(found) = find_assignment(&rules.names, rest, at_start) {
            let (before, after) = split(rest, found.value_start);
            out.push_str(before);
            rest = self.read_assigned(rules, &found, after, out);
            at_start = false;
            if !matches!(self.state, State::Plain) {
                // The value goes on behind this word, or swallows its rest.
                let rest = rest.to_owned();
                self.push_state(rules, &rest, out);
                return;
            }
        }
        out.push_str(rest);
        if let State::Plain = self.state {
            self.state = after_word(rules, word, rest);
        }
    }

    /// Hands the rest of a word to the state that its beginning led to.
    fn push_state(&mut self, rules: &Redactor, rest: &str, out: &mut String) {
        if matches!(self.state, State::Nested(_)) {
            let after = self.take_nested(rules, rest, out).to_owned();
            if !after.is_empty() {
                self.read_plain(rules, &after, false, out);
            }
        } else if matches!(self.state, State::Value(_)) {
            let after = self.take_value(rest, out).to_owned();
            if !after.is_empty() {
                self.read_plain(rules, &after, false, out);
            }
        } else {
            out.push_str(rest);
        }
    }

    /// Reads the value that stands behind its name in the same word; returns what follows.
    fn read_assigned<'a>(
        &mut self,
        rules: &Redactor,
        found: &Assignment,
        value: &'a str,
        out: &mut String,
    ) -> &'a str {
        if let Some((opening, until)) = opening_quote(value) {
            let (quote, rest) = split(value, opening);
            out.push_str(quote);
            self.state = State::Value(Box::new(Value::new(rules, found.kind, until)));
            return rest;
        }
        if found.lead == Lead::Quoted && value.starts_with(['{', '[']) {
            self.state = State::Nested(Box::new(Nested::new(found.kind)));
            return value;
        }
        let length = found.bare_length(value);
        let (bare, rest) = split(value, length);
        if value.trim_matches(['*', '_']).is_empty() {
            self.state = State::AfterSign(found.kind, found.lead);
            return value;
        }
        Self::put_bare(rules, found.kind, found.lead, bare, out);
        rest
    }

    fn put_bare(rules: &Redactor, kind: Kind, lead: Lead, bare: &str, out: &mut String) {
        let secret = match lead {
            Lead::Quoted => is_json_secret(bare),
            Lead::Equals | Lead::Parameter | Lead::Tag => is_strictly_secret(rules, bare),
            Lead::Colon | Lead::Loose => looks_secret(&rules.names, bare, false),
        };
        if !secret || is_mark(bare) {
            out.push_str(bare);
        } else if lead == Lead::Quoted {
            // A mark in place of a number keeps the text valid JSON.
            out.push('"');
            out.push_str(&mark(&rules.fingerprint, kind, bare));
            out.push('"');
        } else {
            out.push_str(&mark(&rules.fingerprint, kind, bare));
        }
    }

    /// The word behind the name of a secret: is it a sign that makes the next one its value?
    fn read_sign(&mut self, rules: &Redactor, kind: Kind, word: &str, out: &mut String) {
        let sign = ["=>", ":=", ":", "=", "|"]
            .into_iter()
            .find(|sign| word.starts_with(sign));
        let Some(sign) = sign.filter(|_| !word.starts_with("==") && !word.starts_with("::")) else {
            self.read_plain(rules, word, true, out);
            return;
        };
        let (sign, value) = split(word, sign.len());
        out.push_str(sign);
        if value.is_empty() {
            self.state = State::AfterSign(kind, Lead::Loose);
        } else {
            self.read_value(rules, kind, Lead::Loose, value, out);
        }
    }

    /// The word in which the value of a secret begins.
    fn read_value(
        &mut self,
        rules: &Redactor,
        kind: Kind,
        lead: Lead,
        word: &str,
        out: &mut String,
    ) {
        if let Some((opening, until)) = opening_quote(word) {
            let (quote, rest) = split(word, opening);
            out.push_str(quote);
            self.state = State::Value(Box::new(Value::new(rules, kind, until)));
            self.push_state(rules, rest, out);
        } else if let Some(length) = finished_mark(word) {
            let (mark, rest) = split(word, length);
            out.push_str(mark);
            self.read_plain(rules, rest, false, out);
        } else if lead == Lead::Quoted && word.starts_with(['{', '[']) {
            self.state = State::Nested(Box::new(Nested::new(kind)));
            self.push_state(rules, word, out);
        } else if lead == Lead::Quoted {
            let length = word.find([',', '}', ']']).unwrap_or(word.len());
            let (bare, rest) = split(word, length);
            Self::put_bare(rules, kind, lead, bare, out);
            self.read_plain(rules, rest, false, out);
        } else if kind == Kind::Auth && is_scheme(word) {
            out.push_str(word);
            self.state = State::AfterScheme;
        } else if kind == Kind::Cookie && word.contains('=') {
            self.state = State::Value(Box::new(Value::new(rules, kind, Until::Line)));
            self.push_state(rules, word, out);
        } else if looks_secret(&rules.names, word, false) {
            self.put_masked(rules, kind, word, out);
        } else if looks_secret(&rules.names, word, true) {
            self.state = State::LastWord(kind, word.to_owned(), String::new());
        } else {
            self.read_plain(rules, word, true, out);
        }
    }

    fn read_credentials(&mut self, rules: &Redactor, word: &str, out: &mut String) {
        let bare = word.trim_end_matches(['"', '\'', '`', ',', ';', ')', '}', '\\']);
        let digits = bare.bytes().any(|byte| byte.is_ascii_digit());
        if bare.len() >= 6
            && (digits || looks_secret(&rules.names, bare, false))
            && !is_placeholder(bare)
        {
            self.put_masked(rules, Kind::Token, word, out);
        } else {
            self.read_plain(rules, word, true, out);
        }
    }

    fn read_user(&mut self, rules: &Redactor, word: &str, out: &mut String) {
        match word.split_once(':') {
            Some((user, password)) if !password.starts_with("//") && password.len() > 1 => {
                out.push_str(user);
                out.push(':');
                self.put_masked(rules, Kind::Password, password, out);
            }
            _ => self.read_plain(rules, word, true, out),
        }
    }

    /// Masks a word but for the quotes and commas at its end.
    fn put_masked(&mut self, rules: &Redactor, kind: Kind, word: &str, out: &mut String) {
        let bare = word.trim_end_matches(['"', '\'', '`', ',', ';']);
        let (bare, rest) = split(word, bare.len());
        if is_mark(bare) || is_placeholder(bare) {
            out.push_str(bare);
        } else {
            out.push_str(&mark(&rules.fingerprint, kind, bare));
        }
        self.read_plain(rules, rest, false, out);
    }

    fn decide_last_word(
        &mut self,
        rules: &Redactor,
        kind: Kind,
        word: &str,
        space: &str,
        last: bool,
        out: &mut String,
    ) {
        if last {
            self.put_masked(rules, kind, word, out);
        } else {
            self.read_plain(rules, word, true, out);
        }
        self.state = State::Plain;
        out.push_str(space);
    }
}

/// The state that a word leaves behind for the next one.
fn after_word(rules: &Redactor, word: &str, rest: &str) -> State {
    let bare = rest.trim_matches(['"', '\'', '`', '(', '[', '{', '*']);
    if is_scheme(bare) {
        return State::AfterScheme;
    }
    if word == "-u" || word == "--user" || word == "--proxy-user" {
        return State::AfterUserFlag;
    }
    match trailing_name(&rules.names, rest) {
        Some(kind) if rest.starts_with("--") => State::AfterSign(kind, Lead::Loose),
        Some(kind) => State::AfterName(kind),
        None => State::Plain,
    }
}

fn is_json_secret(bare: &str) -> bool {
    !bare.is_empty() && !bare.starts_with(['{', '[']) && !matches!(bare, "null" | "true" | "false")
}

fn is_strictly_secret(rules: &Redactor, bare: &str) -> bool {
    const READ_ELSEWHERE: &[&str] = &[
        "os.",
        "process.",
        "std::env",
        "env::",
        "getenv",
        "env(",
        "import.meta",
    ];
    !is_placeholder(bare)
        && !READ_ELSEWHERE.iter().any(|start| bare.starts_with(start))
        && !names_a_secret(&rules.names, bare)
}

/// Returns the length of the mark that a word begins with, when the mark is the whole value.
fn finished_mark(word: &str) -> Option<usize> {
    let length = mark_length(word)?;
    let (_, rest) = split(word, length);
    let ends = rest.is_empty() || rest.starts_with(['"', '\'', '`', ',', ';', '\\', '}', ']']);
    ends.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::{MAX_WORD, Words};

    #[test]
    fn a_line_of_megabytes_is_looked_through_once_and_not_once_for_each_of_its_parts() {
        let words = Words::default();
        assert_eq!(words.word_length("two words"), 3);
        assert_eq!(words.word_length("one"), 3);
        // The blank is further away than a word may be long; nobody looks for it.
        let line = format!("{} b", "ä".repeat(MAX_WORD));
        assert_eq!(words.word_length(&line), line.len());
        let near = format!("{} b", "ä".repeat(MAX_WORD / 2));
        assert_eq!(words.word_length(&near), MAX_WORD);
    }
}
