//! What the tests from outside need: servers that play a part, a terminal, and judges.

pub mod census;
pub mod fake_api;
pub mod fake_mcp;
pub mod home;
pub mod http;
pub mod judge;
pub mod modes;
pub mod person;
pub mod pty;
pub mod reply;
pub mod run;
pub mod secrets;
pub mod strict;
#[cfg(test)]
mod tests;
pub mod wait;
