//! D13: the terminal's cursor stands where the next character goes, so that input methods find it.

use serde_json::json;

use crate::support::person::LEFT;
use crate::support::reply::{Latch, Reply, Step, end, ms, start, stop, text_delta};
use crate::support::run::{Run, Stage};

const DRAFT: &str = "한글ab漢";

/// The cursor stands behind `한글a`, five cells behind the start of the draft's last line.
fn stands_before_b(run: &mut Run) {
    run.pty.send(LEFT);
    run.pty.send(LEFT);
    run.pty.settle();
    let (column, row) = run.pty.place_of(DRAFT).expect("the draft is on the screen");
    assert_eq!(
        run.pty.cursor(),
        (column + 5, row, true),
        "{}",
        run.pty.screen()
    );
}

#[test]
fn in_a_line_with_wide_characters() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    run.pty.send(DRAFT);
    run.pty.wait_for(DRAFT);
    stands_before_b(&mut run);
    run.finish();
}

#[test]
fn in_a_draft_of_several_wrapped_lines() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    run.pty.paste(&format!(
        "{}\n{}\n{DRAFT}",
        "漢字".repeat(30),
        "word ".repeat(30)
    ));
    run.pty.wait_for(DRAFT);
    stands_before_b(&mut run);
    run.finish();
}

#[test]
fn while_an_answer_streams() {
    let latch = Latch::default();
    let head =
        ms() + &start(0, &json!({"type": "text", "text": ""})) + &text_delta(0, "beginning\n\n");
    let rest = text_delta(0, "ending") + &stop(0) + &end("end_turn");
    let steps = vec![
        Step::Bytes(head.clone().into_bytes()),
        Step::Wait(latch.clone()),
        Step::Bytes(rest.clone().into_bytes()),
    ];
    let mut run = Stage::new([Reply::cut(&(head + &rest), steps)]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("beginning");
    run.pty.send(DRAFT);
    run.pty.wait_for(DRAFT);
    stands_before_b(&mut run);
    let place = run.pty.cursor();
    latch.open();
    run.pty.wait_for("ending");
    run.pty.settle();
    let (column, row) = run.pty.place_of(DRAFT).expect("the draft is on the screen");
    assert_eq!(
        run.pty.cursor(),
        (column + 5, row, true),
        "was {place:?}\n{}",
        run.pty.screen()
    );
    run.finish();
}
