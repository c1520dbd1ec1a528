use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::chat::conversation::Conversation;
use crate::chat::id::ToolUseId;
use crate::chat::message::{ContentBlock, ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::request::Setup;
use crate::chat::tool::{
    Arguments, Audience, Media, PartBody, ResultPart, ToolOutcome, ToolResult, ToolUse,
};

fn setup(model: &str) -> Setup {
    Setup {
        model: model.into(),
        system: Some("Be brief.".into()),
        tools: Arc::from([tool("zeta"), tool("alpha")]),
        max_tokens: 32_000,
        effort: Some("high".into()),
    }
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: Some(format!("Does {name}.")),
        input_schema: raw(r#"{"type":"object", "x":1.0}"#),
    }
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

fn text_of(request: &ModelRequest) -> String {
    String::from_utf8(body(request).unwrap()).unwrap()
}

fn encode(setup: Setup, conversation: &Conversation) -> (String, Value) {
    let history = conversation.history().unwrap();
    let text = text_of(&ModelRequest { setup, history });
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

fn hello() -> Conversation {
    let mut conversation = Conversation::default();
    say(&mut conversation, "hi");
    conversation
}

fn say(conversation: &mut Conversation, text: &str) {
    conversation
        .push_user(vec![ContentBlock::Text(text.into())])
        .unwrap();
}

fn model_text(text: &str) -> ContentBlock {
    ContentBlock::Model(ModelBlock {
        raw: RawJson::from_value(&json!({"type": "text", "text": text})),
        content: ModelContent::Text(text.into()),
    })
}

fn thinking(text: &str) -> ContentBlock {
    let value = json!({"type": "thinking", "thinking": text, "signature": "EqQBCkYI"});
    ContentBlock::Model(ModelBlock {
        raw: RawJson::from_value(&value),
        content: ModelContent::Thinking { text: text.into() },
    })
}

fn call(id: &str) -> ContentBlock {
    let value = json!({"type": "tool_use", "id": id, "name": "t", "input": {}});
    let tool_use = ToolUse {
        id: id.into(),
        name: "t".into(),
        arguments: Arguments::parse("{}"),
    };
    ContentBlock::Model(ModelBlock {
        raw: RawJson::from_value(&value),
        content: ModelContent::ToolUse(tool_use),
    })
}

fn result(id: &str, outcome: ToolOutcome, content: Vec<ResultPart>) -> ToolResult {
    ToolResult {
        id: ToolUseId::new(id),
        outcome,
        content,
    }
}

/// Writes one call with this answer and returns the content of the message that holds it.
fn written_result(outcome: ToolOutcome, content: Vec<ResultPart>) -> Value {
    let mut conversation = hello();
    conversation.push_reply(vec![call("toolu_1")]).unwrap();
    conversation
        .answer(vec![result("toolu_1", outcome, content)])
        .unwrap();
    let (_, body) = encode(setup("claude-opus-5"), &conversation);
    body["messages"][2]["content"][0].clone()
}

fn breakpoints(text: &str) -> usize {
    text.matches("cache_control").count()
}

#[test]
fn a_first_request_is_written_in_a_fixed_order() {
    let (text, _) = encode(setup("claude-opus-5"), &hello());
    let expected = concat!(
        r#"{"model":"claude-opus-5","max_tokens":32000,"stream":true,"#,
        r#""thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"},"#,
        r#""tools":[{"name":"zeta","description":"Does zeta.","input_schema":{"type":"object", "x":1.0}},"#,
        r#"{"name":"alpha","description":"Does alpha.","input_schema":{"type":"object", "x":1.0}}],"#,
        r#""system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"#,
        r#""messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}"#,
    );
    assert_eq!(text, expected);
}

#[test]
fn what_is_not_there_is_not_written() {
    let mut bare = setup("qwen3:8b");
    bare.tools = Arc::from([]);
    bare.system = Some("  ".into());
    let (text, _) = encode(bare, &hello());
    let expected = concat!(
        r#"{"model":"qwen3:8b","max_tokens":32000,"stream":true,"#,
        r#""messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}"#,
    );
    assert_eq!(text, expected);
}

#[test]
fn the_last_tool_ends_the_cached_prefix_where_there_is_no_system_prompt() {
    let mut without_system = setup("claude-opus-5");
    without_system.system = None;
    let (text, body) = encode(without_system, &hello());
    assert_eq!(
        body["tools"][1]["cache_control"],
        json!({"type": "ephemeral"})
    );
    assert_eq!(breakpoints(&text), 2);
}

#[test]
fn the_output_limit_lies_between_16000_and_the_models_own() {
    let max_tokens = |model, asked| {
        let mut setup = setup(model);
        setup.max_tokens = asked;
        encode(setup, &hello()).1["max_tokens"].as_u64().unwrap()
    };
    assert_eq!(max_tokens("claude-opus-5", 100), 16_000);
    assert_eq!(max_tokens("claude-opus-5", 50_000), 50_000);
    assert_eq!(max_tokens("claude-opus-5", 1_000_000), 128_000);
    assert_eq!(max_tokens("claude-haiku-4-5-20251001", 1_000_000), 64_000);
}

#[test]
fn thinking_and_effort_are_asked_for_as_the_model_knows_them() {
    let (text, body) = encode(setup("claude-haiku-4-5"), &hello());
    assert_eq!(
        body["thinking"],
        json!({"type": "enabled", "budget_tokens": 16_000})
    );
    assert!(!text.contains("output_config"), "{text}");
    let mut odd = setup("claude-opus-5");
    odd.effort = Some("heroic".into());
    assert!(!encode(odd, &hello()).0.contains("output_config"));
    for (text, _) in [
        encode(setup("claude-opus-5"), &hello()),
        encode(setup("claude-haiku-4-5"), &hello()),
    ] {
        assert!(
            !["temperature", "top_p", "top_k"]
                .iter()
                .any(|field| text.contains(field))
        );
    }
}

#[test]
fn a_models_blocks_go_back_byte_for_byte() {
    let odd = [
        r#"{"type":"thinking","thinking":"a — é\n  b ","signature":"EqQBCkYI"}"#,
        r#"{"type":"redacted_thinking", "data":"Zm9v" }"#,
        r#"{"type":"new_kind","n":1e400,"z":[1.0, 2],"u":"\u00e9","a":{}}"#,
    ];
    let blocks = odd.map(|text| {
        ContentBlock::Model(ModelBlock {
            raw: raw(text),
            content: ModelContent::Other { kind: "odd".into() },
        })
    });
    let mut conversation = hello();
    conversation.push_reply(blocks.to_vec()).unwrap();
    say(&mut conversation, "go on");
    let history = conversation.history().unwrap();
    let text = text_of(&ModelRequest {
        setup: setup("claude-opus-5"),
        history,
    });
    assert!(text.contains(&odd.join(",")), "{text}");
}

#[test]
fn blank_text_is_left_out_and_thinking_never_is() {
    let mut conversation = hello();
    conversation
        .push_reply(vec![thinking(""), model_text(""), call("toolu_1")])
        .unwrap();
    let empty = vec![ResultPart::text("")];
    conversation
        .answer(vec![result("toolu_1", ToolOutcome::Succeeded, empty)])
        .unwrap();
    conversation.push_reply(vec![model_text("\n \n")]).unwrap();
    say(&mut conversation, "hi");
    let (_, body) = encode(setup("claude-opus-5"), &conversation);
    let expected = json!([
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "", "signature": "EqQBCkYI"},
            {"type": "tool_use", "id": "toolu_1", "name": "t", "input": {}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "(no output)"}]},
        ]},
        {"role": "user", "content": [
            {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}},
        ]},
    ]);
    assert_eq!(body["messages"], expected);
}

