//! Lines from a child process, none of them longer than can be held.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// How much of the beginning and of the end of a line that is too long is kept.
const SAMPLE: usize = 4096;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end mark. The last one needs none.
    Whole(Vec<u8>),
    /// A line that was longer than allowed.
    TooLong {
        /// Its first bytes.
        head: Vec<u8>,
        /// Its last bytes.
        tail: Vec<u8>,
        /// How long it was.
        length: usize,
    },
}

/// Reads lines.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    read: BufReader<R>,
    longest: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads lines of at most `longest` bytes.
    pub(crate) fn new(read: R, longest: usize) -> Self {
        Self {
            read: BufReader::with_capacity(64 * 1024, read),
            longest,
        }
    }

    /// Returns the next line, or `None` at the end or when reading fails.
    pub(crate) async fn next(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        let mut length = 0_usize;
        loop {
            let available = self.read.fill_buf().await.ok()?;
            if available.is_empty() {
                return (length > 0).then(|| self.finished(line, length));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = available.get(..end.unwrap_or(available.len()));
            let piece = piece.unwrap_or_default();
            length += piece.len();
            line.extend_from_slice(piece);
            if length > self.longest {
                keep_sample(&mut line);
            }
            let used = piece.len() + usize::from(end.is_some());
            self.read.consume(used);
            if end.is_some() {
                return Some(self.finished(line, length));
            }
        }
    }

    fn finished(&self, mut line: Vec<u8>, length: usize) -> Line {
        if length > self.longest {
            let tail = line.split_off(line.len().min(SAMPLE));
            return Line::TooLong {
                head: line,
                tail,
                length,
            };
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Line::Whole(line)
    }
}

/// Forgets the middle of a line that is too long.
fn keep_sample(line: &mut Vec<u8>) {
    if let Some(surplus) = line.len().checked_sub(2 * SAMPLE) {
        line.drain(SAMPLE..SAMPLE + surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8], longest: usize) -> Vec<Line> {
        let mut lines = Lines::new(bytes, longest);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await {
            found.push(line);
        }
        found
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_at_a_line_feed_and_the_last_one_needs_none() {
        let expected = [whole("a"), whole(""), whole("b"), whole("c")];
        assert_eq!(all(b"a\n\nb\r\nc", 10).await, expected);
        assert_eq!(all(b"", 10).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_sampled_and_the_next_one_is_whole() {
        let mut bytes = b"{\"id\":7,".to_vec();
        bytes.resize(300_000, b'x');
        bytes.extend_from_slice(b"END\nnext\n");
        let lines = all(&bytes, 100_000).await;
        let Line::TooLong { head, tail, length } = &lines[0] else {
            panic!("too long");
        };
        assert!(head.starts_with(b"{\"id\":7,") && tail.ends_with(b"END"));
        assert_eq!(*length, 300_003);
        assert_eq!(lines[1], whole("next"));
    }
}
