//! B05: invisible and direction-changing characters are seen at the gate, and sent as they are.

use serde_json::{Value, json};

use crate::support::reply::tool;
use crate::support::run::{Run, Stage};

/// Characters that may never reach the terminal as themselves.
const HIDDEN: [char; 11] = [
    '\u{202e}',
    '\u{2066}',
    '\u{2069}',
    '\u{200b}',
    '\u{2060}',
    '\u{feff}',
    '\u{e0061}',
    '\u{e0062}',
    '\u{34f}',
    '\u{ad}',
    '\u{200d}',
];

fn at_gate_with(arguments: &Value) -> Run {
    let script = [tool("s__wipe", &arguments.to_string())];
    let mut run = Stage::new(script).with_echo().sized(100, 40).start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    run
}

fn runs_unchanged(mut run: Run, arguments: Value) {
    let log = String::from_utf8_lossy(&run.pty.log()).into_owned();
    let leaked: Vec<char> = HIDDEN.into_iter().filter(|c| log.contains(*c)).collect();
    assert!(
        leaked.is_empty(),
        "invisible characters reached the terminal: {leaked:?}"
    );
    run.pty.settle();
    let drawn = run.drawn();
    assert_eq!(run.fresh_draw(), drawn);
    run.approve();
    assert_eq!(
        run.stage.mcp("s").wait_for_calls(1),
        [("wipe".to_owned(), arguments)]
    );
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn each_invisible_character_in_a_value_has_a_visible_mark() {
    let arguments = json!({
        "target": "a\u{202e}\u{2066}txt.exe\u{2069}", "n": "ad\u{200b}min\u{2060}\u{feff}",
        "t": "\u{e0061}\u{e0062}", "v": "x\u{34f}\u{ad}\u{fe0f}\u{fe0f}",
    });
    let run = at_gate_with(&arguments);
    let screen = run.pty.screen().to_lowercase();
    for code in [
        "202e", "2066", "2069", "200b", "2060", "feff", "e0061", "e0062", "34f", "ad",
    ] {
        assert!(screen.contains(code), "U+{code} is not marked:\n{screen}");
    }
    runs_unchanged(run, arguments);
}

#[test]
fn two_keys_that_differ_by_an_invisible_character_are_seen_as_two() {
    let arguments = json!({"path": "a", "pa\u{200b}th": "b"});
    let run = at_gate_with(&arguments);
    assert!(
        run.pty.screen().to_lowercase().contains("200b"),
        "{}",
        run.pty.screen()
    );
    runs_unchanged(run, arguments);
}

#[test]
fn a_tool_with_a_letter_of_another_script_is_called_by_its_own_name() {
    let tools = json!([{"name": "rеad", "inputSchema": {"type": "object"}},
        {"name": "read", "inputSchema": {"type": "object"}}]);
    let stage = Stage::new([]).server("s", json!({"tools": tools}));
    stage.api.then_make(|request| {
        let names = request.tool_names();
        let other = names
            .iter()
            .find(|name| *name != "s__read")
            .expect("two tools are offered");
        tool(other, "{}")
    });
    let mut run = stage.start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    assert_eq!(
        run.stage.mcp("s").wait_for_calls(1),
        [("rеad".to_owned(), json!({}))]
    );
    run.pty.wait_for_line("done");
    run.finish();
}
