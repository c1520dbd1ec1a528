//! Going on in a transcript: from the command line, and from the browser.

use crate::app::event::{Fact, LoadPurpose};
use crate::app::overlay::Overlay;
use crate::app::tests::stage::{Stage, acts};
use crate::chat::conversation::Conversation;
use crate::chat::entry::Entry;
use crate::chat::id::RequestId;
use crate::chat::message::{ContentBlock, Message};
use crate::chat::moment::Timestamp;
use crate::chat::stream::{StopReason, Usage};
use crate::keymap::key::KeyCode;
use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;

fn summary(id: &str) -> Summary {
    Summary {
        id: id.into(),
        title: format!("about {id}"),
        folder: "/home/person/tides".into(),
        changed: Timestamp(1_700_000_000_000),
        bytes: 2_048,
        in_use: false,
    }
}

fn replay(id: &str, said: &str) -> Box<Replay> {
    let said_blocks = Message::user_text(said).blocks;
    let reply = vec![ContentBlock::Text("an answer".into())];
    let mut conversation = Conversation::default();
    conversation.push_user(said_blocks.clone()).unwrap();
    conversation.push_reply(reply.clone()).unwrap();
    let replied = Entry::Replied {
        request: RequestId(1),
        reply_id: None,
        model: None,
        blocks: reply,
        stop: Some(StopReason::EndTurn),
        usage: Usage {
            input: 100,
            output: 20,
            ..Usage::default()
        },
    };
    Box::new(Replay {
        id: id.into(),
        title: Some(format!("about {id}")),
        folder: "/home/person/tides".into(),
        entries: vec![
            (Timestamp(0), Entry::UserSaid(said_blocks)),
            (Timestamp(1), replied),
        ],
        conversation,
        setup: None,
        notices: vec!["A line was left out.".into()],
    })
}

fn loaded(purpose: LoadPurpose, id: &str) -> Fact {
    Fact::TranscriptLoaded {
        purpose,
        outcome: Ok(replay(id, "earlier words")),
    }
}

#[test]
fn a_resumed_transcript_is_on_the_screen_in_the_history_and_in_the_next_request() {
    let mut stage = Stage::new();
    let at = stage.moment();
    let effects = stage.app.resume_from("t1".into(), false, at);
    assert_eq!(stage.take_in(effects), ["load t1 Resume"]);
    assert_eq!(
        stage.tell(loaded(LoadPurpose::Resume, "t1")),
        ["continue t1"]
    );
    assert_eq!(stage.app.scene(at).title, "about t1");
    assert_eq!(stage.last_notice(), "A line was left out.");
    assert_eq!(stage.app.spend().context(), 120);
    stage.press(KeyCode::Up);
    assert_eq!(stage.draft(), "earlier words");
    stage.ctrl('c');
    let names = stage.say("more");
    assert_eq!(
        names,
        ["append said more", "append request 1", "send 1"],
        "the file has begun already"
    );
    assert_eq!(stage.bodies[0].history.messages().len(), 3);
}

#[test]
fn a_wanted_copy_is_made() {
    let mut stage = Stage::new();
    let at = stage.moment();
    let effects = stage.app.resume_from("t1".into(), true, at);
    stage.take_in(effects);
    assert_eq!(stage.tell(loaded(LoadPurpose::Resume, "t1")), ["fork t1"]);
}

#[test]
fn fork_goes_on_in_a_copy_of_what_is_saved() {
    let mut stage = Stage::new();
    assert!(stage.say("/fork").is_empty());
    assert!(!stage.flash().is_empty());
    stage.tell(Fact::TranscriptOpened("t1".into()));
    assert_eq!(stage.say("/fork"), ["fork t1"]);
}

#[test]
fn a_message_is_not_sent_before_the_transcript_is_read() {
    let mut stage = Stage::new();
    let at = stage.moment();
    drop(stage.app.resume_from("t1".into(), false, at));
    assert!(stage.say("early").is_empty());
    assert_eq!(stage.draft(), "early");
    stage.tell(loaded(LoadPurpose::Resume, "t1"));
    assert_eq!(acts(&stage.press(KeyCode::Enter)), ["send 1"]);
    assert_eq!(stage.bodies[0].history.messages().len(), 3);
}

#[test]
fn a_transcript_that_cannot_be_read_is_named_and_the_session_goes_on() {
    let mut stage = Stage::new();
    let at = stage.moment();
    drop(stage.app.resume_from("t1".into(), false, at));
    stage.tell(Fact::TranscriptLoaded {
        purpose: LoadPurpose::Resume,
        outcome: Err("no such file".into()),
    });
    assert!(stage.last_notice().contains("no such file"));
    assert!(acts(&stage.say("new words")).contains(&"send 1"));
}

#[test]
fn the_browser_previews_what_is_chosen_and_opens_it() {
    let mut stage = Stage::new();
    assert_eq!(stage.press(KeyCode::F(2)), ["list transcripts"]);
    let list = vec![summary("t1"), summary("t2"), summary("t3")];
    assert_eq!(
        stage.tell(Fact::TranscriptsListed(list)),
        ["load t1 Preview"]
    );
    assert_eq!(stage.press(KeyCode::Down), ["load t2 Preview"]);
    // The preview of the first one comes too late.
    stage.tell(loaded(LoadPurpose::Preview, "t1"));
    let preview = |stage: &Stage| match &stage.app.overlay {
        Some(Overlay::Browser(browser)) => browser.preview.is_some(),
        Some(_) | None => false,
    };
    assert!(!preview(&stage));
    stage.tell(loaded(LoadPurpose::Preview, "t2"));
    assert!(preview(&stage));
    assert_eq!(stage.press(KeyCode::End), ["load t3 Preview"]);
    assert!(stage.press(KeyCode::Down).is_empty());
    assert_eq!(stage.press(KeyCode::Home), ["load t1 Preview"]);
    assert_eq!(stage.press(KeyCode::PageDown), ["load t3 Preview"]);
    assert_eq!(stage.press(KeyCode::Enter), ["load t3 Resume"]);
    assert!(stage.press(KeyCode::Enter).is_empty(), "it is on its way");
    assert_eq!(
        stage.tell(loaded(LoadPurpose::Resume, "t3")),
        ["continue t3"]
    );
    assert!(stage.app.overlay.is_none());
}

#[test]
fn esc_closes_the_browser_and_leaves_everything_as_it_was() {
    let mut stage = Stage::new();
    stage.type_text("draft");
    stage.press(KeyCode::F(2));
    stage.tell(Fact::TranscriptsListed(Vec::new()));
    assert!(stage.press(KeyCode::Enter).is_empty(), "nothing is chosen");
    assert!(stage.type_text("x").is_empty());
    stage.press(KeyCode::Esc);
    assert_eq!(stage.draft(), "draft");
    assert!(stage.app.overlay.is_none());
}

#[test]
fn no_transcript_is_opened_over_a_turn_that_runs() {
    let mut stage = Stage::new();
    stage.say("one");
    stage.press(KeyCode::F(2));
    stage.tell(Fact::TranscriptsListed(vec![summary("t1")]));
    assert!(stage.press(KeyCode::Enter).is_empty());
    assert!(stage.flash().contains("Ctrl+C"));
    stage.tell(loaded(LoadPurpose::Resume, "t1"));
    assert!(stage.app.agent.is_busy());
    assert!(stage.last_notice().contains("not opened"));
}
