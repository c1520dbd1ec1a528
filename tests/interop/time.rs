//! A small real MCP server in Python.

use serde_json::json;

use super::install::python_program;
use crate::support::reply::tools;
use crate::support::run::Stage;

#[test]
fn it_converts_a_time_and_refuses_a_place_that_does_not_exist() {
    let Some(program) = python_program("mcp-server-time") else {
        return;
    };
    let good =
        "{\"source_timezone\":\"UTC\",\"time\":\"12:00\",\"target_timezone\":\"Asia/Tokyo\"}";
    let calls = tools(&[
        ("toolu_1", "t__convert_time", good),
        (
            "toolu_2",
            "t__get_current_time",
            "{\"timezone\":\"Nowhere/Land\"}",
        ),
    ]);
    let stage = Stage::new([calls]).entry("t", json!({"command": program, "args": []}));
    let output = stage.run(&["-p", "go", "--allow-tool", "t__*"], "");
    assert_eq!(
        (output.code, output.stdout.trim()),
        (Some(0), "done"),
        "{output:?}"
    );
    let results = stage.api.requests()[1].results();
    assert!(
        !results[0].1 && results[0].2.contains("21:00"),
        "{results:?}"
    );
    assert!(
        results[1].1 && results[1].2.contains("Nowhere/Land"),
        "{results:?}"
    );
    assert_eq!(stage.api.refusals(), Vec::<String>::new());
}
