//! Every test that looks at Keytide from outside, in one program so that it links once.
#![expect(
    clippy::expect_used,
    unreachable_pub,
    reason = "tests fail by panicking, look at the clock and the environment, and export nothing"
)]

mod layers;
mod ratchet;
