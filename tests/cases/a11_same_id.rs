//! A11: two calls with one id never share an approval, and no doubled id reaches the service.

use std::time::Duration;

use crate::support::person::{ARMED, CTRL_C};
use crate::support::reply::{tool, tools};
use crate::support::run::{Run, Stage};

/// Denies whatever still waits and asks something else; the history must be valid.
fn goes_on(mut run: Run) {
    run.pty.settle();
    run.pause(Duration::from_millis(600));
    if run.pty.screen().contains(ARMED) {
        run.pty.send(CTRL_C);
        run.pty.wait_gone(ARMED);
    }
    run.say("next");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn two_calls_of_one_answer_with_the_same_id() {
    let twice = tools(&[
        ("toolu_1", "s__echo", "{\"text\":\"a\"}"),
        ("toolu_1", "s__wipe", "{\"target\":\"b\"}"),
    ]);
    let mut run = Stage::new([twice]).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.stage.api.wait_for(1);
    run.pause(Duration::from_secs(1));
    run.pty.settle();
    if run.pty.screen().contains(ARMED) {
        run.approve();
        run.pause(Duration::from_millis(700));
        assert!(
            run.stage.calls() <= 1,
            "one approval, {} calls",
            run.stage.calls()
        );
    }
    goes_on(run);
}

#[test]
fn an_id_of_the_round_before_is_used_again() {
    let call = || tool("s__echo", "{\"text\":\"a\"}");
    let mut run = Stage::new([call(), call()]).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.stage.api.wait_for(2);
    run.pause(Duration::from_millis(700));
    assert_eq!(run.stage.calls(), 1, "the first approval ran a second call");
    goes_on(run);
}
