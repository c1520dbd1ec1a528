//! Numbers as people read them.

use crate::chat::moment::Millis;

/// Writes a span of time: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`.
pub fn span(time: Millis) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 if time.0 >= 100 => format!("0.{} s", time.0 / 100),
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Writes a size: `312 B`, `4.2 kB`, `1.3 MB`.
pub fn bytes(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// Writes a number of tokens: `812`, `15k`, `1.2M`.
pub fn tokens(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..1_000_000 => format!("{}k", tokens / 1_000),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    }
}

/// Writes a part of a whole in percent, rounded.
pub fn percent(part: u64, whole: u64) -> u64 {
    if whole == 0 {
        return 0;
    }
    (part.saturating_mul(100) + whole / 2) / whole
}

/// Writes US dollars: `$0.004`, `$0.42`, `$13.10`.
pub fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 {
        format!("${amount:.3}")
    } else {
        format!("${amount:.2}")
    }
}
