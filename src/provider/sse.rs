//! Server-sent events from bytes that may be cut anywhere.

#[cfg(test)]
mod tests;

use std::mem;

/// The largest event that is read, in bytes. Results of the service's own tools can be large.
pub const LARGEST_EVENT: usize = 32 * 1024 * 1024;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The `event:` line, if there was one. Simple proxies lose it.
    pub name: Option<String>,
    /// The `data:` lines, joined by line feeds.
    pub data: String,
}

/// An event too large to be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// An event has passed the limit.
    #[error("an event of the stream is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
}

/// Splits a stream into events.
///
/// Lines end in LF, CRLF or CR; a CR ends its line at once and swallows one LF that follows, so no
/// event waits for the byte after it. Bytes are split first and read as UTF-8 per line, so a
/// character may be cut anywhere. Comments give nothing: whoever feeds the decoder has seen bytes
/// arrive, which is the sign of life that they are.
#[derive(Debug)]
pub struct SseDecoder {
    limit: usize,
    line: Vec<u8>,
    first_line: bool,
    swallow_line_feed: bool,
    name: Option<String>,
    data: Option<String>,
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::with_limit(LARGEST_EVENT)
    }
}

impl SseDecoder {
    /// Makes a decoder that refuses events of more than `limit` bytes.
    pub const fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            first_line: true,
            swallow_line_feed: false,
            name: None,
            data: None,
        }
    }

    /// Takes in bytes and appends the events that are whole to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<SseEvent>) -> Result<(), SseError> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if mem::take(&mut self.swallow_line_feed) && first == b'\n' {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(rest);
                return self.check_size();
            };
            let (line, ended) = rest.split_at(end);
            self.line.extend_from_slice(line);
            self.check_size()?;
            self.swallow_line_feed = ended.first() == Some(&b'\r');
            self.end_line(out);
            rest = ended.get(1..).unwrap_or_default();
        }
        Ok(())
    }

    /// Takes in the end of the stream. An event without its blank line counts, if it has data.
    pub fn finish(mut self, out: &mut Vec<SseEvent>) {
        if !self.line.is_empty() {
            self.end_line(out);
        }
        self.dispatch(out);
    }

    fn check_size(&self) -> Result<(), SseError> {
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held > self.limit {
            return Err(SseError::TooLarge { limit: self.limit });
        }
        Ok(())
    }

    fn end_line(&mut self, out: &mut Vec<SseEvent>) {
        let bytes = mem::take(&mut self.line);
        let bytes = if mem::take(&mut self.first_line) {
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes)
        } else {
            &bytes
        };
        if bytes.is_empty() {
            self.dispatch(out);
            return;
        }
        let line = String::from_utf8_lossy(bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = Some(value.to_owned()),
            "data" => self.add_data(value),
            // A line that begins with a colon is a comment; `id` and `retry` are of no use here.
            _ => {}
        }
    }

    fn add_data(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    fn dispatch(&mut self, out: &mut Vec<SseEvent>) {
        let name = self.name.take();
        if let Some(data) = self.data.take() {
            out.push(SseEvent { name, data });
        }
    }
}
