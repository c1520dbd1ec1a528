//! Deciding about calls.

use crate::app::event::Fact;
use crate::app::overlay::Overlay;
use crate::app::scene::Readiness;
use crate::app::tests::stage::{Stage, acts};
use crate::chat::tool::{ToolOutcome, ToolResult};
use crate::keymap::key::{Key, KeyCode, KeyMotion};

fn readiness(stage: &Stage) -> Readiness {
    let scene = stage.app.scene(stage.moment());
    scene
        .gate
        .map_or(Readiness::NotDrawn, |gate| gate.readiness)
}

fn waiting(stage: &Stage) -> Vec<String> {
    let gate = stage.app.agent.gate();
    let ids = gate.waiting().iter().map(|call| call.id().to_string());
    ids.collect()
}

#[test]
fn an_armed_y_runs_the_call_exactly_once() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    assert_eq!(stage.decide('y'), ["append a Approved", "call a"]);
    for _ in 0..5 {
        assert!(stage.decide('y').is_empty());
    }
    assert_eq!(
        stage.finish("a"),
        ["append a Succeeded", "append request 2", "send 2"]
    );
    assert!(stage.finish("a").is_empty());
}

#[test]
fn a_y_that_was_typed_ahead_never_decides_and_stays_in_the_draft() {
    let mut stage = Stage::new();
    stage.say("go");
    stage.type_text("may");
    stage.ask_for(&["a"]);
    // The draft goes on while the gate opens, for as long as keys keep coming.
    for char in "be y or yes y y y".chars() {
        assert_eq!(stage.key(Key::char(char)), [""; 0]);
        assert_eq!(readiness(&stage), Readiness::StopTyping);
        stage.wait(300);
    }
    assert_eq!(stage.draft(), "maybe y or yes y y y");
    assert_eq!(waiting(&stage), ["a"]);
    stage.wait(400);
    assert_eq!(readiness(&stage), Readiness::Armed);
    assert_eq!(acts(&stage.decide('y')), ["call a"]);
    assert_eq!(stage.draft(), "maybe y or yes y y y");
}

#[test]
fn enter_tab_and_space_never_approve() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    for code in [KeyCode::Enter, KeyCode::Tab, KeyCode::Char(' ')] {
        assert_eq!(acts(&stage.press(code)), [""; 0]);
        assert_eq!(acts(&stage.wait(1_000)), [""; 0]);
    }
    assert_eq!(waiting(&stage), ["a"]);
}

#[test]
fn resizes_clicks_the_wheel_and_the_focus_disarm_the_gate_and_drop_a_key_in_the_air() {
    let facts: [fn() -> Fact; 5] = [
        || Fact::Resized {
            width: 100,
            height: 30,
        },
        || Fact::Clicked,
        || Fact::Wheeled(1),
        || Fact::FocusChanged(true),
        || Fact::EditorClosed(Ok(String::new())),
    ];
    for fact in facts {
        let mut stage = Stage::at_armed_gate(&["a"]);
        stage.tell(Fact::KeyPressed(Key::char('y')));
        stage.tell(fact());
        assert_eq!(readiness(&stage), Readiness::StopTyping);
        assert_eq!(acts(&stage.wait(399)), [""; 0]);
        assert_eq!(readiness(&stage), Readiness::StopTyping);
        stage.wait(1);
        assert_eq!(readiness(&stage), Readiness::Armed);
        assert_eq!(waiting(&stage), ["a"]);
    }
}

#[test]
fn repeats_and_releases_decide_nothing() {
    for motion in [KeyMotion::Repeat, KeyMotion::Release] {
        let mut stage = Stage::at_armed_gate(&["a"]);
        stage.key(Key {
            motion,
            ..Key::char('y')
        });
        assert_eq!(acts(&stage.wait(1_000)), [""; 0]);
        assert_eq!(waiting(&stage), ["a"]);
        assert_eq!(stage.draft(), "");
    }
}

#[test]
fn the_whole_call_opens_and_closes_without_deciding() {
    for (open, close) in [('v', KeyCode::Esc), ('v', KeyCode::Char('v'))] {
        let mut stage = Stage::at_armed_gate(&["a"]);
        stage.key(Key::char(open));
        assert!(matches!(stage.app.overlay, Some(Overlay::Call { .. })));
        for char in ['y', 'n', 'Y', 'N', 'r'] {
            assert_eq!(stage.decide(char), [""; 0]);
        }
        stage.press(KeyCode::PageDown);
        assert!(stage.press(close).is_empty());
        assert!(stage.app.overlay.is_none());
        assert_eq!(
            (waiting(&stage), stage.draft()),
            (vec!["a".into()], String::new())
        );
    }
}

