//! What the headers of an answer say about trying again.

use reqwest::header::HeaderMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::chat::failure::RetryHint;
use crate::chat::moment::Millis;

/// Reads `x-should-retry`, and `retry-after-ms`, else `retry-after` in seconds or as a date.
pub(super) fn retry_hint(headers: &HeaderMap, now: OffsetDateTime) -> RetryHint {
    let should_retry = match text(headers, "x-should-retry") {
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) | None => None,
    };
    let exact = text(headers, "retry-after-ms").and_then(|text| millis(text, 1.0));
    let after = exact.or_else(|| {
        let text = text(headers, "retry-after")?;
        millis(text, 1_000.0).or_else(|| until(text, now))
    });
    RetryHint {
        should_retry,
        after,
        body_began: false,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is checked before, and a cast of a float stops at the ends"
)]
fn millis(text: &str, unit: f64) -> Option<Millis> {
    let number: f64 = text.parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(Millis((number * unit) as u64))
}

/// Returns how long it is until a date, or nothing when it has passed.
fn until(date: &str, now: OffsetDateTime) -> Option<Millis> {
    let then = OffsetDateTime::parse(date, &Rfc2822).ok()?;
    let left = (then - now).whole_milliseconds();
    u64::try_from(left)
        .ok()
        .filter(|left| *left > 0)
        .map(Millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(headers: &[(&'static str, &str)]) -> RetryHint {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let noon = OffsetDateTime::parse("Tue, 01 Dec 2026 12:00:00 GMT", &Rfc2822).unwrap();
        retry_hint(&headers.collect(), noon)
    }

    #[test]
    fn a_wait_comes_in_milliseconds_seconds_or_as_a_date() {
        let after = |headers: &[(&'static str, &str)]| hint(headers).after;
        assert_eq!(
            after(&[("retry-after-ms", "250"), ("retry-after", "9")]),
            Some(Millis(250))
        );
        assert_eq!(after(&[("retry-after", "3")]), Some(Millis(3_000)));
        assert_eq!(after(&[("retry-after", "0.5")]), Some(Millis(500)));
        assert_eq!(
            after(&[("retry-after", "Tue, 01 Dec 2026 12:00:07 GMT")]),
            Some(Millis(7_000))
        );
    }

    #[test]
    fn a_wait_that_is_none_or_nonsense_is_left_out() {
        for odd in [
            "0",
            "-3",
            "NaN",
            "inf",
            "soon",
            "",
            "Tue, 01 Dec 2026 11:59:59 GMT",
        ] {
            assert_eq!(hint(&[("retry-after", odd)]).after, None, "{odd}");
        }
    }

    #[test]
    fn the_services_own_word_is_kept() {
        assert_eq!(hint(&[("x-should-retry", "true")]).should_retry, Some(true));
        assert_eq!(
            hint(&[("x-should-retry", "false")]).should_retry,
            Some(false)
        );
        assert_eq!(hint(&[("x-should-retry", "maybe")]).should_retry, None);
    }
}
