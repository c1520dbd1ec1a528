//! Private keys over many lines: `-----BEGIN … PRIVATE KEY-----` to its end becomes one mark.

use crate::redact::mark::{FingerprintKey, Kind, mark};
use crate::redact::split;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The longest label: `OPENSSH PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`.
const MAX_LABEL: usize = 40;

/// The longest block that is held back, in bytes. The largest keys in use are a tenth of it.
const MAX_BLOCK: usize = 256 * 1024;

/// Finds private keys in text that arrives in pieces.
#[derive(Default)]
pub(crate) struct Pem {
    held: String,
    /// Where in `held` the search for the end of a block goes on.
    searched: usize,
}

/// What the text that is held back can be.
enum Step {
    /// Its first bytes are no private key.
    Release(usize),
    /// Its first bytes are one.
    Mask(usize),
    /// It can't be told yet.
    Wait,
}

impl Pem {
    /// Takes in text and appends what is no private key, or the mark of one, to `out`.
    pub(crate) fn push(&mut self, key: &FingerprintKey, text: &str, out: &mut String) {
        self.held.push_str(text);
        self.run(key, false, out);
    }

    pub(crate) fn finish(&mut self, key: &FingerprintKey, out: &mut String) {
        self.run(key, true, out);
        out.push_str(&self.held);
        self.held.clear();
    }

    fn run(&mut self, key: &FingerprintKey, ended: bool, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_str();
        loop {
            let (plain, from_begin) = split(rest, possible_begin(rest));
            out.push_str(plain);
            rest = from_begin;
            if rest.is_empty() {
                self.searched = 0;
                break;
            }
            let taken = match self.look(rest, ended) {
                Step::Release(length) => {
                    let (released, after) = split(rest, length);
                    out.push_str(released);
                    rest = after;
                    length
                }
                Step::Mask(length) => {
                    let (secret, after) = split(rest, length);
                    out.push_str(&mark(key, Kind::PrivateKey, secret));
                    rest = after;
                    length
                }
                Step::Wait => 0,
            };
            if taken == 0 {
                break;
            }
            self.searched = 0;
        }
        self.held.push_str(rest);
    }

    /// Looks at text that begins with `-----BEGIN ` or a part of it.
    fn look(&mut self, text: &str, ended: bool) -> Step {
        let Some(label_on) = text.strip_prefix(BEGIN) else {
            return if ended {
                Step::Release(text.len())
            } else {
                Step::Wait
            };
        };
        let label_length = label_on
            .bytes()
            .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ')
            .count();
        let (label, after) = split(label_on, label_length);
        let open = !ended && label_length <= MAX_LABEL && DASHES.starts_with(after);
        if open && after.len() < DASHES.len() {
            return Step::Wait;
        }
        let private = label.contains("PRIVATE KEY") && label_length <= MAX_LABEL;
        let Some(body) = after.strip_prefix(DASHES).filter(|_| private) else {
            return Step::Release(BEGIN.len());
        };
        self.look_at_body(text, text.len() - body.len(), ended)
    }

    fn look_at_body(&mut self, text: &str, body_start: usize, ended: bool) -> Step {
        let from = self.searched.max(body_start);
        let (_, unsearched) = split(text, from);
        let stop = unsearched.find(|c: char| !is_body(c));
        let dashes = unsearched.find(END);
        if let Some(at) =
            dashes.filter(|at| from + at <= MAX_BLOCK && stop.is_none_or(|stop| *at < stop))
        {
            return Self::look_at_end(text, from + at, ended);
        }
        let length = stop.map_or(text.len(), |stop| from + stop);
        if stop.is_some() || ended || text.len() >= MAX_BLOCK {
            let (whole, _) = split(text, length.min(bound(text)));
            let (_, body) = split(whole, body_start);
            // Prose may name the first line of a key and go on; a key goes on with a long run.
            return if has_long_run(body) {
                Step::Mask(whole.len())
            } else {
                Step::Release(BEGIN.len())
            };
        }
        self.searched = text.len().saturating_sub(END.len()).max(body_start);
        while !text.is_char_boundary(self.searched) {
            self.searched -= 1;
        }
        Step::Wait
    }

    fn look_at_end(text: &str, end_start: usize, ended: bool) -> Step {
        let (_, end) = split(text, end_start + END.len());
        let label = end
            .bytes()
            .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ')
            .take(MAX_LABEL + 1)
            .count();
        let (_, after) = split(end, label);
        if !ended && label <= MAX_LABEL && after.len() < DASHES.len() && DASHES.starts_with(after) {
            return Step::Wait;
        }
        let dashes = if after.starts_with(DASHES) {
            DASHES.len()
        } else {
            0
        };
        Step::Mask(end_start + END.len() + label + dashes)
    }
}

/// Where `-----BEGIN ` starts, or where the text may be the beginning of it, or the text's length.
fn possible_begin(text: &str) -> usize {
    if let Some(at) = text.find(BEGIN) {
        return at;
    }
    let longest = BEGIN.len().min(text.len());
    (1..=longest)
        .rev()
        .map(|length| text.len() - length)
        .find(|&at| text.get(at..).is_some_and(|tail| BEGIN.starts_with(tail)))
        .unwrap_or(text.len())
}

fn bound(text: &str) -> usize {
    let mut at = MAX_BLOCK.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Base64, the head lines of old formats, and line ends that are written as escapes.
fn is_body(c: char) -> bool {
    c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "+/=\\:,-_()>|".contains(c)
}

fn has_long_run(body: &str) -> bool {
    body.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c)))
        .any(|run| run.len() >= 16)
}
