//! The MCP project's own server of every feature, over stdio and over streamable HTTP.

use std::process::Command;

use serde_json::{Value, json};

use super::install::node_program;
use super::service::Service;
use crate::support::reply::{tool, tools};
use crate::support::run::Stage;

const CALLS: [(&str, &str, &str); 5] = [
    ("toolu_1", "e__echo", "{\"message\":\"hello\"}"),
    ("toolu_2", "e__get-sum", "{\"a\":2,\"b\":40}"),
    ("toolu_3", "e__get-tiny-image", "{}"),
    (
        "toolu_4",
        "e__get-structured-content",
        "{\"location\":\"New York\"}",
    ),
    (
        "toolu_5",
        "e__trigger-long-running-operation",
        "{\"duration\":1,\"steps\":2}",
    ),
];

fn program() -> Option<String> {
    node_program("@modelcontextprotocol/server-everything", "dist/index.js")
}

/// Calls five of its tools without a person and looks at what the model is told.
fn five_tools_answer(entry: Value) {
    let stage = Stage::new([tools(&CALLS)]).entry("e", entry);
    let output = stage.run(&["-p", "go", "--allow-tool", "e__*"], "");
    assert_eq!(
        (output.code, output.stdout.trim()),
        (Some(0), "done"),
        "{output:?}"
    );
    assert_eq!(stage.api.refusals(), Vec::<String>::new());
    let requests = stage.api.requests();
    let results = requests[1].results();
    let errors: Vec<_> = results
        .iter()
        .filter(|(_, is_error, _)| *is_error)
        .collect();
    assert_eq!((results.len(), errors.len()), (5, 0), "{results:?}");
    assert!(results[0].2.contains("hello"), "{results:?}");
    assert!(results[1].2.contains("42"), "{results:?}");
    let blocks = requests[1].last_blocks();
    let parts = blocks[2]["content"].as_array().cloned().unwrap_or_default();
    let image = parts.iter().find(|part| part["type"] == "image");
    assert_eq!(
        image.map(|image| &image["source"]["media_type"]),
        Some(&json!("image/png"))
    );
}

#[test]
fn five_of_its_tools_answer_over_stdio() {
    let Some(program) = program() else {
        return;
    };
    five_tools_answer(json!({"command": "node", "args": [program, "stdio"]}));
}

#[test]
fn five_of_its_tools_answer_over_streamable_http() {
    let Some(program) = program() else {
        return;
    };
    let service = Service::start(|port| {
        let mut node = Command::new("node");
        node.args([&program, "streamableHttp"])
            .env("PORT", port.to_string());
        node
    });
    let url = format!("http://127.0.0.1:{}/mcp", service.port);
    five_tools_answer(json!({"type": "http", "url": url}));
}

#[test]
fn its_echo_waits_for_a_key_and_then_answers() {
    let Some(program) = program() else {
        return;
    };
    let entry = json!({"command": "node", "args": [program, "stdio"]});
    let script = [tool("e__echo", "{\"message\":\"from a person\"}")];
    let mut run = Stage::new(script).entry("e", entry).start(&[]);
    run.pty
        .wait_until("something", |screen| !screen.trim().is_empty());
    // This server doesn't log: ask until the tool is there.
    std::thread::sleep(std::time::Duration::from_secs(3));
    run.say("go");
    run.at_gate();
    assert_eq!(run.stage.api.requests().len(), 1);
    run.approve();
    let requests = run.stage.api.wait_for(2);
    assert!(requests[1].results()[0].2.contains("from a person"));
    run.pty.wait_for_line("done");
    run.approved = 0;
    run.finish();
}
