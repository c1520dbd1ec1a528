//! A14: one odd schema of one server costs at most that one tool.

use serde_json::{Value, json};

use crate::support::reply::tool;
use crate::support::run::Stage;

fn tools() -> Value {
    let plain = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let recursive = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
    json!([
        {"name": "echo", "inputSchema": plain},
        {"name": "odd1", "inputSchema": {"oneOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object"}]}},
        {"name": "odd2", "inputSchema": {}},
        {"name": "odd3"},
        {"name": "odd4", "inputSchema": {"type": "object", "properties": {"raw": true, "x": {}}}},
        {"name": "odd5", "inputSchema": {"type": "object", "required": null, "properties": null}},
        {"name": "odd6", "inputSchema": {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object"}}}},
        {"name": "odd7", "inputSchema": recursive},
        {"name": "odd8", "inputSchema": true},
        {"name": "odd9", "inputSchema": plain, "annotations": null, "description": null},
    ])
}

#[test]
fn odd_schemas_are_made_fit_or_left_out_by_name_and_the_good_tool_works() {
    let script = [tool("s__echo", "{\"text\":\"hello\"}")];
    let mut run = Stage::new(script)
        .server("s", json!({"tools": tools()}))
        .sized(100, 40)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for_line("done");
    assert_eq!(
        run.stage.mcp("s").calls(),
        [("echo".to_owned(), json!({"text": "hello"}))]
    );
    let offered = run.stage.api.requests()[0].tool_names();
    let screens = run.all_screens();
    for number in 1..=9 {
        let name = format!("odd{number}");
        let is_offered = offered.contains(&format!("s__{name}"));
        assert!(
            is_offered || screens.contains(&name),
            "{name} is gone without a word: {offered:?}"
        );
    }
    run.finish();
}