#[test]
fn each_call_has_its_own_decision_and_the_model_is_asked_when_all_have_a_result() {
    let mut stage = Stage::at_armed_gate(&["a", "b", "c"]);
    assert_eq!(acts(&stage.decide('y')), ["call a"]);
    stage.wait(300);
    assert_eq!(stage.decide('n'), ["append b Denied", "append b Denied"]);
    assert_eq!(stage.finish("a"), ["append a Succeeded"]);
    stage.wait(300);
    assert_eq!(acts(&stage.decide('y')), ["call c"]);
    assert_eq!(acts(&stage.finish("c")), ["send 2"]);
    let last = stage
        .bodies
        .last()
        .unwrap()
        .history
        .messages()
        .last()
        .cloned();
    let ids: Vec<String> = last
        .iter()
        .flat_map(|message| message.blocks.iter().filter_map(|block| block.answers()))
        .map(ToString::to_string)
        .collect();
    assert_eq!(ids, ["a", "b", "c"]);
}

#[test]
fn tab_moves_to_the_next_call_and_back_without_disarming_for_long() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    assert!(stage.press(KeyCode::Tab).is_empty());
    stage.wait(250);
    assert_eq!(acts(&stage.decide('y')), ["call b"]);
    assert_eq!(waiting(&stage), ["a"]);
}

#[test]
fn capital_y_runs_and_capital_n_denies_every_call_that_is_listed() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    stage.press(KeyCode::Tab);
    stage.press(KeyCode::Tab);
    stage.wait(1_000);
    assert_eq!(acts(&stage.decide('Y')), ["call a", "call b"]);
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    assert_eq!(acts(&stage.decide('N')), ["send 2"]);
}

#[test]
fn run_all_is_withheld_while_one_call_was_not_looked_at() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    assert_eq!(acts(&stage.decide('Y')), [""; 0]);
    assert_eq!(waiting(&stage), ["a", "b"]);
    assert!(!stage.flash().is_empty());
}

#[test]
fn a_call_whose_end_was_not_on_the_screen_does_not_run_and_it_is_said_how_to_see_it() {
    let mut stage = Stage::new();
    stage.shows_end = false;
    stage.say("go");
    stage.ask_for(&["a"]);
    stage.wait(2_000);
    assert_eq!(readiness(&stage), Readiness::NeedsEnd);
    assert_eq!(acts(&stage.decide('y')), [""; 0]);
    assert!(stage.flash().contains("PgDn"), "{}", stage.flash());
    stage.shows_end = true;
    stage.press(KeyCode::PageDown);
    stage.wait(1_000);
    assert_eq!(acts(&stage.decide('y')), ["call a"]);
}

#[test]
fn esc_denies_at_the_armed_gate_and_does_nothing_before_that() {
    let mut stage = Stage::at_gate(&["a"]);
    assert!(stage.press(KeyCode::Esc).is_empty());
    assert_eq!(waiting(&stage), ["a"]);
    stage.wait(1_000);
    let mut names = stage.press(KeyCode::Esc);
    names.extend(stage.wait(200));
    assert_eq!(acts(&names), ["send 2"]);
}

#[test]
fn esc_on_a_running_call_cancels_that_call_only_and_the_model_is_asked_again() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    stage.decide('y');
    stage.wait(300);
    stage.decide('y');
    assert_eq!(
        stage.press(KeyCode::Esc),
        ["cancel b", "append b Cancelled"]
    );
    assert_eq!(
        stage.press(KeyCode::Esc),
        [
            "cancel a",
            "append a Cancelled",
            "append request 2",
            "send 2"
        ]
    );
    // The answers to the stopped calls come too late.
    assert!(stage.finish("a").is_empty());
}

#[test]
fn ctrl_c_denies_all_that_waits_stops_all_that_runs_and_ends_the_turn() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    stage.decide('y');
    assert_eq!(
        stage.ctrl('c'),
        [
            "append b Stopped",
            "append b Denied",
            "cancel a",
            "append a Cancelled"
        ]
    );
    assert!(stage.wait(5_000).is_empty());
    assert!(stage.last_notice().contains("F5 ask again"));
    assert_eq!(acts(&stage.press(KeyCode::F(5))), ["send 2"]);
}

#[test]
fn the_bell_rings_once_for_a_gate_that_nobody_looks_at() {
    let mut stage = Stage::new();
    stage.say("go");
    stage.tell(Fact::FocusChanged(false));
    assert_eq!(acts(&stage.ask_for(&["a"])), ["ring"]);
    assert!(stage.wait(60_000).is_empty());
    stage.tell(Fact::FocusChanged(true));
    assert!(stage.tell(Fact::FocusChanged(false)).is_empty());
}

#[test]
fn a_watched_gate_does_not_ring() {
    let mut stage = Stage::new();
    stage.say("go");
    assert_eq!(acts(&stage.ask_for(&["a"])), [""; 0]);
}

#[test]
fn a_gate_waits_for_hours_and_then_takes_its_key() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    assert!(stage.wait(7_200_000).is_empty());
    assert_eq!(acts(&stage.decide('y')), ["call a"]);
    let gone = ToolResult {
        id: "a".into(),
        outcome: ToolOutcome::ServerGone,
        content: Vec::new(),
    };
    assert_eq!(acts(&stage.tell(Fact::ToolFinished(gone))), ["send 2"]);
}
