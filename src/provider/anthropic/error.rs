//! What an error of the service means to a person.

#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::chat::failure::{FailureKind, TurnError};
use crate::provider::catalog::Catalog;
use crate::provider::http::{HttpFailure, plain_line};

/// The body of an error, under its own status or as an event of a stream.
#[derive(Debug, Default, Deserialize)]
struct ErrorBody {
    #[serde(default)]
    error: Option<ErrorObject>,
    #[serde(default)]
    request_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct ErrorObject {
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    details: Option<Details>,
}

#[derive(Debug, Default, Deserialize)]
struct Details {
    #[serde(default)]
    error_code: Option<String>,
}

/// Says what an answer other than a stream means.
pub(super) fn explain(failure: &HttpFailure) -> TurnError {
    let body: Option<ErrorBody> = serde_json::from_slice(&failure.body).ok();
    let body = body.unwrap_or_default();
    let request_id = failure.request_id.clone().or(body.request_id);
    let object = body.error.unwrap_or_default();
    let kind = object
        .kind_of_failure()
        .unwrap_or_else(|| by_status(failure.status));
    let message = object.message().unwrap_or_else(|| failure.summary());
    TurnError {
        kind,
        message: with_near_names(kind, message),
        request_id,
    }
}

/// Says what an error in the middle of a stream means.
pub(super) fn in_stream(data: &str) -> TurnError {
    let body: ErrorBody = serde_json::from_str(data).unwrap_or_default();
    let object = body.error.unwrap_or_default();
    TurnError {
        kind: object.kind_of_failure().unwrap_or(FailureKind::ServerError),
        message: object
            .message()
            .unwrap_or_else(|| "the service reported an error".to_owned()),
        request_id: body.request_id,
    }
}

impl ErrorObject {
    fn kind_of_failure(&self) -> Option<FailureKind> {
        if self.is_out_of_money() {
            return Some(FailureKind::Billing);
        }
        Some(match self.kind.as_deref()? {
            "authentication_error" => FailureKind::Unauthorized,
            "billing_error" => FailureKind::Billing,
            "permission_error" => FailureKind::Forbidden,
            "not_found_error" => FailureKind::NotFound,
            "request_too_large" => FailureKind::TooLarge,
            "rate_limit_error" => FailureKind::RateLimited,
            "overloaded_error" => FailureKind::Overloaded,
            "api_error" | "timeout_error" | "conflict_error" => FailureKind::ServerError,
            // `invalid_request_error` is also used with other statuses, and those say more.
            _ => return None,
        })
    }

    /// A spend limit is no rate limit: waiting a little doesn't help.
    fn is_out_of_money(&self) -> bool {
        let code = self
            .details
            .as_ref()
            .and_then(|details| details.error_code.as_deref());
        code.is_some_and(|code| code.ends_with("spend_limit_reached"))
    }

    fn message(&self) -> Option<String> {
        let line = plain_line(self.message.as_deref()?);
        (!line.is_empty()).then_some(line)
    }
}

fn by_status(status: u16) -> FailureKind {
    match status {
        200..=299 => FailureKind::NotAStream,
        300..=399 => FailureKind::BadConfiguration,
        401 => FailureKind::Unauthorized,
        402 => FailureKind::Billing,
        403 => FailureKind::Forbidden,
        404 => FailureKind::NotFound,
        413 => FailureKind::TooLarge,
        429 => FailureKind::RateLimited,
        529 => FailureKind::Overloaded,
        408 | 409 | 500.. => FailureKind::ServerError,
        _ => FailureKind::BadRequest,
    }
}

/// Adds known names to the service's word about a model that it doesn't know.
fn with_near_names(kind: FailureKind, message: String) -> String {
    let asked = message
        .strip_prefix("model:")
        .map(str::trim)
        .filter(|id| !id.is_empty());
    let near = asked
        .map(|id| Catalog::builtin().near(id))
        .unwrap_or_default();
    if kind != FailureKind::NotFound || near.is_empty() {
        return message;
    }
    format!("{message} (known names like it: {})", near.join(", "))
}
