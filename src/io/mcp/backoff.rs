//! When a server that crashed is started again.

use std::time::Duration;

use tokio::time::Instant;

/// So many times within [`WINDOW`] it is started again.
const MOST: usize = 5;

/// Crashes longer ago don't count.
const WINDOW: Duration = Duration::from_secs(600);

/// The crashes of one server.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    crashes: Vec<Instant>,
}

impl Backoff {
    /// Notes a crash; returns how long to wait (1, 2, 4 … s), or `None` to give up.
    pub(crate) fn crashed(&mut self, now: Instant) -> Option<Duration> {
        self.crashes.retain(|at| now.duration_since(*at) < WINDOW);
        self.crashes.push(now);
        let before = self.crashes.len() - 1;
        (self.crashes.len() <= MOST).then(|| Duration::from_secs(1 << before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_grow_and_end_after_five_restarts_in_ten_minutes() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        let waits: Vec<_> = (0..6).map(|_| backoff.crashed(now)).collect();
        let seconds = |n| Some(Duration::from_secs(n));
        assert_eq!(
            waits,
            [
                seconds(1),
                seconds(2),
                seconds(4),
                seconds(8),
                seconds(16),
                None
            ]
        );
        assert_eq!(backoff.crashed(now + WINDOW), seconds(1));
    }
}
