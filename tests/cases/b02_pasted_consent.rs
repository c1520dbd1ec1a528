//! B02: input that was meant for another place is not consent.

use std::time::Duration;

use crate::support::reply::{say, tool};
use crate::support::run::{Run, Stage};

/// Gives the input at an armed gate: nothing runs, and the gate can still be answered.
fn does_not_approve(input: impl FnOnce(&mut Run)) {
    let script = [tool("s__echo", "{\"text\":\"a\"}"), say("finished")];
    let mut run = Stage::new(script).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    input(&mut run);
    run.pause(Duration::from_millis(1200));
    assert_eq!(run.stage.calls(), 0, "{}", run.pty.screen());
    assert_eq!(
        run.stage.api.requests().len(),
        1,
        "it was decided:\n{}",
        run.pty.screen()
    );
    run.deny();
    run.pty.wait_for("finished");
    let results = run.stage.api.requests()[1].results();
    assert!(results[0].1, "{results:?}");
    run.finish();
}

#[test]
fn a_paste_with_y_in_it_runs_nothing() {
    does_not_approve(|run| run.pty.paste("y\ny\r"));
}

#[test]
fn a_paste_without_brackets_runs_nothing() {
    does_not_approve(|run| run.pty.send("y\ny\r"));
}

#[test]
fn a_paste_of_ten_thousand_lines_runs_nothing() {
    does_not_approve(|run| run.pty.paste(&"y\n".repeat(10_000)));
}

#[test]
fn a_paste_whose_bracket_comes_in_three_pieces_runs_nothing() {
    does_not_approve(|run| {
        for piece in ["\x1b[2", "00", "~y\ny\x1b[201~"] {
            run.pty.send(piece);
            run.pause(Duration::from_millis(5));
        }
    });
}

#[test]
fn a_click_on_the_gate_runs_nothing() {
    does_not_approve(|run| run.pty.send("\x1b[<0;10;10M\x1b[<0;10;10m"));
}
