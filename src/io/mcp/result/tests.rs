use std::sync::Mutex;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::chat::tool::Media;

fn keep() -> (Save, Arc<Mutex<Vec<Vec<u8>>>>) {
    let kept: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let into = Arc::clone(&kept);
    let save = Save(Arc::new(move |bytes| {
        into.lock().unwrap().push(bytes.to_vec());
        Ok("/blobs/1".to_owned())
    }));
    (save, kept)
}

fn parts(result: &Value) -> Vec<ResultPart> {
    convert(&result.to_string(), 1_000_000, &keep().0)
        .unwrap()
        .parts
}

fn text(text: &str) -> ResultPart {
    ResultPart::text(text)
}

#[test]
fn each_kind_of_block_becomes_a_part_or_a_note_that_names_it() {
    let shown = parts(&json!({"content": [
        {"type": "text", "text": "hello"},
        {"type": "text", "text": " \n"},
        {"type": "image", "mimeType": "image/png", "data": "aGk"},
        {"type": "image", "mimeType": "image/tiff", "data": "aGk="},
        {"type": "image", "mimeType": "image/png", "data": "?"},
        {"type": "audio", "mimeType": "audio/wav", "data": "aGk="},
        {"type": "resource_link", "uri": "file:///a", "name": "a", "size": 3},
        {"type": "resource", "resource": {"uri": "x://t", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "x://p", "mimeType": "application/pdf", "blob": "aGk="}},
        {"type": "resource", "resource": {"uri": "x://b", "blob": "aGk="}},
        {"type": "hologram", "depth": 3},
        7,
    ]}));
    let media = |media_type: &str| Media {
        media_type: media_type.into(),
        base64: "aGk=".into(),
    };
    let part = |body| ResultPart {
        audience: Audience::Everybody,
        body,
    };
    let expected = [
        text("hello"),
        part(PartBody::Image(media("image/png"))),
        text("[image, image/tiff, 2 bytes, saved as /blobs/1]"),
        text("[image, image/png: its data is not valid base64]"),
        text("[audio, audio/wav, 2 bytes, saved as /blobs/1]"),
        text("Resource link\nname: a\nuri: file:///a\nsize: 3 bytes"),
        text("x://t\ninside"),
        part(PartBody::Document(media("application/pdf"))),
        text("[resource x://b, unknown type, 2 bytes, saved as /blobs/1]"),
        text(r#"[content of the unknown kind `hologram`: {"type":"hologram","depth":3}]"#),
        text("[content of the unknown kind ``: 7]"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn structured_content_is_added_unless_a_text_says_the_same() {
    let same = json!({"content": [{"type": "text", "text": "{ \"a\": 1 }"}], "structuredContent": {"a": 1}});
    assert_eq!(parts(&same), [text("{ \"a\": 1 }")]);
    let other = json!({"content": [{"type": "text", "text": "one"}], "structuredContent": {"b": 2, "a": 1}});
    assert_eq!(parts(&other), [text("one"), text(r#"{"b":2,"a":1}"#)]);
    assert_eq!(parts(&json!({"structuredContent": null})), []);
}

#[test]
fn who_a_part_is_for_is_kept() {
    let block = |who: Value| json!({"type": "text", "text": "x", "annotations": {"audience": who}});
    let all = [
        json!(["user"]),
        json!(["assistant"]),
        json!(["user", "assistant"]),
        json!("user"),
    ];
    let result = json!({"content": all.map(block)});
    let audiences: Vec<_> = parts(&result).iter().map(|part| part.audience).collect();
    assert_eq!(
        audiences,
        [
            Audience::Person,
            Audience::Model,
            Audience::Everybody,
            Audience::Everybody
        ]
    );
}

#[test]
fn nothing_gives_nothing_and_what_is_no_result_is_an_error() {
    assert_eq!(parts(&json!({})), []);
    assert_eq!(
        parts(&json!({"content": {"type": "text", "text": "a"}})),
        [text("a")]
    );
    let (save, _) = keep();
    for odd in [
        "7",
        "{",
        r#"{"resultType":"input_required"}"#,
        r#"{"resultType":"task"}"#,
    ] {
        assert!(convert(odd, 10, &save).is_err(), "{odd}");
    }
    assert!(convert(r#"{"isError":true}"#, 10, &save).unwrap().is_error);
}

#[test]
fn a_long_result_is_cut_at_a_whole_character_and_kept_whole_beside() {
    let (save, kept) = keep();
    let result = json!({"content": [
        {"type": "text", "text": "ab"},
        {"type": "text", "text": "c🌊d"},
        {"type": "text", "text": "e"},
    ]});
    let shown = convert(&result.to_string(), 5, &save).unwrap().parts;
    let note = "[Cut: 3 of 9 bytes are shown; the whole result is in /blobs/1.]";
    assert_eq!(shown, [text("ab"), text("c"), text(note)]);
    assert_eq!(*kept.lock().unwrap(), ["ab\nc🌊d\ne".as_bytes().to_vec()]);
}

proptest! {
    #[test]
    fn a_cut_shows_a_prefix_of_at_most_the_limit(pieces in proptest::collection::vec("[a🌊é]{1,9}", 1..5), most in 0usize..40) {
        let content: Vec<_> = pieces.iter().map(|t| json!({"type": "text", "text": t})).collect();
        let shown = convert(&json!({"content": content}).to_string(), most, &keep().0).unwrap().parts;
        let whole = pieces.concat();
        let texts: Vec<_> = shown.iter().map(|part| match &part.body {
            PartBody::Text(text) => text.clone(),
            PartBody::Image(_) | PartBody::Document(_) => String::new(),
        }).collect();
        if whole.len() <= most {
            prop_assert_eq!(texts.concat(), whole);
        } else {
            let begin = texts[..texts.len() - 1].concat();
            prop_assert!(begin.len() <= most && begin.len() + 4 > most && whole.starts_with(&begin));
        }
    }
}
