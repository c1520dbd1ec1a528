//! The scripted model's HTTP side: the Messages API as far as a client can tell.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::demo::check;
use crate::demo::reading::Reading;
use crate::demo::script;
use crate::demo::stream::{self, Pace};

/// The API's own limit on a request.
const MOST_BYTES: usize = 32 << 20;

/// Returns the endpoints.
pub(super) fn routes(pace: Pace) -> Router {
    Router::new()
        .route("/v1/messages", post(messages))
        .route("/v1/models", get(models))
        .fallback(async || refusal(StatusCode::NOT_FOUND, "not_found_error", "no such endpoint"))
        .with_state(pace)
}

async fn messages(State(pace): State<Pace>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_BYTES).await else {
        return refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            "request_too_large",
            "request exceeds 32 MB",
        );
    };
    match accept(&head.headers, &bytes) {
        Ok(request) => answer(&request, pace),
        Err(reason) => refusal(StatusCode::BAD_REQUEST, "invalid_request_error", &reason),
    }
}

fn accept(headers: &HeaderMap, bytes: &[u8]) -> Result<Value, String> {
    if !headers.contains_key("anthropic-version") {
        return Err("anthropic-version: header is required".to_owned());
    }
    let request: Value = serde_json::from_slice(bytes)
        .map_err(|error| format!("the request body is not valid JSON: {error}"))?;
    check::request(&request)?;
    Ok(request)
}

fn answer(request: &Value, pace: Pace) -> Response {
    let reading = Reading::of(request);
    let reply = script::reply(&reading);
    let frames = stream::frames(request, &reply, pace);
    let headers = [
        (
            header::CONTENT_TYPE,
            "text/event-stream; charset=utf-8".to_owned(),
        ),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (request_id_header(), request_id()),
    ];
    (headers, Body::from_stream(stream::paced(frames))).into_response()
}

async fn models() -> Response {
    let capability = json!({"supported": true});
    json_response(
        StatusCode::OK,
        &json!({
            "data": [{
                "type": "model",
                "id": "keytide-demo",
                "display_name": "Keytide demo",
                "created_at": "2026-01-01T00:00:00Z",
                "max_input_tokens": 200_000,
                "max_tokens": 64_000,
                "capabilities": {"thinking": {"supported": true, "types": {"adaptive": capability}}},
            }],
            "has_more": false,
            "first_id": "keytide-demo",
            "last_id": "keytide-demo",
        }),
    )
}

/// Refuses in the API's own form.
fn refusal(status: StatusCode, kind: &str, message: &str) -> Response {
    json_response(
        status,
        &json!({
            "type": "error",
            "error": {"type": kind, "message": message},
            "request_id": request_id(),
        }),
    )
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (request_id_header(), request_id()),
    ];
    (status, headers, body.to_string()).into_response()
}

fn request_id_header() -> header::HeaderName {
    header::HeaderName::from_static("request-id")
}

fn request_id() -> String {
    format!("req_{}", Uuid::now_v7().simple())
}
