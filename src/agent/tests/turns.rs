//! Turns: how they begin, end, halt and go on.

use crate::agent::event::AgentEvent;
use crate::agent::phase::{Halt, Phase};
use crate::agent::tests::bench::{Bench, asks, names, text};
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::moment::Millis;
use crate::chat::stream::{BlockOpening, StopReason, StreamEvent};

fn stream_text(bench: &mut Bench, said: &str) {
    let request = bench.agent.last_request;
    let events = vec![
        StreamEvent::BlockStarted {
            index: 0,
            opening: BlockOpening::Text,
        },
        StreamEvent::TextGrew {
            index: 0,
            text: said.to_owned(),
        },
    ];
    bench.tell(AgentEvent::Streamed { request, events });
}

fn fail(bench: &mut Bench, kind: FailureKind, retry: RetryHint) -> Vec<String> {
    let request = bench.agent.last_request;
    let error = TurnError::new(kind, "it failed");
    names(&bench.tell(AgentEvent::RequestFailed {
        request,
        error,
        retry,
    }))
}

#[test]
fn what_is_said_is_written_down_before_it_is_sent() {
    let mut bench = Bench::new();
    assert_eq!(
        names(&bench.say("hi")),
        ["remember said", "remember request 1", "send 1"]
    );
}

#[test]
fn a_turn_ends_when_a_reply_asks_for_no_call_whatever_its_stop_reason_says() {
    for stop in [
        StopReason::EndTurn,
        StopReason::ToolUse,
        StopReason::Other("new".into()),
    ] {
        let mut bench = Bench::new();
        bench.say("hi");
        assert_eq!(
            names(&bench.reply(vec![text("yes")], stop)),
            ["remember reply", "paused"]
        );
        assert_eq!(bench.agent.phase(), &Phase::Idle);
    }
}

#[test]
fn a_call_under_end_turn_still_goes_to_the_gate() {
    let mut bench = Bench::new();
    bench.say("hi");
    bench.reply(vec![asks("a", "s__echo")], StopReason::EndTurn);
    assert_eq!(bench.agent.gate().waiting().len(), 1);
}

#[test]
fn a_blank_message_is_not_sent() {
    let mut bench = Bench::new();
    assert_eq!(names(&bench.say(" \n\t ")), Vec::<String>::new());
}

#[test]
fn a_message_typed_during_a_turn_waits_and_then_begins_the_next_one() {
    let mut bench = Bench::new();
    bench.say("one");
    assert_eq!(names(&bench.say("two")), Vec::<String>::new());
    let effects = bench.reply(vec![text("yes")], StopReason::EndTurn);
    assert_eq!(
        names(&effects),
        [
            "remember reply",
            "remember said",
            "remember request 2",
            "send 2"
        ]
    );
    assert_eq!(
        Bench::sent(&effects),
        [
            "User: text \"one\"",
            "Assistant: said \"yes\"",
            "User: text \"two\""
        ]
    );
}

#[test]
fn a_queued_message_can_be_taken_back() {
    let mut bench = Bench::new();
    bench.say("one");
    bench.say("two");
    assert_eq!(
        names(&bench.tell(AgentEvent::QueueTakenBack)),
        ["give back"]
    );
    assert_eq!(bench.agent.queue().count(), 0);
}

#[test]
fn a_paused_turn_goes_on_without_a_word_from_the_person() {
    let mut bench = Bench::new();
    bench.say("hi");
    let effects = bench.reply(vec![text("searching")], StopReason::PauseTurn);
    assert_eq!(
        names(&effects),
        ["remember reply", "remember request 2", "send 2"]
    );
    assert_eq!(
        Bench::sent(&effects),
        ["User: text \"hi\"", "Assistant: said \"searching\""]
    );
}

#[test]
fn a_turn_that_never_ends_stops_at_its_limit_and_offers_to_go_on() {
    let mut bench = Bench::new();
    bench.say("hi");
    for _ in 0..4 {
        bench.reply(vec![text("more")], StopReason::PauseTurn);
    }
    let last = bench.reply(vec![text("more")], StopReason::PauseTurn);
    assert_eq!(names(&last), ["remember reply", "paused"]);
    assert_eq!(bench.agent.phase(), &Phase::Halted(Halt::TurnLimit(5)));
}

#[test]
fn a_refused_turn_is_not_sent_again() {
    let mut bench = Bench::new();
    bench.say("bad");
    let refusal = StopReason::Refusal {
        category: Some("cyber".into()),
        explanation: None,
    };
    assert_eq!(
        names(&bench.reply(vec![], refusal)),
        ["remember refused", "paused"]
    );
    assert_eq!(Bench::sent(&bench.say("good")), ["User: text \"good\""]);
}

