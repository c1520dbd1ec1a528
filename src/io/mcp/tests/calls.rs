use tokio::time::Instant as Clock;

use super::*;
use crate::chat::listing::Progress;
use crate::chat::tool::{TimeLimit, ToolOutcome};

fn short(idle: u64, total: u64) -> CallLimits {
    CallLimits {
        idle: Millis(idle),
        total: Millis(total),
        ..LIMITS
    }
}

#[tokio::test]
async fn a_call_gives_what_the_tool_says_and_the_server_gets_its_own_name_for_it() {
    let mut play = Play::part(&json!({"tools": [{"name": "a b/c"}], "calls": {"bad": {}}}));
    play.listed("s").await;
    let result = play.call("s", "a b/c", "héllo").await;
    assert_eq!(result.outcome, ToolOutcome::Succeeded);
    assert_eq!(said(&result), "héllo");
    let sent = play.received("s", "tools/call");
    assert_eq!(sent[0]["params"]["name"], "a b/c");
    assert_eq!(sent[0]["params"]["arguments"], json!({"text": "héllo"}));
}

#[tokio::test]
async fn errors_of_the_tool_and_of_the_protocol_are_failures_with_their_words() {
    let mut play = Play::part(&json!({"calls": {
        "echo": {"result": {"isError": true, "content": [{"type": "text", "text": "no"}]}},
        "wipe": {"error": {"code": -32602, "message": "bad target"}}}}));
    play.listed("s").await;
    let result = play.call("s", "echo", "").await;
    assert_eq!(
        (&result.outcome, said(&result).as_str()),
        (&ToolOutcome::Failed, "no")
    );
    let result = play.call("s", "wipe", "").await;
    assert_eq!(result.outcome, ToolOutcome::Failed);
    assert_eq!(said(&result), "MCP error -32602: bad target");
}

#[tokio::test]
async fn a_silent_call_ends_at_its_limit_and_the_late_answer_is_dropped() {
    let part = json!({"calls": {"echo": [{"never": true, "late": 0.1}, {}]}});
    let mut play = Play::part(&part);
    play.listed("s").await;
    let id = play.send("s", "echo", "one", short(300, 5_000));
    let result = play.finished(&id).await;
    assert_eq!(
        result.outcome,
        ToolOutcome::TimedOut(TimeLimit::Idle(Millis(300)))
    );
    play.wait_until(|play| !play.received("s", "notifications/cancelled").is_empty())
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(said(&play.call("s", "echo", "two").await), "two");
}

#[tokio::test]
async fn progress_keeps_a_call_alive_but_not_for_ever() {
    let part = json!({"calls": {"echo": {"progress": {"every": 0.15, "times": 6}},
                                "wipe": {"progress": {"every": 0.1, "times": 1000}}}});
    let mut play = Play::part(&part);
    play.listed("s").await;
    let id = play.send("s", "echo", "done", short(500, 9_000));
    let progress = play
        .next(|fact| match fact {
            Fact::ToolProgressed { call, progress } => (call == id).then_some(progress),
            _ => None,
        })
        .await;
    let expected = Progress {
        done: 1.0,
        total: None,
        message: Some("step 0".to_owned()),
    };
    assert_eq!(progress, expected);
    assert_eq!(play.finished(&id).await.outcome, ToolOutcome::Succeeded);
    let id = play.send("s", "wipe", "", short(500, 900));
    let outcome = play.finished(&id).await.outcome;
    assert_eq!(
        outcome,
        ToolOutcome::TimedOut(TimeLimit::Total(Millis(900)))
    );
}

#[tokio::test]
async fn a_cancelled_call_is_told_to_the_server_and_leaves_it_alive() {
    let part = json!({"calls": {"echo": [{"never": true, "late": 0.2}, {}]}});
    let mut play = Play::part(&part);
    play.listed("s").await;
    let id = play.send("s", "echo", "one", LIMITS);
    play.wait_until(|play| !play.received("s", "tools/call").is_empty())
        .await;
    let began = Clock::now();
    play.mcp.cancel(&id);
    assert_eq!(play.finished(&id).await.outcome, ToolOutcome::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(1));
    play.wait_until(|play| !play.received("s", "notifications/cancelled").is_empty())
        .await;
    let call = play.received("s", "tools/call");
    let told = play.received("s", "notifications/cancelled");
    assert_eq!(told[0]["params"]["requestId"], call[0]["id"]);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(said(&play.call("s", "echo", "two").await), "two");
    let starts = play
        .log("s")
        .into_iter()
        .filter(|entry| entry["event"] == "started");
    assert_eq!(starts.count(), 1);
}

