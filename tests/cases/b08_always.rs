//! B08: one yes is one call. Nothing is remembered as a yes, and a pattern says what it says.

use serde_json::{Value, json};

use crate::support::person::ENTER;
use crate::support::reply::{say, tool_as, tools};
use crate::support::run::Stage;

#[test]
fn other_arguments_the_same_again_another_tool_and_another_server_each_wait_for_a_key() {
    let calls = [
        ("s1__echo", "{\"text\":\"a\"}"),
        ("s1__echo", "{\"text\":\"b\"}"),
        ("s1__echo", "{\"text\":\"b\"}"),
        ("s1__wipe", "{\"target\":\"a\"}"),
        ("s2__echo", "{\"text\":\"a\"}"),
    ];
    let numbered = calls.iter().enumerate();
    let script = numbered.map(|(i, (name, json))| tool_as(&format!("toolu_{i}"), name, json));
    let mut run = Stage::new(script)
        .server("s1", Value::Null)
        .server("s2", Value::Null)
        .start(&[]);
    run.ready();
    run.say("go");
    for done in 0..calls.len() {
        run.stage.api.wait_for(done + 1);
        run.at_gate();
        run.pause(std::time::Duration::from_millis(300));
        assert_eq!(run.stage.calls(), done, "a call ran by itself");
        run.approve();
    }
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn a_yes_does_not_outlive_the_session() {
    let call = |id| tool_as(id, "s__echo", "{\"text\":\"a\"}");
    let script = [call("toolu_1"), say("one"), call("toolu_2"), say("two")];
    let mut run = Stage::new(script).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for("one");
    run.end_by_quitting();
    let mut run = run.again(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for("two");
    run.finish();
}

#[test]
fn without_a_person_only_the_named_tool_of_the_named_server_runs() {
    let stage = Stage::new([])
        .server("s1", Value::Null)
        .server("s2", Value::Null)
        .server(
            "s1__echo",
            json!({"tools": [{"name": "x", "inputSchema": {"type": "object"}}]}),
        );
    stage.api.then_make(|request| {
        let names = request.tool_names();
        let x = names
            .iter()
            .find(|name| name.ends_with('x'))
            .map_or("s1__echo__x", String::as_str);
        tools(&[
            ("toolu_1", "s1__echo", "{\"text\":\"a\"}"),
            ("toolu_2", "s1__wipe", "{}"),
            ("toolu_3", "s2__echo", "{}"),
            ("toolu_4", x, "{}"),
        ])
    });
    let output = stage.run(&["-p", "go", "--allow-tool", "s1__echo"], "");
    assert_eq!(
        stage.mcp("s1").calls(),
        [("echo".to_owned(), json!({"text": "a"}))],
        "{output:?}"
    );
    assert_eq!(stage.mcp("s2").calls(), []);
    assert_eq!(stage.mcp("s1__echo").calls(), []);
    assert_eq!(output.code, Some(4), "{output:?}");
    assert!(
        output.stderr.contains("s1__wipe") && output.stderr.contains("--allow-tool"),
        "{output:?}"
    );
    assert_eq!(stage.api.refusals(), Vec::<String>::new());
}

#[test]
fn without_a_person_and_without_a_pattern_no_tool_runs() {
    let stage = Stage::new([tool_as("toolu_1", "s__echo", "{\"text\":\"a\"}")]).with_echo();
    let output = stage.run(&["-p", "go"], "");
    assert_eq!((output.code, stage.calls()), (Some(4), 0), "{output:?}");
}

#[test]
fn a_pattern_is_refused_where_a_person_could_be_asked() {
    let mut run = Stage::new([])
        .with_echo()
        .start(&["--allow-tool", "s__echo"]);
    run.pty.send(ENTER);
    let ended = run.pty.wait_end(std::time::Duration::from_secs(5));
    assert_eq!(
        ended,
        Some(crate::support::pty::Ended::Code(2)),
        "{}",
        run.pty.screen()
    );
}