#[test]
fn a_reply_of_thinking_alone_is_left_out_whole() {
    let mut conversation = hello();
    conversation
        .push_reply(vec![thinking("hm"), model_text(" ")])
        .unwrap();
    say(&mut conversation, "go on");
    let (_, body) = encode(setup("claude-opus-5"), &conversation);
    let expected = json!([
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "user", "content": [
            {"type": "text", "text": "go on", "cache_control": {"type": "ephemeral"}},
        ]},
    ]);
    assert_eq!(body["messages"], expected);
}

#[test]
fn results_come_before_everything_else_in_their_message() {
    let mut message = crate::chat::message::Message::user_text("and also");
    let answer = result("toolu_1", ToolOutcome::Succeeded, Vec::new());
    message.blocks.push(ContentBlock::ToolResult(answer));
    let written = serde_json::to_value(WireMessage::of(&message)).unwrap();
    let kinds: Vec<&Value> = written["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| &block["type"])
        .collect();
    assert_eq!(kinds, ["tool_result", "text"]);
}

#[test]
fn a_denial_is_an_error_that_says_who_said_no_and_why() {
    let written = written_result(
        ToolOutcome::DeniedWithReason("use read only".into()),
        Vec::new(),
    );
    assert_eq!(written["is_error"], json!(true));
    assert_eq!(
        written["content"],
        json!([{"type": "text", "text": "Denied: the user declined this call. It was not run, and nothing was changed. The user's reason: use read only"}])
    );
}

#[test]
fn an_errors_own_words_follow_ours() {
    let written = written_result(ToolOutcome::Failed, vec![ResultPart::text("disk full")]);
    let texts: Vec<&Value> = written["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| &block["text"])
        .collect();
    assert_eq!(
        texts,
        ["Tool error: the tool reported an error.", "disk full"]
    );
    assert_eq!(written["is_error"], json!(true));
}

#[test]
fn a_result_carries_pictures_and_documents_but_nothing_meant_for_the_person() {
    let media = |kind: &str| Media {
        media_type: kind.into(),
        base64: "AAAA".into(),
    };
    let part = |audience, body| ResultPart { audience, body };
    let written = written_result(
        ToolOutcome::Succeeded,
        vec![
            part(Audience::Person, PartBody::Text("for you".into())),
            part(Audience::Everybody, PartBody::Image(media("image/png"))),
            part(
                Audience::Model,
                PartBody::Document(media("application/pdf")),
            ),
        ],
    );
    let source = |kind| json!({"type": "base64", "media_type": kind, "data": "AAAA"});
    let expected = json!([
        {"type": "image", "source": source("image/png")},
        {"type": "document", "source": source("application/pdf")},
    ]);
    assert_eq!(written["content"], expected);
    assert_eq!(written.get("is_error"), None);
}

#[test]
fn a_picture_of_a_kind_that_the_service_refuses_is_told_in_words() {
    let media = Media {
        media_type: "image/tiff".into(),
        base64: "AAAA".into(),
    };
    let part = ResultPart {
        audience: Audience::Everybody,
        body: PartBody::Image(media),
    };
    let written = written_result(ToolOutcome::Succeeded, vec![part]);
    let expected =
        json!([{"type": "text", "text": "(data of the type image/tiff, which can't be sent)"}]);
    assert_eq!(written["content"], expected);
}

fn with_calls(count: usize) -> Conversation {
    let mut conversation = hello();
    let ids: Vec<String> = (0..count).map(|n| format!("toolu_{n}")).collect();
    conversation
        .push_reply(ids.iter().map(|id| call(id)).collect())
        .unwrap();
    let results = ids
        .iter()
        .map(|id| result(id, ToolOutcome::Succeeded, Vec::new()))
        .collect();
    conversation.answer(results).unwrap();
    conversation
}

#[test]
fn the_mark_before_is_kept_when_a_round_added_more_than_the_service_looks_back() {
    let (text, body) = encode(setup("claude-opus-5"), &with_calls(2));
    assert_eq!(breakpoints(&text), 2);
    assert!(
        body["messages"][2]["content"][1]
            .get("cache_control")
            .is_some()
    );
    let (text, body) = encode(setup("claude-opus-5"), &with_calls(30));
    assert_eq!(breakpoints(&text), 3);
    assert!(
        body["messages"][0]["content"][0]
            .get("cache_control")
            .is_some()
    );
    assert!(
        body["messages"][2]["content"][29]
            .get("cache_control")
            .is_some()
    );
}

/// A block of any kind, with content that is hard to write.
fn any_block() -> impl Strategy<Value = Value> {
    let text = any::<String>();
    prop_oneof![
        text.prop_map(|text| json!({"type": "text", "text": format!("x{text}")})),
        text.prop_map(|text| json!({"type": "thinking", "thinking": text, "signature": "s"})),
        text.prop_map(|data| json!({"type": "redacted_thinking", "data": data})),
        (text, any::<f64>())
            .prop_map(|(text, n)| json!({"type": "new_kind", "z": text, "a": [n, null]})),
    ]
}

#[test]
fn a_body_that_the_service_would_not_take_is_refused_here() {
    let limit = 4;
    assert_eq!(within_limit(vec![0; 4], limit), Ok(vec![0; 4]));
    assert_eq!(
        within_limit(vec![0; 5], limit),
        Err(EncodeError::TooLarge { bytes: 5, limit })
    );
}

proptest! {
    #[test]
    fn a_reply_goes_back_with_the_bytes_it_was_put_together_with(
        values in prop::collection::vec(any_block(), 1..5),
        size in 1usize..64,
    ) {
        // Thinking alone would be left out.
        let mut values = values;
        values.push(json!({"type": "text", "text": "x"}));
        let sent = decoded(&values, size);
        let joined: Vec<&str> = sent.iter().map(|block| block.raw.text()).collect();
        let mut conversation = hello();
        conversation.push_reply(sent.iter().cloned().map(ContentBlock::Model).collect()).unwrap();
        say(&mut conversation, "go on");
        let (text, body) = encode(setup("claude-opus-5"), &conversation);
        prop_assert!(text.contains(&joined.join(",")));
        prop_assert_eq!(&body["messages"][1]["content"], &Value::from(values));
    }
}

/// Sends blocks through the decoder, in start events, cut in pieces of `size` bytes.
fn decoded(values: &[Value], size: usize) -> Vec<ModelBlock> {
    use crate::chat::assemble::Draft;
    use crate::provider::Decoder;
    use crate::provider::anthropic::decode::MessageDecoder;

    let start = |(index, block): (usize, &Value)| {
        let event = json!({"type": "content_block_start", "index": index, "content_block": block});
        format!("data: {event}\n\n")
    };
    let mut stream: String = values.iter().enumerate().map(start).collect();
    stream.push_str("data: {\"type\":\"message_stop\"}\n\n");
    let mut decoder = MessageDecoder::default();
    let mut events = Vec::new();
    for part in stream.as_bytes().chunks(size) {
        decoder.push(part, &mut events).unwrap();
    }
    let mut draft = Draft::default();
    for event in events {
        draft.apply(event);
    }
    draft.into_whole_blocks()
}
