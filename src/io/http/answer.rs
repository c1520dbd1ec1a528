//! What an answer is: a stream of events, or a failure that the dialect explains.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Response, Url};
use time::OffsetDateTime;
use tokio::time::timeout;

use crate::chat::failure::{FailureKind, TurnError};
use crate::io::auth::Endpoint;
use crate::io::http::reply::Failure;
use crate::io::http::retry_after::retry_hint;
use crate::provider::Provider;
use crate::provider::http::HttpFailure;

/// How much of an answer that is not a stream is read, in bytes.
const ERROR_BODY: usize = 16 * 1024;
/// How long such an answer may take.
const ERROR_BODY_LIMIT: Duration = Duration::from_secs(10);

/// Lets a stream of events through; everything else is a failure that the dialect explains.
pub(super) async fn accept_stream(
    response: Response,
    provider: &dyn Provider,
    endpoint: &Endpoint,
) -> Result<Response, Failure> {
    if response.status().is_success() && is_event_stream(response.headers()) {
        return Ok(response);
    }
    Err(explain(response, provider, endpoint).await)
}

/// A server that names no type at all is taken at its word that it streams.
fn is_event_stream(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_none_or(|value| {
        value
            .to_str()
            .is_ok_and(|text| text.to_ascii_lowercase().contains("text/event-stream"))
    })
}

/// Says what an answer other than a stream means.
pub(super) async fn explain(
    response: Response,
    provider: &dyn Provider,
    endpoint: &Endpoint,
) -> Failure {
    if response.status().is_redirection() {
        return redirected(&response, endpoint).into();
    }
    let retry = retry_hint(response.headers(), OffsetDateTime::now_utc());
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let failure = HttpFailure {
        status: response.status().as_u16(),
        content_type: header("content-type"),
        request_id: header("request-id").or_else(|| header("x-request-id")),
        retry,
        body: first_bytes(response).await,
    };
    Failure {
        error: provider.explain(&failure),
        retry,
    }
}

/// A redirect is not followed: the key belongs to the host that it was given for.
fn redirected(response: &Response, endpoint: &Endpoint) -> TurnError {
    let host = endpoint.base_url.host();
    let place = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok());
    let place = place.and_then(|place| endpoint.base_url.join("/").join(place).ok());
    let place = place
        .as_ref()
        .and_then(Url::host_str)
        .unwrap_or("another address");
    TurnError::new(
        FailureKind::BadConfiguration,
        format!(
            "{host} sends requests on to {place} (HTTP {}). The key was not sent there. If that \
             is right, set the base URL to the new address.",
            response.status().as_u16()
        ),
    )
}

/// Reads the first bytes of a body; a body that breaks off or takes too long is as long as it is.
async fn first_bytes(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        while body.len() < ERROR_BODY {
            let Ok(Some(bytes)) = response.chunk().await else {
                break;
            };
            body.extend_from_slice(&bytes);
        }
    };
    drop(timeout(ERROR_BODY_LIMIT, reading).await);
    body.truncate(ERROR_BODY);
    body
}
