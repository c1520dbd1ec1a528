mod samples;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::chat::entry::{Entry, Verdict};
use crate::chat::id::{RequestId, TranscriptId};
use crate::chat::message::{ContentBlock, Message, Role};
use crate::chat::moment::Millis;
use crate::chat::stream::Usage;
use crate::chat::tool::{ResultPart, TimeLimit, ToolOutcome, ToolResult};
use crate::redact::Redactor;
use crate::transcript::record::{Body, Encoder, NoBlobs, Record};
use crate::transcript::replay::tests::samples::{
    answered, approved, asks, every_entry, file, says, setup, thinks, written,
};
use crate::transcript::replay::{Replay, replay};

fn play(bytes: &[u8]) -> Replay {
    replay(TranscriptId::new("t"), bytes, &NoBlobs)
}

fn entries(replay: &Replay) -> Vec<Entry> {
    replay
        .entries
        .iter()
        .map(|(_, entry)| entry.clone())
        .collect()
}

fn roles(replay: &Replay) -> Vec<Role> {
    let messages = replay.conversation.messages();
    messages.iter().map(|message| message.role).collect()
}

fn text(message: &Message) -> String {
    message.text()
}

#[test]
fn every_entry_comes_back_as_it_was() {
    let all = every_entry();
    let back = play(&file(&all));
    assert_eq!(entries(&back), all);
    assert_eq!(back.notices, Vec::<String>::new());
    assert_eq!(back.folder, "/work");
    assert_eq!(back.title.as_deref(), Some("A title"));
    assert_eq!(back.setup, Some(setup()));
}

#[test]
fn what_a_model_sent_comes_back_byte_for_byte() {
    let raw = r#"{"type":"thinking","thinking":"a — é\n  b ","signature":"EqQBCkYI", "z":1.0}"#;
    let back = play(&file(&[says("hi"), thinks(raw, "ok")]));
    let reply = &back.conversation.messages()[1];
    let ContentBlock::Model(block) = &reply.blocks[0] else {
        panic!("no model block");
    };
    assert_eq!(block.raw.text(), raw);
}

#[test]
fn every_kind_of_line_is_what_the_schema_says() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../assets/transcript-v1.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let bytes = file(&every_entry());
    let mut kinds = std::collections::BTreeSet::new();
    for line in String::from_utf8(bytes).unwrap().lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{line}");
        kinds.insert(value["kind"].as_str().unwrap().to_owned());
    }
    let all = "began cut decision refused reply request result setup title user";
    assert_eq!(kinds.into_iter().collect::<Vec<_>>().join(" "), all);
    assert!(!validator.is_valid(&json!({"v": 1, "id": "x", "kind": "user"})));
}

#[test]
fn a_setup_is_written_in_full_only_when_it_differs() {
    let one = Entry::Requested {
        request: RequestId(1),
        setup: setup(),
    };
    let lines = String::from_utf8(file(&[one.clone(), one])).unwrap();
    assert_eq!(lines.matches("\"kind\":\"setup\"").count(), 1);
    assert_eq!(lines.matches("\"kind\":\"request\"").count(), 2);
}

#[test]
fn a_call_without_a_result_is_answered_so_that_the_conversation_can_go_on() {
    let bytes = file(&[
        says("go"),
        asks(&["a", "b", "c"]),
        approved("a"),
        approved("c"),
        answered("c"),
    ]);
    let back = play(&bytes);
    assert_eq!(back.conversation.open_calls(), []);
    let results: Vec<(String, ToolOutcome)> = back.conversation.messages()[2]
        .blocks
        .iter()
        .map(|block| {
            let ContentBlock::ToolResult(result) = block else {
                panic!("no result")
            };
            (result.id.to_string(), result.outcome.clone())
        })
        .collect();
    assert_eq!(
        results,
        [
            ("a".to_owned(), ToolOutcome::ServerGone),
            ("b".to_owned(), ToolOutcome::NotRun),
            ("c".to_owned(), ToolOutcome::Succeeded),
        ]
    );
    assert_eq!(back.notices.len(), 1);
}

#[test]
fn a_cut_reply_counts_once_the_person_goes_on_and_not_when_it_is_asked_again() {
    let cut = Entry::Cut {
        request: RequestId(1),
        text: Some("half an answer".into()),
        reason: "stopped".into(),
        usage: Usage::default(),
    };
    let went_on = play(&file(&[says("a"), cut.clone(), says("b")]));
    assert_eq!(roles(&went_on), [Role::User, Role::Assistant, Role::User]);
    assert_eq!(text(&went_on.conversation.messages()[1]), "half an answer");
    let asked_again = play(&file(&[says("a"), cut, thinks("", "whole")]));
    assert_eq!(roles(&asked_again), [Role::User, Role::Assistant]);
    assert_eq!(text(&asked_again.conversation.messages()[1]), "whole");
}

