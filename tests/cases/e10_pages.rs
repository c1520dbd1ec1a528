//! E10: a list in pages is read to its end, and a list without end is cut with a word.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::run::{Run, Stage};

fn named(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

fn page(name: &str, next: Value) -> Value {
    json!({"tools": [named(name)], "nextCursor": next})
}

/// Asks something and returns the tools that the model was offered.
fn offered(part: Value) -> (Run, Vec<String>) {
    let mut run = Stage::new([]).server("s", part).start(&[]);
    run.ready();
    run.pause(Duration::from_millis(700));
    run.say("go");
    run.pty.wait_for_line("done");
    let mut names = run.stage.api.requests()[0].tool_names();
    names.sort();
    (run, names)
}

#[test]
fn three_pages_give_every_tool_once() {
    let last = json!({"tools": [named("c")]});
    let pages = json!({"": page("a", json!("p2")), "p2": page("b", json!("p3")), "p3": last});
    let (run, names) = offered(json!({"pages": pages}));
    assert_eq!(names, ["s__a", "s__b", "s__c"]);
    run.finish();
}

#[test]
fn an_empty_cursor_is_the_end() {
    let pages = json!({"": page("a", json!("p2")), "p2": page("b", json!(""))});
    let (run, names) = offered(json!({"pages": pages}));
    assert!(
        names.starts_with(&["s__a".to_owned()]) && names.contains(&"s__b".to_owned()),
        "{names:?}"
    );
    assert!(run.stage.mcp("s").received_of("tools/list").len() <= 3);
    run.finish();
}

#[test]
fn a_null_cursor_is_the_end() {
    let (run, names) = offered(json!({"pages": {"": page("a", Value::Null)}}));
    assert_eq!(names, ["s__a"]);
    run.finish();
}

fn endless(cursors: &str) {
    let (run, names) = offered(json!({"cursors": cursors, "tools": [named("a"), named("b")]}));
    assert_eq!(names, ["s__a", "s__b"]);
    let asked = run.stage.mcp("s").received_of("tools/list").len();
    assert!(asked < 2000, "{asked} pages were asked for");
    run.finish();
}

#[test]
fn always_the_same_cursor_is_cut_and_the_tools_are_there() {
    endless("same");
}

#[test]
fn ever_new_cursors_are_cut_and_the_tools_are_there() {
    endless("new");
}

#[test]
fn an_error_on_the_second_page_keeps_the_first_or_fails_clearly() {
    let error = json!({"error": {"code": -32603, "message": "page lost"}});
    let (run, names) = offered(json!({"pages": {"": page("a", json!("p2")), "p2": error}}));
    let told = run.all_screens().contains("page lost");
    assert!(names == ["s__a"] || told, "{names:?}");
    run.finish();
}
