//! Dialects: how a request is written for a service, and how its reply is read.
//!
//! Nothing here opens a socket or knows a secret. [`Provider::encode`] describes a request;
//! [`Decoder`] turns the bytes of a reply, cut anywhere, into
//! [`StreamEvent`]s. `io/http.rs` does the rest.

pub mod anthropic;
pub mod catalog;
pub mod http;
pub mod sse;

use std::fmt;

use crate::chat::failure::TurnError;
use crate::chat::request::ModelRequest;
use crate::chat::stream::StreamEvent;
use crate::provider::http::{HttpFailure, HttpRequest};

/// One dialect.
pub trait Provider: fmt::Debug + Send + Sync {
    /// Writes a request down, without credentials and without the host.
    fn encode(&self, request: &ModelRequest) -> Result<HttpRequest, EncodeError>;

    /// Returns a fresh decoder for one reply.
    fn decoder(&self) -> Box<dyn Decoder>;

    /// Says what an answer other than a stream means.
    fn explain(&self, failure: &HttpFailure) -> TurnError;

    /// Writes down the question (a GET) which models there are, from the one after `after` on.
    /// Nothing, if the dialect has no such question.
    fn models_request(&self, _after: Option<&str>) -> Option<HttpRequest> {
        None
    }

    /// Reads the answer to that question. Nothing, if it is not one.
    fn models_page(&self, _body: &[u8]) -> Option<ModelPage> {
        None
    }
}

/// A page of the list of models that a service offers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelPage {
    /// The models, in the service's order.
    pub models: Vec<OfferedModel>,
    /// Ask again with this, if there are more.
    pub next: Option<String>,
}

/// A model that a service offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedModel {
    /// The id to ask for it with.
    pub id: String,
    /// A name for people; the id where the service gives none.
    pub display_name: String,
}

/// Reads one reply. Bytes may be cut anywhere.
pub trait Decoder: fmt::Debug + Send {
    /// Takes in bytes and appends what they say to `out`.
    fn push(&mut self, bytes: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;

    /// Takes in the end of the stream.
    fn finish(self: Box<Self>, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;
}

/// A request that a dialect can't express.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The request could not be written as JSON.
    #[error("the request could not be written: {0}")]
    NotJson(String),
    /// The service takes no request of this size.
    #[error("the request has {bytes} bytes, and the service takes {limit}")]
    TooLarge {
        /// Its size, in bytes.
        bytes: usize,
        /// The largest size, in bytes.
        limit: usize,
    },
}

/// A reply that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The stream ended before the reply did.
    #[error("the reply ended before it was whole")]
    CutShort,
    /// An event is not what its kind must be.
    #[error("the reply holds an event that can't be read: {0}")]
    BadEvent(String),
}
