//! Ctrl+C, Ctrl+D, quit words and signals.

use crate::app::event::{Fact, Signal};
use crate::app::tests::stage::{Stage, acts, beginning};
use crate::keymap::key::{Key, KeyCode};

#[test]
fn ctrl_c_twice_on_an_empty_composer_ends_with_0() {
    let mut stage = Stage::new();
    assert!(stage.ctrl('c').is_empty());
    assert!(stage.flash().contains("Ctrl+C again"));
    assert_eq!(stage.ctrl('c'), ["quit 0"]);
    assert_eq!(stage.app.ended(), Some(0));
}

#[test]
fn the_second_ctrl_c_must_come_soon_and_right_after_the_first() {
    let mut stage = Stage::new();
    stage.ctrl('c');
    stage.wait(2_000);
    assert_eq!(stage.flash(), "");
    assert!(stage.ctrl('c').is_empty());
    stage.key(Key::char('x'));
    assert_eq!(stage.flash(), "", "the offer is gone with the next key");
    stage.press(KeyCode::Backspace);
    assert!(stage.ctrl('c').is_empty());
    stage.tell(Fact::Pasted("x".into()));
    assert!(stage.ctrl('c').is_empty(), "it clears the draft");
    assert!(stage.ctrl('c').is_empty(), "it offers to quit");
    assert_eq!(stage.ctrl('c'), ["quit 0"]);
}

#[test]
fn ctrl_c_clears_the_draft_into_history() {
    let mut stage = Stage::new();
    stage.type_text("half a thought");
    assert!(stage.ctrl('c').is_empty());
    assert_eq!(stage.draft(), "");
    stage.press(KeyCode::Up);
    assert_eq!(stage.draft(), "half a thought");
}

#[test]
fn ctrl_c_stops_what_runs_first_and_the_draft_stays() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.stream(beginning("The"));
    stage.type_text("draft");
    assert_eq!(acts(&stage.ctrl('c')), ["abort 1"]);
    assert_eq!(stage.draft(), "draft");
    stage.ctrl('c');
    assert_eq!(stage.draft(), "");
    stage.ctrl('c');
    assert_eq!(stage.ctrl('c'), ["quit 0"]);
}

#[test]
fn ctrl_d_quits_on_an_empty_composer_only() {
    let mut stage = Stage::new();
    stage.type_text("x");
    assert!(stage.ctrl('d').is_empty());
    stage.press(KeyCode::Backspace);
    assert_eq!(stage.ctrl('d'), ["quit 0"]);
}

#[test]
fn ctrl_d_does_nothing_while_a_call_waits() {
    let mut stage = Stage::at_gate(&["a"]);
    assert!(stage.ctrl('d').is_empty());
    stage.wait(1_000);
    assert!(stage.ctrl('d').is_empty());
    assert_eq!(stage.app.agent.gate().waiting().len(), 1);
}

#[test]
fn the_words_for_leaving_leave() {
    for words in ["quit", "exit", "/quit", " exit "] {
        assert_eq!(Stage::new().say(words), ["quit 0"], "{words:?}");
    }
    assert_eq!(acts(&Stage::new().say("quit smoking, how?")), ["send 1"]);
}

#[test]
fn signals_deny_all_that_waits_stop_all_that_runs_and_quit_with_their_own_codes() {
    let codes = [
        (Signal::Interrupt, "quit 130"),
        (Signal::Terminate, "quit 143"),
        (Signal::HangUp, "quit 129"),
    ];
    for (signal, quit) in codes {
        let mut stage = Stage::at_armed_gate(&["a", "b"]);
        stage.decide('y');
        assert_eq!(
            stage.tell(Fact::Signalled(signal)),
            [
                "append b Stopped",
                "append b Denied",
                "cancel a",
                "append a Cancelled",
                quit
            ]
        );
    }
}

#[test]
fn nothing_begins_after_the_end() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    stage.tell(Fact::KeyPressed(Key::char('y')));
    stage.tell(Fact::Signalled(Signal::Terminate));
    assert!(stage.wait(10_000).is_empty());
    assert!(stage.say("hello").is_empty());
    assert!(stage.tell(Fact::Signalled(Signal::HangUp)).is_empty());
    assert_eq!(stage.app.ended(), Some(143));
}

#[test]
fn coming_back_from_a_suspension_draws_anew_and_disarms_the_gate() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    assert_eq!(stage.ctrl('z'), ["suspend"]);
    stage.wait(1_000);
    assert_eq!(stage.tell(Fact::Signalled(Signal::Continue)), ["redraw"]);
    assert!(stage.decide('y').is_empty());
    assert_eq!(stage.app.agent.gate().waiting().len(), 1);
}
