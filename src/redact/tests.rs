mod corpus;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::redact::tests::corpus::{HARMLESS, positions, secrets};
use crate::redact::{PatternError, RedactRules, Redactor, StreamRedactor};

fn text(input: &str) -> String {
    Redactor::default().text(input).into_inner()
}

fn json_masked(input: &Value) -> Value {
    Redactor::default().json(input, None).into_inner()
}

fn streamed(redactor: &Redactor, input: &str, step: usize) -> String {
    let mut stream = StreamRedactor::default();
    let mut out = String::new();
    let characters: Vec<char> = input.chars().collect();
    for piece in characters.chunks(step.max(1)) {
        out.push_str(&stream.push(redactor, &piece.iter().collect::<String>()));
    }
    out.push_str(&stream.finish(redactor));
    out
}

#[test]
fn no_secret_of_any_kind_gets_through_in_any_position() {
    let mut leaks = Vec::new();
    for (kind, secret) in secrets() {
        for (place, input) in positions(&secret) {
            let shown = text(&input);
            if let Some(leaked) = secret.leaked_in(&shown) {
                leaks.push(format!(
                    "{kind} in {place}: {leaked:?}\n  {input}\n  {shown}"
                ));
            }
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks.join("\n")
    );
}

#[test]
fn what_is_no_secret_stays_as_it_is() {
    let changed: Vec<(&str, String)> = HARMLESS
        .iter()
        .map(|harmless| (*harmless, text(harmless)))
        .filter(|(harmless, shown)| harmless != shown)
        .collect();
    assert_eq!(changed, []);
}

#[test]
fn what_was_redacted_stays_as_it_is() {
    let mut changed = Vec::new();
    for (_, secret) in secrets() {
        for (_, input) in positions(&secret) {
            let once = text(&input);
            let twice = text(&once);
            if once != twice {
                changed.push((once, twice));
            }
        }
    }
    assert_eq!(changed, []);
}

#[test]
fn a_stream_shows_the_same_as_the_whole_text_wherever_it_is_cut() {
    let redactor = Redactor::default();
    for (_, secret) in secrets() {
        for (_, input) in positions(&secret) {
            let whole = text(&input);
            for step in [1, 2, 3, 7, 20] {
                assert_eq!(streamed(&redactor, &input, step), whole, "{input}");
            }
        }
    }
}

#[test]
fn a_stream_never_shows_the_beginning_of_a_secret() {
    let redactor = Redactor::default();
    for (_, secret) in secrets() {
        for (_, input) in positions(&secret) {
            let mut stream = StreamRedactor::default();
            let mut shown = String::new();
            for c in input.chars() {
                shown.push_str(&stream.push(&redactor, &c.to_string()));
                assert_eq!(secret.leaked_in(&shown), None, "{input}");
            }
        }
    }
}

#[test]
fn plain_words_are_shown_as_soon_as_they_are_over() {
    let redactor = Redactor::default();
    let mut stream = StreamRedactor::default();
    assert_eq!(stream.push(&redactor, "Hello wor").as_str(), "Hello ");
    assert_eq!(stream.push(&redactor, "ld and more").as_str(), "world and ");
    assert_eq!(stream.finish(&redactor).as_str(), "more");
}

#[test]
fn arguments_are_masked_by_name_at_any_depth_and_of_any_type() {
    let shown = json_masked(&json!({
        "authorization": "Bearer S1aaaa",
        "headers": {"X-Api-Key": "S2bbbb", "Cookie": "sid=S3cccc"},
        "list": [{"apiKey": "S4dddd"}, {"Password": "S5eeee"}],
        "client_secret": 123_456_789,
        "credentials": {"user": "S6ffff", "codes": [1, 2]},
        "note": "keep", "max_tokens": 16000, "tokens": 3, "author": "Ann", "token_count": 12,
    }));
    let written = shown.to_string();
    for secret in [
        "S1aaaa",
        "S2bbbb",
        "S3cccc",
        "S4dddd",
        "S5eeee",
        "123456789",
        "S6ffff",
        "[1,2]",
    ] {
        assert!(!written.contains(secret), "{secret} in {written}");
    }
    for kept in [
        "\"note\":\"keep\"",
        "\"max_tokens\":16000",
        "\"tokens\":3",
        "\"author\":\"Ann\"",
        "\"token_count\":12",
        "X-Api-Key",
        "apiKey",
        "client_secret",
        "Bearer ‹",
    ] {
        assert!(written.contains(kept), "{kept} in {written}");
    }
    assert_eq!(json_masked(&shown), shown);
}

#[test]
fn a_password_in_an_address_is_masked_to_the_last_at_sign() {
    let shown = json_masked(&json!({
        "url": "https://bob:S1pw%40x@h.test/p?token=S2tok&page=2#access_token=S3secret",
        "dsn": "postgres://admin:S4p@ss!@db:5432/app",
        "jdbc": "jdbc:mysql://h/db?user=u&password=S5secret",
    }));
    let written = shown.to_string();
    for secret in ["S1pw", "S2tok", "S3secret", "S4p", "ss!", "S5secret"] {
        assert!(!written.contains(secret), "{secret} in {written}");
    }
    for kept in [
        "https://bob:‹",
        "@h.test/p?token=‹",
        "&page=2#access_token=‹",
        "@db:5432/app",
        "jdbc:mysql://h/db?user=u&password=‹",
    ] {
        assert!(written.contains(kept), "{kept} in {written}");
    }
}

#[test]
fn json_held_in_a_string_is_looked_through_and_else_kept_byte_for_byte() {
    let clean = json!({"body": "{ \"a\" : 1,\n \"b\":[ ] }"});
    assert_eq!(json_masked(&clean), clean);
    let shown = json_masked(&json!({"body": "{\"deep\":{\"pass\\u0077ord\":\"hunter2\"}}"}));
    assert!(!shown.to_string().contains("hunter2"), "{shown}");
}

#[test]
fn every_leaf_under_a_secret_name_is_masked_in_json_that_is_written_as_text() {
    let input = "{\n  \"credentials\": {\"user\": \"S1aaaa\", \"n\": [12345, true, {\"x\": \"S2 bb\\\"b\"}]},\n  \"note\": \"keep\"}";
    let shown = text(input);
    for secret in ["S1aaaa", "12345", "S2 bb"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(
        shown.ends_with("\"note\": \"keep\"}") && shown.contains("\"user\": \"‹"),
        "{shown}"
    );
    assert!(serde_json::from_str::<Value>(&shown).is_ok(), "{shown}");
    assert_eq!(text(&shown), shown);
    assert_eq!(streamed(&Redactor::default(), input, 1), shown);
    let prose = "\"token\": [see below] and then plain words";
    assert_eq!(text(prose), prose);
}

#[test]
fn a_schema_marks_what_a_name_does_not() {
    let schema = json!({"type": "object", "properties": {
        "pin": {"type": "integer", "writeOnly": true},
        "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"format": "password"}}}},
    }});
    let value = json!({"pin": 4711, "list": [{"x": "hunter2", "y": "seen"}]});
    let shown = Redactor::default()
        .json(&value, Some(&schema))
        .into_inner()
        .to_string();
    assert!(
        !shown.contains("4711") && !shown.contains("hunter2") && shown.contains("seen"),
        "{shown}"
    );
}

#[test]
fn own_keys_and_patterns_are_masked_too() {
    let rules = RedactRules {
        keys: vec!["employee_id".into()],
        patterns: vec!["ACME-[0-9]{8}".into(), "case [0-9]{4}".into()],
    };
    let redactor = Redactor::new(&rules).unwrap();
    let shown = redactor
        .text("employeeId=E77 for ACME-12345678, see case 4711.")
        .into_inner();
    assert!(
        !["E77", "ACME-", "4711"]
            .iter()
            .any(|secret| shown.contains(secret)),
        "{shown}"
    );
    assert_eq!(redactor.text(&shown).into_inner(), shown);
    for step in [1, 5] {
        assert_eq!(
            streamed(&redactor, "x case 4711\ny ACME-12345678", step),
            redactor.text("x case 4711\ny ACME-12345678").into_inner()
        );
    }
    let bad = RedactRules {
        patterns: vec!["(".into()],
        ..RedactRules::default()
    };
    assert!(matches!(Redactor::new(&bad), Err(PatternError { pattern, .. }) if pattern == "("));
}

#[test]
fn equal_secrets_have_equal_marks_and_a_mark_shows_no_more_than_the_vendor() {
    assert_eq!(
        text("sk-ant-api03-abcdef0123456789"),
        text("sk-ant-api03-abcdef0123456789")
    );
    let shown = text("see sk-ant-api03-abcdef0123456789 there");
    assert!(
        shown.starts_with("see ‹token:sk-ant…") && shown.ends_with("› there"),
        "{shown}"
    );
    let other = Redactor::with_key(&RedactRules::default(), [7; 32]).unwrap();
    assert_ne!(
        other.text("password=hunter2-abc").into_inner(),
        text("password=hunter2-abc")
    );
}

#[test]
fn a_secret_dressed_up_as_a_mark_is_masked() {
    assert!(!text("password=‹token:hunter2…3f›").contains("hunter2"));
    assert!(!text("password=‹hunter2›").contains("hunter2"));
}

#[test]
fn a_long_text_takes_time_in_proportion() {
    let word = "eyJhbGciOi.JIUzI1NiJ9 -----BEGIN x password=abc1234 ";
    let long = word.repeat(20_000);
    let shown = text(&long);
    assert!(!shown.contains("abc1234"));
    let unbroken = "A1b2".repeat(250_000);
    assert_eq!(text(&unbroken), unbroken);
}

proptest! {
    #[test]
    fn cutting_never_changes_what_is_shown(
        parts in proptest::collection::vec(piece(), 1..20),
        cuts in proptest::collection::vec(1usize..12, 1..40),
    ) {
        let redactor = Redactor::default();
        let input: String = parts.concat();
        let mut stream = StreamRedactor::default();
        let mut out = String::new();
        let mut characters = input.chars().peekable();
        for cut in cuts.iter().cycle() {
            if characters.peek().is_none() { break; }
            let piece: String = characters.by_ref().take(*cut).collect();
            out.push_str(&stream.push(&redactor, &piece));
        }
        out.push_str(&stream.finish(&redactor));
        let whole = redactor.text(&input).into_inner();
        prop_assert_eq!(&out, &whole);
    }

    #[test]
    fn redacting_twice_is_redacting_once(parts in proptest::collection::vec(piece(), 1..12)) {
        let once = text(&parts.concat());
        prop_assert_eq!(text(&once), once);
    }

    #[test]
    fn any_text_can_be_read(input in "\\PC{0,200}") {
        let _shown = text(&input);
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9é🌊\"'`=:{}\\[\\],.@/?&# \n\\\\-]{0,12}",
        Just("password".to_owned()),
        Just("\"api_key\": \"".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("--token ".to_owned()),
        Just("-----BEGIN RSA PRIVATE KEY-----\n".to_owned()),
        Just("MIIEowIBAAKCAQEAx0\n".to_owned()),
        Just("-----END RSA PRIVATE KEY-----".to_owned()),
        Just("https://bob:pw@".to_owned()),
        Just("ghp_abcdefghijklmnop0123456789".to_owned()),
        Just("‹token:sk-ant…3f›".to_owned()),
        Just("Cookie: sid=1".to_owned()),
        Just("\"secrets\": {\"a\":[1,\"b\"".to_owned()),
    ]
}
