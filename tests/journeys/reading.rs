//! Reading earlier text while more arrives.

use keytide::chat::moment::Millis;
use keytide::keymap::key::{Key, KeyCode, KeyMotion, Mods};
use keytide::world::World as _;

use super::script::{Piece, Reply, Script, ending, grew, opening};
use super::world::Journey;

/// Four hundred numbered lines, 25 a second.
fn lines() -> Reply {
    let mut pieces = vec![(100, Piece::Events(opening()))];
    let mut whole = String::new();
    for number in 1..=400_u64 {
        let line = format!("line {number}\n\n");
        pieces.push((100 + number * 40, Piece::Events(vec![grew(&line)])));
        whole.push_str(&line);
    }
    pieces.push((100 + 401 * 40, Piece::Events(ending(&whole))));
    Reply(pieces)
}

/// The second line of the screen: the first of the conversation pane.
fn top(screen: &str) -> String {
    screen.lines().nth(1).unwrap_or_default().to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_text_that_is_read_stays_where_it_is_while_more_arrives() {
    let mut journey = Journey::new(Script::default().then(lines()), 80, 24);
    journey.say("count").await;
    journey.wait(4_000).await;
    for _ in 0..3 {
        journey.press(KeyCode::PageUp).await;
    }
    let first = top(&journey.screen().await);
    for _ in 0..50 {
        journey.wait(100).await;
        assert_eq!(top(&journey.world.screen()), first);
    }
    let screen = journey.world.screen();
    assert!(screen.contains("new lines"), "{screen}");
    let end = Key {
        code: KeyCode::End,
        mods: Mods::CTRL,
        motion: KeyMotion::Press,
    };
    journey.key(end).await;
    let before = journey.screen().await;
    assert!(!before.contains("new lines"), "{before}");
    journey.wait(1_000).await;
    assert_ne!(journey.world.screen(), before, "it follows again");
    journey.wait(20_000).await;
    assert!(journey.world.screen().contains("line 400"));
}

#[tokio::test(start_paused = true)]
async fn another_width_finds_the_reading_place_again() {
    let mut journey = Journey::new(Script::default().then(lines()), 80, 24);
    journey.say("count").await;
    journey.wait(20_000).await;
    for _ in 0..3 {
        journey.press(KeyCode::PageUp).await;
    }
    let first = top(&journey.screen().await);
    for (width, height) in [(40, 24), (60, 12), (1, 1), (20, 6), (80, 24)] {
        journey.world.resize(width, height);
        journey.wait(100).await;
    }
    assert_eq!(top(&journey.screen().await), first);
    assert!(journey.world.now().mono > Millis(20_000));
}
