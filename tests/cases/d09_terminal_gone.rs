//! D09: when the terminal vanishes, so do the program and its servers, quickly and quietly.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::census;
use crate::support::pty::{Ended, Pty, Start};
use crate::support::reply::{Reply, Step, ms, start, text_delta, tool};
use crate::support::run::{PROGRAM, Run, Stage};

/// Closes the terminal: within five seconds nobody is left and hardly any time was used.
fn vanishes(mut run: Run) -> Run {
    let pid = run.pty.pid();
    let before = census::cpu_ticks(pid);
    run.pty.close();
    let begun = Instant::now();
    let mut used = before;
    while run.pty.is_running() && begun.elapsed() < Duration::from_secs(5) {
        used = used.max(census::cpu_ticks(pid));
    }
    assert!(!run.pty.is_running(), "it lives on without a terminal");
    assert!(
        used - before < 100,
        "{} ticks of 10 ms after the terminal was gone",
        used - before
    );
    run.judge_processes();
    run.judge_requests();
    run
}

#[test]
fn while_nothing_happens() {
    let mut run = Stage::new([]).with_echo().start(&[]);
    run.ready();
    vanishes(run);
}

#[test]
fn while_an_answer_streams_and_what_came_is_saved() {
    let begin =
        ms() + &start(0, &json!({"type": "text", "text": ""})) + &text_delta(0, "beginning ");
    let steps = vec![Step::Bytes(begin.clone().into_bytes()), Step::Hang];
    let mut run = Stage::new([Reply::cut(&begin, steps)])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("my question");
    run.pty.wait_for("beginning");
    let run = vanishes(run);
    assert!(run.transcript().contains("my question"));
}

#[test]
fn while_the_gate_waits_and_nothing_runs() {
    let mut run = Stage::new([tool("s__echo", "{\"text\":\"a\"}")])
        .with_echo()
        .start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    vanishes(run);
}

#[test]
fn even_where_the_parent_ignores_hang_ups() {
    let stage = Stage::new([]).with_echo();
    let script = format!("trap '' HUP; exec {PROGRAM}");
    let mut run = stage.start(&["--version"]);
    run.pty.wait_end(Duration::from_secs(5));
    let mut environment = run.stage.home.environment();
    environment.extend(run.stage.variables.clone());
    run.pty = Pty::start(&Start {
        command: ["sh", "-c", &script].map(str::to_owned).to_vec(),
        environment,
        folder: &run.stage.home.work(),
        size: (80, 24),
        umask: None,
    });
    run.ready();
    vanishes(run);
}

#[test]
fn without_a_terminal_it_says_so_and_sends_no_escape_codes() {
    let output = Stage::new([]).run(&[], "");
    assert!(output.code.is_some_and(|code| code != 0), "{output:?}");
    assert!(
        output.stderr.to_lowercase().contains("terminal"),
        "{output:?}"
    );
    assert!(
        !output.stdout.contains('\x1b') && !output.stderr.contains('\x1b'),
        "{output:?}"
    );
}

#[test]
fn a_terminal_for_output_alone_is_not_enough() {
    let stage = Stage::new([]);
    let mut environment = stage.home.environment();
    environment.extend(stage.variables.clone());
    let mut pty = Pty::start(&Start {
        command: ["sh", "-c", &format!("exec {PROGRAM} </dev/null")]
            .map(str::to_owned)
            .to_vec(),
        environment,
        folder: &stage.home.work(),
        size: (80, 24),
        umask: None,
    });
    let ended = pty.wait_end(Duration::from_secs(5));
    assert!(
        matches!(ended, Some(Ended::Code(1..))),
        "{ended:?}\n{}",
        pty.screen()
    );
}
