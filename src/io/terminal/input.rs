//! What the person does, as a stream of events.

use crossterm::event::EventStream;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::app::event::{Event, Fact, Signal};
use crate::io::clock::Clock;
use crate::io::terminal::convert;
use crate::io::terminal::hangup::HangUp;

/// Keys that wait to be taken in. When it is full, the terminal keeps the rest.
const QUEUE: usize = 256;

/// Reads the terminal, in a task of its own: a key is stamped when it comes, not when the loop gets
/// round to it, and looking for what waits never takes the place of who is to be woken.
#[derive(Debug)]
pub(super) struct Input {
    clock: Clock,
    events: mpsc::Receiver<Event>,
    /// Empty while somebody else reads the terminal.
    reading: JoinSet<()>,
    hang_up: HangUp,
    gone: bool,
}

impl Input {
    /// Begins to read.
    pub(super) fn start(clock: Clock) -> Self {
        let (_, events) = mpsc::channel(1);
        let reading = JoinSet::new();
        let mut input = Self {
            clock,
            events,
            reading,
            hang_up: HangUp::watch(),
            gone: false,
        };
        input.resume();
        input
    }

    /// Leaves the keys to somebody else. What was read before is not lost.
    pub(super) fn pause(&mut self) {
        self.reading.abort_all();
        self.reading = JoinSet::new();
    }

    /// Reads again.
    pub(super) fn resume(&mut self) {
        if !self.gone && self.reading.is_empty() {
            let (sender, events) = mpsc::channel(QUEUE);
            self.events = events;
            self.reading.spawn(forward(self.clock, sender));
        }
    }

    /// Waits for the next event. Cancel-safe. After `HangUp` nothing comes.
    pub(super) async fn next(&mut self) -> Event {
        if self.gone {
            std::future::pending::<()>().await;
        }
        tokio::select! {
            Some(event) = self.events.recv() => event,
            () = self.hang_up.wait() => self.hung_up(),
            Some(_) = self.reading.join_next() => self.hung_up(),
        }
    }

    /// Returns the next event if it is there already.
    pub(super) fn ready(&mut self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    fn hung_up(&mut self) -> Event {
        self.gone = true;
        self.pause();
        Event {
            at: self.clock.now(),
            fact: Fact::Signalled(Signal::HangUp),
        }
    }
}

/// Passes on what the terminal tells, until it ends.
async fn forward(clock: Clock, events: mpsc::Sender<Event>) {
    let mut stream = EventStream::new();
    while let Some(Ok(told)) = stream.next().await {
        if let Some(fact) = convert::fact(told)
            && events
                .send(Event {
                    at: clock.now(),
                    fact,
                })
                .await
                .is_err()
        {
            return;
        }
    }
}
