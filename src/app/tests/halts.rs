//! A turn that stands still, and the key that makes it go on.

use crate::app::event::{Fact, Timer};
use crate::app::tests::stage::{Stage, acts, beginning, call_block, text_block, whole};
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::stream::StopReason;
use crate::keymap::key::KeyCode;

/// The keys line, as `key what`.
fn keys(stage: &Stage) -> Vec<String> {
    let scene = stage.app.scene(stage.moment());
    let keys = scene.keys.iter();
    keys.map(|(key, does)| format!("{key} {does}")).collect()
}

#[test]
fn f5_asks_again_after_each_failure_and_the_line_says_so() {
    for kind in [
        FailureKind::NoCredentials,
        FailureKind::Unauthorized,
        FailureKind::Forbidden,
        FailureKind::NotFound,
        FailureKind::TooLarge,
        FailureKind::RateLimited,
        FailureKind::Overloaded,
        FailureKind::Network,
        FailureKind::StreamCut,
        FailureKind::NotAStream,
    ] {
        let mut stage = Stage::new();
        stage.say("one");
        stage.fail(kind);
        assert!(stage.last_notice().contains("F5 ask again"), "{kind:?}");
        assert_eq!(keys(&stage)[0], "F5 ask again");
        assert_eq!(stage.press(KeyCode::F(5)), ["append request 2", "send 2"]);
        assert!(stage.press(KeyCode::F(5)).is_empty(), "once is enough");
    }
}

#[test]
fn f5_goes_on_after_the_output_limit_and_after_the_turn_limit() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.stream(whole(vec![text_block("The")], StopReason::MaxTokens));
    assert!(stage.last_notice().contains("F5 go on"));
    assert_eq!(keys(&stage)[0], "F5 go on");
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 2"]);
    stage.reply("end");
    stage.say("two");
    for round in 0..5 {
        let id = format!("c{round}");
        stage.ask_for(&[&id]);
        stage.wait(1_000);
        stage.decide('y');
        stage.finish(&id);
    }
    assert!(stage.last_notice().contains("F5 go on"));
    assert_eq!(keys(&stage)[0], "F5 go on");
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 8"]);
}

#[test]
fn f5_asks_again_after_an_empty_reply_and_a_stop() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.stream(whole(Vec::new(), StopReason::EndTurn));
    assert!(stage.last_notice().contains("F5 ask again"));
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 2"]);
    stage.stream(beginning("no"));
    stage.press(KeyCode::Esc);
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 3"]);
}

#[test]
fn where_f5_would_do_nothing_no_line_names_it() {
    let refusal = StopReason::Refusal {
        category: Some("cyber".into()),
        explanation: None,
    };
    for stop in [refusal, StopReason::ContextWindowExceeded] {
        let mut stage = Stage::new();
        stage.say("one");
        stage.stream(whole(vec![text_block("The")], stop));
        assert!(!stage.last_notice().contains("F5"));
        assert!(keys(&stage).iter().all(|key| !key.contains("F5")));
        assert!(stage.press(KeyCode::F(5)).is_empty());
        assert!(acts(&stage.say("two")).contains(&"send 2"));
    }
}

#[test]
fn a_reply_that_is_cut_by_its_limit_runs_none_of_its_calls() {
    let mut stage = Stage::new();
    stage.say("one");
    let names = stage.stream(whole(
        vec![call_block("a", "s__echo")],
        StopReason::MaxTokens,
    ));
    assert_eq!(names, ["append reply", "append a NotRun"]);
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 2"]);
}

#[test]
fn an_overload_waits_and_asks_again_by_itself_and_esc_gives_up() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.type_text("draft");
    let request = stage.request;
    let overloaded = Fact::RequestFailed {
        request,
        error: TurnError::new(FailureKind::Overloaded, "Overloaded"),
        retry: RetryHint::default(),
    };
    assert!(stage.tell(overloaded).is_empty());
    assert!(
        stage
            .timers
            .iter()
            .any(|(timer, _)| *timer == Timer::Retry(request))
    );
    assert_eq!(acts(&stage.wait(600)), ["send 2"]);
    let again = Fact::RequestFailed {
        request: stage.request,
        error: TurnError::new(FailureKind::Overloaded, "Overloaded"),
        retry: RetryHint::default(),
    };
    stage.tell(again);
    assert!(stage.press(KeyCode::Esc).is_empty());
    assert!(stage.last_notice().contains("F5 ask again"));
    assert!(stage.wait(60_000).is_empty(), "the retry was given up");
    assert_eq!(stage.draft(), "draft");
}

#[test]
fn after_a_failure_the_next_message_goes_on() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.stream(beginning("The tide"));
    assert_eq!(
        stage.fail(FailureKind::StreamCut),
        ["append cut stream_cut The tide"]
    );
    assert_eq!(acts(&stage.say("go on")), ["send 2"]);
    let texts: Vec<String> = stage.bodies[1]
        .history
        .messages()
        .iter()
        .map(|message| message.text())
        .collect();
    assert_eq!(texts, ["one", "The tide", "go on"]);
}
