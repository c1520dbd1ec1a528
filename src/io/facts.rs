//! The one way into the event loop: facts, stamped with the time, through a bounded channel.

use tokio::sync::mpsc;

use crate::app::event::{Event, Fact};
use crate::io::clock::Clock;

/// The way into the event loop. A full channel makes the sender wait; progress is dropped.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The channel.
    pub events: mpsc::Sender<Event>,
    /// Tells when.
    pub clock: Clock,
}

impl Facts {
    /// Tells a fact, waiting while the channel is full. Says whether anybody listens: after the
    /// loop has ended nobody is told.
    pub(crate) async fn tell(&self, fact: Fact) -> bool {
        let event = self.event(fact);
        self.events.send(event).await.is_ok()
    }

    /// Tells whether the loop has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.events.is_closed()
    }

    /// Tells a fact from a thread that may wait.
    pub(crate) fn tell_from_thread(&self, fact: Fact) {
        self.events.blocking_send(self.event(fact)).unwrap_or(());
    }

    /// Tells a fact that may be lost while the channel is full; returns whether it was told.
    pub(crate) fn try_tell(&self, fact: Fact) -> bool {
        self.events.try_send(self.event(fact)).is_ok()
    }

    fn event(&self, fact: Fact) -> Event {
        let at = self.clock.now();
        Event { at, fact }
    }
}
