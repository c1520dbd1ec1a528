//! What a server wrote to its stderr: the last lines, fit to be shown.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::mcp::clean::one_line;
use crate::redact::Redactor;

/// So many lines are kept.
const KEPT: usize = 500;

/// The last lines of a server, redacted and without control characters. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct LastWords {
    redactor: Arc<Redactor>,
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl LastWords {
    /// Begins without any.
    pub(crate) fn new(redactor: Arc<Redactor>) -> Self {
        Self {
            redactor,
            lines: Arc::default(),
        }
    }

    /// Adds a line, as it came.
    pub(crate) fn push(&self, line: &[u8]) {
        let clean = one_line(&String::from_utf8_lossy(line));
        if clean.is_empty() {
            return;
        }
        let clean = self.redactor.text(&clean).into_inner();
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(clean);
    }

    /// Returns at most `most` lines, the last ones.
    pub(crate) fn last(&self, most: usize) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let skipped = lines.len().saturating_sub(most);
        lines.iter().skip(skipped).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept_and_they_are_clean() {
        let words = LastWords::new(Arc::default());
        for number in 0..KEPT + 10 {
            words.push(format!("line {number}").as_bytes());
        }
        words.push(b"\x1b[31mlast\xff\x07\r");
        words.push(b"\x1b[0m");
        assert_eq!(words.last(KEPT + 1).len(), KEPT);
        assert_eq!(words.last(2), ["line 509", "last\u{fffd}"]);
    }
}
