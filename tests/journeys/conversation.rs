//! A whole conversation on the screen, wide and narrow.

use insta::assert_snapshot;
use keytide::chat::failure::FailureKind;
use keytide::keymap::key::{Key, KeyCode};

use super::script::{Script, ask, cut, say};
use super::world::Journey;

const SIZES: [(u16, u16); 2] = [(80, 24), (40, 12)];

fn name(step: &str, (width, height): (u16, u16)) -> String {
    format!("{step}_{width}x{height}")
}

fn two_calls() -> Script {
    Script::default()
        .then(ask(
            "I will ask twice.",
            &[
                ("toolu_1", "s__echo", r#"{"text":"Dover"}"#),
                (
                    "toolu_2",
                    "s__wipe",
                    r#"{"target":"/srv/tides","password":"hunter2hunter2"}"#,
                ),
            ],
        ))
        .then(say(
            "**Dover** is fine, and nothing was wiped:\n\n- high water 06:12\n- low water 12:40",
        ))
        .result("toolu_1", 1_500, "high water 06:12")
}

/// On a small screen the call must be scrolled to its end before it can run.
async fn see_to_the_end(journey: &mut Journey) {
    for _ in 0..5 {
        if journey.screen().await.contains("y run") {
            return;
        }
        journey.press(KeyCode::PageDown).await;
        journey.wait(500).await;
    }
    panic!("the end never came: {}", journey.world.screen());
}

#[tokio::test(start_paused = true)]
async fn two_calls_side_by_side_one_run_and_one_denied_with_a_reason() {
    for size in SIZES {
        let mut journey = Journey::new(two_calls(), size.0, size.1);
        journey.type_text("When is high water?").await;
        assert_snapshot!(name("draft", size), journey.screen().await);
        journey.press(KeyCode::Enter).await;
        journey.wait(330).await;
        assert_snapshot!(name("gate_waits_for_quiet", size), journey.screen().await);
        journey.wait(1_000).await;
        assert_snapshot!(name("gate_armed", size), journey.screen().await);
        see_to_the_end(&mut journey).await;
        journey.key(Key::char('y')).await;
        journey.wait(600).await;
        assert_snapshot!(
            name("first_runs_second_waits", size),
            journey.screen().await
        );
        journey.key(Key::char('r')).await;
        journey.wait(100).await;
        journey.type_text("only read").await;
        assert_snapshot!(name("reason", size), journey.screen().await);
        journey.press(KeyCode::Enter).await;
        journey.wait(5_000).await;
        assert_snapshot!(name("answered", size), journey.screen().await);
        assert_eq!(journey.world.asked, ["send 1", "call toolu_1", "send 2"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_reply_is_kept_and_marked_and_f5_asks_again() {
    for size in SIZES {
        let script = Script::default()
            .then(cut("High water is at ", FailureKind::StreamCut, ""))
            .then(say("High water is at 06:12."));
        let mut journey = Journey::new(script, size.0, size.1);
        journey.say("When?").await;
        journey.wait(1_000).await;
        assert_snapshot!(name("cut", size), journey.screen().await);
        journey.press(KeyCode::F(5)).await;
        journey.wait(2_000).await;
        assert_snapshot!(name("asked_again", size), journey.screen().await);
        assert_eq!(journey.world.asked, ["send 1", "send 2"]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_queued_is_on_the_screen_until_it_is_sent() {
    let script = Script::default()
        .then(say(
            "One moment, I am counting the tides of the whole year.",
        ))
        .then(say("Two it is."));
    let mut journey = Journey::new(script, 80, 24);
    journey.say("one").await;
    journey.say("two").await;
    assert_snapshot!("queued", journey.screen().await);
    journey.wait(5_000).await;
    assert_snapshot!("queue_sent", journey.screen().await);
    assert_eq!(journey.world.asked, ["send 1", "send 2"]);
}

#[tokio::test(start_paused = true)]
async fn the_whole_call_is_open_and_a_secret_in_it_is_a_mark() {
    let mut journey = Journey::new(two_calls(), 80, 24);
    journey.say("When?").await;
    journey.wait(2_000).await;
    journey.press(KeyCode::Tab).await;
    journey.wait(1_000).await;
    journey.key(Key::char('v')).await;
    let screen = journey.screen().await;
    assert!(!screen.contains("hunter2"), "{screen}");
    assert!(screen.contains("/srv/tides"), "{screen}");
    for char in ['y', 'n', 'Y', 'N'] {
        journey.key(Key::char(char)).await;
    }
    journey.press(KeyCode::Esc).await;
    journey.wait(1_000).await;
    assert_eq!(journey.world.asked, ["send 1"]);
    assert!(journey.screen().await.contains("y run"));
}
