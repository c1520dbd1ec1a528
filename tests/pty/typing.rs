//! U4: a typed key shows within half a second, whatever else goes on.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::reply::{Reply, Step, ms, start, text_delta};
use crate::support::run::{Run, Stage};
use crate::support::wait;

fn each_key_shows_in_time(run: &mut Run) {
    let mut typed = String::new();
    for key in "qwertyuiop".chars() {
        typed.push(key);
        let begun = Instant::now();
        run.pty.send(key.to_string());
        let shown = wait::answer(Duration::from_millis(500), || {
            run.pty.screen().contains(&typed).then(|| begun.elapsed())
        });
        assert!(
            shown.is_some(),
            "`{typed}` does not show:\n{}",
            run.pty.screen()
        );
    }
}

#[test]
fn while_nothing_else_happens() {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    each_key_shows_in_time(&mut run);
    run.finish();
}

#[test]
fn while_a_long_answer_streams() {
    let head = ms() + &start(0, &json!({"type": "text", "text": ""}));
    let words = |range: std::ops::Range<u32>| -> String {
        range
            .map(|i| text_delta(0, &format!("some **words** with `code` {i}\n\n")))
            .collect()
    };
    let (begun, rest) = (head + &words(0..500), words(500..1500));
    let steps = vec![
        Step::Bytes(begun.clone().into_bytes()),
        Step::Drip(rest.clone().into_bytes(), 300, Duration::from_millis(20)),
        Step::Hang,
    ];
    let mut run = Stage::new([Reply::cut(&(begun + &rest), steps)]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("some words");
    each_key_shows_in_time(&mut run);
    run.pty.send("\x1b");
    run.finish();
}
