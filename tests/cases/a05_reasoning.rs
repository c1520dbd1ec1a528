//! A05: reasoning blocks go back as they came, whole and in order, or not at all.

use serde_json::{Value, json};

use crate::support::http::Request;
use crate::support::reply::{Reply, delta, end, ms, say, start, stop, tb, tu};
use crate::support::run::{Run, Stage};

fn thinking(pieces: &[&str]) -> Reply {
    let begin = start(
        0,
        &json!({"type": "thinking", "thinking": "", "signature": ""}),
    );
    let pieces = pieces
        .iter()
        .map(|text| delta(0, &json!({"type": "thinking_delta", "thinking": text})));
    let signature = delta(
        0,
        &json!({"type": "signature_delta", "signature": "EqQBCkYI"}),
    );
    let hidden = start(1, &json!({"type": "redacted_thinking", "data": "Zm9v"})) + &stop(1);
    Reply::stream(
        &(ms()
            + &begin
            + &pieces.collect::<String>()
            + &signature
            + &stop(0)
            + &hidden
            + &tb(2, "ok")
            + &tu(3, "toolu_1", "s__echo", &["{\"text\":", "\"x\"}"])
            + &end("tool_use")),
    )
}

fn said_in(request: &Request, message: usize) -> Value {
    request.messages()[message]["content"].clone()
}

/// Asks, approves, and returns the run once the answer is there.
fn one_turn(first: &Reply) -> Run {
    let mut run = Stage::new([first.clone(), say("finished")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for("finished");
    let requests = run.stage.api.requests();
    assert_eq!(said_in(&requests[1], 1), Value::Array(first.blocks.clone()));
    assert_eq!(requests[0].json()["system"], requests[1].json()["system"]);
    run
}

fn again_after_reopening(mut run: Run, arguments: &[&str]) {
    run.end_by_quitting();
    let mut run = run.again(arguments);
    run.ready();
    run.pty.wait_for("finished");
    run.say("again");
    run.stage.api.wait_for(3);
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn thinking_text_signature_and_hidden_blocks_are_replayed_byte_for_byte_also_after_reopening() {
    let run = one_turn(&thinking(&["a — é\n  b "]));
    let answers = run.pty.screen();
    assert!(
        !answers.lines().any(|line| line.trim() == "a — é"),
        "reasoning as answer:\n{answers}"
    );
    again_after_reopening(run, &["-c"]);
}

#[test]
fn thinking_that_is_only_a_signature_survives() {
    again_after_reopening(one_turn(&thinking(&[])), &["-c"]);
}

#[test]
fn another_model_after_reopening_gets_the_reasoning_whole_or_not_at_all() {
    again_after_reopening(
        one_turn(&thinking(&["thought"])),
        &["-c", "-m", "claude-haiku-5"],
    );
}
