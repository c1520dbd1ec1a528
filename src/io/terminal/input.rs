//! What the person does, as a stream of facts.

use crossterm::event::EventStream;
use futures_util::{FutureExt, StreamExt};

use crate::app::event::{Fact, Signal};
use crate::io::terminal::convert;
use crate::io::terminal::hangup::HangUp;

/// Reads the terminal.
#[derive(Debug)]
pub(super) struct Input {
    /// None while somebody else reads the terminal, and when there is nothing more to read.
    events: Option<EventStream>,
    hang_up: HangUp,
    gone: bool,
}

impl Input {
    /// Begins to read.
    pub(super) fn start() -> Self {
        Self {
            events: Some(EventStream::new()),
            hang_up: HangUp::watch(),
            gone: false,
        }
    }

    /// Leaves the keys to somebody else.
    pub(super) fn pause(&mut self) {
        self.events = None;
    }

    /// Reads again.
    pub(super) fn resume(&mut self) {
        if !self.gone {
            self.events = Some(EventStream::new());
        }
    }

    /// Waits for the next fact. After `HangUp` nothing comes.
    pub(super) async fn next(&mut self) -> Fact {
        loop {
            let Some(events) = &mut self.events else {
                self.hang_up.wait().await;
                return self.hung_up();
            };
            let event = tokio::select! {
                event = events.next() => event,
                () = self.hang_up.wait() => None,
            };
            let Some(Ok(event)) = event else {
                return self.hung_up();
            };
            if let Some(fact) = convert::fact(event) {
                return fact;
            }
        }
    }

    /// Returns the next fact if it is there already.
    pub(super) fn ready(&mut self) -> Option<Fact> {
        self.next().now_or_never()
    }

    fn hung_up(&mut self) -> Fact {
        self.gone = true;
        self.events = None;
        Fact::Signalled(Signal::HangUp)
    }
}
