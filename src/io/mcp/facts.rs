//! Where a server's facts go: into the one channel of events, stamped with the time.

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
    /// Tells a fact, waiting while the channel is full. After the loop has ended nobody is told.
    pub(crate) async fn tell(&self, fact: Fact) {
        let event = self.event(fact);
        self.events.send(event).await.unwrap_or(());
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
