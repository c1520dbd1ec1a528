//! E07: a server that can't start is named with its command and reason, and costs only itself.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::fake_mcp::FakeMcp;
use crate::support::pty::Ended;
use crate::support::reply::tool;
use crate::support::run::Stage;

#[test]
fn every_bad_server_is_named_and_the_good_one_works() {
    let stage = Stage::new([tool("s7__echo", "{\"text\":\"a\"}")]);
    let work = stage.home.work();
    fs::write(work.join("plain.txt"), "no program").expect("a file is written");
    let relative = json!({"command": "./server.sh", "cwd": work, "args": []});
    let part = FakeMcp::new(&stage.home.servers(), "s5", &json!({}));
    let script = format!("#!/bin/sh\nexec python3 {}\n", part.args().join(" "));
    fs::write(work.join("server.sh"), script).expect("a script is written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(work.join("server.sh"), executable).expect("a mode is set");
    let mut run = stage
        .entry("s1", json!({"command": "no-such-bin"}))
        .entry("s2", json!({"command": work.join("plain.txt")}))
        .entry("s3", json!({"command": work}))
        .entry("s4", json!({"command": "true"}))
        .entry("s5", relative)
        .server("s6", Value::Null)
        .entry("s6", json!({"env": {"T": "${HOME}"}}))
        .server("s7", Value::Null)
        .sized(120, 45)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for_line("done");
    let screens = run.all_screens();
    for bad in ["s1", "s2", "s3", "s4"] {
        assert!(screens.contains(bad), "{bad} was never named");
    }
    assert!(
        screens.contains("no-such-bin"),
        "the missing command was never named"
    );
    assert!(
        part.log().iter().any(|entry| entry["event"] == "started"),
        "s5 was not started"
    );
    let home = run.stage.home.path().join("home");
    let started = &run.stage.mcp("s6").log()[0];
    assert_eq!(started["environ"]["T"], json!(home));
    run.finish();
}

/// Writes a configuration that is wrong; the program ends with 3 and says where.
fn is_told(mcp: &str, words: &[&str]) {
    let stage = Stage::new([]);
    fs::write(stage.home.config().join("mcp.json"), mcp).expect("mcp.json is written");
    let mut run = stage.start(&[]);
    let ended = run.pty.wait_end(Duration::from_secs(5));
    let said = String::from_utf8_lossy(&run.pty.log()).into_owned();
    assert_eq!(ended, Some(Ended::Code(3)), "{said}");
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
    run.judge();
}

#[test]
fn a_mistake_of_syntax_is_told_with_file_and_line() {
    is_told(
        "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\",}\n  }\n}",
        &["mcp.json", "3"],
    );
}

#[test]
fn a_name_used_twice_is_told() {
    let twice =
        "{\n\"mcpServers\": {\n\"dup\": {\"command\": \"x\"},\n\"dup\": {\"command\": \"y\"}}}";
    is_told(twice, &["mcp.json", "dup"]);
}

/// Writes a configuration with one mistake in one entry; the program starts and says so.
fn starts_with_a_warning(entry: &Value, words: &[&str]) {
    let mut run = Stage::new([])
        .entry("odd", entry.clone())
        .sized(120, 40)
        .start(&[]);
    run.pty.wait_until("the warning", |screen| {
        words.iter().all(|word| screen.contains(word))
    });
    run.finish();
}

#[test]
fn an_unknown_field_of_a_server_is_a_warning() {
    starts_with_a_warning(
        &json!({"command": "true", "commnad": "x"}),
        &["odd", "commnad"],
    );
}

#[test]
fn an_empty_command_is_told_with_file_and_line() {
    let empty = "{\n\"mcpServers\": {\n\"odd\": {\"command\": \"\"}}}";
    is_told(empty, &["mcp.json", "line 3", "odd", "command"]);
}

#[test]
fn a_variable_that_is_not_set_is_told_and_costs_only_that_server() {
    let entry = json!({"command": "${NO_SUCH_VARIABLE_HERE}"});
    starts_with_a_warning(&entry, &["odd", "NO_SUCH_VARIABLE_HERE"]);
}
