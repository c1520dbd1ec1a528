//! Ctrl+Z under a real shell: the terminal is given back, and `fg` draws the same screen again.

use std::time::Duration;

use crate::support::home::Home;
use crate::support::modes::{self, Left};
use crate::support::pty::{Pty, Start};

/// Waits until the shell's prompt is the last thing on the screen.
fn prompt(pty: &mut Pty) {
    pty.wait_until("a prompt", |screen| screen.trim_end().ends_with("shell$"));
}

fn given_back() -> Left {
    Left {
        on_main_screen: true,
        ..Left::default()
    }
}

#[test]
fn a_suspended_program_gives_the_terminal_back_and_comes_back_with_its_draft() {
    let home = Home::new();
    let mut environment = home.environment();
    environment.push(("PS1".into(), "shell$ ".into()));
    let mut pty = Pty::start(&Start {
        command: ["bash", "--norc", "--noprofile", "--noediting", "-i"]
            .map(str::to_owned)
            .to_vec(),
        environment,
        folder: &home.work(),
        size: (80, 24),
        umask: None,
    });
    prompt(&mut pty);
    let program = env!("CARGO_BIN_EXE_keytide");
    pty.send(format!("{program} --demo --no-save\r"));
    pty.wait_for("Write a message");
    pty.send("a draft that stays");
    pty.wait_for("a draft that stays");
    pty.send("\x1a");
    pty.wait_for("Stopped");
    prompt(&mut pty);
    assert_eq!(
        modes::left_by(&pty.log()),
        given_back(),
        "while it is stopped"
    );
    pty.send("stty -a\r");
    pty.wait_until("cooked keys", |screen| {
        screen.contains(" icanon") && screen.contains(" echo ")
    });
    pty.send("fg\r");
    pty.wait_for("a draft that stays");
    pty.send(" and grows");
    pty.wait_for("a draft that stays and grows");
    pty.send("\x03");
    pty.wait_gone("a draft that stays");
    pty.send("\x04");
    prompt(&mut pty);
    assert_eq!(modes::left_by(&pty.log()), given_back(), "at the end");
    pty.send("exit\r");
    assert!(pty.wait_end(Duration::from_secs(5)).is_some());
}
