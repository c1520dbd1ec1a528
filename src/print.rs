//! The front ends without a screen, over the same `App` and `World`: one answer, and the linear
//! conversation.

pub mod answer;
mod exit;
mod linear;
mod news;
mod pages;
pub mod plain;
mod report;

use crate::app::App;
use crate::app::event::Event;
use crate::world::World;

/// Takes in one fact and does what follows from it.
fn take_in<W: World>(app: &mut App, world: &mut W, event: Event) {
    for effect in app.update(event) {
        world.perform(effect);
    }
}
