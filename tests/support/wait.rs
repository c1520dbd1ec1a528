//! Waiting for a fact, never for a time.

use std::thread;
use std::time::{Duration, Instant};

/// How long a fact may take before a test fails; `KEYTIDE_TEST_WAIT` in seconds changes it.
pub fn deadline() -> Duration {
    let seconds = std::env::var("KEYTIDE_TEST_WAIT").ok();
    let seconds = seconds.and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(15))
}

/// Asks again and again until there is an answer, or the deadline has passed.
pub fn answer<T>(within: Duration, mut probe: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        if let Some(found) = probe() {
            return Some(found);
        }
        if begun.elapsed() > within {
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until something holds; fails with its name when it doesn't in time.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let found = answer(deadline(), || holds().then_some(()));
    assert!(found.is_some(), "this never came: {what}");
}
