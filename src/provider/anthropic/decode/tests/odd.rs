//! What no server should send.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Decodes these events in one piece.
fn events(values: &[Value]) -> (Vec<StreamEvent>, Result<(), DecodeError>) {
    let write = |value| format!("data: {value}\n\n");
    let lines = values.iter().map(write).collect::<Vec<String>>().concat();
    decode_parts(&[lines.as_bytes()])
}

#[test]
fn a_block_that_could_never_be_sent_back_is_no_block() {
    let start =
        |block: Value| json!({"type": "content_block_start", "index": 0, "content_block": block});
    let (events, ended) = events(&[
        start(json!("text")),
        start(json!({"text": "no type"})),
        start(Value::Null),
        json!({"type": "message_stop"}),
    ]);
    let nobody = StreamEvent::Started {
        reply_id: None,
        model: None,
    };
    assert_eq!(
        (events, ended),
        (vec![nobody, StreamEvent::Finished], Ok(()))
    );
}

#[test]
fn a_call_without_an_id_gets_one_of_its_own() {
    let blocks = blocks(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"t"}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"","name":"t","input":{}}}"#,
    ]);
    assert_eq!(
        raws(&blocks),
        [
            r#"{"type":"tool_use","name":"t","id":"msg_1_0","input":{}}"#,
            r#"{"type":"tool_use","id":"msg_1_1","name":"t","input":{}}"#,
        ]
    );
}

#[test]
fn counts_and_places_beyond_all_sense_overflow_nothing() {
    let huge = u64::MAX;
    let text = json!({"type": "text", "text": "a"});
    let start = json!({"type": "content_block_start", "index": huge, "content_block": text});
    let usage =
        json!({"input_tokens": huge, "cache_read_input_tokens": huge, "output_tokens": huge});
    let (events, ended) = events(&[
        json!({"type": "message_start", "message": {"usage": usage}}),
        start.clone(),
        start,
        json!({"type": "message_stop"}),
    ]);
    assert_eq!(ended, Ok(()));
    let mut sums = events.iter().filter_map(|event| {
        if let StreamEvent::UsageReported(usage) = event {
            Some(usage.prompt())
        } else {
            None
        }
    });
    assert_eq!(sums.next(), Some(2 << 40));
}

/// Any JSON value, not deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "[a-z_\u{e9}\u{1f30a}]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map("type|index|text|input|id|name", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// An event of a known kind with anything in its fields.
fn any_event() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        Just("message_start"),
        Just("content_block_start"),
        Just("content_block_delta"),
        Just("content_block_stop"),
        Just("message_delta"),
        Just("error"),
    ];
    let block = prop_oneof![
        any_json(),
        any_json()
            .prop_map(|input| json!({"type": "tool_use", "id": "a", "name": "t", "input": input})),
        any_json().prop_map(|text| json!({"type": "text", "text": text})),
    ];
    let delta = prop_oneof![
        any_json(),
        any_json().prop_map(|json| json!({"type": "input_json_delta", "partial_json": json})),
        any_json().prop_map(|text| json!({"type": "text_delta", "text": text})),
    ];
    (kind, any_json(), block, delta, any_json()).prop_map(|(kind, index, block, delta, other)| {
        json!({"type": kind, "index": index, "content_block": block, "delta": delta,
            "message": other, "usage": other, "error": other})
    })
}

proptest! {
    #[test]
    fn every_block_that_comes_out_can_be_sent_back(values in prop::collection::vec(any_event(), 0..8)) {
        let mut values = values;
        values.push(json!({"type": "message_stop"}));
        let (events, ended) = events(&values);
        prop_assert_eq!(ended, Ok(()));
        for block in events.iter().filter_map(as_block) {
            let value = block.raw.to_value().unwrap();
            prop_assert!(value["type"].is_string(), "{}", value);
            if value["type"] == "tool_use" {
                prop_assert!(value["input"].is_object(), "{}", value);
            }
        }
    }

    #[test]
    fn text_comes_out_as_it_went_in_however_it_is_cut(
        pieces in prop::collection::vec(any::<String>(), 1..6),
        size in 1usize..40,
    ) {
        let mut events = vec![
            START.to_owned(),
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#.to_owned(),
        ];
        events.extend(pieces.iter().map(|piece| {
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}).to_string()
        }));
        events.push(STOP.to_owned());
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let bytes = stream(&events).into_bytes();
        let parts: Vec<&[u8]> = bytes.chunks(size).collect();
        let (events, ended) = decode_parts(&parts);
        prop_assert_eq!(ended, Ok(()));
        let block = events.iter().find_map(|event| as_block(event));
        let said = pieces.concat();
        prop_assert_eq!(block.and_then(ModelBlock::as_text), Some(said.as_str()));
    }

    #[test]
    fn no_bytes_can_break_the_decoder(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut text = b"data: {\"type\":\"content_block_start\",\"content_block\":".to_vec();
        text.extend(&bytes);
        decode_parts(&[&text]).0.clear();
        decode_parts(&[&bytes]).0.clear();
    }
}
