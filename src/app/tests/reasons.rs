//! Denying with a reason.

use crate::app::event::Fact;
use crate::app::tests::stage::{Stage, acts};
use crate::keymap::key::{Key, KeyCode};

fn asked_for_a_reason() -> Stage {
    let mut stage = Stage::at_armed_gate(&["a"]);
    assert!(stage.decide('r').is_empty());
    stage
}

fn line(stage: &Stage) -> String {
    let reason = stage.app.reason.as_ref();
    reason.map_or("none".into(), |reason| reason.line.text())
}

#[test]
fn enter_sends_the_reason_and_the_model_is_told() {
    let mut stage = asked_for_a_reason();
    stage.type_text("only read, y?");
    assert_eq!(
        stage.press(KeyCode::Enter),
        [
            "append a DeniedWithReason(\"only read, y?\")",
            "append a DeniedWithReason(\"only read, y?\")",
            "append request 2",
            "send 2"
        ]
    );
    assert_eq!(stage.draft(), "");
}

#[test]
fn esc_goes_back_without_deciding_and_the_words_are_there_the_next_time() {
    let mut stage = asked_for_a_reason();
    stage.type_text("only read");
    assert!(stage.press(KeyCode::Esc).is_empty());
    assert_eq!(stage.app.agent.gate().waiting().len(), 1);
    assert!(stage.app.reason.is_none());
    stage.wait(1_000);
    stage.decide('r');
    assert_eq!(line(&stage), "only read");
}

#[test]
fn a_reason_that_was_put_aside_is_not_given_to_another_call() {
    let mut stage = Stage::at_armed_gate(&["a", "b"]);
    stage.decide('r');
    stage.type_text("about a");
    stage.press(KeyCode::Esc);
    stage.wait(1_000);
    stage.press(KeyCode::Tab);
    stage.wait(1_000);
    stage.decide('r');
    assert_eq!(line(&stage), "");
}

#[test]
fn an_empty_reason_is_a_plain_denial() {
    let mut stage = asked_for_a_reason();
    let names = stage.press(KeyCode::Enter);
    assert_eq!(names[..2], ["append a Denied", "append a Denied"]);
}

#[test]
fn a_reason_is_one_line_whatever_is_pasted_or_pressed() {
    let mut stage = asked_for_a_reason();
    stage.tell(Fact::Pasted("one\r\ntwo\n".into()));
    stage.ctrl('j');
    stage.key(Key::alt(KeyCode::Enter));
    stage.wait(100);
    stage.burst("x\ry");
    assert_eq!(line(&stage), "one  two x y");
    assert_eq!(stage.app.agent.gate().waiting().len(), 1);
}

#[test]
fn ctrl_c_ends_the_turn_from_the_reason_too() {
    let mut stage = asked_for_a_reason();
    stage.type_text("no");
    assert_eq!(stage.ctrl('c'), ["append a Stopped", "append a Denied"]);
    assert!(stage.app.reason.is_none());
    assert_eq!(acts(&stage.wait(3_000)), [""; 0]);
}
