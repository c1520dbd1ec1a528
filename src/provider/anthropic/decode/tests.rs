mod odd;

use serde_json::json;

use super::*;
use crate::chat::assemble::Draft;
use crate::chat::failure::{FailureKind, TurnError};
use crate::chat::message::{ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::stream::{BlockOpening, StopReason};
use crate::chat::tool::{Arguments, ToolUse};

const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5","content":[],"stop_reason":null,"usage":{"input_tokens":12,"cache_read_input_tokens":3400,"output_tokens":3}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

/// Writes events as a stream, as the service does.
fn stream(events: &[&str]) -> String {
    let write = |json: &&str| {
        let value: Fields = Fields::parse(json).unwrap();
        format!("event: {}\ndata: {json}\n\n", value.string("type").unwrap())
    };
    events.iter().map(write).collect()
}

fn decode_parts(parts: &[&[u8]]) -> (Vec<StreamEvent>, Result<(), DecodeError>) {
    let mut decoder = Box::new(MessageDecoder::default());
    let mut out = Vec::new();
    for part in parts {
        if let Err(error) = decoder.push(part, &mut out) {
            return (out, Err(error));
        }
    }
    let ended = decoder.finish(&mut out);
    (out, ended)
}

/// Decodes a stream cut in two at every byte, and expects the same each time.
fn decode(text: &str) -> (Vec<StreamEvent>, Result<(), DecodeError>) {
    let whole = decode_parts(&[text.as_bytes()]);
    for cut in 1..text.len() {
        let (head, tail) = text.as_bytes().split_at(cut);
        assert_eq!(decode_parts(&[head, tail]), whole, "cut at {cut}");
    }
    whole
}

/// Decodes a whole reply of these events between its start and its stop, and returns its blocks.
fn blocks(events: &[&str]) -> Vec<ModelBlock> {
    let all: Vec<&str> = [START]
        .into_iter()
        .chain(events.iter().copied())
        .chain([STOP])
        .collect();
    let (events, ended) = decode(&stream(&all));
    assert_eq!(ended, Ok(()));
    assert_eq!(events.last(), Some(&StreamEvent::Finished));
    events
        .iter()
        .filter_map(|event| as_block(event).cloned())
        .collect()
}

fn as_block(event: &StreamEvent) -> Option<&ModelBlock> {
    if let StreamEvent::BlockFinished { block, .. } = event {
        Some(block)
    } else {
        None
    }
}

fn raws(blocks: &[ModelBlock]) -> Vec<&str> {
    blocks.iter().map(|block| block.raw.text()).collect()
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

fn arguments(text: &str) -> Arguments {
    Arguments::parse(text)
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a whole reply and everything that it says"
)]
fn a_reply_with_thinking_and_a_call_is_read_as_it_was_said() {
    let text = stream(&[
        START,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type": "ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a — é\n  b "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2lnLUE="}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_A","name":"read_file","input":{},"caller":{"type":"direct"}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\": \"a.t"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"xt\"}"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":58}}"#,
        STOP,
    ]);
    let usage = |output| {
        StreamEvent::UsageReported(Usage {
            input: 12,
            cache_read: 3400,
            cache_write: 0,
            output,
        })
    };
    let input = r#"{"path": "a.txt"}"#;
    let call = ToolUse {
        id: "toolu_A".into(),
        name: "read_file".into(),
        arguments: arguments(input),
    };
    let thinking = ModelBlock {
        raw: raw(r#"{"type":"thinking","thinking":"a — é\n  b ","signature":"c2lnLUE="}"#),
        content: ModelContent::Thinking {
            text: "a — é\n  b ".into(),
        },
    };
    let tool_use = ModelBlock {
        raw: raw(
            r#"{"type":"tool_use","id":"toolu_A","name":"read_file","input":{"path": "a.txt"},"caller":{"type":"direct"}}"#,
        ),
        content: ModelContent::ToolUse(call),
    };
    let expected = vec![
        StreamEvent::Started {
            reply_id: Some("msg_1".into()),
            model: Some("claude-opus-5".into()),
        },
        usage(3),
        StreamEvent::BlockStarted {
            index: 0,
            opening: BlockOpening::Thinking,
        },
        StreamEvent::ThinkingGrew {
            index: 0,
            text: "a — é\n  b ".into(),
        },
        StreamEvent::BlockFinished {
            index: 0,
            block: thinking,
        },
        StreamEvent::BlockStarted {
            index: 1,
            opening: BlockOpening::ToolUse {
                name: "read_file".into(),
            },
        },
        StreamEvent::ArgumentsGrew {
            index: 1,
            bytes: 13,
        },
        StreamEvent::ArgumentsGrew { index: 1, bytes: 4 },
        StreamEvent::BlockFinished {
            index: 1,
            block: tool_use,
        },
        usage(58),
        StreamEvent::Stopping(StopReason::ToolUse),
        StreamEvent::Finished,
    ];
    assert_eq!(decode(&text), (expected, Ok(())));
}

#[test]
fn thinking_without_readable_text_survives_with_its_signature() {
    let blocks = blocks(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCkYI"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"Zm9v"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
    ]);
    assert_eq!(
        raws(&blocks),
        [
            r#"{"type":"thinking","thinking":"","signature":"EqQBCkYI"}"#,
            r#"{"type":"redacted_thinking","data":"Zm9v"}"#,
        ]
    );
    assert_eq!(blocks[1].content, ModelContent::RedactedThinking);
}

