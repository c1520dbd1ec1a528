//! E08: no server, and no program that a server started, outlives the client.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::census;
use crate::support::pty::Ended;
use crate::support::run::{Run, Stage};

/// A server behind a shell that heeds neither SIGTERM nor the end of its input, with a grandchild.
fn stubborn() -> Run {
    let stage = Stage::new([]).server("s", json!({"ignore": ["TERM", "EOF"], "grandchild": true}));
    let line = format!("python3 {}; true", stage.mcp("s").args().join(" "));
    let entry = json!({"command": "sh", "args": ["-c", line]});
    let mut run = stage.entry("s", entry).start(&[]);
    run.ready();
    let zombies: Vec<_> = census::children(run.pty.pid());
    assert!(
        zombies.iter().all(|child| child.state != 'Z'),
        "{zombies:?}"
    );
    run
}

fn ends_within_five_seconds(mut run: Run, expected: Option<Ended>) {
    let begun = Instant::now();
    let ended = run.pty.wait_end(Duration::from_secs(6));
    assert!(
        ended.is_some() && begun.elapsed() < Duration::from_secs(6),
        "{:?}",
        run.pty
    );
    if expected.is_some() {
        assert_eq!(ended, expected);
    }
    run.judge_processes();
}

#[test]
fn after_quitting() {
    let mut run = stubborn();
    run.ask_to_quit();
    ends_within_five_seconds(run, Some(Ended::Code(0)));
}

#[test]
fn after_sigterm() {
    let run = stubborn();
    run.pty.signal(Signal::TERM);
    ends_within_five_seconds(run, Some(Ended::Code(143)));
}

#[test]
fn after_sighup() {
    let run = stubborn();
    run.pty.signal(Signal::HUP);
    ends_within_five_seconds(run, None);
}

#[test]
fn after_the_terminal_was_closed() {
    let mut run = stubborn();
    run.pty.close();
    ends_within_five_seconds(run, None);
}

#[test]
fn after_sigkill_a_server_that_heeds_the_end_of_its_input_is_gone() {
    let mut run = Stage::new([]).server("s", Value::Null).start(&[]);
    run.ready();
    run.pty.signal(Signal::KILL);
    ends_within_five_seconds(run, None);
}
