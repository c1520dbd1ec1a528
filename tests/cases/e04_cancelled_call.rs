//! E04: cancelling a call tells its server, and the server lives on.

use std::time::Duration;

use serde_json::json;

use crate::support::person::ESC;
use crate::support::reply::{say, tool, tool_as};
use crate::support::run::Stage;
use crate::support::wait;

#[test]
fn the_server_is_told_which_call_its_late_answer_is_dropped_and_the_next_call_works() {
    let part = json!({"calls": {"echo": [{"never": true, "late": 1}, {}]}});
    let script = [
        tool("s__echo", "{\"text\":\"a\"}"),
        say("stopped"),
        tool_as("toolu_2", "s__echo", "{\"text\":\"second\"}"),
    ];
    let mut run = Stage::new(script).server("s", part).start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.stage.mcp("s").wait_for_calls(1);
    run.pause(Duration::from_secs(1));
    run.pty.send(ESC);
    let told = wait::answer(Duration::from_secs(1), || {
        run.stage
            .mcp("s")
            .received_of("notifications/cancelled")
            .pop()
    });
    let told = told.expect("the server is told within a second");
    let call = run.stage.mcp("s").received_of("tools/call").remove(0);
    assert_eq!(told["params"]["requestId"], call["id"]);
    run.pty.wait_for("stopped");
    let results = run.stage.api.requests()[1].results();
    assert!(
        results[0].1 && results[0].2.to_lowercase().contains("cancel"),
        "{results:?}"
    );
    run.pause(Duration::from_millis(1300));
    run.say("again");
    run.approve();
    let requests = run.stage.api.wait_for(4);
    assert_eq!(
        requests[3].results(),
        [("toolu_2".to_owned(), false, "second".to_owned())]
    );
    assert_eq!(
        run.stage.mcp("s").pids().len(),
        1,
        "the server was started again"
    );
    run.pty.wait_for_line("done");
    run.finish();
}
