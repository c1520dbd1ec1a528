//! The clock: the one place that looks at it.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::chat::moment::{Millis, Moment, Timestamp};

/// Tells the time on both clocks.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the place that looks at the clock"
)]
impl Clock {
    /// Starts to count.
    pub fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// Returns what time it is.
    pub fn now(&self) -> Moment {
        let mono = self.started.elapsed().as_millis();
        // A clock that is set before 1970 tells 1970.
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis());
        Moment {
            mono: Millis(u64::try_from(mono).unwrap_or(u64::MAX)),
            wall: Timestamp(i64::try_from(wall).unwrap_or(i64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use crate::chat::moment::Timestamp;

    #[test]
    fn the_clock_starts_at_zero_and_knows_the_day() {
        let now = Clock::start().now();
        assert!(now.mono.as_secs() < 60);
        // 2026-01-01.
        assert!(now.wall > Timestamp(1_767_225_600_000));
    }
}
