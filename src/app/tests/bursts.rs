//! Keys that come too fast to have been typed: a paste from a terminal that doesn't mark one.

use crate::app::event::Fact;
use crate::app::tests::stage::{Stage, acts};
use crate::keymap::key::KeyCode;

#[test]
fn an_enter_within_ten_milliseconds_of_other_keys_is_a_new_line() {
    let mut stage = Stage::new();
    assert!(stage.burst("one\r\rtwo\r").is_empty());
    assert_eq!(stage.draft(), "one\n\ntwo\n");
    stage.wait(9);
    assert!(stage.burst("\r").is_empty());
    stage.wait(10);
    assert_eq!(acts(&stage.burst("\r")), ["send 1"]);
}

#[test]
fn a_marked_paste_is_text_and_the_enter_after_it_sends() {
    let mut stage = Stage::new();
    stage.tell(Fact::Pasted("y\rquit\r".into()));
    assert_eq!(stage.draft(), "y\nquit\n");
    assert_eq!(acts(&stage.press(KeyCode::Enter)), ["send 1"]);
}

#[test]
fn a_burst_at_the_armed_gate_decides_nothing_and_is_in_the_draft_byte_for_byte() {
    for text in [
        "y\ny\r",
        "yes\r",
        "yv",
        "nope",
        "r because\r",
        "YN\ty",
        "vy",
    ] {
        let mut stage = Stage::at_armed_gate(&["a", "b"]);
        let before = stage.app.overlay.is_some();
        let mut names = stage.burst(text);
        names.extend(stage.wait(300));
        assert_eq!(acts(&names), [""; 0], "{text:?}");
        assert_eq!(stage.app.agent.gate().waiting().len(), 2, "{text:?}");
        let typed = text.replace('\r', "\n").replace('\t', "");
        // A `v` that begins a burst opens the call; the rest of it is lost on the open page.
        if text.starts_with('v') {
            assert!(stage.app.overlay.is_some() && !before);
        } else {
            assert_eq!(stage.draft(), typed, "{text:?}");
            assert!(stage.app.reason.is_none());
        }
    }
}

#[test]
fn a_paste_right_after_a_key_at_the_gate_takes_the_key_with_it() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    stage.burst("y");
    stage.tell(Fact::Pasted("es, do".into()));
    assert_eq!(acts(&stage.wait(500)), [""; 0]);
    assert_eq!(stage.draft(), "yes, do");
}

#[test]
fn ten_thousand_pasted_lines_of_y_decide_nothing() {
    let mut stage = Stage::at_armed_gate(&["a"]);
    let text = "y\n".repeat(10_000);
    assert!(stage.tell(Fact::Pasted(text.clone())).is_empty());
    assert_eq!(stage.draft(), text);
    assert_eq!(acts(&stage.wait(5_000)), [""; 0]);
    assert_eq!(stage.app.agent.gate().waiting().len(), 1);
}
