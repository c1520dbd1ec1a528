//! E11: a server without tools is connected, and is asked only for what it offers.

use serde_json::{Value, json};

use crate::support::run::Stage;

/// Connects to one server, asks the model, and returns the methods that the server received.
fn methods_with(part: Value) -> Vec<String> {
    let mut run = Stage::new([]).server("s", part).start(&[]);
    run.pty
        .wait_until("something", |screen| !screen.trim().is_empty());
    run.stage.mcp("s").wait_for("initialize");
    run.pause(std::time::Duration::from_millis(800));
    run.say("go");
    run.pty.wait_for_line("done");
    let body = run.stage.api.requests()[0].json();
    let none = body.get("tools").is_none() || body["tools"].as_array().is_some_and(Vec::is_empty);
    assert!(none, "tools were offered: {}", body["tools"]);
    assert_eq!(run.stage.api.warnings(), Vec::<String>::new());
    let received = run.stage.mcp("s").received();
    let methods = received
        .iter()
        .filter_map(|message| message["method"].as_str());
    let methods = methods.map(str::to_owned).collect();
    run.finish();
    methods
}

fn asked_for_no_lists(methods: &[String]) {
    let lists = ["resources/list", "resources/templates/list", "prompts/list"];
    assert!(
        !methods
            .iter()
            .any(|method| lists.contains(&method.as_str())),
        "{methods:?}"
    );
}

fn capabilities(offered: Value) -> Value {
    json!({"initialize": {"result": {"capabilities": offered}}, "tools": []})
}

#[test]
fn one_that_offers_resources_and_knows_no_tools() {
    let mut part = capabilities(json!({"resources": {}}));
    part["list_error"] = json!({"code": -32601, "message": "Method not found"});
    let methods = methods_with(part);
    assert!(!methods.contains(&"prompts/list".to_owned()), "{methods:?}");
}

#[test]
fn one_with_an_empty_list() {
    asked_for_no_lists(&methods_with(capabilities(json!({"tools": {}}))));
}

#[test]
fn one_that_offers_nothing() {
    asked_for_no_lists(&methods_with(capabilities(json!({}))));
}

#[test]
fn one_that_does_not_say_what_it_offers() {
    asked_for_no_lists(&methods_with(
        json!({"initialize": {"without": ["capabilities"]}, "tools": []}),
    ));
}

#[test]
fn one_that_speaks_an_unknown_version_is_refused_by_name_or_used() {
    let part = json!({"initialize": {"result": {"protocolVersion": "1999-01-01"}}});
    let mut run = Stage::new([]).server("s", part).start(&[]);
    run.stage.mcp("s").wait_for("initialize");
    run.pause(std::time::Duration::from_millis(800));
    run.say("go");
    run.pty.wait_for_line("done");
    let used = !run.stage.api.requests()[0].tool_names().is_empty();
    assert!(
        used || run.all_screens().contains("1999-01-01"),
        "{}",
        run.pty.screen()
    );
    run.finish();
}

#[test]
fn one_that_does_not_say_its_name() {
    asked_for_no_lists(&methods_with(
        json!({"initialize": {"without": ["serverInfo"]}, "tools": []}),
    ));
}
