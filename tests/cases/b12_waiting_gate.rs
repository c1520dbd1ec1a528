//! B12: whatever times out or dies while the gate waits, nothing runs without its key.

use std::time::Duration;

use serde_json::json;

use crate::support::person::CTRL_C;
use crate::support::reply::tool;
use crate::support::run::{Run, Stage};
use crate::support::wait;

/// Opens a gate and lets it wait: 150 s where `KEYTIDE_TEST_LONG` is set, else three.
fn waiting() -> Run {
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    let long = std::env::var_os("KEYTIDE_TEST_LONG").is_some();
    for _ in 0..if long { 150 } else { 3 } {
        run.pause(Duration::from_secs(1));
        assert_eq!(run.stage.calls(), 0, "approved by itself");
    }
    run
}

/// Approves a call that can no longer run: it is answered as an error within two seconds.
fn fails_at_once(mut run: Run) {
    run.at_gate();
    run.pty.send("y");
    let stage = std::rc::Rc::clone(&run.stage);
    let again = |screen: &str| screen.contains("press y again");
    run.pty.wait_until("an answer", |screen| {
        again(screen) || stage.api.requests().len() > 1
    });
    if again(&run.pty.screen()) {
        run.pause(Duration::from_millis(400));
        run.pty.send("y");
    }
    let answered = wait::answer(Duration::from_secs(2), || {
        (run.stage.api.requests().len() > 1).then_some(())
    });
    assert!(
        answered.is_some(),
        "no answer within 2 s:\n{}",
        run.pty.screen()
    );
    let results = run.stage.api.requests()[1].results();
    assert!(results.len() == 1 && results[0].1, "{results:?}");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn after_a_long_wait_a_yes_runs_the_call_once() {
    let mut run = waiting();
    run.approve();
    run.pty.wait_for_line("done");
    assert_eq!(run.stage.calls(), 1);
    run.finish();
}

#[test]
fn a_yes_for_a_server_that_has_gone_is_an_error_at_once() {
    let mut run = waiting();
    run.stage
        .mcp("s")
        .command(&json!({"do": "exit", "code": 3}));
    run.pause(Duration::from_millis(500));
    fails_at_once(run);
}

#[test]
fn a_yes_for_a_tool_that_has_gone_is_an_error_at_once() {
    let mut run = waiting();
    run.stage
        .mcp("s")
        .command(&json!({"do": "tools", "tools": []}));
    wait::until("the list is asked for again", || {
        run.stage.mcp("s").received_of("tools/list").len() > 1
    });
    run.pause(Duration::from_millis(300));
    fails_at_once(run);
}

#[test]
fn after_a_long_wait_the_turn_can_be_stopped_cleanly() {
    let mut run = waiting();
    run.pty.send(CTRL_C);
    run.pty.wait_gone("y run");
    run.pty.settle();
    run.say("next");
    run.pty.wait_for_line("done");
    assert_eq!(run.stage.calls(), 0);
    run.finish();
}