#[tokio::test]
async fn a_call_waits_for_the_transcript_and_can_be_cancelled_before_it_is_sent() {
    let mut play = Play::part(&json!({}));
    play.listed("s").await;
    let order = Order {
        id: ToolUseId::new("x"),
        server: ServerName::new("s"),
        tool: "echo".to_owned(),
        arguments: serde_json::Map::new(),
        limits: LIMITS,
    };
    let id = order.id.clone();
    play.mcp.send(order, Box::pin(std::future::pending()));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(play.received("s", "tools/call"), [Value::Null; 0]);
    play.mcp.cancel(&id);
    let result = play.finished(&id).await;
    assert_eq!(result.outcome, ToolOutcome::Cancelled);
    assert!(said(&result).contains("not been sent"));
}

#[tokio::test]
async fn answers_that_can_hardly_be_read_end_their_calls_all_the_same() {
    let mut play = Play::new(vec![odd(&["bom"])]);
    play.listed("odd").await;
    let result = play.call("odd", "surrogate", "").await;
    assert_eq!(
        (said(&result).as_str(), result.outcome),
        ("cut \u{fffd}", ToolOutcome::Succeeded)
    );
    let result = play.call("odd", "escapes", "").await;
    assert_eq!(said(&result), "a\u{1b}[2Jb\u{1b}]0;t\u{7}");
    for tool in ["nan", "broken"] {
        let result = play.call("odd", tool, "").await;
        assert_eq!(result.outcome, ToolOutcome::Failed);
        assert!(
            said(&result).contains("not valid JSON"),
            "{}",
            said(&result)
        );
    }
    let result = play.call("odd", "huge", "").await;
    assert_eq!(result.outcome, ToolOutcome::Failed);
    assert!(
        said(&result).contains("bytes on one line"),
        "{}",
        said(&result)
    );
    assert_eq!(
        said(&play.call("odd", "echo", "still here").await),
        "still here"
    );
}

#[tokio::test]
async fn lists_of_answers_ids_as_text_and_errors_without_ids_are_understood() {
    for habits in [&["batch"][..], &["textid"], &["noid"]] {
        let mut play = Play::new(vec![odd(habits)]);
        play.listed("odd").await;
        assert_eq!(
            said(&play.call("odd", "echo", "hi").await),
            "hi",
            "{habits:?}"
        );
        let result = play.call("odd", "refuse", "").await;
        assert_eq!(
            said(&result),
            "MCP error -32602: no such thing",
            "{habits:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_asks_for_input_is_not_answered_in_the_persons_name() {
    let mut play = Play::new(vec![odd(&[])]);
    play.listed("odd").await;
    let result = play.call("odd", "ask", "").await;
    assert_eq!(said(&result), r#"{"action": "decline"}"#);
}

#[tokio::test]
async fn a_long_result_is_cut_and_says_so() {
    let mut play = Play::part(&json!({}));
    play.listed("s").await;
    let result = play.call("s", "echo", &"🌊".repeat(300)).await;
    let said = said(&result);
    assert!(
        said.ends_with("|[Cut: 1000 of 1200 bytes are shown; the whole result is in /blobs/1.]")
    );
}

#[tokio::test]
async fn calls_to_servers_and_tools_that_are_not_there_never_run() {
    let mut play = Play::part(&json!({"initialize": {"never": true}}));
    let result = play.call("s", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
    assert!(
        said(&result).contains("still starting"),
        "{}",
        said(&result)
    );
    let result = play.call("nobody", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
    assert!(said(&result).contains("no server `nobody`"));
}

#[tokio::test]
async fn a_tool_that_was_taken_off_the_list_is_not_called_any_more() {
    let mut play = Play::part(&json!({}));
    play.listed("s").await;
    for tools in [json!([]), json!([{"name": "a"}]), json!([{"name": "wipe"}])] {
        play.command("s", &json!({"do": "tools", "tools": tools}));
    }
    assert_eq!(play.names("s").await, ["wipe"]);
    // The notices came close together: one list answers them all.
    assert_eq!(play.received("s", "tools/list").len(), 2);
    let result = play.call("s", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
    assert_eq!(play.received("s", "tools/call"), [Value::Null; 0]);
}
