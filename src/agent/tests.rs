//! Stories about the turn loop.

mod bench;
mod disorder;
mod rounds;
mod turns;
