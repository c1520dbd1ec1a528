//! Times as they are written: RFC 3339, UTC, milliseconds.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::chat::moment::Timestamp;

/// Writes a time down, as `2026-12-01T02:03:04.567Z`.
pub fn to_text(at: Timestamp) -> String {
    let nanos = i128::from(at.0) * 1_000_000;
    let when =
        OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        when.year(),
        u8::from(when.month()),
        when.day(),
        when.hour(),
        when.minute(),
        when.second(),
        when.millisecond()
    )
}

/// Reads a time; what can't be read is 1970.
pub fn from_text(text: &str) -> Timestamp {
    let nanos =
        OffsetDateTime::parse(text, &Rfc3339).map_or(0, OffsetDateTime::unix_timestamp_nanos);
    Timestamp(i64::try_from(nanos.div_euclid(1_000_000)).unwrap_or_default())
}
