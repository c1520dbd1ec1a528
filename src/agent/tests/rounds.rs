//! Rounds of calls: who runs, who doesn't, and what the model hears.

use crate::agent::event::AgentEvent;
use crate::agent::phase::{Halt, Phase};
use crate::agent::tests::bench::{Bench, asks, asks_with, names, text};
use crate::chat::stream::StopReason;
use crate::gate::Gate;
use crate::gate::allow::AllowList;
use crate::gate::decision::Decision;

fn two_calls() -> Bench {
    let mut bench = Bench::new();
    bench.say("hi");
    bench.reply(
        vec![asks("a", "s__echo"), asks("b", "s__wipe")],
        StopReason::ToolUse,
    );
    bench
}

#[test]
fn parallel_calls_are_decided_one_by_one_and_answered_together_in_the_order_asked() {
    let mut bench = two_calls();
    assert_eq!(
        names(&bench.decide(Decision::Run)),
        ["remember a Approved", "call a"]
    );
    assert_eq!(
        names(&bench.decide(Decision::Run)),
        ["remember b Approved", "call b"]
    );
    assert_eq!(names(&bench.finish("b", "two")), ["remember b Succeeded"]);
    let effects = bench.finish("a", "one");
    assert_eq!(
        names(&effects),
        ["remember a Succeeded", "remember request 2", "send 2"]
    );
    assert_eq!(
        Bench::sent(&effects),
        [
            "User: text \"hi\"",
            "Assistant: asks a, asks b",
            "User: result a Succeeded, result b Succeeded",
        ]
    );
}

#[test]
fn a_denied_call_never_runs_and_the_model_hears_why() {
    let mut bench = two_calls();
    let why = Decision::DenyBecause("use read only".into());
    let denied = names(&bench.decide(why));
    let reason = "DeniedWithReason(\"use read only\")";
    assert_eq!(
        denied,
        [
            format!("remember a {reason}"),
            format!("remember a {reason}")
        ]
    );
    let effects = bench.decide(Decision::Deny);
    assert_eq!(
        Bench::sent(&effects).last().map(String::as_str),
        Some("User: result a DeniedWithReason(\"use read only\"), result b Denied")
    );
}

#[test]
fn the_same_call_asked_again_waits_again() {
    let mut bench = two_calls();
    bench.decide(Decision::RunAll);
    bench.finish("a", "");
    bench.finish("b", "");
    bench.reply(vec![asks("c", "s__echo")], StopReason::ToolUse);
    assert_eq!(bench.agent.gate().waiting().len(), 1);
}

#[test]
fn a_result_counts_once() {
    let mut bench = two_calls();
    bench.decide(Decision::Run);
    bench.finish("a", "one");
    assert_eq!(names(&bench.finish("a", "two")), Vec::<String>::new());
}

#[test]
fn a_result_for_a_call_that_was_never_approved_is_dropped() {
    let mut bench = two_calls();
    assert_eq!(names(&bench.finish("a", "forged")), Vec::<String>::new());
    assert_eq!(bench.agent.gate().waiting().len(), 2);
}

#[test]
fn a_tool_that_does_not_exist_is_answered_at_once() {
    let mut bench = Bench::new();
    bench.say("hi");
    let effects = bench.reply(vec![asks("a", "nothing")], StopReason::ToolUse);
    assert_eq!(
        names(&effects),
        [
            "remember reply",
            "remember a NotRun",
            "remember request 2",
            "send 2"
        ]
    );
}

#[test]
fn arguments_that_are_no_object_are_answered_at_once() {
    for arguments in ["[1]", "{\"a\":", "\"x\"", "{\"n\":1e400}"] {
        let mut bench = Bench::new();
        bench.say("hi");
        let effects = bench.reply(
            vec![asks_with("a", "s__echo", arguments)],
            StopReason::ToolUse,
        );
        assert!(
            names(&effects).contains(&"remember a NotRun".to_owned()),
            "{arguments}"
        );
    }
}

#[test]
fn two_calls_with_one_id_are_two_calls() {
    let mut bench = Bench::new();
    bench.say("hi");
    bench.reply(
        vec![asks("a", "s__echo"), asks("a", "s__wipe")],
        StopReason::ToolUse,
    );
    assert_eq!(
        names(&bench.decide(Decision::Run)),
        ["remember a Approved", "call a"]
    );
    assert_eq!(bench.agent.gate().waiting().len(), 1);
    assert_eq!(
        names(&bench.decide(Decision::Run)),
        ["remember a_2 Approved", "call a_2"]
    );
}

#[test]
fn stopping_one_call_leaves_the_others_and_asks_the_model_again() {
    let mut bench = two_calls();
    bench.decide(Decision::RunAll);
    let stopped = names(&bench.tell(AgentEvent::CallStopped("a".into())));
    assert_eq!(stopped, ["cancel a", "remember a Cancelled"]);
    assert_eq!(names(&bench.finish("a", "late")), Vec::<String>::new());
    let effects = bench.finish("b", "done");
    assert_eq!(
        Bench::sent(&effects).last().map(String::as_str),
        Some("User: result a Cancelled, result b Succeeded")
    );
}

#[test]
fn stopping_the_turn_answers_every_open_call_and_asks_nothing() {
    let mut bench = two_calls();
    bench.decide(Decision::Run);
    let stopped = names(&bench.tell(AgentEvent::TurnStopped));
    assert_eq!(
        stopped,
        [
            "remember b Stopped",
            "remember b Denied",
            "cancel a",
            "remember a Cancelled",
            "paused"
        ]
    );
    assert_eq!(
        Bench::sent(&bench.say("next")),
        [
            "User: text \"hi\"",
            "Assistant: asks a, asks b",
            "User: result a Cancelled, result b Denied",
            "User: text \"next\"",
        ]
    );
}

#[test]
fn a_message_typed_at_the_gate_waits_for_the_end_of_the_turn() {
    let mut bench = two_calls();
    bench.say("later");
    bench.decide(Decision::DenyAll);
    let effects = bench.reply(vec![text("fine")], StopReason::EndTurn);
    assert_eq!(
        Bench::sent(&effects).last().map(String::as_str),
        Some("User: text \"later\"")
    );
}

#[test]
fn without_a_person_only_what_the_command_line_names_runs() {
    let allowed = AllowList::parse(&["s__echo"]).unwrap();
    let mut bench = Bench::with_gate(Gate::headless(allowed));
    bench.say("hi");
    let calls = vec![asks("a", "s__echo"), asks("b", "s__wipe")];
    let effects = names(&bench.reply(calls, StopReason::ToolUse));
    assert!(effects.contains(&"call a".to_owned()));
    assert!(!effects.contains(&"call b".to_owned()));
    bench.finish("a", "done");
    assert_eq!(
        bench.agent.phase(),
        &Phase::Halted(Halt::NeedsApproval(vec!["s__wipe".to_owned()]))
    );
}

#[test]
fn a_call_whose_server_ended_while_it_waited_is_approved_in_vain() {
    let mut bench = two_calls();
    bench.agent.lose_server(&"s".into());
    let effects = names(&bench.decide(Decision::Run));
    assert_eq!(effects, ["remember a Approved", "remember a ServerGone"]);
}
