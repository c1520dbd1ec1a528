//! Sending, queueing, taking back, stopping, commands.

use crate::app::overlay::Overlay;
use crate::app::tests::stage::{Stage, acts, beginning, settings};
use crate::keymap::key::{Key, KeyCode};

#[test]
fn enter_sends_the_draft_and_everything_is_written_down_before_it_is_sent() {
    let mut stage = Stage::new();
    assert_eq!(
        stage.say("hello"),
        [
            "append began",
            "append titled hello",
            "append said hello",
            "append request 1",
            "send 1"
        ]
    );
    assert_eq!(stage.draft(), "");
    assert_eq!(stage.reply("hi"), ["append reply"]);
    assert_eq!(
        stage.say("more"),
        ["append said more", "append request 2", "send 2"]
    );
}

#[test]
fn a_blank_draft_is_not_sent_and_stays() {
    let mut stage = Stage::new();
    assert!(stage.say("").is_empty());
    assert!(stage.say("  ").is_empty());
    assert_eq!(stage.draft(), "  ");
}

#[test]
fn what_is_sent_meanwhile_waits_and_goes_out_as_one_message() {
    let mut stage = Stage::new();
    stage.say("one");
    assert!(stage.say("two").is_empty());
    assert!(stage.say("three").is_empty());
    assert_eq!(
        stage.reply("ok"),
        [
            "append reply",
            "append said two + three",
            "append request 2",
            "send 2"
        ]
    );
}

#[test]
fn up_takes_the_last_queued_message_back_into_an_empty_composer() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.say("two");
    stage.say("three");
    stage.press(KeyCode::Up);
    assert_eq!(stage.draft(), "three");
    assert_eq!(stage.app.scene(stage.moment()).queued, ["two"]);
    // With a draft in it, Up is history again: nothing that was written is overwritten.
    stage.press(KeyCode::Up);
    assert_eq!(stage.app.scene(stage.moment()).queued, ["two"]);
}

#[test]
fn up_and_down_walk_through_what_was_sent_and_the_draft_comes_back() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.reply("ok");
    stage.type_text("draft");
    stage.press(KeyCode::Up);
    assert_eq!(stage.draft(), "one");
    stage.press(KeyCode::Down);
    assert_eq!(stage.draft(), "draft");
}

#[test]
fn esc_stops_the_stream_and_keeps_what_came() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.stream(beginning("The tide"));
    assert_eq!(
        stage.press(KeyCode::Esc),
        ["abort 1", "append cut stopped The tide"]
    );
    assert!(stage.last_notice().contains("F5 ask again"));
    // What comes after the stop belongs to nobody.
    assert!(stage.stream(beginning(" is late")).is_empty());
    let items = stage.app.feed().items();
    assert!(
        items
            .iter()
            .all(|item| !format!("{:?}", item.body).contains("late"))
    );
}

#[test]
fn esc_sends_what_was_queued_and_ctrl_c_leaves_it_to_be_taken_back() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.say("two");
    assert_eq!(acts(&stage.press(KeyCode::Esc)), ["abort 1", "send 2"]);
    stage.say("three");
    assert_eq!(acts(&stage.ctrl('c')), ["abort 2"]);
    stage.press(KeyCode::Up);
    assert_eq!(stage.draft(), "three");
}

#[test]
fn an_unknown_command_keeps_the_draft_and_names_a_near_one() {
    let mut stage = Stage::new();
    assert!(stage.say("/modle x").is_empty());
    assert_eq!(stage.draft(), "/modle x");
    assert!(stage.flash().contains("`/model`"), "{}", stage.flash());
}

#[test]
fn enter_on_a_fully_typed_command_runs_it() {
    let mut stage = Stage::new();
    stage.say("/help");
    assert!(matches!(stage.app.overlay, Some(Overlay::Help { .. })));
    assert_eq!(stage.draft(), "");
    stage.press(KeyCode::Esc);
    assert!(stage.app.overlay.is_none());
    stage.say("/model claude-haiku-4-5");
    stage.say("hi");
    assert_eq!(stage.bodies[0].setup.model, "claude-haiku-4-5");
}

#[test]
fn a_slash_that_is_not_the_first_character_begins_no_command() {
    let mut stage = Stage::new();
    assert_eq!(acts(&stage.say(" /etc/hosts has what?")), ["send 1"]);
    assert_eq!(acts(&stage.say("see /etc")), [""; 0]);
}

#[test]
fn a_question_mark_is_help_on_an_empty_composer_and_a_character_on_any_other() {
    let mut stage = Stage::new();
    stage.type_text("why?");
    assert_eq!(stage.draft(), "why?");
    assert!(stage.app.overlay.is_none());
    stage.press(KeyCode::F(1));
    assert!(matches!(stage.app.overlay, Some(Overlay::Help { .. })));
    stage.press(KeyCode::Esc);
    stage.ctrl('c');
    stage.type_text("?");
    assert!(matches!(stage.app.overlay, Some(Overlay::Help { .. })));
    assert_eq!(stage.draft(), "");
}

#[test]
fn new_forgets_the_conversation_and_the_next_message_begins_another_file() {
    let mut stage = Stage::new();
    stage.say("one");
    assert!(stage.say("/new").is_empty(), "not while a turn runs");
    assert!(stage.flash().contains("Ctrl+C"));
    stage.reply("ok");
    assert_eq!(stage.say("/new"), ["new transcript"]);
    assert!(stage.app.feed().items().is_empty());
    let names = stage.say("two");
    assert_eq!(names[..2], ["append began", "append titled two"]);
    assert_eq!(stage.bodies.last().unwrap().history.messages().len(), 1);
}

#[test]
fn without_a_key_the_page_opens_and_the_draft_stays() {
    let mut no_key = settings();
    no_key.has_credentials = false;
    let mut stage = Stage::with(no_key);
    assert!(matches!(stage.app.overlay, Some(Overlay::FirstRun)));
    stage.press(KeyCode::Esc);
    assert!(stage.say("hello").is_empty());
    assert!(matches!(stage.app.overlay, Some(Overlay::FirstRun)));
    assert_eq!(stage.draft(), "hello");
    // A word that goes on over the page is no answer to it.
    assert!(stage.key(Key::char('d')).is_empty());
    assert_eq!(stage.draft(), "hellod");
    stage.press(KeyCode::Backspace);
    stage.press(KeyCode::Enter);
    stage.wait(400);
    // The demo takes the draft as it is.
    assert_eq!(stage.key(Key::char('d')), ["start demo"]);
    assert_eq!(acts(&stage.press(KeyCode::Enter)), ["send 1"]);
}

#[test]
fn the_editor_gets_the_draft_and_gives_it_back() {
    use crate::app::event::Fact;
    let mut stage = Stage::new();
    stage.type_text("dra");
    assert_eq!(stage.ctrl('g'), ["edit \"dra\""]);
    stage.tell(Fact::EditorClosed(Ok("draft\ntwo\n".into())));
    assert_eq!(stage.draft(), "draft\ntwo");
    stage.tell(Fact::EditorClosed(Err("The editor failed.".into())));
    assert_eq!(stage.draft(), "draft\ntwo");
    assert_eq!(stage.last_notice(), "The editor failed.");
}
