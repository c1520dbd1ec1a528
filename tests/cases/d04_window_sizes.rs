//! D04: no size of the window and no change of it fails, and the draft survives them all.

use std::time::Duration;

use crate::support::person::{ARMED, ESC, F2};
use crate::support::reply::{Latch, Reply, Step, end, ms, say, start, stop, text_delta, tool};
use crate::support::run::{Run, Stage};
use serde_json::json;

const SIZES: [(u16, u16); 8] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (0, 0),
    (5, 3),
    (300, 2),
    (2, 100),
    (700, 200),
];

/// Goes through every size and fifty more in a second; then the screen equals a fresh draw.
fn through_all_sizes(run: &mut Run) {
    for (columns, rows) in SIZES {
        run.pty.resize(columns, rows);
        run.pause(Duration::from_millis(60));
    }
    for i in 0..50_u16 {
        run.pty.resize(1 + i * 37 % 140, 1 + i * 23 % 60);
        run.pause(Duration::from_millis(20));
    }
    run.pty.resize(80, 24);
    run.pty.settle();
    if run.pty.screen().contains("stop typing") {
        run.at_gate();
    }
    let drawn = run.drawn();
    assert_eq!(run.fresh_draw(), drawn);
}

#[test]
fn while_an_answer_streams() {
    let latch = Latch::default();
    let begin =
        ms() + &start(0, &json!({"type": "text", "text": ""})) + &text_delta(0, "beginning ");
    let rest = text_delta(0, "and end") + &stop(0) + &end("end_turn");
    let steps = vec![
        Step::Bytes(begin.clone().into_bytes()),
        Step::Wait(latch.clone()),
        Step::Bytes(rest.clone().into_bytes()),
    ];
    let mut run = Stage::new([Reply::cut(&(begin + &rest), steps)]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("beginning");
    run.type_text("my draft");
    for (columns, rows) in SIZES {
        run.pty.resize(columns, rows);
        run.pause(Duration::from_millis(60));
    }
    run.pty.resize(80, 24);
    run.pty.wait_for("my draft");
    latch.open();
    run.pty.wait_for("and end");
    through_all_sizes(&mut run);
    assert!(
        run.pty.screen().contains("my draft"),
        "{}",
        run.pty.screen()
    );
    run.finish();
}

#[test]
fn while_the_gate_waits() {
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    through_all_sizes(&mut run);
    run.pty.wait_for(ARMED);
    run.deny();
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn in_the_list_of_transcripts() {
    let mut run = Stage::new([say("finished")]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("finished");
    run.pty.send(F2);
    run.pty.settle();
    through_all_sizes(&mut run);
    run.pty.send(ESC);
    run.finish();
}

fn started_at(columns: u16, rows: u16) {
    let mut run = Stage::new([say("finished")])
        .sized(columns, rows)
        .start(&[]);
    run.pause(Duration::from_millis(700));
    run.pty.resize(80, 24);
    run.pty
        .wait_until("something", |screen| screen.trim().len() > 20);
    run.say("go");
    run.pty.wait_for("finished");
    run.finish();
}

#[test]
fn a_start_in_a_window_of_one_cell() {
    started_at(1, 1);
}

#[test]
fn a_start_in_a_window_of_no_cell() {
    started_at(0, 0);
}
