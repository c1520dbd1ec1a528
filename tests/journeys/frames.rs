//! What drawing costs: one frame for a burst, at most one in 16 ms, none while nothing moves.

use keytide::app::event::Fact;
use keytide::chat::id::RequestId;

use super::script::{Piece, Reply, Script, ending, grew, opening};
use super::world::Journey;

#[tokio::test(start_paused = true)]
async fn a_thousand_deltas_at_once_cost_one_frame() {
    let silence = Reply(vec![(10, Piece::Events(opening()))]);
    let mut journey = Journey::new(Script::default().then(silence), 80, 24);
    journey.say("go").await;
    journey.wait(500).await;
    let before = journey.world.frames.len();
    for _ in 0..1_000 {
        let events = vec![grew("word ")];
        let request = RequestId(1);
        journey.world.after(100, Fact::Streamed { request, events });
    }
    journey.wait(200).await;
    assert_eq!(journey.world.frames.len() - before, 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_draws_60_frames_a_second_at_most() {
    let mut pieces = vec![(100, Piece::Events(opening()))];
    pieces.extend((0..2_000).map(|ms| (100 + ms, Piece::Events(vec![grew("word ")]))));
    pieces.push((2_200, Piece::Events(ending("word "))));
    let mut journey = Journey::new(Script::default().then(Reply(pieces)), 80, 24);
    journey.say("go").await;
    // One stretch: each new stretch of the journey may begin with a frame.
    let before = journey.world.frames.len();
    journey.wait(3_000).await;
    let frames = &journey.world.frames[before..];
    // Of three frames in a row the last is a frame's time from the first: one may follow at once.
    let nearest = frames.windows(3).map(|three| three[2] - three[0]).min();
    assert!(nearest >= Some(16), "{nearest:?}");
    let time = frames.last().unwrap() - frames[0];
    assert!(
        frames.len() as u64 <= time / 16 + 2,
        "{} in {time} ms",
        frames.len()
    );
    assert!(frames.len() > 50, "it streams: {}", frames.len());
    assert!(frames.len() < 140, "{}", frames.len());
}

#[tokio::test(start_paused = true)]
async fn an_hour_of_nothing_draws_nothing() {
    let mut journey = Journey::new(Script::default(), 80, 24);
    journey.wait(1_000).await;
    let before = journey.world.frames.len();
    journey.wait(3_600_000).await;
    assert_eq!(journey.world.frames.len(), before);
}
