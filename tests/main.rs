//! Every test that looks at Keytide from outside, in one program so that it links once.
#![expect(
    clippy::expect_used,
    let_underscore_drop,
    unreachable_pub,
    reason = "tests fail by panicking, export nothing, and play with clients that may be gone"
)]

mod layers;
mod providers;
mod ratchet;
mod support;
