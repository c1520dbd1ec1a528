//! Every test that looks at Keytide from outside, in one program so that it links once.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::format_collect,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::string_slice,
    clippy::wildcard_enum_match_arm,
    let_underscore_drop,
    unreachable_pub,
    reason = "tests fail by panicking, look at the clock, export nothing, prefer a short line to a \
              fast one, and play with clients that may be gone"
)]

mod cases;
mod compile_fail;
mod interop;
mod journeys;
mod layers;
mod picture;
mod providers;
mod pty;
mod ratchet;
mod readme;
mod support;
