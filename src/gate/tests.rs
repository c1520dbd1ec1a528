//! Stories about the gate.

use proptest::prelude::*;

use crate::chat::listing::ToolHints;
use crate::chat::moment::Millis;
use crate::chat::tool::{Arguments, ToolUse};
use crate::gate::Gate;
use crate::gate::arming::{Pauses, Readiness};
use crate::gate::call::PendingCall;
use crate::gate::decision::{Decision, Outcome, Withheld};
use crate::keymap::key::{Key, KeyCode, KeyMotion};

fn call(id: &str) -> PendingCall {
    PendingCall {
        tool_use: ToolUse {
            id: id.into(),
            name: "s__t".into(),
            arguments: Arguments::parse("{}"),
        },
        server: "s".into(),
        tool: "t".to_owned(),
        title: None,
        hints: ToolHints::default(),
        raised: Vec::new(),
        since: Millis(0),
    }
}

/// A gate with these calls, the first of them drawn whole at 1000 ms.
fn drawn_gate(ids: &[&str]) -> Gate {
    let mut gate = Gate::interactive(Pauses::default());
    gate.open(ids.iter().map(|id| call(id)).collect());
    for id in ids.iter().rev() {
        gate.drawn(&(*id).into(), true, Millis(1_000));
    }
    gate
}

/// Presses `y` and waits until it has stayed alone.
fn press_y(gate: &mut Gate, at: Millis) -> Option<Result<Vec<Outcome>, Withheld>> {
    let wait = gate.hold(Key::char('y'), at)?;
    let press = gate.release(at + wait)?;
    Some(gate.decide(&press, Decision::Run))
}

fn runs(outcome: Option<Result<Vec<Outcome>, Withheld>>) -> Vec<String> {
    outcome
        .into_iter()
        .flat_map(Result::unwrap_or_default)
        .filter_map(|outcome| match outcome {
            Outcome::Run(approved) => Some(approved.tool_use().id.to_string()),
            Outcome::Denied { .. } => None,
        })
        .collect()
}

#[test]
fn a_key_decides_only_after_the_card_was_drawn_and_the_keyboard_was_quiet() {
    let mut gate = Gate::interactive(Pauses::default());
    gate.open(vec![call("a")]);
    assert_eq!(gate.readiness(Millis(5_000)), Readiness::NotDrawn);
    gate.drawn(&"a".into(), true, Millis(1_000));
    assert_eq!(gate.readiness(Millis(1_399)), Readiness::StopTyping);
    assert_eq!(gate.readiness(Millis(1_400)), Readiness::Armed);
    assert_eq!(runs(press_y(&mut gate, Millis(1_400))), ["a"]);
}

#[test]
fn while_keys_keep_coming_the_gate_stays_unarmed_without_limit() {
    let mut gate = drawn_gate(&["a"]);
    for tick in 0..1_000 {
        let at = Millis(1_000 + tick * 399);
        assert!(press_y(&mut gate, at).is_none(), "typed at {at:?}");
    }
    assert_eq!(gate.waiting().len(), 1);
}

#[test]
fn a_burst_of_keys_decides_nothing() {
    let mut gate = drawn_gate(&["a"]);
    gate.hold(Key::char('y'), Millis(2_000));
    assert_eq!(gate.hold(Key::press(KeyCode::Enter), Millis(2_001)), None);
    assert_eq!(gate.release(Millis(9_000)), None);
    assert_eq!(gate.waiting().len(), 1);
}

#[test]
fn a_held_key_never_approves_the_call_that_slides_in() {
    let mut gate = drawn_gate(&["a", "b"]);
    assert_eq!(runs(press_y(&mut gate, Millis(2_000))), ["a"]);
    gate.drawn(&"b".into(), true, Millis(2_040));
    // The keyboard begins to repeat half a second after the key went down, 25 times a second.
    for tick in 0..200 {
        let at = Millis(2_500 + tick * 40);
        assert!(
            gate.release(at).is_none(),
            "a repeat was taken for a press at {at:?}"
        );
        gate.hold(Key::char('y'), at);
    }
    assert_eq!(gate.waiting().len(), 1);
}

#[test]
fn repeats_and_releases_that_the_terminal_tells_never_decide() {
    for motion in [KeyMotion::Repeat, KeyMotion::Release] {
        let mut gate = drawn_gate(&["a"]);
        let key = Key {
            motion,
            ..Key::char('y')
        };
        gate.observe(key);
        assert_eq!(gate.hold(key, Millis(2_000)), None);
        assert_eq!(gate.release(Millis(9_000)), None);
    }
}

