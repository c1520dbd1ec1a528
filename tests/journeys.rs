//! Journeys: keys and a scripted world in, screens and lines out. Time is virtual.

mod answers;
mod conversation;
mod frames;
mod plainly;
mod reading;
mod script;
mod world;