#[test]
fn a_block_without_deltas_keeps_every_byte_of_its_start() {
    let result = r#"{"type":"web_search_tool_result", "tool_use_id":"srvtoolu_1","content":[{"z":1.0,"a":1e400,"u":"\u00e9"}],"new_field":null}"#;
    let blocks = blocks(&[
        &format!(r#"{{"type":"content_block_start","index":0,"content_block":{result}}}"#),
        r#"{"type":"content_block_stop","index":0}"#,
    ]);
    assert_eq!(raws(&blocks), [result]);
    assert_eq!(
        blocks[0].content,
        ModelContent::Other {
            kind: "web_search_tool_result".into()
        }
    );
}

#[test]
fn kinds_made_after_us_never_end_a_reply() {
    let blocks = blocks(&[
        r#"{"type":"content_block_foo","index":"odd","delta":[1]}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null,"x":[1]},"extra":{}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"修复方法🌊e\u0301"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"foo_delta","text":"no"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"page_location","n":1}}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":null}"#,
    ]);
    assert_eq!(
        raws(&blocks),
        [
            "{\"type\":\"text\",\"text\":\"修复方法🌊e\u{301}\",\"citations\":[{\"type\":\"page_location\",\"n\":1}],\"x\":[1]}",
            r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"q":1}}"#,
        ]
    );
}

#[test]
fn overlapping_blocks_without_stops_are_told_apart_and_whole_at_the_end() {
    let blocks = blocks(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":""}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"t"}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"t"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"n\":2}"}}"#,
    ]);
    assert_eq!(
        raws(&blocks),
        [
            r#"{"type":"thinking","thinking":"h","signature":""}"#,
            r#"{"type":"tool_use","id":"a","name":"t","input":{"n":1}}"#,
            r#"{"type":"tool_use","id":"b","name":"t","input":{"n":2}}"#,
        ]
    );
}

#[test]
fn a_server_that_calls_every_block_the_same_loses_none() {
    let start =
        |text| format!(r#"{{"type":"content_block_start","index":0,"content_block":{text}}}"#);
    let texts = [
        r#"{"type":"text","text":"a"}"#,
        r#"{"type":"text","text":"b"}"#,
    ];
    let stop = r#"{"type":"content_block_stop","index":0}"#;
    let all = stream(&[START, &start(texts[0]), stop, &start(texts[1]), stop, STOP]);
    let mut draft = Draft::default();
    for event in decode(&all).0 {
        draft.apply(event);
    }
    assert_eq!(raws(&draft.into_whole_blocks()), texts);
}

fn call_with_input(start: &str, parts: &[&str]) -> ModelBlock {
    let mut events = vec![format!(
        r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"tool_use","id":"a","name":"t"{start}}}}}"#
    )];
    events.extend(parts.iter().map(|part| {
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": part}})
            .to_string()
    }));
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    blocks(&events).remove(0)
}

