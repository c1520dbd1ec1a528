//! Another project's imitation of the Messages API: what it serves is read, what is sent it takes.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::install::node_program;
use super::service::Service;
use crate::support::run::Stage;

fn fixtures() -> Value {
    json!({"fixtures": [
        {"match": {"userMessage": "weather", "hasToolResult": false}, "response": {
            "reasoning": "I should call the tool.",
            "toolCalls": [
                {"name": "w__get_weather", "arguments": "{\"city\":\"Paris\"}"},
                {"name": "w__get_time", "arguments": "{\"tz\":\"CET\"}"}]}},
        {"match": {"hasToolResult": true}, "response": {"content": "It is sunny in Paris."}},
        {"match": {"userMessage": "limit"}, "response": {"status": 429, "error": {
            "message": "slow down", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}},
        {"match": {"userMessage": "hello"}, "response": {"content": "Hello to you, 世界 🌊."}},
    ]})
}

/// Starts it with the fixtures and a stage whose model it is.
fn stage() -> Option<(Service, Stage)> {
    let program = node_program("@copilotkit/aimock", "dist/cli.js")?;
    let weather = json!({"tools": [
        {"name": "get_weather", "inputSchema": {"type": "object"}},
        {"name": "get_time", "inputSchema": {"type": "object"}}]});
    let stage = Stage::new([]).server("w", weather);
    let file = stage.home.path().join("fixtures.json");
    fs::write(&file, fixtures().to_string()).expect("fixtures are written");
    let service = Service::start(|port| {
        let mut node = Command::new("node");
        node.args([&program, "--port", &port.to_string(), "--fixtures"])
            .arg(&file);
        node.args(["--strict", "--chunk-size", "4", "--log-level", "warn"]);
        node
    });
    let url = format!("http://127.0.0.1:{}", service.port);
    Some((service, stage.variable("ANTHROPIC_BASE_URL", &url)))
}

#[test]
fn it_asks_for_two_calls_gets_both_results_in_one_message_and_answers() {
    let Some((service, stage)) = stage() else {
        return;
    };
    let output = stage.run(&["-p", "how is the weather?", "--allow-tool", "w__*"], "");
    assert_eq!(
        (output.code, output.stdout.trim()),
        (Some(0), "It is sunny in Paris."),
        "{output:?}"
    );
    let mut called: Vec<String> = stage
        .mcp("w")
        .calls()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    called.sort();
    assert_eq!(called, ["get_time", "get_weather"]);
    let journal = service.get("/__aimock/journal?path=/v1/messages");
    // It keeps requests in another service's words.
    assert_eq!(journal.matches("\"tool_call_id\"").count(), 2, "{journal}");
}

#[test]
fn its_answer_is_shown_whole_in_a_terminal() {
    let Some((_service, stage)) = stage() else {
        return;
    };
    let mut run = stage.start(&[]);
    run.ready();
    run.say("hello");
    run.pty.wait_for("Hello to you, 世界 🌊.");
    run.finish();
}

#[test]
fn its_rate_limit_is_told_and_can_be_given_up() {
    let Some((_service, stage)) = stage() else {
        return;
    };
    let mut run = stage.start(&[]);
    run.ready();
    run.say("limit");
    run.pty.wait_until("the limit", |screen| {
        screen.to_lowercase().contains("limit") && screen.contains("slow down")
            || screen.contains("429")
    });
    run.pty.send("\x1b");
    run.finish();
}
