//! A10: however the network cuts and frames the stream, the text is exactly the text.

use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::support::http::text_of;
use crate::support::reply::{Reply, Step, delta, end, ev, ms, say, start, stop, tb};
use crate::support::run::{Run, Stage};

const TEXT: &str = "修复方法🌊e\u{301}";

fn plain() -> String {
    ms() + &tb(0, TEXT) + &end("end_turn")
}

/// A stream that means the same as the plain one and is written in another way.
fn written(bytes: Vec<u8>) -> Reply {
    Reply::cut(&plain(), vec![Step::Bytes(bytes)])
}

fn reads_the_text(reply: Reply) -> Run {
    let mut run = Stage::new([reply]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for(TEXT);
    run.pty.settle();
    run.say("next");
    run.pty.wait_for_line("done");
    let requests = run.stage.api.requests();
    let last = requests.last().expect("there was one");
    let said = last.messages()[1]["content"].clone();
    assert!(text_of(&said).starts_with(TEXT), "{said}");
    assert!(run.transcript().contains(TEXT));
    assert!(!run.wrote_replacement());
    run
}

#[test]
fn one_byte_in_each_packet() {
    let drip = Step::Drip(plain().into_bytes(), 1, Duration::from_millis(2));
    let mut reply = Reply::cut(&plain(), vec![drip]);
    reply.unframed = true;
    reads_the_text(reply).finish();
}

#[test]
fn lines_that_end_in_cr_lf() {
    reads_the_text(written(plain().replace('\n', "\r\n").into_bytes())).finish();
}

#[test]
fn data_without_a_space() {
    reads_the_text(written(plain().replace("data: ", "data:").into_bytes())).finish();
}

#[test]
fn comments_pings_and_blank_events() {
    let noise = format!(
        ": keep-alive\n\n{}\n\n",
        ev("ping", &json!({"type": "ping"}))
    );
    let stream = plain().replace("event: ", &format!("{noise}event: "));
    reads_the_text(written(stream.into_bytes())).finish();
}

#[test]
fn one_event_over_two_lines_of_data() {
    let split = plain().replace("\"delta\":{\"type\"", "\"delta\":\ndata: {\"type\"");
    assert_ne!(split, plain());
    reads_the_text(written(split.into_bytes())).finish();
}

#[test]
fn unknown_events_blocks_deltas_fields_and_a_paused_turn() {
    let foo = ev(
        "content_block_foo",
        &json!({"type": "content_block_foo", "index": 0, "x": [1]}),
    );
    let search =
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    let events = ms()
        + &start(0, &json!({"type": "text", "text": "", "citations": []}))
        + &delta(
            0,
            &json!({"type": "text_delta", "text": TEXT, "later": true}),
        )
        + &delta(
            0,
            &json!({"type": "citations_delta", "citation": {"type": "char_location",
            "cited_text": "x", "document_index": 0, "start_char_index": 0, "end_char_index": 1}}),
        )
        + &delta(0, &json!({"type": "later_delta", "x": 1}))
        + &stop(0)
        + &foo
        + &start(1, &search)
        + &stop(1)
        + &end("pause_turn");
    let mut run = Stage::new([Reply::stream(&events), say("continued")]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for(TEXT);
    run.pty.wait_for("continued");
    let requests = run.stage.api.wait_for(2);
    assert_eq!(text_of(&requests[1].messages()[1]["content"]), TEXT);
    assert!(!run.wrote_replacement());
    run.finish();
}

/// A gzip file whose data is stored as it is (RFC 1952, RFC 1951 section 3.2.4).
fn gzip(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let length = u16::try_from(data.len()).expect("a short stream");
    out.push(1);
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(data);
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    out.extend((!crc).to_le_bytes());
    out.extend(u32::from(length).to_le_bytes());
    out
}

#[test]
fn a_packed_answer_where_it_was_offered() {
    let stage = Stage::new([]);
    stage.api.then_make(|request| {
        let offered = request
            .header("accept-encoding")
            .is_some_and(|offer| offer.contains("gzip"));
        if offered {
            written(gzip(plain().as_bytes())).with("content-encoding", "gzip")
        } else {
            Reply::stream(&plain())
        }
    });
    let mut run = stage.start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for(TEXT);
    run.finish();
}

#[test]
fn the_transcript_holds_the_text_of_a_cut_answer_as_it_came() {
    let half = ms()
        + &start(0, &json!({"type": "text", "text": ""}))
        + &delta(0, &json!({"type": "text_delta", "text": TEXT}));
    let cut = Reply::cut(
        &half,
        vec![Step::Bytes(half.clone().into_bytes()), Step::Drop],
    );
    let mut run = Stage::new([cut]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for(TEXT);
    run.pty.settle();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    assert!(
        fs::read_to_string(file)
            .expect("it is UTF-8")
            .contains(TEXT)
    );
    run.finish();
}
