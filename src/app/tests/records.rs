//! What is written down, and what happens when it can't be.

use crate::app::event::Fact;
use crate::app::tests::stage::{Stage, acts, settings};

#[test]
fn a_session_without_a_message_leaves_nothing_behind() {
    let mut stage = Stage::new();
    let mut names = stage.type_text("draft");
    names.extend(stage.ctrl('c'));
    names.extend(stage.ctrl('d'));
    assert_eq!(names, ["quit 0"]);
}

#[test]
fn without_saving_nothing_is_written_and_everything_else_is_the_same() {
    let mut unsaved = settings();
    unsaved.save = false;
    let mut stage = Stage::with(unsaved);
    assert_eq!(stage.say("one"), ["send 1"]);
    assert!(stage.ask_for(&["a"]).is_empty());
    stage.wait(1_000);
    assert_eq!(stage.decide('y'), ["call a"]);
    assert_eq!(stage.finish("a"), ["send 2"]);
}

#[test]
fn a_disk_that_refuses_is_told_once_as_it_is_and_the_conversation_goes_on() {
    let mut stage = Stage::new();
    stage.say("one");
    let why = "The conversation can't be saved: the disk is full. It goes on in memory.";
    assert!(stage.tell(Fact::SaveFailed(why.into())).is_empty());
    assert_eq!(stage.last_notice(), why);
    assert!(!stage.app.scene(stage.moment()).saved);
    assert_eq!(stage.reply("hi"), ["append reply"], "it is tried again");
    assert_eq!(acts(&stage.say("two")), ["send 2"]);
    stage.tell(Fact::SavedAgain);
    assert!(stage.app.scene(stage.moment()).saved);
}

#[test]
fn a_secret_in_the_first_message_is_in_no_title() {
    let mut stage = Stage::new();
    let secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    let names = stage.say(&format!("use {secret}"));
    assert!(names.iter().all(|name| !name.contains(secret)), "{names:?}");
    assert!(!stage.app.scene(stage.moment()).title.contains(secret));
    // What is sent is what was said.
    let sent = stage.bodies[0].history.messages()[0].text();
    assert_eq!(sent, format!("use {secret}"));
}
