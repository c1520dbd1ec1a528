//! F08: an old conversation can always be read; to go on, the missing part is named.

use std::fs;

use serde_json::{Value, json};

use crate::support::reply::{Reply, say, tool, tool_as};
use crate::support::run::{Run, Stage};

/// A finished conversation with a call in it, made with a server `s`.
fn with_call() -> Run {
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}"), say("first answer")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("first question");
    run.approve();
    run.pty.wait_for("first answer");
    run.end_by_quitting();
    run
}

#[test]
fn without_its_server_it_opens_goes_on_and_no_old_yes_revives() {
    let run = with_call();
    run.stage
        .api
        .then(tool_as("toolu_2", "s__echo", "{\"text\":\"b\"}"));
    let mut run = run.again(&["-c", "--no-mcp"]);
    run.pty.wait_for("first answer");
    run.pty.settle();
    run.say("go on");
    let requests = run.stage.api.wait_for(4);
    let results = requests[3].results();
    assert!(results.len() == 1 && results[0].1, "{results:?}");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn with_its_server_the_same_call_waits_for_its_own_key() {
    let run = with_call();
    run.stage
        .api
        .then(tool_as("toolu_2", "s__echo", "{\"text\":\"a\"}"));
    let mut run = run.again(&["-c"]);
    run.ready();
    run.say("go on");
    run.at_gate();
    assert_eq!(run.stage.calls(), 1);
    run.deny();
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn a_model_that_is_gone_is_named_and_the_text_stays() {
    let run = with_call();
    run.stage
        .api
        .then(Reply::error(404, "not_found_error", "model: claude-opus-5"));
    let mut run = run.again(&["-c"]);
    run.ready();
    run.pty.wait_for("first answer");
    run.say("go on");
    run.pty
        .wait_until("the model's name in an error", |screen| {
            screen.contains("404") || screen.to_lowercase().contains("model")
        });
    run.stage.api.wait_for(3);
    run.pty.settle();
    run.finish();
}

#[test]
fn without_a_key_and_without_a_network_it_can_be_read() {
    let run = with_call();
    let shown = {
        let stage = &run.stage;
        let id = stage.home.transcripts()[0]
            .file_stem()
            .map(|id| id.to_string_lossy().into_owned());
        let id = id.expect("a transcript has a name");
        stage.run(&["transcripts", "show", &id], "")
    };
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for text in ["first question", "first answer", "echo"] {
        assert!(
            shown.stdout.contains(text),
            "no `{text}`:\n{}",
            shown.stdout
        );
    }
}

#[test]
fn records_of_a_newer_version_are_kept() {
    let run = with_call();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let text = fs::read_to_string(&file).expect("it is UTF-8");
    let last: Value =
        serde_json::from_str(text.lines().last().expect("it has lines")).expect("JSON");
    let mut newer = last.clone();
    newer["id"] = json!("01990000-0000-7000-8000-00000000ffff");
    newer["parent"] = last["id"].clone();
    newer["kind"] = json!("hologram");
    newer["v"] = json!(99);
    newer["shape"] = json!({"from the future": true});
    fs::write(&file, format!("{text}{newer}\n")).expect("it can be written");
    let mut run = run.again(&["-c"]);
    run.ready();
    run.pty.wait_for("first answer");
    run.say("go on");
    run.pty.wait_for_line("done");
    let texts = run.stage.home.transcripts().into_iter();
    let all: String = texts
        .map(|file| fs::read_to_string(file).expect("it is UTF-8"))
        .collect();
    assert!(
        all.contains("from the future"),
        "the unknown record is gone"
    );
    run.finish();
}
