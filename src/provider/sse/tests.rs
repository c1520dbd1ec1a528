use super::*;

fn event(name: Option<&str>, data: &str) -> SseEvent {
    SseEvent {
        name: name.map(str::to_owned),
        data: data.to_owned(),
    }
}

/// Feeds the bytes cut in two at every place and one by one, and expects the same each time.
fn check(bytes: &[u8], expected: &[SseEvent]) {
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        let mut decoder = SseDecoder::default();
        let mut out = Vec::new();
        decoder.push(head, &mut out).unwrap();
        decoder.push(tail, &mut out).unwrap();
        decoder.finish(&mut out);
        assert_eq!(out, expected, "cut at {cut}");
    }
    let mut decoder = SseDecoder::default();
    let mut out = Vec::new();
    for byte in bytes {
        decoder.push(&[*byte], &mut out).unwrap();
    }
    decoder.finish(&mut out);
    assert_eq!(out, expected, "byte by byte");
}

#[test]
fn every_kind_of_line_end_ends_a_line() {
    let expected = [event(Some("a"), "1"), event(Some("b"), "2")];
    check(b"event: a\ndata: 1\n\nevent: b\ndata: 2\n\n", &expected);
    check(
        b"event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n",
        &expected,
    );
    check(b"event: a\rdata: 1\r\revent: b\rdata: 2\r\r", &expected);
    check(b"event: a\r\ndata: 1\n\r\nevent: b\rdata: 2\n\n", &expected);
}

#[test]
fn a_character_may_be_cut_anywhere() {
    let text = "data: 修复方法🌊e\u{301}\n\n";
    check(text.as_bytes(), &[event(None, "修复方法🌊e\u{301}")]);
}

#[test]
fn a_mark_at_the_very_start_is_left_out_and_nowhere_else() {
    check("\u{feff}data: a\n\n".as_bytes(), &[event(None, "a")]);
    check(
        "data: \u{feff}a\n\n".as_bytes(),
        &[event(None, "\u{feff}a")],
    );
}

#[test]
fn comments_blank_lines_and_other_fields_give_nothing() {
    check(
        b": ping\n\n\n:\n\nid: 7\nretry: 10\n\nevent: lonely\n\n",
        &[],
    );
}

#[test]
fn several_data_lines_are_joined_by_line_feeds() {
    check(b"data: {\ndata:\ndata: }\n\n", &[event(None, "{\n\n}")]);
}

#[test]
fn one_space_after_the_colon_is_left_out_and_no_more() {
    check(
        b"data:a\n\ndata:  b \n\ndata\n\n",
        &[event(None, "a"), event(None, " b "), event(None, "")],
    );
}

#[test]
fn the_end_of_the_stream_ends_the_last_event() {
    check(
        b"data: 1\n\nevent: e\ndata: 2\n",
        &[event(None, "1"), event(Some("e"), "2")],
    );
    check(b"data: 1\n\ndata: 2", &[event(None, "1"), event(None, "2")]);
}

#[test]
fn an_event_comes_out_with_the_byte_that_ends_it() {
    let mut out = Vec::new();
    SseDecoder::default()
        .push(b"data: 1\r\n\r", &mut out)
        .unwrap();
    assert_eq!(out, [event(None, "1")]);
}

#[test]
fn an_event_without_end_is_refused_at_the_limit() {
    let limit = 16;
    let mut out = Vec::new();
    let refused = Err(SseError::TooLarge { limit });
    assert_eq!(
        SseDecoder::with_limit(limit).push(&[b'a'; 17], &mut out),
        refused
    );
    let mut decoder = SseDecoder::with_limit(limit);
    decoder
        .push(b"data: 12345\ndata: 12345\n", &mut out)
        .unwrap();
    assert_eq!(decoder.push(b"data: 12345\n", &mut out), refused);
    assert_eq!(out, []);
}
