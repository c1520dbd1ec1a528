//! A12: half a character from a server or the model becomes a replacement mark, not a broken session.

use serde_json::json;

use crate::support::http::text_of;
use crate::support::reply::{Reply, end, ms, tb, tool, tools};
use crate::support::run::Stage;

#[test]
fn half_a_surrogate_in_a_result_is_sent_as_a_replacement_mark() {
    let raw =
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"cut \ud83d"}]}}"#;
    let part = json!({"calls": {"echo": {"raw": raw}}});
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .server("s", part)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    let requests = run.stage.api.wait_for(2);
    let results = requests[1].results();
    assert!(results[0].2.contains("cut \u{fffd}"), "{results:?}");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn half_a_surrogate_in_the_answer_is_shown_as_a_replacement_mark() {
    let whole = ms() + &tb(0, "cut @@ end") + &end("end_turn");
    let broken = whole.replace("@@", "\\ud83d");
    let reply = Reply::stream(&broken);
    let mut run = Stage::new([reply]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("end");
    run.pty.settle();
    assert!(run.wrote_replacement());
    run.say("next");
    run.pty.wait_for_line("done");
    let requests = run.stage.api.requests();
    let said = text_of(&requests[1].messages()[1]["content"]);
    assert_eq!(said, "cut \u{fffd} end");
    run.finish();
}

/// Results whose four-byte character lies across the limit at every offset.
fn at_the_limit(limit: usize) {
    let results: Vec<_> = (0..7)
        .map(|offset| {
            let text = "a".repeat(limit - 3 - offset + 3) + &"🌊".repeat(4);
            json!({"result": {"content": [{"type": "text", "text": text}]}})
        })
        .collect();
    let calls: Vec<String> = (0..7).map(|i| format!("toolu_{i}")).collect();
    let calls: Vec<_> = calls
        .iter()
        .map(|id| (id.as_str(), "s__echo", "{\"text\":\"a\"}"))
        .collect();
    let stage = Stage::new([tools(&calls)])
        .server("s", json!({"calls": {"echo": results}}))
        .config(&format!("[limits]\nresult_bytes = {limit}\n"));
    let output = stage.run(&["-p", "go", "--allow-tool", "s__echo"], "");
    assert_eq!(
        (output.code, output.stdout.trim()),
        (Some(0), "done"),
        "{output:?}"
    );
    assert_eq!(stage.api.refusals(), Vec::<String>::new());
    let requests = stage.api.requests();
    assert_eq!(requests[1].results().len(), 7);
    for (id, _, text) in requests[1].results() {
        assert!(!text.contains('\u{fffd}'), "{id} ends in half a character");
    }
}

#[test]
fn a_result_is_cut_between_characters_at_1_ki() {
    at_the_limit(1 << 10);
}

#[test]
fn a_result_is_cut_between_characters_at_4_ki() {
    at_the_limit(4 << 10);
}

#[test]
fn a_result_is_cut_between_characters_at_64_ki() {
    at_the_limit(64 << 10);
}
