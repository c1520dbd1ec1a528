//! A06: a turn without words never puts an empty or blank text into the history.

use std::time::Duration;

use serde_json::json;

use crate::support::person::ENTER;
use crate::support::reply::{Reply, end, ms, start, stop, tb, tu};
use crate::support::run::Stage;

fn wordless_call() -> Reply {
    let empty = start(0, &json!({"type": "text", "text": ""})) + &stop(0);
    let call = tu(1, "toolu_1", "s__echo", &["{\"text\":\"x\"}"]);
    Reply::stream(&(ms() + &empty + &call + &end("tool_use")))
}

fn blank_answer() -> Reply {
    Reply::stream(&(ms() + &tb(0, "\n \n") + &end("end_turn")))
}

#[test]
fn an_empty_text_an_empty_result_and_a_blank_answer_leave_a_history_that_can_go_on() {
    let empty = json!({"calls": {"echo": {"result": {"content": [{"type": "text", "text": ""}]}}}});
    let mut run = Stage::new([wordless_call(), blank_answer()])
        .server("s", empty)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    let requests = run.stage.api.wait_for(2);
    let results = requests[1].results();
    assert_eq!(
        (results.len(), &*results[0].0, results[0].1),
        (1, "toolu_1", false)
    );
    run.pty.settle();
    run.say("hi");
    run.pty.wait_for_line("done");
    run.end_by_quitting();
    let mut run = run.again(&["-c"]);
    run.ready();
    run.say("hi2");
    run.stage.api.wait_for(4);
    run.pty.settle();
    run.finish();
}

#[test]
fn blank_input_is_not_sent() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    run.pty.send(ENTER);
    run.pause(Duration::from_millis(100));
    run.pty.send("   ");
    run.pause(Duration::from_millis(100));
    run.pty.send(ENTER);
    run.pause(Duration::from_millis(500));
    assert_eq!(run.stage.api.requests().len(), 0);
    run.finish();
}