#[test]
fn a_refused_turn_is_not_sent_again() {
    let refused = Entry::Refused {
        request: RequestId(2),
        category: None,
        usage: Usage::default(),
    };
    let back = play(&file(&[
        says("a"),
        thinks("", "b"),
        says("c"),
        asks(&["x"]),
        answered("x"),
        refused,
        says("d"),
    ]));
    let texts: Vec<String> = back
        .conversation
        .messages()
        .iter()
        .map(|m| text(m))
        .collect();
    assert_eq!(texts, ["a", "b", "d"]);
}

#[test]
fn an_id_used_twice_is_made_distinct_on_both_sides() {
    let back = play(&file(&[
        says("a"),
        asks(&["x", "x"]),
        answered("x"),
        answered("x"),
        asks(&["x"]),
        answered("x"),
    ]));
    let ids: Vec<String> = back
        .conversation
        .messages()
        .iter()
        .flat_map(|message| {
            message
                .tool_uses()
                .map(|tool_use| tool_use.id.to_string())
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(ids, ["x", "x_2", "x_3"]);
    assert_eq!(back.conversation.open_calls(), []);
    let raw = format!("{:?}", back.conversation.messages());
    assert!(raw.contains("\"id\":\"x_3\""), "{raw}");
}

#[test]
fn after_a_redaction_no_reasoning_is_sent_and_before_it_all_is() {
    let thinking = r#"{"type":"thinking","thinking":"","signature":"EqQB"}"#;
    let back = play(&file(&[
        says("a"),
        thinks(thinking, "one"),
        says("my password=hunter2-xyz"),
        thinks(thinking, "two"),
        says("c"),
        thinks(thinking, "three"),
    ]));
    let counts: Vec<usize> = back
        .conversation
        .messages()
        .iter()
        .map(|message| message.blocks.len())
        .collect();
    assert_eq!(counts, [1, 2, 1, 1, 1, 1]);
    assert!(
        back.notices
            .iter()
            .any(|notice| notice.contains("reasoning")),
        "{:?}",
        back.notices
    );
}

#[test]
fn a_round_that_cannot_be_sent_without_its_reasoning_is_closed() {
    let thinking = r#"{"type":"thinking","thinking":"","signature":"EqQB"}"#;
    let ask = samples::thinks_and_asks(thinking, "x");
    let back = play(&file(&[
        says("password=hunter2-xyz"),
        ask.clone(),
        approved("x"),
        answered("x"),
    ]));
    assert_eq!(roles(&back), [Role::User]);
    // Behind a reply the round is over, and calls and results stay.
    let over = play(&file(&[
        says("password=hunter2-xyz"),
        ask,
        answered("x"),
        thinks("", "done"),
    ]));
    assert_eq!(
        roles(&over),
        [Role::User, Role::Assistant, Role::User, Role::Assistant]
    );
}

#[test]
fn a_signed_block_with_a_secret_stays_out_of_the_file() {
    let signed = r#"{"type":"thinking","thinking":"the key is sk-ant-api03-abcdef0123456789","signature":"EqQB"}"#;
    let bytes = file(&[says("a"), thinks(signed, "ok")]);
    let written = String::from_utf8(bytes.clone()).unwrap();
    assert!(
        !written.contains("abcdef0123456789") && written.contains("\"left_out\":[{\"index\":0"),
        "{written}"
    );
    assert!(written.contains("\"redacted\":true"));
    assert_eq!(play(&bytes).conversation.messages()[1].blocks.len(), 1);
}

#[test]
fn secrets_in_calls_results_and_prompts_never_reach_the_file() {
    let raw = r#"{"type":"tool_use","id":"x","name":"wipe","input":{"authorization":"Bearer S1aaaa","client_secret":123456789,"note":"keep"}}"#;
    let result = ToolResult {
        id: "x".into(),
        outcome: ToolOutcome::TimedOut(TimeLimit::Idle(Millis(60_000))),
        content: vec![ResultPart::text(
            "{\"credentials\": {\"user\": \"S2bbbb\"}, \"n\": 1}",
        )],
    };
    let denied = Entry::Decided {
        call: "x".into(),
        server: None,
        tool: None,
        decision: Verdict::DeniedWithReason("token=S3cccc1 is wrong".into()),
    };
    let bytes = file(&[
        says("a"),
        samples::replies(&[raw]),
        denied,
        Entry::Answered(result),
    ]);
    let written = String::from_utf8(bytes).unwrap();
    for secret in ["S1aaaa", "123456789", "S2bbbb", "S3cccc1"] {
        assert!(!written.contains(secret), "{secret}: {written}");
    }
    assert!(written.contains("\"note\":\"keep\""), "{written}");
}

#[test]
fn what_a_newer_version_wrote_is_passed_over_and_told() {
    let mut bytes = file(&[says("a")]);
    bytes.extend_from_slice(b"{\"v\":1,\"id\":\"n1\",\"kind\":\"hologram\",\"x\":1}\n{\"v\":7,\"id\":\"n2\",\"kind\":\"user\",\"say\":\"b\"}\n");
    bytes.extend_from_slice(
        b"{\"v\":1,\"id\":\"n3\",\"kind\":\"user\",\"blocks\":[{\"smell\":1},{\"text\":\"c\"}]}\n",
    );
    let back = play(&bytes);
    assert_eq!(entries(&back), [says("a"), says("c")]);
    assert_eq!(back.notices.len(), 2);
}

#[test]
fn a_file_in_any_state_opens_with_all_whole_records() {
    let whole = file(&[says("a"), thinks("", "b"), says("c")]);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let last = lines[lines.len() - 1];
    let half = &last[..last.len() / 2];
    let before = lines[..lines.len() - 1].concat();
    let all = [says("a"), thinks("", "b"), says("c")];
    // Half a record, then a full copy on the next line, or glued on.
    for glue in [&b"\n"[..], b""] {
        assert_eq!(entries(&play(&[&before, half, glue, last].concat())), all);
    }
    // Two records on one line; NULs; a byte that is no text.
    let glued: Vec<u8> = whole
        .iter()
        .copied()
        .filter(|byte| *byte != b'\n')
        .collect();
    assert_eq!(entries(&play(&glued)), all);
    assert_eq!(
        entries(&play(&[&before, &[0; 4096][..], last].concat())),
        all
    );
    let odd = [&before, &b"\xff\xfe\n"[..], last].concat();
    assert_eq!(entries(&play(&odd)), all);
    // A record twice.
    assert_eq!(entries(&play(&[&whole[..], last].concat())), all);
    for empty in [
        &b""[..],
        b"\n",
        b"\n\n",
        b"\0\0",
        b"not json\n",
        b"[1,2]\n{}\n",
    ] {
        assert_eq!(play(empty).conversation.messages(), []);
    }
}

#[test]
fn half_a_surrogate_in_a_block_does_not_spoil_the_file() {
    let line = b"{\"v\":1,\"id\":\"q\",\"kind\":\"reply\",\"request\":1,\"blocks\":[{\"model\":{\"type\":\"text\",\"text\":\"cut \\ud83d\"}}]}\n";
    let back = play(&[&file(&[says("a")])[..], line].concat());
    assert_eq!(back.entries.len(), 2);
}

#[test]
fn a_picture_is_kept_inside_or_beside_and_comes_back_equal() {
    let mut lines = Vec::new();
    let (small, large) = (samples::picture(30), samples::picture(30_000));
    for media in [&small, &large] {
        let record = Record {
            at: samples::at(1),
            body: Body::Entry(Entry::UserSaid(vec![ContentBlock::Image(media.clone())])),
        };
        let record = Redactor::default().redact(record);
        lines.push(Encoder::default().encode(&record, &mut || "r".into()));
    }
    assert_eq!(lines[0].blobs, []);
    assert_eq!(lines[1].blobs.len(), 1);
    assert!(lines[1].text.len() < 1_000);
    let blobs = samples::Kept(lines[1].blobs.clone());
    let back = replay(TranscriptId::new("t"), lines[1].text.as_bytes(), &blobs);
    assert_eq!(
        entries(&back),
        [Entry::UserSaid(vec![ContentBlock::Image(large)])]
    );
    assert_eq!(play(lines[1].text.as_bytes()).notices.len(), 1);
}

proptest! {
    #[test]
    fn any_beginning_of_a_file_is_a_valid_conversation(
        steps in proptest::collection::vec(0usize..9, 0..14),
        cut in 0usize..1000,
    ) {
        let all = samples::story(&steps);
        let bytes = written(&all);
        let length = bytes.len() * cut / 1000;
        let whole = entries(&play(&bytes));
        let back = play(&bytes[..length]);
        prop_assert_eq!(back.conversation.open_calls(), []);
        prop_assert!(back.conversation.history().is_ok());
        let mut shown = entries(&back);
        // Answers that were made up stand at the end.
        while shown.last().is_some_and(|entry| !whole.starts_with(&shown) && matches!(entry, Entry::Answered(_))) {
            shown.pop();
        }
        prop_assert!(whole.starts_with(&shown));
    }

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..2000) {
        let mut damaged = file(&every_entry());
        let at = at.min(damaged.len());
        damaged.splice(at..at, bytes);
        let back = play(&damaged);
        prop_assert_eq!(back.conversation.open_calls(), []);
    }
}
