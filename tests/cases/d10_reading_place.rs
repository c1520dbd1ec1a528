//! D10: who reads earlier text keeps the place while more arrives, and is told that it does.

use std::time::Duration;

use serde_json::json;

use crate::support::person::{CTRL_END, PAGE_UP};
use crate::support::reply::{Latch, Reply, Step, end, ms, start, stop, text_delta, tu};
use crate::support::run::Stage;

fn lines(numbers: std::ops::RangeInclusive<u32>) -> Vec<String> {
    numbers
        .map(|n| text_delta(0, &format!("line {n:03}\n\n")))
        .collect()
}

fn top_line(screen: &str) -> Option<&str> {
    let at = screen.find("line ")?;
    screen.get(at..at + 8)
}

#[test]
fn the_top_line_stays_while_text_arrives_and_a_gate_opens() {
    let latch = Latch::default();
    let head = ms() + &start(0, &json!({"type": "text", "text": ""}));
    let tail = stop(0) + &tu(1, "toolu_1", "s__echo", &["{\"text\":\"a\"}"]) + &end("tool_use");
    let (first, rest) = (lines(1..=100), lines(101..=400));
    let events = head.clone() + &first.concat() + &rest.concat() + &tail;
    let mut steps = vec![
        Step::Bytes((head + &first.concat()).into_bytes()),
        Step::Wait(latch.clone()),
    ];
    for line in rest {
        steps.push(Step::Bytes(line.into_bytes()));
        steps.push(Step::Pause(Duration::from_millis(8)));
    }
    steps.push(Step::Bytes(tail.into_bytes()));
    let mut run = Stage::new([Reply::cut(&events, steps)])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("line 100");
    for _ in 0..3 {
        run.pty.send(PAGE_UP);
        run.pty.settle();
    }
    let place = top_line(&run.pty.screen())
        .expect("a line is visible")
        .to_owned();
    let seen_before = run.pty.frames().len();
    latch.open();
    run.at_gate();
    for frame in run.pty.frames().iter().skip(seen_before) {
        assert_eq!(
            top_line(frame),
            Some(place.as_str()),
            "the view moved:\n{frame}"
        );
    }
    let told = run
        .pty
        .frames()
        .iter()
        .skip(seen_before)
        .any(|frame| frame.contains("new"));
    assert!(
        told,
        "nothing says that new text waits:\n{}",
        run.pty.screen()
    );
    run.pty.send(CTRL_END);
    run.pty.wait_for("line 400");
    run.deny();
    run.pty.wait_for_line("done");
    run.finish();
}
