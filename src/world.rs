//! What a loop needs of everything outside: the one seam between state and world.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::Event;
use crate::app::shown::Shown;
use crate::chat::moment::{Millis, Moment};

/// Everything outside: what happens there, and what can be asked of it.
pub trait World {
    /// Returns what time it is.
    fn now(&self) -> Moment;
    /// Waits for the next thing that happens. Cancel-safe. Nothing comes after the world has ended.
    fn next_event(&mut self) -> impl Future<Output = Option<Event>>;
    /// Returns what has happened already, without waiting.
    fn ready_event(&mut self) -> Option<Event>;
    /// Waits until a moment of the clock.
    fn wait_until(&self, at: Millis) -> impl Future<Output = ()> + use<Self>
    where
        Self: Sized;
    /// Does what is asked, or begins to; returns at once.
    fn perform(&mut self, effect: Effect);
    /// Shows the state, and says what could be seen. Nothing when there is no screen to draw on.
    fn draw(&mut self, app: &App) -> Option<Shown>;
}
