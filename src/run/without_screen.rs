//! The world without a screen, for one answer and for the linear conversation.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::{Event, Fact};
use crate::app::shown::Shown;
use crate::chat::moment::{Millis, Moment};
use crate::demo::Demo;
use crate::io::outside::{Haste, Outside};
use crate::io::terminal::signals::Signals;
use crate::run::screen::wait_until;
use crate::world::World;

/// The world of a session that writes lines.
#[derive(Debug)]
pub struct WithoutScreen {
    outside: Outside,
    signals: Signals,
    /// Keeps the demo's model running.
    _demo: Option<Demo>,
}

impl WithoutScreen {
    /// Puts it together.
    pub const fn new(outside: Outside, signals: Signals, demo: Option<Demo>) -> Self {
        Self {
            outside,
            signals,
            _demo: demo,
        }
    }

    /// Ends everything.
    pub async fn shut_down(self, haste: Haste) {
        self.outside.shut_down(haste).await;
    }
}

impl World for WithoutScreen {
    fn now(&self) -> Moment {
        self.outside.clock().now()
    }

    async fn next_event(&mut self) -> Option<Event> {
        tokio::select! {
            signal = self.signals.next() => {
                Some(Event { at: self.outside.clock().now(), fact: Fact::Signalled(signal) })
            }
            event = self.outside.next() => event,
        }
    }

    fn ready_event(&mut self) -> Option<Event> {
        self.outside.ready()
    }

    fn wait_until(&self, at: Millis) -> impl Future<Output = ()> + use<> {
        wait_until(self.outside.clock(), at)
    }

    fn perform(&mut self, effect: Effect) {
        // What concerns a screen has no meaning here.
        drop(self.outside.perform(effect));
    }

    fn draw(&mut self, _app: &App) -> Option<Shown> {
        None
    }
}
