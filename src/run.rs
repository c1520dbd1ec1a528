//! The event loop: facts in, requests out, a frame when one is due.

pub mod demo;
pub mod launch;
pub mod screen;
pub mod session;
pub mod without_screen;

use crate::app::App;
use crate::app::event::{Event, Fact};
use crate::chat::moment::Millis;
use crate::world::World;

/// What a frame is worth: at most 60 a second.
const FRAME: Millis = Millis(16);
/// So many facts are taken in before a frame is drawn, however many wait.
const BATCH: usize = 1_024;

/// Runs a session to its end and returns the exit code.
pub async fn run<W: World>(app: &mut App, world: &mut W) -> u8 {
    let mut frames = Frames::default();
    loop {
        frames.note(app.take_dirty());
        if frames.is_due(world.now().mono) {
            draw(app, world, &mut frames);
            continue;
        }
        if let Some(code) = app.ended() {
            return code;
        }
        let frame = frames.due_at.map(|at| world.wait_until(at));
        let event = tokio::select! {
            event = world.next_event() => event,
            () = frame_due(frame) => continue,
        };
        let Some(event) = event else {
            return app.ended().unwrap_or(1);
        };
        take_in(app, world, event);
        take_in_what_waits(app, world);
    }
}

async fn frame_due(wait: Option<impl Future<Output = ()>>) {
    match wait {
        Some(wait) => wait.await,
        None => std::future::pending().await,
    }
}

/// A burst of a thousand deltas costs one frame: all that waits is taken in first.
fn take_in_what_waits<W: World>(app: &mut App, world: &mut W) {
    for _ in 1..BATCH {
        match world.ready_event() {
            Some(event) => take_in(app, world, event),
            None => return,
        }
    }
}

fn take_in<W: World>(app: &mut App, world: &mut W, event: Event) {
    for effect in app.update(event) {
        world.perform(effect);
    }
}

fn draw<W: World>(app: &mut App, world: &mut W, frames: &mut Frames) {
    let shown = world.draw(app);
    let at = world.now();
    frames.drawn(at.mono);
    if let Some(shown) = shown {
        take_in(
            app,
            world,
            Event {
                at,
                fact: Fact::Drawn(shown),
            },
        );
    }
}

/// When the next frame is due: 60 a second at most, counted over time.
///
/// A frame after a rest is drawn at once, and so is the one that follows it: the first key after a
/// start, or a key while something ticks, must not wait for a frame that showed something else.
#[derive(Debug, Default)]
struct Frames {
    /// When the frames drawn so far are used up, at [`FRAME`] each.
    paid_until: Millis,
    due_at: Option<Millis>,
}

impl Frames {
    fn note(&mut self, dirty: bool) {
        if dirty && self.due_at.is_none() {
            self.due_at = Some(self.paid_until - FRAME);
        }
    }

    fn is_due(&self, now: Millis) -> bool {
        self.due_at.is_some_and(|at| at <= now)
    }

    fn drawn(&mut self, now: Millis) {
        self.paid_until = self.paid_until.max(now) + FRAME;
        self.due_at = None;
    }
}
