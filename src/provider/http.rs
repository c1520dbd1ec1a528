//! A description of an HTTP request and of an answer that is not a stream: no secret, no socket.

use crate::chat::failure::RetryHint;

/// A request as a dialect writes it. `io` adds the base URL, credentials and custom headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Path below the base URL, with its leading slash (`/v1/messages`).
    pub path: String,
    /// Headers in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, JSON.
    pub body: Vec<u8>,
}

/// An answer with a status other than success, or without a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFailure {
    /// HTTP status.
    pub status: u16,
    /// `content-type`, if any.
    pub content_type: Option<String>,
    /// The service's id of the request.
    pub request_id: Option<String>,
    /// The first bytes of the body.
    pub body: Vec<u8>,
    /// What the headers say about trying again.
    pub retry: RetryHint,
}

impl HttpFailure {
    /// Says in one line what can be said without a dialect: the status and the first words of a
    /// plain body. Web pages are never repeated.
    pub fn summary(&self) -> String {
        let status = match reason(self.status) {
            Some(reason) => format!("HTTP {} {reason}", self.status),
            None => format!("HTTP {}", self.status),
        };
        let body = String::from_utf8_lossy(&self.body);
        let line = plain_line(&body);
        if line.is_empty() {
            format!("{status}, with an empty body")
        } else if self.is_web_page(&line) {
            format!("{status}, with a web page instead of an answer")
        } else {
            format!("{status}: {line}")
        }
    }

    fn is_web_page(&self, line: &str) -> bool {
        let declared = self.content_type.as_deref().unwrap_or_default();
        declared.to_ascii_lowercase().contains("html") || line.starts_with('<')
    }
}

/// The longest line that is shown of a foreign text, in characters.
const LONGEST_LINE: usize = 300;

/// Returns foreign text as one line: no control characters, single spaces, not too long.
pub fn plain_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let clean: String = text.chars().take(LONGEST_LINE * 8).map(shown).collect();
    let words: Vec<&str> = clean.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The statuses that people meet, in words.
const fn reason(status: u16) -> Option<&'static str> {
    Some(match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => return None,
    })
}