#[test]
fn a_reply_cut_by_the_output_limit_goes_on_with_one_key() {
    let mut bench = Bench::new();
    bench.say("hi");
    bench.reply(vec![text("long")], StopReason::MaxTokens);
    assert_eq!(bench.agent.phase(), &Phase::Halted(Halt::MaxTokens));
    let sent = Bench::sent(&bench.tell(AgentEvent::AskedAgain));
    assert_eq!(sent.len(), 3);
    assert_eq!(sent[2], "User: text \"Go on from where you stopped.\"");
}

#[test]
fn a_call_cut_by_the_output_limit_never_runs() {
    let mut bench = Bench::new();
    bench.say("hi");
    let effects = bench.reply(vec![asks("a", "s__echo")], StopReason::MaxTokens);
    assert_eq!(
        names(&effects),
        ["remember reply", "remember a NotRun", "paused"]
    );
    assert!(bench.agent.gate().waiting().is_empty());
    assert_eq!(
        Bench::sent(&bench.tell(AgentEvent::AskedAgain)),
        [
            "User: text \"hi\"",
            "Assistant: asks a",
            "User: result a NotRun"
        ]
    );
}

#[test]
fn an_overload_before_the_reply_is_tried_again_with_the_same_history() {
    let mut bench = Bench::new();
    bench.say("hi");
    assert_eq!(
        fail(&mut bench, FailureKind::Overloaded, RetryHint::default())[0].get(..4),
        Some("wait")
    );
    let request = bench.agent.last_request;
    let effects = bench.tell(AgentEvent::RetryDue(request));
    assert_eq!(names(&effects), ["remember request 2", "send 2"]);
    assert_eq!(Bench::sent(&effects), ["User: text \"hi\""]);
}

#[test]
fn a_wrong_key_halts_and_asking_again_sends_the_same() {
    let mut bench = Bench::new();
    bench.say("hi");
    let failed = fail(&mut bench, FailureKind::Unauthorized, RetryHint::default());
    assert_eq!(failed, ["remember cut unauthorized", "paused"]);
    assert_eq!(
        Bench::sent(&bench.tell(AgentEvent::AskedAgain)),
        ["User: text \"hi\""]
    );
}

#[test]
fn an_overload_inside_the_stream_is_an_error_with_a_one_key_retry() {
    let mut bench = Bench::new();
    bench.say("hi");
    stream_text(&mut bench, "partial");
    let request = bench.agent.last_request;
    let error = TurnError::new(FailureKind::Overloaded, "Overloaded");
    let events = vec![StreamEvent::Failed(error)];
    let effects = bench.tell(AgentEvent::Streamed { request, events });
    assert_eq!(
        names(&effects),
        ["abort 1", "remember cut overloaded", "paused"]
    );
    assert_eq!(
        Bench::sent(&bench.tell(AgentEvent::AskedAgain)),
        ["User: text \"hi\""]
    );
}

#[test]
fn a_cut_text_is_part_of_the_conversation_when_the_person_goes_on_from_it() {
    let mut bench = Bench::new();
    bench.say("hi");
    stream_text(&mut bench, "partial  \n");
    let hint = RetryHint {
        body_began: true,
        ..RetryHint::default()
    };
    fail(&mut bench, FailureKind::StreamCut, hint);
    assert_eq!(
        Bench::sent(&bench.say("and?")),
        [
            "User: text \"hi\"",
            "Assistant: text \"partial\"",
            "User: text \"and?\""
        ]
    );
}

#[test]
fn a_stopped_stream_keeps_what_came_and_its_late_events_are_dropped() {
    let mut bench = Bench::new();
    bench.say("hi");
    stream_text(&mut bench, "partial");
    let stopped = names(&bench.tell(AgentEvent::StreamStopped));
    assert_eq!(stopped, ["abort 1", "remember cut stopped", "paused"]);
    assert_eq!(
        names(&bench.reply(vec![text("late")], StopReason::EndTurn)),
        Vec::<String>::new()
    );
}

#[test]
fn giving_up_a_wait_shows_the_error_that_was_waited_for() {
    let mut bench = Bench::new();
    bench.say("hi");
    fail(&mut bench, FailureKind::Overloaded, RetryHint::default());
    bench.now = bench.now + Millis(100);
    bench.tell(AgentEvent::TurnStopped);
    let error = TurnError::new(FailureKind::Overloaded, "it failed");
    assert_eq!(bench.agent.phase(), &Phase::Halted(Halt::Failed(error)));
}

#[test]
fn an_empty_reply_is_said_and_can_be_asked_for_again() {
    let mut bench = Bench::new();
    bench.say("hi");
    assert_eq!(
        names(&bench.reply(vec![], StopReason::EndTurn)),
        ["remember cut empty", "paused"]
    );
    assert_eq!(
        Bench::sent(&bench.tell(AgentEvent::AskedAgain)),
        ["User: text \"hi\""]
    );
}
