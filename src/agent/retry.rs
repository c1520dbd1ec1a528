//! When a failed request is sent again: backoff as data.

use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::moment::Millis;

/// At most this many attempts for one request.
pub const MOST_ATTEMPTS: u32 = 5;
/// A wait that the service asks for is honoured up to here; a longer one is left to the person.
pub const LONGEST_WAIT: Millis = Millis::from_secs(120);

const FIRST_WAIT: Millis = Millis(500);
const LONGEST_BACKOFF: Millis = Millis(8_000);

/// Decides whether a request is sent again, and after how long.
///
/// `attempt` is the number of the attempt that failed, from 1; `jitter` is between 0 and 1. The
/// service's own word wins; a request whose reply had begun is never sent again by itself.
pub fn delay_before_retry(
    error: &TurnError,
    hint: RetryHint,
    attempt: u32,
    jitter: f64,
) -> Option<Millis> {
    if hint.body_began || attempt >= MOST_ATTEMPTS || !may_retry(error.kind, hint) {
        return None;
    }
    match hint.after {
        Some(after) if after > LONGEST_WAIT => None,
        // A wait that is asked for is a least one.
        Some(after) if after > Millis(0) => Some(after),
        Some(_) | None => Some(backoff(attempt, jitter)),
    }
}

fn may_retry(kind: FailureKind, hint: RetryHint) -> bool {
    hint.should_retry.unwrap_or_else(|| kind.may_pass())
}

/// 0.5 s, 1 s, 2 s … up to 8 s, less up to a quarter.
fn backoff(attempt: u32, jitter: f64) -> Millis {
    let doubled = FIRST_WAIT
        .0
        .saturating_mul(1 << attempt.saturating_sub(1).min(10));
    let full = doubled.min(LONGEST_BACKOFF.0);
    let less = (jitter.clamp(0.0, 1.0) * 250.0).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 250"
    )]
    let permille = 1_000 - less as u64;
    Millis(full * permille / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(kind: FailureKind, hint: RetryHint, attempt: u32) -> Option<u64> {
        delay_before_retry(&TurnError::new(kind, ""), hint, attempt, 0.0).map(|delay| delay.0)
    }

    #[test]
    fn an_overload_is_tried_five_times_with_growing_waits() {
        let hint = RetryHint::default();
        let waits: Vec<_> = (1..=5)
            .map(|n| delay(FailureKind::Overloaded, hint, n))
            .collect();
        assert_eq!(
            waits,
            [Some(500), Some(1_000), Some(2_000), Some(4_000), None]
        );
    }

    #[test]
    fn jitter_takes_off_at_most_a_quarter() {
        let error = TurnError::new(FailureKind::Overloaded, "");
        let wait = delay_before_retry(&error, RetryHint::default(), 4, 1.0);
        assert_eq!(wait, Some(Millis(3_000)));
    }

    #[test]
    fn a_wait_that_the_service_asks_for_is_kept() {
        let hint = RetryHint {
            after: Some(Millis(3_000)),
            ..RetryHint::default()
        };
        assert_eq!(delay(FailureKind::RateLimited, hint, 1), Some(3_000));
    }

    #[test]
    fn a_wait_of_a_day_is_left_to_the_person() {
        let hint = RetryHint {
            after: Some(Millis::from_secs(86_400)),
            ..RetryHint::default()
        };
        assert_eq!(delay(FailureKind::RateLimited, hint, 1), None);
    }

    #[test]
    fn the_services_own_word_wins() {
        let no = RetryHint {
            should_retry: Some(false),
            ..RetryHint::default()
        };
        let yes = RetryHint {
            should_retry: Some(true),
            ..RetryHint::default()
        };
        assert_eq!(delay(FailureKind::Overloaded, no, 1), None);
        assert_eq!(delay(FailureKind::BadRequest, yes, 1), Some(500));
    }

    #[test]
    fn a_wrong_key_or_a_bad_request_is_not_sent_again() {
        for kind in [
            FailureKind::Unauthorized,
            FailureKind::BadRequest,
            FailureKind::NotFound,
        ] {
            assert_eq!(delay(kind, RetryHint::default(), 1), None);
        }
    }

    #[test]
    fn a_request_whose_reply_had_begun_is_never_sent_again_by_itself() {
        let hint = RetryHint {
            body_began: true,
            should_retry: Some(true),
            ..RetryHint::default()
        };
        assert_eq!(delay(FailureKind::StreamCut, hint, 1), None);
    }
}
