//! The Messages API: what was received goes back as it came, and nothing that was refused elsewhere.

use std::time::Duration;

use keytide::chat::failure::FailureKind;
use keytide::chat::message::{ModelBlock, ModelContent};
use keytide::chat::tool::ToolOutcome;
use serde_json::{Value, json};

use super::talk::Talk;
use crate::support::reply::{
    Reply, Step, delta, end, ev, ms, say, start, stop, tb, text_delta, tool_as, tu,
};

const WORDS: &str = "修复方法🌊e\u{301}";

fn texts(blocks: &[ModelBlock]) -> Vec<&str> {
    blocks.iter().filter_map(ModelBlock::as_text).collect()
}

/// Expects that nothing was refused and returns the messages of the last request.
fn last_messages(talk: &Talk) -> Vec<Value> {
    assert_eq!(talk.api.refusals(), Vec::<String>::new());
    talk.api.requests().pop().expect("a request").messages()
}

#[tokio::test]
async fn thinking_goes_back_unchanged_with_the_results_and_ever_after() {
    for readable in ["a — é\n  b ", ""] {
        let thinking = delta(0, &json!({"type": "thinking_delta", "thinking": readable}));
        let events = [
            ms(),
            start(
                0,
                &json!({"type": "thinking", "thinking": "", "signature": ""}),
            ),
            if readable.is_empty() {
                String::new()
            } else {
                thinking
            },
            delta(
                0,
                &json!({"type": "signature_delta", "signature": "EqQBCkYI"}),
            ),
            stop(0),
            start(1, &json!({"type": "redacted_thinking", "data": "Zm9v"})),
            stop(1),
            tb(2, "ok"),
            tu(3, "toolu_1", "s__echo", &[r#"{"text": "a"}"#]),
            end("tool_use"),
        ];
        let mut talk = Talk::with([Reply::stream(&events.concat()), say("fine")]);
        talk.say("hi").await;
        talk.answer(&ToolOutcome::Succeeded, "a").await;
        talk.say("again").await;
        let expected = json!([
            {"type": "thinking", "thinking": readable, "signature": "EqQBCkYI"},
            {"type": "redacted_thinking", "data": "Zm9v"},
            {"type": "text", "text": "ok"},
            {"type": "tool_use", "id": "toolu_1", "name": "s__echo", "input": {"text": "a"}},
        ]);
        assert_eq!(last_messages(&talk)[1]["content"], expected);
    }
}

#[tokio::test]
async fn blank_text_of_the_model_and_of_a_tool_is_never_sent() {
    let first = [
        ms(),
        start(0, &json!({"type": "text", "text": ""})),
        stop(0),
        tu(1, "toolu_1", "s__echo", &["{}"]),
        end("tool_use"),
    ];
    let blank = [ms(), tb(0, "\n \n"), end("end_turn")];
    let mut talk = Talk::with([
        Reply::stream(&first.concat()),
        Reply::stream(&blank.concat()),
    ]);
    talk.say("hi").await;
    talk.answer(&ToolOutcome::Succeeded, "").await;
    talk.say("hi2").await;
    let messages = last_messages(&talk);
    let written = Value::from(messages).to_string();
    assert!(
        written.contains("(no output)") && !written.contains(r#""text":"""#),
        "{written}"
    );
}

#[tokio::test]
async fn a_call_that_was_denied_or_lost_leaves_a_valid_history() {
    let outcomes = [
        ToolOutcome::Denied,
        ToolOutcome::DeniedWithReason("no".into()),
        ToolOutcome::Cancelled,
        ToolOutcome::ServerGone,
        ToolOutcome::NotRun,
        ToolOutcome::Failed,
    ];
    let mut talk = Talk::with(Vec::new());
    for (n, outcome) in outcomes.iter().enumerate() {
        talk.api.then(tool_as(
            &format!("toolu_{n}"),
            "s__wipe",
            r#"{"target":"b"}"#,
        ));
        talk.say("go").await;
        talk.answer(outcome, "").await;
        let last = last_messages(&talk).pop().expect("a message");
        assert_eq!(last["content"][0]["is_error"], json!(true), "{outcome:?}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_go_back_as_an_object() {
    let cut = [
        ms(),
        tu(0, "toolu_1", "s__wipe", &[r#"{"target": "a"#]),
        end("max_tokens"),
    ];
    let mut talk = Talk::with([]);
    talk.api.then(Reply::stream(&cut.concat()));
    talk.say("go").await;
    talk.answer(&ToolOutcome::NotRun, "").await;
    let input = &last_messages(&talk)[1]["content"][0]["input"];
    assert_eq!(input, &json!({"INVALID_JSON": "{\"target\": \"a"}));
}

/// Plays a reply, and expects its text in the reply and in the next request.
async fn hears_the_words(reply: Reply) {
    let mut talk = Talk::with([reply]);
    let blocks = talk.say("hi").await;
    assert_eq!(texts(&blocks), [WORDS]);
    talk.say("again").await;
    let sent = &last_messages(&talk)[1]["content"];
    let sent = sent
        .as_array()
        .expect("blocks")
        .iter()
        .find(|block| block["type"] == "text");
    assert_eq!(sent.expect("a text")["text"], json!(WORDS));
}

#[tokio::test]
async fn words_survive_every_way_of_cutting_and_framing_a_stream() {
    let plain = ms() + &tb(0, WORDS) + &end("end_turn");
    let drip = Step::Drip(plain.clone().into_bytes(), 1, Duration::from_micros(200));
    hears_the_words(Reply::cut(&plain, vec![drip])).await;
    let ways = [
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace("data: ", "data:"),
        plain.replace("event: ", ": gone "),
        plain.replace(
            "\n\n",
            "\n\n: comment\n\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n",
        ),
        plain.replace(",\"index\"", ",\ndata: \"index\""),
        plain + "data: [DONE]\n\n",
    ];
    for way in ways {
        let bytes = vec![Step::Bytes(way.into_bytes())];
        let said = ms() + &tb(0, WORDS) + &end("end_turn");
        hears_the_words(Reply::cut(&said, bytes)).await;
    }
}

#[tokio::test]
async fn kinds_made_after_us_are_kept_or_skipped_and_end_nothing() {
    let search = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": 1}});
    let found =
        json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []});
    let events = [
        ms(),
        ev(
            "content_block_foo",
            &json!({"type": "content_block_foo", "index": 0}),
        ),
        start(0, &search),
        stop(0),
        start(1, &found),
        stop(1),
        start(2, &json!({"type": "text", "text": "", "extra": 1})),
        text_delta(2, WORDS),
        delta(2, &json!({"type": "new_delta", "text": "no"})),
        stop(2),
        end("made_after_us"),
    ];
    let mut talk = Talk::with([Reply::stream(&events.concat())]);
    let blocks = talk.say("hi").await;
    assert_eq!(texts(&blocks), [WORDS]);
    let kinds: Vec<Option<&str>> = blocks
        .iter()
        .map(|block| {
            let ModelContent::Other { kind } = &block.content else {
                return None;
            };
            Some(kind.as_str())
        })
        .collect();
    assert_eq!(
        kinds,
        [
            Some("server_tool_use"),
            Some("web_search_tool_result"),
            None
        ]
    );
}

#[tokio::test]
async fn half_a_surrogate_pair_never_reaches_a_request() {
    let halves = [
        ms(),
        tb(0, "cut HALF").replace("HALF", "\\ud83d"),
        tu(1, "toolu_1", "s__echo", &[r#"{"text":"cut HALF"}"#]).replace("HALF", "\\\\ud83d"),
        end("tool_use"),
    ];
    let said = [
        ms(),
        tb(0, "cut \u{fffd}"),
        tu(1, "toolu_1", "s__echo", &["{\"text\":\"cut \u{fffd}\"}"]),
        end("tool_use"),
    ];
    let bytes = vec![Step::Bytes(halves.concat().into_bytes())];
    let mut talk = Talk::with([Reply::cut(&said.concat(), bytes)]);
    let blocks = talk.say("hi").await;
    assert_eq!(texts(&blocks), ["cut \u{fffd}"]);
    talk.answer(&ToolOutcome::Succeeded, "ok").await;
    assert_eq!(
        last_messages(&talk)[1]["content"][1]["input"],
        json!({"text": "cut \u{fffd}"})
    );
}

#[tokio::test]
async fn two_calls_of_one_id_can_not_be_kept() {
    let twice = [
        ms(),
        tu(0, "toolu_1", "s__echo", &["{}"]),
        tu(1, "toolu_1", "s__wipe", &["{}"]),
        end("tool_use"),
    ];
    let mut talk = Talk::with([Reply::stream(&twice.concat())]);
    talk.conversation
        .push_user(vec![keytide::chat::message::ContentBlock::Text(
            "hi".into(),
        )])
        .expect("nothing is open");
    let (blocks, _) = talk.ask().await.expect("a reply");
    let reply = blocks
        .into_iter()
        .map(keytide::chat::message::ContentBlock::Model)
        .collect();
    assert!(talk.conversation.push_reply(reply).is_err());
}

#[tokio::test]
async fn errors_of_the_service_have_their_kind_and_no_web_page() {
    let overload = ev(
        "error",
        &json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    );
    let cases = [
        (
            Reply::error(529, "overloaded_error", "Overloaded"),
            FailureKind::Overloaded,
        ),
        (
            Reply::error(401, "authentication_error", "Wrong."),
            FailureKind::Unauthorized,
        ),
        (
            Reply::error(400, "invalid_request_error", "Odd."),
            FailureKind::BadRequest,
        ),
        (
            Reply::other(502, "text/html", b"<html>\x1b[2J</html>"),
            FailureKind::ServerError,
        ),
        (
            Reply::stream(&(ms() + &tb(0, "a") + &overload)),
            FailureKind::Overloaded,
        ),
        (Reply::stream(&(ms() + &tb(0, "a"))), FailureKind::StreamCut),
        (
            Reply::other(200, "text/html", b"<html>"),
            FailureKind::NotAStream,
        ),
    ];
    for (reply, kind) in cases {
        let mut talk = Talk::with([reply]);
        talk.conversation
            .push_user(vec![keytide::chat::message::ContentBlock::Text(
                "hi".into(),
            )])
            .expect("nothing is open");
        let error = talk.ask().await.expect_err("a failure");
        assert_eq!(error.kind, kind, "{error:?}");
        assert!(!error.message.contains(['<', '\u{1b}']), "{error:?}");
    }
}
