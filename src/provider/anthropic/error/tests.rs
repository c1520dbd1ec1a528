use super::*;
use crate::chat::failure::RetryHint;

fn failure(status: u16, content_type: &str, body: &str) -> HttpFailure {
    HttpFailure {
        status,
        content_type: Some(content_type.into()),
        request_id: None,
        body: body.as_bytes().to_vec(),
        retry: RetryHint::default(),
    }
}

fn json_error(kind: &str, message: &str) -> String {
    format!(
        r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"req_1"}}"#
    )
}

#[test]
fn each_status_and_type_has_its_kind() {
    let cases = [
        (400, "invalid_request_error", FailureKind::BadRequest),
        (401, "authentication_error", FailureKind::Unauthorized),
        (402, "billing_error", FailureKind::Billing),
        (403, "permission_error", FailureKind::Forbidden),
        (404, "not_found_error", FailureKind::NotFound),
        (413, "request_too_large", FailureKind::TooLarge),
        (429, "rate_limit_error", FailureKind::RateLimited),
        (500, "api_error", FailureKind::ServerError),
        (504, "timeout_error", FailureKind::ServerError),
        (529, "overloaded_error", FailureKind::Overloaded),
        (529, "made_after_us", FailureKind::Overloaded),
        (413, "invalid_request_error", FailureKind::TooLarge),
    ];
    for (status, kind, expected) in cases {
        let body = json_error(kind, "Some words.");
        let error = TurnError {
            kind: expected,
            message: "Some words.".into(),
            request_id: Some("req_1".into()),
        };
        assert_eq!(
            explain(&failure(status, "application/json", &body)),
            error,
            "{status}"
        );
        let bare = explain(&failure(status, "text/plain", ""));
        assert_eq!(bare.kind, expected, "bare {status}");
    }
}

#[test]
fn a_web_page_is_never_repeated() {
    let page = "<!DOCTYPE html>\n<html><h1>\u{1b}[31m502</h1></html>";
    let error = explain(&failure(502, "text/html; charset=utf-8", page));
    let message = "HTTP 502 Bad Gateway, with a web page instead of an answer";
    assert_eq!(error, TurnError::new(FailureKind::ServerError, message));
}

#[test]
fn an_empty_or_plain_body_is_told_in_one_clean_line() {
    let message = |body| explain(&failure(503, "text/plain", body)).message;
    assert_eq!(
        message(""),
        "HTTP 503 Service Unavailable, with an empty body"
    );
    assert_eq!(
        message("up\u{1b}[2Jstream\n gone"),
        "HTTP 503 Service Unavailable: up [2Jstream gone"
    );
    assert!(message(&"é".repeat(5_000)).chars().count() < 350);
}

#[test]
fn an_answer_that_is_no_stream_is_told_with_its_first_words() {
    let error = explain(&failure(200, "application/json", r#"{"hello": 1}"#));
    assert_eq!(
        error,
        TurnError::new(FailureKind::NotAStream, r#"HTTP 200: {"hello": 1}"#)
    );
}

#[test]
fn a_spend_limit_is_no_rate_limit() {
    let body = r#"{"error":{"type":"rate_limit_error","message":"Limit.","details":{"error_code":"enforced_spend_limit_reached"}}}"#;
    assert_eq!(
        explain(&failure(429, "application/json", body)).kind,
        FailureKind::Billing
    );
}

#[test]
fn an_unknown_model_is_told_with_known_names_like_it() {
    let body = json_error("not_found_error", "model: claude-opus5");
    let message = explain(&failure(404, "application/json", &body)).message;
    assert!(
        message.starts_with("model: claude-opus5 (known names like it: claude-opus-5"),
        "{message}"
    );
}
