//! Repairs on a line of JSON before it is read.

use std::sync::LazyLock;

use regex::bytes::Regex;
use serde_json::Value;

/// Replaces each half of a surrogate pair that stands alone (`\ud83d`) by `\ufffd`. Such text is
/// no Unicode, and one of them would make the whole line unreadable.
pub(crate) fn mend_surrogates(line: &mut [u8]) {
    let mut at = 0;
    while at < line.len() {
        at += match line.get(at..at + 2) {
            Some(b"\\u") => mend_escape(line, at),
            Some([b'\\', _]) => 2,
            _ => 1,
        };
    }
}

/// Looks at the escape that begins at `at`; returns how far to go on.
fn mend_escape(line: &mut [u8], at: usize) -> usize {
    let is_high = |unit: u16| (0xd800..0xdc00).contains(&unit);
    let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
    match (unit_at(line, at), unit_at(line, at + 6)) {
        (Some(first), Some(second)) if is_high(first) && is_low(second) => return 12,
        (Some(unit), _) if is_high(unit) || is_low(unit) => {
            if let Some(digits) = line.get_mut(at + 2..at + 6) {
                digits.copy_from_slice(b"fffd");
            }
        }
        (Some(_) | None, _) => {}
    }
    6
}

/// Reads the code unit of the escape at `at`, if one stands there.
fn unit_at(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// Drops what some programs put around a line: a byte order mark, NUL bytes, blanks.
pub(crate) fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let is_blank = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let start = line.iter().position(|byte| !is_blank(byte));
    let end = line.iter().rposition(|byte| !is_blank(byte));
    match (start, end) {
        (Some(start), Some(end)) => line.get(start..=end).unwrap_or_default(),
        _ => &[],
    }
}

/// Guesses the id of an answer that can't be read as a whole, from its first and last bytes.
pub(crate) fn guess_id(head: &[u8], tail: &[u8]) -> Option<Value> {
    static FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")"#)
            .ok()
    });
    static LAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#""id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$"#)
            .ok()
    });
    let found = |regex: &Option<Regex>, text| {
        let captures = regex.as_ref()?.captures(text)?;
        serde_json::from_slice(captures.get(1)?.as_bytes()).ok()
    };
    found(&FIRST, head).or_else(|| found(&LAST, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        let mut line = text.as_bytes().to_vec();
        mend_surrogates(&mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn half_a_surrogate_pair_becomes_a_replacement_mark() {
        assert_eq!(mended(r#""cut \ud83d""#), r#""cut \ufffd""#);
        assert_eq!(
            mended(r#""\uDC00\ud83d\ud83c\udf0a""#),
            r#""\ufffd\ufffd\ud83c\udf0a""#
        );
        assert_eq!(mended(r#""\ud83dx\udf0a""#), r#""\ufffdx\ufffd""#);
    }

    #[test]
    fn whole_pairs_and_what_only_looks_like_an_escape_stay() {
        for text in [
            r#""\ud83c\udf0a""#,
            r#""\\ud83d""#,
            r#""\u00e9\n\"""#,
            r#""\ud8""#,
            "\\",
        ] {
            assert_eq!(mended(text), text);
        }
    }

    #[test]
    fn cut_anywhere_a_line_is_mended_without_a_panic() {
        let text = r#"{"a":"\ud83d\ude00\\\ud83d"}"#;
        for end in 0..text.len() {
            mended(text.get(..end).unwrap());
        }
    }

    #[test]
    fn marks_and_blanks_around_a_line_are_dropped() {
        assert_eq!(trimmed(b"\xef\xbb\xbf {} \0\0"), b"{}");
        assert_eq!(trimmed(b"\0 "), b"");
    }

    #[test]
    fn the_id_of_an_unreadable_answer_is_found_at_either_end() {
        let id = |head: &str, tail: &str| guess_id(head.as_bytes(), tail.as_bytes());
        assert_eq!(
            id(r#"{"jsonrpc":"2.0","id":12,"result":{"#, ""),
            Some(12.into())
        );
        assert_eq!(
            id(r#"{"result":{"id":9"#, r#"]},"jsonrpc":"2.0","id":3}"#),
            Some(3.into())
        );
        assert_eq!(id(r#"{"id": "a", "#, ""), Some("a".into()));
        assert_eq!(id("INFO starting", "up"), None);
    }
}
