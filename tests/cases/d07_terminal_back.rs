//! D07: however the program ends, the terminal is given back as it was.

use std::time::Duration;

use rustix::process::Signal;

use crate::support::modes;
use crate::support::person::{CTRL_C, CTRL_D, ENTER};
use crate::support::pty::Ended;
use crate::support::reply::{Reply, Step, ms, start, text_delta, tool};
use crate::support::run::{Run, Stage};
use serde_json::json;

fn idle() -> Run {
    let mut run = Stage::new([]).start(&[]);
    run.ready();
    run
}

fn streaming() -> Run {
    let begin =
        ms() + &start(0, &json!({"type": "text", "text": ""})) + &text_delta(0, "beginning ");
    let steps = vec![Step::Bytes(begin.clone().into_bytes()), Step::Hang];
    let mut run = Stage::new([Reply::cut(&begin, steps)]).start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("beginning");
    run
}

fn at_gate() -> Run {
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    run
}

fn by_signal(run: Run, signal: Signal, code: u32) {
    run.pty.signal(signal);
    run.ends_with(code);
}

#[test]
fn by_the_command_quit() {
    let mut run = idle();
    run.say("/quit");
    run.ends_with(0);
}

#[test]
fn by_the_word_quit() {
    let mut run = idle();
    run.say("quit");
    run.ends_with(0);
}

#[test]
fn by_ctrl_c_twice() {
    let mut run = idle();
    run.pty.send(CTRL_C);
    run.pause(Duration::from_millis(100));
    run.pty.send(CTRL_C);
    run.ends_with(0);
}

#[test]
fn by_ctrl_d() {
    let mut run = idle();
    run.pty.send(CTRL_D);
    run.ends_with(0);
}

#[test]
fn by_sigint() {
    by_signal(idle(), Signal::INT, 130);
}

#[test]
fn by_sigterm() {
    by_signal(idle(), Signal::TERM, 143);
}

#[test]
fn by_sigquit() {
    let mut run = idle();
    run.pty.signal(Signal::QUIT);
    let ended = run.pty.wait_end(Duration::from_secs(5));
    assert!(matches!(ended, Some(Ended::Code(1..))), "{ended:?}");
    run.judge();
}

#[test]
fn by_sigterm_while_an_answer_streams() {
    by_signal(streaming(), Signal::TERM, 143);
}

#[test]
fn by_sigint_while_the_gate_waits() {
    by_signal(at_gate(), Signal::INT, 130);
}

#[test]
fn by_sigterm_in_a_window_of_one_cell() {
    let mut run = idle();
    run.pty.resize(1, 1);
    run.pause(Duration::from_millis(200));
    by_signal(run, Signal::TERM, 143);
}

#[test]
fn by_ctrl_c_at_the_gate_and_ctrl_d_afterwards() {
    let mut run = at_gate();
    run.pty.send(CTRL_D);
    run.pause(Duration::from_millis(700));
    run.pty.wait_for("y run");
    run.pty.send(CTRL_C);
    run.pty.wait_gone("y run");
    run.pty.settle();
    run.pty.send(CTRL_D);
    run.ends_with(0);
}

#[test]
fn after_a_configuration_that_cannot_be_read() {
    let run = Stage::new([])
        .config("model = \"anthropic/claude-opus-5\"\nmodle = 1\n")
        .start(&[]);
    let mut run = run;
    let ended = run.pty.wait_end(Duration::from_secs(5));
    let said = String::from_utf8_lossy(&run.pty.log()).into_owned();
    assert_eq!(ended, Some(Ended::Code(3)), "{said}");
    for word in ["config.toml", "2", "modle", "model"] {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
    run.judge();
}

#[test]
fn without_a_key_a_page_says_so_and_can_be_left() {
    let mut run = Stage::new([])
        .variable("ANTHROPIC_API_KEY", "")
        .variable("ANTHROPIC_BASE_URL", "")
        .start(&[]);
    run.pty
        .wait_until("the key", |screen| screen.contains("ANTHROPIC_API_KEY"));
    assert!(
        run.pty.screen().contains("demo"),
        "no offer of the demo:\n{}",
        run.pty.screen()
    );
    run.pty.send(CTRL_D);
    run.pause(Duration::from_millis(50));
    if run.pty.is_running() {
        run.say("/quit");
    }
    run.ends_with(0);
}

#[test]
fn an_unknown_option_is_told_without_touching_the_terminal() {
    let mut run = Stage::new([]).start(&["--no-such-option"]);
    let ended = run.pty.wait_end(Duration::from_secs(5));
    assert_eq!(ended, Some(Ended::Code(2)));
    assert!(
        !run.pty.log().windows(4).any(|bytes| bytes == b"\x1b[?1"),
        "modes were set"
    );
    run.pty.send(ENTER);
    run.judge();
}

#[test]
fn by_a_fault_of_the_program_itself() {
    let mut run = idle();
    run.pty.send("keytide, fail now");
    let ended = run.pty.wait_end(Duration::from_secs(10));
    assert!(matches!(ended, Some(Ended::Code(1..))), "{ended:?}");
    let log = String::from_utf8_lossy(&run.pty.log()).into_owned();
    let report = log.rfind("asked to fail").expect("the fault is told");
    let back = log
        .rfind("\u{1b}[?1049l")
        .expect("the screen is given back");
    assert!(
        back < report,
        "the terminal is given back before the fault is told"
    );
    let (before, after) = run.pty.settings();
    assert_eq!(after, Some(before));
    let left = modes::left_by(&run.pty.log());
    assert!(left.modes.is_empty() && left.keyboard == 0, "{left:?}");
}
