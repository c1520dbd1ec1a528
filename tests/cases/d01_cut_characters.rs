//! D01: no text is cut inside a character, wherever it comes from and however wide the window is.

use std::time::Duration;

use serde_json::json;

use crate::support::person::{CTRL_HOME, ENTER, PAGE_DOWN};
use crate::support::reply::{Reply, say, tool};
use crate::support::run::{Run, Stage};

const ODD: &str = "职里缘✅“quotes”\u{202f}한글😊";

/// Lines in which each byte offset from 0 to 130 lies inside a character once.
fn every_offset() -> String {
    (0..131)
        .map(|offset| format!("{}{ODD}\n", "a".repeat(offset)))
        .collect()
}

fn table() -> String {
    format!("| {ODD} | b |\n|---|---|\n| 职里缘 | {ODD} |\n\n")
}

/// Draws everything at each width from 8 to 60.
fn at_every_width(run: &mut Run) {
    for width in (8..=60).chain([80]) {
        run.pty.resize(width, 24);
        run.pause(Duration::from_millis(30));
    }
    run.pty.settle();
    run.pty.send(CTRL_HOME);
    run.pty.settle();
    for _ in 0..12 {
        run.pty.send(PAGE_DOWN);
        run.pause(Duration::from_millis(30));
    }
    assert!(!run.wrote_replacement());
}

#[test]
fn in_an_answer() {
    let text = table() + &every_offset();
    let mut run = Stage::new([say(&text)]).start(&[]);
    run.ready();
    run.say("go");
    run.stage.api.wait_for(1);
    run.pty.settle();
    at_every_width(&mut run);
    let saved = run.transcript();
    assert!(
        saved.contains(&json!(text).to_string()),
        "the text is not whole in the transcript"
    );
    run.finish();
}

#[test]
fn in_a_message_and_the_title_made_from_it() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    let text = every_offset();
    run.pty.paste(&text);
    run.pty.settle();
    run.pty.send(ENTER);
    let requests = run.stage.api.wait_for(1);
    let sent = requests[0].last_blocks();
    assert!(
        sent[0]["text"]
            .as_str()
            .is_some_and(|sent| sent.contains(text.trim_end()))
    );
    run.pty.settle();
    at_every_width(&mut run);
    run.finish();
}

#[test]
fn in_arguments_and_a_result() {
    let lines: Vec<String> = every_offset().lines().map(str::to_owned).collect();
    let result = json!({"content": [{"type": "text", "text": every_offset()}]});
    let script = [tool(
        "s__wipe",
        &json!({"target": lines, ODD: ODD}).to_string(),
    )];
    let part = json!({"calls": {"wipe": {"result": result}}});
    let mut run = Stage::new(script).server("s", part).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("n deny");
    at_every_width(&mut run);
    run.pty.send("v");
    run.pty.settle();
    at_every_width(&mut run);
    run.pty.send("\x1b[F");
    run.pty.settle();
    run.pty.send("v");
    run.approve();
    run.pty.wait_for_line("done");
    at_every_width(&mut run);
    run.finish();
}

#[test]
fn in_an_error_and_the_name_of_a_server() {
    let part = json!({"exit": 3, "stderr": [ODD.repeat(20)]});
    let error = Reply::error(400, "invalid_request_error", &every_offset());
    let mut run = Stage::new([error]).server(ODD, part).start(&[]);
    run.pty
        .wait_until("something", |screen| !screen.trim().is_empty());
    run.pty.settle();
    run.say("go");
    run.stage.api.wait_for(1);
    run.pty.settle();
    at_every_width(&mut run);
    run.finish();
}
