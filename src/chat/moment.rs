//! Time as a value: nothing outside `io` looks at a clock.

use std::ops::{Add, Sub};

/// Milliseconds since the program started, never going back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// Returns the number of milliseconds in so many seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds * 1_000)
    }

    /// Returns how much later this is than `earlier`, or zero when it is not.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// Returns the whole seconds in this span.
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.since(other)
    }
}

/// Milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(pub i64);

/// When something happened, on both clocks: `mono` to measure with, `wall` to write down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// Time since the program started.
    pub mono: Millis,
    /// Time of day.
    pub wall: Timestamp,
}
