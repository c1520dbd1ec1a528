//! What can go wrong with a request, as data.

use crate::chat::moment::Millis;

/// A request that did not end in a whole reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnError {
    /// What kind of failure it is; decides what a person can do about it.
    pub kind: FailureKind,
    /// What the service or the network said, one or two lines of plain text.
    pub message: String,
    /// The service's id of the request (`req_…`), for its support.
    pub request_id: Option<String>,
}

impl TurnError {
    /// Makes an error without a request id.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            request_id: None,
        }
    }
}

/// The kinds of failure that a person meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// No key is configured.
    NoCredentials,
    /// 401: the key is wrong.
    Unauthorized,
    /// 402 or a spend limit: the account can't pay.
    Billing,
    /// 403: the key may not do this.
    Forbidden,
    /// 404: no such model or address.
    NotFound,
    /// 413: the request is too large.
    TooLarge,
    /// 400 and the like: the service refused the request.
    BadRequest,
    /// 429: too many requests or tokens.
    RateLimited,
    /// 529, or an overload reported inside a stream.
    Overloaded,
    /// 500 and the like.
    ServerError,
    /// No connection: DNS, TLS, proxy, refused, reset.
    Network,
    /// Nothing arrived for this long.
    Silent(Millis),
    /// The stream ended before the reply did.
    StreamCut,
    /// The answer is not a stream of events.
    NotAStream,
    /// The configuration can't be used for this request.
    BadConfiguration,
}

impl FailureKind {
    /// Tells whether the same request may succeed a little later.
    pub const fn may_pass(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Overloaded
            | Self::ServerError
            | Self::Network
            | Self::Silent(_)
            | Self::StreamCut => true,
            Self::NoCredentials
            | Self::Unauthorized
            | Self::Billing
            | Self::Forbidden
            | Self::NotFound
            | Self::TooLarge
            | Self::BadRequest
            | Self::NotAStream
            | Self::BadConfiguration => false,
        }
    }
}

/// What a failed answer says about trying again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RetryHint {
    /// The service's own word (`x-should-retry`), which wins over everything else.
    pub should_retry: Option<bool>,
    /// How long to wait (`retry-after-ms`, else `retry-after`).
    pub after: Option<Millis>,
    /// The reply's body had begun: the request is never sent again by itself.
    pub body_began: bool,
}
