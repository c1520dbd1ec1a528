//! `-p`: one answer in three formats, its exit code, and what is allowed.

use keytide::app::event::{Fact, Signal};
use keytide::chat::failure::FailureKind;
use keytide::chat::moment::Millis;
use keytide::chat::stream::{BlockOpening, StopReason, StreamEvent};
use keytide::cli::invocation::OutputFormat;
use keytide::gate::Gate;
use keytide::gate::allow::AllowList;
use keytide::print::answer::{Ask, answer};
use serde_json::{Value, json};

use super::script::{Piece, Reply, Script, ask, fails, opening, say, tools};
use super::world::{Staged, app};

/// What a run without a screen leaves behind.
#[derive(Debug)]
struct Printed {
    code: u8,
    out: String,
    err: String,
    asked: Vec<String>,
}

/// Runs one answer. One server lists its tools after a while.
async fn print(script: Script, format: OutputFormat, allow: &[&str]) -> Printed {
    play(script, format, allow, None).await
}

async fn play(
    script: Script,
    format: OutputFormat,
    allow: &[&str],
    happens: Option<(u64, Fact)>,
) -> Printed {
    let allowed = AllowList::parse(allow).expect("the patterns are fine");
    let mut app = app(Gate::headless(allowed));
    let mut world = Staged::new(script, 80, 24);
    world.after(
        700,
        Fact::ToolsListed {
            server: "s".into(),
            tools: tools(),
            problems: Vec::new(),
        },
    );
    world.after(
        600,
        Fact::ServerChanged {
            server: "s".into(),
            status: keytide::app::servers::ServerStatus::Ready {
                title: None,
                protocol: "2025-06-18".into(),
            },
        },
    );
    if let Some((after, fact)) = happens {
        world.after(after, fact);
    }
    let ask = Ask {
        prompt: "When is high water?".into(),
        format,
        servers: 1,
        patience: Millis(35_000),
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = answer(&mut app, &mut world, &ask, &mut out, &mut err).await;
    Printed {
        code: code.expect("it can be written"),
        out: String::from_utf8(out).expect("it is text"),
        err: String::from_utf8(err).expect("it is text"),
        asked: world.asked,
    }
}

fn one_call() -> Script {
    Script::default()
        .then(ask(
            "I ask.",
            &[("toolu_1", "s__echo", r#"{"text":"Dover","token":"abc"}"#)],
        ))
        .then(say("At 06:12."))
        .result("toolu_1", 400, "06:12")
}

fn lines(printed: &Printed) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("each line is JSON");
    printed.out.lines().map(parse).collect()
}

#[tokio::test(start_paused = true)]
async fn text_is_the_answer_and_nothing_else() {
    let printed = print(
        Script::default().then(say("At 06:12.\n\nAnd\u{1b}[2J at 18:40.")),
        OutputFormat::Text,
        &[],
    )
    .await;
    assert_eq!(printed.code, 0);
    assert_eq!(printed.err, "");
    assert!(!printed.out.contains('\u{1b}'), "{:?}", printed.out);
    assert!(
        printed.out.starts_with("At 06:12.\n\nAnd"),
        "{:?}",
        printed.out
    );
    assert!(printed.out.ends_with(" at 18:40.\n"), "{:?}", printed.out);
}

#[tokio::test(start_paused = true)]
async fn an_allowed_tool_runs_and_json_tells_all_of_it_in_one_object() {
    let printed = print(one_call(), OutputFormat::Json, &["s__echo"]).await;
    assert_eq!(printed.code, 0);
    assert_eq!(printed.asked, ["send 1", "call toolu_1", "send 2"]);
    let mut told = lines(&printed);
    let cost = told[0]["cost_usd"].take();
    assert!(cost.as_f64().is_some_and(|cost| cost > 0.0), "{cost}");
    let secret = told[0]["calls"][0]["arguments"]["token"].take();
    assert!(
        secret.as_str().is_some_and(|mark| mark.starts_with('‹')),
        "{secret}"
    );
    assert_eq!(
        told,
        [json!({
            "type": "result",
            "text": "At 06:12.",
            "exit_code": 0,
            "error": null,
            "model": "claude-opus-5",
            "requests": 2,
            "usage": {
                "input_tokens": 2_400,
                "cache_read_input_tokens": 0,
                "cache_creation_input_tokens": 0,
                "output_tokens": 80,
            },
            "cost_usd": null,
            "calls": [{
                "type": "call",
                "id": "toolu_1",
                "server": "s",
                "tool": "echo",
                "arguments": {"text": "Dover", "token": null},
                "state": "ended",
                "outcome": "succeeded",
                "took_ms": 400,
                "result": [{"type": "text", "text": "06:12"}],
            }],
            "transcript": null,
        })]
    );
}

#[tokio::test(start_paused = true)]
async fn stream_json_tells_each_step_as_it_comes_and_the_result_last() {
    let printed = print(one_call(), OutputFormat::StreamJson, &["s__*"]).await;
    let told: Vec<String> = lines(&printed)
        .iter()
        .map(|event| {
            let word = event["text"].as_str().or(event["state"].as_str());
            format!(
                "{} {}",
                event["type"].as_str().unwrap_or("?"),
                word.unwrap_or("-")
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "text I ask.",
            "call running",
            "call ended",
            "text At ",
            "text 06:12.",
            "result At 06:12."
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_nobody_allowed_does_not_run_and_the_flag_that_would_allow_it_is_named() {
    for allow in [&[][..], &["s__wipe"], &["other__*"]] {
        let printed = print(one_call(), OutputFormat::Text, allow).await;
        assert_eq!(printed.code, 4);
        assert_eq!(printed.asked, ["send 1"]);
        assert!(printed.err.contains("s__echo"), "{}", printed.err);
        assert!(
            printed.err.contains("--allow-tool s__echo"),
            "{}",
            printed.err
        );
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_calls_only_the_allowed_one_runs_and_the_model_is_not_asked_again() {
    let script = Script::default()
        .then(ask(
            "Both.",
            &[("a", "s__echo", "{}"), ("b", "s__wipe", "{}")],
        ))
        .result("a", 50, "ok");
    let printed = print(script, OutputFormat::Text, &["s__echo"]).await;
    assert_eq!(
        (printed.code, printed.asked),
        (4, vec!["send 1".into(), "call a".into()])
    );
    assert!(
        printed.err.contains("--allow-tool s__wipe"),
        "{}",
        printed.err
    );
    assert!(
        !printed.err.contains("--allow-tool s__echo"),
        "{}",
        printed.err
    );
}

#[tokio::test(start_paused = true)]
async fn each_failure_has_its_exit_code_and_is_told_on_stderr() {
    let codes = [
        (FailureKind::NoCredentials, 3),
        (FailureKind::Unauthorized, 3),
        (FailureKind::BadConfiguration, 3),
        (FailureKind::BadRequest, 1),
        (FailureKind::NotFound, 1),
        (FailureKind::Forbidden, 1),
        (FailureKind::RateLimited, 75),
        (FailureKind::Overloaded, 75),
        (FailureKind::Network, 75),
        (FailureKind::StreamCut, 75),
    ];
    for (kind, code) in codes {
        let script = Script::default().then(fails(kind, "the service's own words"));
        let printed = print(script, OutputFormat::Text, &[]).await;
        assert_eq!(printed.code, code, "{kind:?}");
        assert_eq!(printed.out, "", "{kind:?}");
        assert!(printed.err.starts_with("keytide: "), "{}", printed.err);
        assert!(
            printed.err.contains("the service's own words"),
            "{}",
            printed.err
        );
        assert!(
            !printed.err.contains("F5"),
            "there is no key to press: {}",
            printed.err
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_turn_limit_ends_with_5() {
    let call = |id: &'static str| ask("Again.", &[(id, "s__echo", "{}")]);
    let script = Script::default()
        .then(call("a"))
        .then(call("b"))
        .then(call("c"))
        .result("a", 10, "ok")
        .result("b", 10, "ok")
        .result("c", 10, "ok");
    let printed = print(script, OutputFormat::Json, &["s__echo"]).await;
    assert_eq!(printed.code, 5);
    assert_eq!(lines(&printed)[0]["exit_code"], 5);
    assert!(printed.err.contains("--max-turns"), "{}", printed.err);
}

#[tokio::test(start_paused = true)]
async fn ctrl_c_ends_with_130_and_sigterm_with_143_while_the_answer_comes() {
    for (signal, code) in [(Signal::Interrupt, 130), (Signal::Terminate, 143)] {
        let happens = Some((1_000, Fact::Signalled(signal)));
        let script = Script::default().then(say("a very long answer in many words"));
        let printed = play(script, OutputFormat::Text, &[], happens).await;
        assert_eq!(printed.code, code);
        assert_eq!(printed.asked[..2], ["send 1", "abort 1"]);
    }
    // While servers are waited for, nothing was asked yet.
    let happens = Some((100, Fact::Signalled(Signal::Interrupt)));
    let printed = play(Script::default(), OutputFormat::Text, &[], happens).await;
    assert_eq!(
        (printed.code, printed.asked),
        (130, vec!["quit 130".into()])
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_cut_by_its_limit_is_printed_and_the_code_says_so() {
    let mut events = opening();
    events.push(super::script::grew("At 06"));
    events.push(StreamEvent::BlockFinished {
        index: 0,
        block: super::script::text("At 06"),
    });
    events.extend([
        StreamEvent::Stopping(StopReason::MaxTokens),
        StreamEvent::Finished,
    ]);
    let script = Script::default().then(Reply(vec![(10, Piece::Events(events))]));
    let printed = print(script, OutputFormat::Text, &[]).await;
    assert_eq!((printed.code, printed.out.as_str()), (1, "At 06\n"));
    assert!(printed.err.contains("--max-tokens"), "{}", printed.err);
}

#[tokio::test(start_paused = true)]
async fn a_reply_of_thinking_alone_is_no_answer() {
    let events = vec![
        StreamEvent::BlockStarted {
            index: 0,
            opening: BlockOpening::Thinking,
        },
        StreamEvent::Stopping(StopReason::EndTurn),
        StreamEvent::Finished,
    ];
    let script = Script::default().then(Reply(vec![(10, Piece::Events(events))]));
    let printed = print(script, OutputFormat::Text, &[]).await;
    assert_eq!((printed.code, printed.out.as_str()), (1, ""));
    assert!(printed.err.contains("empty"), "{}", printed.err);
}
