//! E06: a slow server blocks nobody, is named when it is late, and can be used once it is there.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::reply::{say, tool, tool_as};
use crate::support::run::Stage;

#[test]
fn slow_and_silent_servers_hold_up_nothing_and_the_slow_one_is_used_later() {
    let script = [
        tool("s3__echo", "{\"text\":\"a\"}"),
        say("first"),
        tool_as("toolu_2", "s1__echo", "{\"text\":\"b\"}"),
        say("second"),
    ];
    let begun = Instant::now();
    let mut run = Stage::new(script)
        .server("s1", json!({"initialize": {"delay": 5}}))
        .server("s2", json!({"initialize": {"never": true}}))
        .server("s3", Value::Null)
        .variable("MCP_TIMEOUT", "3000")
        .start(&[]);
    run.pty
        .wait_until("something", |screen| !screen.trim().is_empty());
    // Half a second is for the release build; here others use the machine too.
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "first frame after {:?}",
        begun.elapsed()
    );
    run.stage.mcp("s3").wait_for("tools/list");
    run.pty.settle();
    run.say("go");
    let offered = run.stage.api.wait_for(1)[0].tool_names();
    assert!(
        offered.iter().all(|name| name.starts_with("s3__")),
        "{offered:?}"
    );
    run.approve();
    run.pty.wait_for("first");
    run.stage.mcp("s1").wait_for("tools/list");
    run.pause(Duration::from_millis(300));
    assert!(
        run.all_screens().contains("s2"),
        "the silent server was never named"
    );
    run.say("again");
    run.approve();
    run.pty.wait_for("second");
    assert_eq!(run.stage.mcp("s1").calls().len(), 1);
    run.finish();
}
