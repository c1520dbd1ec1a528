//! Anthropic's Messages API: how a request is written and its reply read.
//!
//! Every block of a reply is put together as JSON text and goes back as the same text; only a copy
//! of it is understood. A kind of event, delta or block that was made after us never ends a reply.

mod block;
mod breakpoint;
mod decode;
mod encode;
mod error;
mod json;
mod message;
mod models;
mod outcome;
mod stop;
mod thinking;
mod usage;

use crate::chat::failure::TurnError;
use crate::chat::request::ModelRequest;
use crate::provider::http::{HttpFailure, HttpRequest};
use crate::provider::{Decoder, EncodeError, ModelPage, Provider};

/// The Messages API, as one endpoint speaks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anthropic {
    version: Version,
}

/// A version of the API, sent with each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// `2026-10-21`: what Anthropic's own host speaks.
    Current,
    /// `2023-06-01`: what everybody else speaks.
    Classic,
}

impl Version {
    /// Returns the value of the header `anthropic-version`.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Current => "2026-10-21",
            Self::Classic => "2023-06-01",
        }
    }
}

impl Anthropic {
    /// Makes the dialect of an endpoint that speaks `version`.
    pub const fn new(version: Version) -> Self {
        Self { version }
    }

    fn headers(self) -> Vec<(String, String)> {
        vec![
            ("accept".into(), "application/json".into()),
            ("anthropic-version".into(), self.version.header().into()),
        ]
    }
}

impl Provider for Anthropic {
    fn encode(&self, request: &ModelRequest) -> Result<HttpRequest, EncodeError> {
        let mut headers = self.headers();
        headers.push(("content-type".into(), "application/json".into()));
        Ok(HttpRequest {
            path: "/v1/messages".into(),
            headers,
            body: encode::body(request)?,
        })
    }

    fn decoder(&self) -> Box<dyn Decoder> {
        Box::new(decode::MessageDecoder::default())
    }

    fn explain(&self, failure: &HttpFailure) -> TurnError {
        error::explain(failure)
    }

    fn models_request(&self, after: Option<&str>) -> Option<HttpRequest> {
        Some(HttpRequest {
            path: models::path(after),
            headers: self.headers(),
            body: Vec::new(),
        })
    }

    fn models_page(&self, body: &[u8]) -> Option<ModelPage> {
        models::page(body)
    }
}
