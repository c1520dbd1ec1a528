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
