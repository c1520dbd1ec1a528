//! The picture at the top of the README: the real screen of a real run, written as SVG.
//!
//! `cargo test --test main -- --ignored picture` draws it anew after the looks have changed.

mod svg;

use std::fs;

use crate::layers::project;
use crate::support::run::Stage;

/// Columns and rows.
const SIZE: (u16, u16) = (106, 28);
/// The key line of an armed gate; the demo's model says `y runs it`, too.
const ARMED: &str = "y run  n deny";

#[test]
#[ignore = "writes assets/screen.svg"]
fn the_picture_of_the_readme_is_drawn_anew() {
    let stage = Stage::new([]).variable("ANTHROPIC_BASE_URL", "");
    let mut run = stage.sized(SIZE.0, SIZE.1).start(&["--demo"]);
    run.pty.wait_for("1 server");
    run.say("What is the weather in Beijing? Also add 1234 and 5678");
    for call in ["call 1 of 2", "add  waits for you"] {
        run.pty.wait_until(call, |screen| {
            screen.contains(call) && screen.contains(ARMED)
        });
        run.pty.send("y");
        run.pty.wait_gone(call);
    }
    run.pty.wait_for("The sum is 6912");
    run.pty.wait_for("Write a message");
    run.say("Thanks! Now log in with a password");
    run.pty.wait_for(ARMED);
    let picture = run.pty.with_screen(|screen| svg::draw(screen, "keytide"));
    fs::write(project().join("assets/screen.svg"), picture).expect("the picture is written");
}
