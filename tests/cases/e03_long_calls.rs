//! E03: a long call shows its time, lives as long as it makes progress, and ends at its limits.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::reply::{tool, tool_as};
use crate::support::run::{Run, Stage};

const LIMITS: &str = "[limits]\ntool_idle_seconds = 2\ntool_total_seconds = 6\n";

fn calling(behaviour: Value) -> Run {
    let part = json!({"calls": {"echo": [behaviour, {}]}});
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .server("s", part)
        .config(LIMITS)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.stage.mcp("s").wait_for_calls(1);
    run
}

fn result(run: &mut Run) -> (bool, String) {
    let requests = run.stage.api.wait_for(2);
    let results = requests[1].results();
    (results[0].1, results[0].2.clone())
}

#[test]
fn a_call_that_is_never_answered_shows_its_time_and_ends_at_the_idle_limit() {
    let mut run = calling(json!({"never": true}));
    run.pty.wait_until("the time", |screen| {
        screen.contains("1s") || screen.contains("1 s")
    });
    let (is_error, text) = result(&mut run);
    assert!(is_error && text.contains('2'), "{text}");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn a_call_that_reports_progress_is_not_cut_by_the_idle_limit() {
    let mut run = calling(json!({"progress": {"every": 1, "times": 4}}));
    let call = run.stage.mcp("s").received_of("tools/call").remove(0);
    let token = &call["params"]["_meta"]["progressToken"];
    assert!(!token.is_null(), "no progress was asked for: {call}");
    assert_eq!(result(&mut run), (false, "a".to_owned()));
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn an_answer_that_comes_too_late_is_dropped() {
    let mut run = calling(json!({"delay": 3}));
    let (is_error, _) = result(&mut run);
    assert!(is_error);
    run.pty.wait_for_line("done");
    run.pause(Duration::from_millis(1500));
    run.stage
        .api
        .then(tool_as("toolu_2", "s__echo", "{\"text\":\"second\"}"));
    run.say("again");
    run.approve();
    let requests = run.stage.api.wait_for(4);
    assert_eq!(requests[3].results()[0].2, "second");
    run.finish();
}

#[test]
fn progress_for_ever_ends_at_the_total_limit() {
    let mut run = calling(json!({"progress": {"every": 1, "times": 100}}));
    let (is_error, text) = result(&mut run);
    assert!(is_error && text.contains('6'), "{text}");
    run.pty.wait_for_line("done");
    run.finish();
}