fn check_input(start: &str, parts: &[&str], raw_input: &str, read_as: &Arguments) {
    let block = call_with_input(start, parts);
    let expected = format!(r#"{{"type":"tool_use","id":"a","name":"t","input":{raw_input}}}"#);
    assert_eq!(block.raw.text(), expected);
    let ModelContent::ToolUse(call) = block.content else {
        panic!("not a call")
    };
    assert_eq!(&call.arguments, read_as);
}

#[test]
fn arguments_keep_the_spelling_that_the_model_gave_them() {
    let text = r#"{"z": 1.0, "a":[1,  2],"é":"\u00e9"}"#;
    check_input(r#","input":{}"#, &[text], text, &arguments(text));
    check_input(r#","input":{}"#, &[], "{}", &arguments("{}"));
    check_input(r#","input":{}"#, &["", " \n"], "{}", &arguments("{}"));
    check_input("", &[], "{}", &arguments("{}"));
    check_input(r#","input":null"#, &[], "{}", &arguments("{}"));
    check_input(
        r#","input":{"whole": 1}"#,
        &[],
        r#"{"whole": 1}"#,
        &arguments(r#"{"whole": 1}"#),
    );
}

#[test]
fn arguments_that_are_no_object_go_back_in_a_wrapper() {
    let reads_as = |text: &str| {
        let arguments = arguments(text);
        assert!(matches!(arguments, Arguments::Invalid { .. }), "{text}");
        arguments
    };
    let start = r#","input":{}"#;
    let cut = r#"{"path": "a"#;
    check_input(
        start,
        &[cut],
        r#"{"INVALID_JSON":"{\"path\": \"a"}"#,
        &reads_as(cut),
    );
    check_input(
        start,
        &["[1]"],
        r#"{"INVALID_JSON":"[1]"}"#,
        &reads_as("[1]"),
    );
    check_input(
        r#","input":"text""#,
        &[],
        r#"{"INVALID_JSON":"\"text\""}"#,
        &reads_as("\"text\""),
    );
}

#[test]
fn a_number_that_no_float_can_hold_is_kept_as_written() {
    let block = call_with_input(r#","input":{}"#, &[r#"{"n":1e400}"#]);
    let text = block.raw.text();
    assert!(text.contains("1e400"), "{text}");
}

#[test]
fn half_a_surrogate_pair_is_read_as_a_replacement_character() {
    let blocks = blocks(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"cut \ud83d"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"t","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"t\":\"cut \\ud83d"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":" \\ud83d\\ud"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"e0a\"}"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"new_kind","t":"\udc00"}}"#,
    ]);
    assert_eq!(
        raws(&blocks),
        [
            "{\"type\":\"text\",\"text\":\"cut \u{fffd}\"}",
            r#"{"type":"tool_use","id":"a","name":"t","input":{"t":"cut \ufffd \ud83d\ude0a"}}"#,
            r#"{"type":"new_kind","t":"\ufffd"}"#,
        ]
    );
}

#[test]
fn later_token_counts_replace_earlier_ones() {
    let text = stream(&[
        START,
        r#"{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":5,"input_tokens":null}}"#,
        r#"{"type":"message_delta","delta":{}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9,"input_tokens":20,"cache_creation_input_tokens":7}}"#,
        STOP,
    ]);
    let (events, _) = decode(&text);
    let counts: Vec<Usage> = events
        .iter()
        .filter_map(|event| {
            if let StreamEvent::UsageReported(usage) = event {
                Some(*usage)
            } else {
                None
            }
        })
        .collect();
    let usage = |input, cache_write, output| Usage {
        input,
        cache_read: 3400,
        cache_write,
        output,
    };
    assert_eq!(counts, [usage(12, 0, 3), usage(12, 0, 5), usage(20, 7, 9)]);
    let stops = events
        .iter()
        .filter(|event| matches!(event, StreamEvent::Stopping(_)))
        .count();
    assert_eq!(stops, 1);
}

#[test]
fn a_refusal_tells_its_category_and_explanation() {
    let text = stream(&[
        START,
        r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"No."}},"usage":{"output_tokens":1}}"#,
        STOP,
    ]);
    let reason = StopReason::Refusal {
        category: Some("cyber".into()),
        explanation: Some("No.".into()),
    };
    assert!(decode(&text).0.contains(&StreamEvent::Stopping(reason)));
}

#[test]
fn an_overload_in_the_middle_of_a_stream_is_told_as_one() {
    let text = stream(&[
        START,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"late"}}"#,
    ]);
    let (events, ended) = decode(&text);
    let error = TurnError {
        kind: FailureKind::Overloaded,
        message: "Overloaded".into(),
        request_id: Some("req_9".into()),
    };
    assert_eq!(events.last(), Some(&StreamEvent::Failed(error)));
    assert_eq!(ended, Ok(()));
}

#[test]
fn a_stream_without_its_stop_is_cut_even_when_a_reason_was_seen() {
    let reason = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    assert_eq!(
        decode(&stream(&[START, reason])).1,
        Err(DecodeError::CutShort)
    );
    assert_eq!(decode("").1, Err(DecodeError::CutShort));
    let half = format!("{}data: {{\"type\":\"message_st", stream(&[START]));
    assert_eq!(decode(&half).1, Err(DecodeError::CutShort));
}

#[test]
fn the_ways_of_simple_proxies_are_understood() {
    let lines =
        format!("data: {START}  \r\n\r\n: alive\r\n\r\ndata:{STOP}\r\n\r\ndata: [DONE]\r\n\r\n");
    let (events, ended) = decode(&lines);
    assert_eq!(ended, Ok(()));
    assert_eq!(events.last(), Some(&StreamEvent::Finished));
    let split = "event: message_stop\ndata: {\"x\":\ndata: 1}\n\n";
    assert_eq!(decode(split), (vec![StreamEvent::Finished], Ok(())));
}

#[test]
fn an_event_that_is_not_json_is_reported() {
    let (events, ended) = decode_parts(&[b"data: <html>\n\n"]);
    assert_eq!(events, []);
    assert!(matches!(ended, Err(DecodeError::BadEvent(_))), "{ended:?}");
}
