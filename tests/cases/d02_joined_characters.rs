//! D02: emoji with joiners and decomposed letters leave nothing behind when the view scrolls.

use crate::support::person::{PAGE_DOWN, PAGE_UP};
use crate::support::reply::say;
use crate::support::run::Stage;

const LINES: [&str; 7] = [
    "❤️ ❤️ ❤️ ❤️ ❤️ ❤️",
    "👩‍🔬👨‍👩‍👧‍👦🏳️‍🌈",
    "\u{1100}\u{1161}\u{1102}\u{1161}\u{1103}\u{1161}",
    "e\u{301}",
    "🥲🏻",
    "กำ",
    "a=1; b=2;",
];

#[test]
fn after_scrolling_through_them_the_screen_equals_a_fresh_draw() {
    let text: String = (0..120)
        .map(|i| format!("{}\n\n", LINES[i % LINES.len()]))
        .collect();
    let mut run = Stage::new([say(&text)]).start(&[]);
    run.ready();
    run.say("go");
    run.stage.api.wait_for(1);
    run.pty.settle();
    for key in [PAGE_UP; 12].into_iter().chain([PAGE_DOWN; 5]) {
        run.pty.send(key);
        run.pty.settle();
    }
    let scrolled = run.drawn();
    assert_eq!(run.fresh_draw(), scrolled);
    run.finish();
}
