//! B04: control sequences in data never act on the terminal; the server gets them unchanged.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::person::ENTER;
use crate::support::reply::{Reply, end, ms, say, tb, tu};
use crate::support::run::{Run, Stage};

const EVIL: &str = "x\u{1b}[24D\u{1b}[K\r\u{8}\u{9b}2K\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]8;;http://evil.test\u{1b}\\\u{1b}[8m\u{1b}cz";

/// What may not be among the bytes of the program: it writes none of these itself.
const BANNED: [&[u8]; 8] = [
    b"\x1b[24D",
    b"\x08",
    b"\xc2\x9b",
    b"\x1b]52;",
    b"\x1b]8;;http://evil",
    b"\x1b[8m",
    b"\x1bc",
    b"ZXZpbA==\x07",
];

fn nothing_came_through(run: &Run) {
    let log = run.pty.log();
    for banned in BANNED {
        let found = log.windows(banned.len()).any(|window| window == banned);
        assert!(
            !found,
            "{:?} is among the bytes",
            String::from_utf8_lossy(banned)
        );
    }
}

fn call(arguments: &Value) -> Reply {
    let call = tu(1, "toolu_1", "s__wipe", &[&arguments.to_string()]);
    Reply::stream(&(ms() + &tb(0, EVIL) + &call + &end("tool_use")))
}

#[test]
fn in_arguments_and_answers_they_are_shown_and_the_server_gets_them_unchanged() {
    let arguments = json!({"target": EVIL, EVIL: 1});
    let mut run = Stage::new([call(&arguments), say(EVIL)])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    assert_eq!(
        run.stage.mcp("s").wait_for_calls(1),
        [("wipe".to_owned(), arguments)]
    );
    run.stage.api.wait_for(2);
    run.pty.settle();
    nothing_came_through(&run);
    run.finish();
}

#[test]
fn in_the_names_texts_and_errors_of_a_server_they_are_shown() {
    let schema = json!({"type": "object"});
    let part = json!({
        "initialize": {"result": {"serverInfo": {"name": EVIL, "title": EVIL, "version": EVIL},
            "instructions": EVIL}},
        "tools": [
            {"name": "wipe", "title": EVIL, "description": EVIL, "inputSchema": schema,
                "annotations": {"title": EVIL}},
            {"name": format!("t{EVIL}"), "inputSchema": schema},
        ],
        "calls": {"wipe": {"error": {"code": -32000, "message": EVIL}}},
        "stderr": [EVIL],
    });
    let mut run = Stage::new([call(&json!({"target": "a"}))])
        .server("s", part)
        .server("bad\u{1b}c\u{8}name", json!({"exit": 3, "stderr": [EVIL]}))
        .start(&[]);
    run.pty
        .wait_until("something", |screen| !screen.trim().is_empty());
    run.stage.mcp("s").wait_for("tools/list");
    run.pty.settle();
    run.say("go");
    run.approve();
    run.pty.wait_for_line("done");
    nothing_came_through(&run);
    run.finish();
}

#[test]
fn in_a_title_they_are_shown_also_in_the_list_of_transcripts() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    run.pty.paste("ti\u{1b}c\u{8}tle\u{9b}2K");
    run.pty.settle();
    run.pause(Duration::from_millis(50));
    run.pty.send(ENTER);
    run.pty.wait_for_line("done");
    nothing_came_through(&run);
    run.end_by_quitting();
    let mut run = run.again(&["-r"]);
    run.pty.wait_for("tle");
    nothing_came_through(&run);
    run.pty.send("\x1b");
    run.finish();
}
