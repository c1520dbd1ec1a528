//! Which waits are asked for, and that an idle session asks for none.

use crate::app::event::{Event, Fact, Timer};
use crate::app::tests::stage::{Stage, beginning};
use crate::chat::failure::FailureKind;
use crate::keymap::key::{Key, KeyCode};

fn timers(stage: &Stage) -> Vec<(Timer, u64)> {
    let mut timers: Vec<_> = stage
        .timers
        .iter()
        .map(|(timer, at)| (*timer, at - stage.now))
        .collect();
    timers.sort_by_key(|(_, left)| *left);
    timers
}

#[test]
fn an_idle_session_asks_for_no_wait_and_for_no_frame() {
    let mut stage = Stage::new();
    assert_eq!(timers(&stage), []);
    stage.say("one");
    stage.reply("ok");
    stage.wait(1_000);
    assert_eq!(timers(&stage), [], "the last tick was not asked for again");
    assert!(!stage.app.take_dirty());
    stage.say("two");
    stage.fail(FailureKind::Unauthorized);
    stage.wait(1_000);
    assert_eq!(timers(&stage), []);
}

#[test]
fn a_running_turn_ticks_once_a_second_and_not_more() {
    let mut stage = Stage::new();
    stage.say("one");
    assert_eq!(timers(&stage), [(Timer::Tick, 1_000)]);
    for _ in 0..50 {
        stage.stream(beginning("word "));
    }
    assert_eq!(timers(&stage), [(Timer::Tick, 1_000)]);
    stage.wait(1_000);
    assert_eq!(timers(&stage), [(Timer::Tick, 1_000)]);
}

#[test]
fn the_wait_of_the_gate_is_asked_for_once_and_anew_after_each_key() {
    let mut stage = Stage::at_gate(&["a"]);
    let quiet = |stage: &Stage| {
        let of_gate = |(timer, _): &(Timer, u64)| *timer == Timer::GateQuiet;
        timers(stage).into_iter().find(of_gate)
    };
    assert_eq!(quiet(&stage), Some((Timer::GateQuiet, 400)));
    stage.wait(300);
    stage.stream(Vec::new());
    assert_eq!(quiet(&stage), Some((Timer::GateQuiet, 100)));
    stage.key(Key::char('x'));
    assert_eq!(quiet(&stage), Some((Timer::GateQuiet, 400)));
    stage.wait(400);
    assert_eq!(quiet(&stage), None);
}

#[test]
fn pings_draw_no_frame() {
    let mut stage = Stage::new();
    stage.say("one");
    let request = stage.request;
    let at = stage.moment();
    stage.app.update(Event {
        at,
        fact: Fact::StreamAlive(request),
    });
    assert!(!stage.app.take_dirty());
}

#[test]
fn a_passing_line_passes() {
    let mut stage = Stage::new();
    stage.say("/nothing");
    assert!(!stage.flash().is_empty());
    stage.wait(3_000);
    assert_eq!(stage.flash(), "");
    assert_eq!(timers(&stage), []);
}

#[test]
fn the_offer_to_quit_outlives_an_older_passing_line() {
    let mut stage = Stage::new();
    stage.say("/nothing");
    stage.wait(2_000);
    stage.press(KeyCode::Home);
    stage.ctrl('c');
    stage.ctrl('c');
    stage.wait(1_200);
    assert!(stage.flash().contains("Ctrl+C again"));
    stage.wait(1_000);
    assert_eq!(stage.flash(), "");
}