#[test]
fn a_call_whose_end_was_not_seen_does_not_run() {
    let mut gate = Gate::interactive(Pauses::default());
    gate.open(vec![call("a")]);
    gate.drawn(&"a".into(), false, Millis(1_000));
    assert_eq!(
        press_y(&mut gate, Millis(2_000)),
        Some(Err(Withheld::EndNotSeen))
    );
    gate.drawn(&"a".into(), true, Millis(2_100));
    assert_eq!(runs(press_y(&mut gate, Millis(4_000))), ["a"]);
}

#[test]
fn run_all_is_withheld_while_one_call_was_not_seen_whole() {
    let mut gate = Gate::interactive(Pauses::default());
    gate.open(vec![call("a"), call("b")]);
    gate.drawn(&"a".into(), true, Millis(1_000));
    let wait = gate.hold(Key::char('Y'), Millis(2_000)).unwrap();
    let press = gate.release(Millis(2_000) + wait).unwrap();
    assert_eq!(
        gate.decide(&press, Decision::RunAll),
        Err(Withheld::EndNotSeen)
    );
    assert_eq!(gate.waiting().len(), 2);
}

#[test]
fn a_press_decides_only_the_call_that_was_in_front_of_it() {
    let mut gate = drawn_gate(&["a", "b"]);
    let wait = gate.hold(Key::char('y'), Millis(2_000)).unwrap();
    let press = gate.release(Millis(2_000) + wait).unwrap();
    gate.move_focus(1);
    assert_eq!(
        gate.decide(&press, Decision::Run),
        Err(Withheld::AnotherCall)
    );
}

#[test]
fn the_next_call_takes_keys_a_quarter_of_a_second_after_it_was_drawn() {
    let mut gate = drawn_gate(&["a", "b"]);
    press_y(&mut gate, Millis(2_000));
    gate.drawn(&"b".into(), true, Millis(2_050));
    assert_eq!(gate.readiness(Millis(2_299)), Readiness::StopTyping);
    assert_eq!(gate.readiness(Millis(2_300)), Readiness::Armed);
}

#[test]
fn a_call_that_is_withdrawn_under_the_finger_does_not_take_the_key() {
    let mut gate = drawn_gate(&["a", "b"]);
    gate.hold(Key::char('y'), Millis(2_000)).unwrap();
    gate.withdraw(&"a".into());
    assert_eq!(gate.release(Millis(9_000)), None);
    assert_eq!(gate.waiting().len(), 1);
}

#[derive(Debug, Clone)]
enum Step {
    Wait(u64),
    Draw(bool),
    Press(char),
    Type,
    Move,
    Withdraw,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0_u64..700).prop_map(Step::Wait),
        any::<bool>().prop_map(Step::Draw),
        prop_oneof![Just('y'), Just('n'), Just('Y')].prop_map(Step::Press),
        Just(Step::Type),
        Just(Step::Move),
        Just(Step::Withdraw),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_runs_without_a_lone_press_on_its_drawn_quiet_card(steps in prop::collection::vec(step(), 1..60)) {
        let mut gate = Gate::interactive(Pauses::default());
        gate.open(vec![call("a"), call("b"), call("c")]);
        let mut now = Millis(0);
        let mut last_key = None;
        let mut drawn_at: Option<(String, Millis)> = None;
        for step in steps {
            match step {
                Step::Wait(ms) => now = now + Millis(ms),
                Step::Draw(whole) => if let Some(front) = gate.front().map(|call| call.id().clone()) {
                    gate.drawn(&front, whole, now);
                    if drawn_at.as_ref().is_none_or(|(id, _)| id != front.as_str()) {
                        drawn_at = Some((front.to_string(), now));
                    }
                },
                Step::Type => { gate.disturbed(now); last_key = Some(now); }
                Step::Move => if gate.waiting().len() > 1 { gate.move_focus(1); drawn_at = None; },
                Step::Withdraw => { let front = gate.front().map(|call| call.id().clone());
                    if let Some(id) = front { gate.withdraw(&id); drawn_at = None; } }
                Step::Press(char) => {
                    let pressed_at = now;
                    let decision = match char { 'y' => Decision::Run, 'n' => Decision::Deny, _ => Decision::RunAll };
                    let before = gate.front().map(|call| call.id().to_string());
                    if let Some(wait) = gate.hold(Key::char(char), now) {
                        now = now + wait;
                        if let Some(press) = gate.release(now) {
                            let (id, drawn) = drawn_at.clone().unwrap();
                            prop_assert_eq!(Some(&id), before.as_ref());
                            prop_assert!(pressed_at.since(drawn) >= Millis(250));
                            prop_assert!(last_key.is_none_or(|at| pressed_at.since(at) >= Millis(400)));
                            if gate.decide(&press, decision).is_ok() { drawn_at = None; }
                        }
                    } else {
                        last_key = Some(pressed_at);
                    }
                }
            }
        }
    }
}
