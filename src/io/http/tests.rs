mod server;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::*;
use crate::app::event::Event;
use crate::chat::conversation::Conversation;
use crate::chat::failure::RetryHint;
use crate::chat::message::ContentBlock;
use crate::chat::request::Setup;
use crate::chat::stream::{StreamEvent, Usage};
use crate::io::auth::{Credential, Secret};
use crate::io::clock::Clock;
use crate::io::facts::Facts;
use crate::provider::anthropic::{Anthropic, Version};
use server::{Server, Then, answer, stream};

const START: &str = r#"data: {"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":1,"output_tokens":1}}}

"#;
const STOP: &str = "data: {\"type\":\"message_stop\"}\n\n";
const ID: RequestId = RequestId(7);
/// Long enough for a busy machine, short enough to wait for.
const IDLE: Millis = Millis(800);
/// For requests that do not fall silent.
const LONG: Millis = Millis::from_secs(20);

fn endpoint(url: &str) -> Endpoint {
    Endpoint {
        base_url: BaseUrl::parse(url).unwrap(),
        version: Version::Classic,
        credential: Credential::Header {
            name: "x-api-key",
            secret: Secret::new("sk-ant-secret"),
        },
        custom_headers: Vec::new(),
    }
}

fn request() -> ModelRequest {
    let mut conversation = Conversation::default();
    conversation
        .push_user(vec![ContentBlock::Text("hi".into())])
        .unwrap();
    ModelRequest {
        setup: Setup {
            model: "m".into(),
            system: None,
            tools: Arc::from([]),
            max_tokens: 16_000,
            effort: None,
        },
        history: conversation.history().unwrap(),
    }
}

fn outgoing(endpoint: Endpoint, idle: Millis, events: mpsc::Sender<Event>) -> Outgoing {
    let out = Facts {
        events,
        clock: Clock::start(),
    };
    Outgoing {
        id: ID,
        provider: Arc::new(Anthropic::new(endpoint.version)),
        endpoint: Arc::new(endpoint),
        request: Box::new(request()),
        idle,
        out,
    }
}

/// Sends one request and returns every fact that comes of it.
async fn ask(endpoint: Endpoint) -> Vec<Fact> {
    ask_within(endpoint, LONG).await
}

async fn ask_within(endpoint: Endpoint, idle: Millis) -> Vec<Fact> {
    let (out, mut facts) = mpsc::channel(8);
    let task = Http::default().send(outgoing(endpoint, idle, out), async {});
    let mut all = Vec::new();
    let collecting = async {
        while let Some(Event { fact, .. }) = facts.recv().await {
            all.push(fact);
        }
    };
    timeout(Duration::from_secs(20), collecting)
        .await
        .expect("the request never ended");
    drop(task);
    all
}

/// Sends one request to a server that plays this answer.
async fn ask_server(bytes: Vec<u8>, then: Then) -> (Server, Vec<Fact>) {
    let server = Server::play(vec![(bytes, then)]).await;
    let idle = if then == Then::Wait { IDLE } else { LONG };
    let facts = ask_within(endpoint(&server.url), idle).await;
    (server, facts)
}

/// Returns the events and, if there was one, the failure.
fn parts(facts: Vec<Fact>) -> (Vec<StreamEvent>, Option<(TurnError, RetryHint)>) {
    let mut all = Vec::new();
    let mut failure = None;
    for fact in facts {
        if let Fact::Streamed { request, events } = fact {
            assert_eq!(request, ID);
            all.extend(events);
        } else if let Fact::RequestFailed {
            request,
            error,
            retry,
        } = fact
        {
            assert_eq!((request, &failure), (ID, &None));
            failure = Some((error, retry));
        }
    }
    (all, failure)
}

fn failure(facts: Vec<Fact>) -> (TurnError, RetryHint) {
    parts(facts).1.expect("a failure")
}

fn started() -> Vec<StreamEvent> {
    let usage = Usage {
        input: 1,
        output: 1,
        ..Usage::default()
    };
    vec![
        StreamEvent::Started {
            reply_id: Some("msg_1".into()),
            model: Some("m".into()),
        },
        StreamEvent::UsageReported(usage),
    ]
}

fn whole_reply() -> Vec<StreamEvent> {
    [started(), vec![StreamEvent::Finished]].concat()
}

const BEGUN: RetryHint = RetryHint {
    should_retry: None,
    after: None,
    body_began: true,
};

#[tokio::test]
async fn a_request_carries_the_key_and_its_reply_comes_back() {
    let (server, facts) = ask_server(stream(&format!("{START}{STOP}")), Then::Close).await;
    assert_eq!(parts(facts), (whole_reply(), None));
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{head}");
    let agent = format!("user-agent: keytide/{}", env!("CARGO_PKG_VERSION"));
    let key = "x-api-key: sk-ant-secret";
    for line in [
        key,
        "anthropic-version: 2023-06-01",
        "content-type: application/json",
        &agent,
    ] {
        assert!(
            head.lines().any(|found| found == line),
            "{line} is not in {head}"
        );
    }
    assert!(
        body.starts_with(r#"{"model":"m","max_tokens":16000,"stream":true"#),
        "{body}"
    );
}

#[tokio::test]
async fn ones_own_headers_take_the_place_of_ours() {
    let server = Server::play(vec![(stream(STOP), Then::Close)]).await;
    let mut own = endpoint(&server.url);
    own.custom_headers = vec![
        ("anthropic-version".into(), Secret::new("mine")),
        ("x-team".into(), Secret::new("blue")),
    ];
    ask(own).await;
    let request = server.requests().remove(0);
    assert_eq!(request.matches("anthropic-version").count(), 1, "{request}");
    assert!(request.contains("anthropic-version: mine\r\n"), "{request}");
    assert!(request.contains("x-team: blue\r\n"), "{request}");
}

#[tokio::test]
async fn a_rate_limit_tells_how_long_to_wait() {
    let body = br#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow."}}"#;
    let headers = [
        "content-type: application/json",
        "retry-after: 3",
        "request-id: req_5",
    ];
    let (_server, facts) = ask_server(answer("429 Too Many", &headers, body), Then::Close).await;
    let error = TurnError {
        kind: FailureKind::RateLimited,
        message: "Slow.".into(),
        request_id: Some("req_5".into()),
    };
    let retry = RetryHint {
        after: Some(Millis(3_000)),
        ..RetryHint::default()
    };
    assert_eq!(failure(facts), (error, retry));
}

#[tokio::test]
async fn an_overload_and_a_broken_gateway_are_told_apart() {
    let overload =
        br#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let (_server, facts) = ask_server(
        answer("529 ", &["x-should-retry: true"], overload),
        Then::Close,
    )
    .await;
    let retry = RetryHint {
        should_retry: Some(true),
        ..RetryHint::default()
    };
    assert_eq!(
        failure(facts),
        (TurnError::new(FailureKind::Overloaded, "Overloaded"), retry)
    );
    let page = answer("502 Bad", &["content-type: text/html"], b"<html>\x1b[2J");
    let (_server, facts) = ask_server(page, Then::Close).await;
    let message = "HTTP 502 Bad Gateway, with a web page instead of an answer";
    let error = TurnError::new(FailureKind::ServerError, message);
    assert_eq!(failure(facts), (error, RetryHint::default()));
}

#[tokio::test]
async fn the_key_never_follows_a_redirect() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let location = format!(
        "location: http://{}/v1/messages",
        elsewhere.local_addr().unwrap()
    );
    let bytes = answer("307 Temporary Redirect", &[&location], b"");
    let (server, facts) = ask_server(bytes, Then::Close).await;
    let (error, _) = failure(facts);
    assert_eq!(error.kind, FailureKind::BadConfiguration);
    assert!(error.message.contains("(HTTP 307)"), "{}", error.message);
    assert_eq!(server.requests().len(), 1);
    let visit = timeout(Duration::from_millis(50), elsewhere.accept()).await;
    assert!(visit.is_err(), "somebody followed");
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_cut_and_what_came_is_kept() {
    let (mut server, facts) = ask_server(stream(START), Then::Wait).await;
    let (events, failure) = parts(facts);
    assert_eq!(events, started());
    let (error, retry) = failure.unwrap();
    assert_eq!((error.kind, retry), (FailureKind::Silent(IDLE), BEGUN));
    server.saw_the_end().await;
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let (_server, facts) = ask_server(Vec::new(), Then::Wait).await;
    let (error, retry) = failure(facts);
    assert_eq!(
        (error.kind, retry),
        (FailureKind::Silent(IDLE), RetryHint::default())
    );
}

#[tokio::test]
async fn a_stream_that_ends_early_is_not_a_reply() {
    let (_server, facts) = ask_server(stream(START), Then::Close).await;
    let (events, failure) = parts(facts);
    assert_eq!(events, started());
    let (error, retry) = failure.unwrap();
    assert_eq!((error.kind, retry), (FailureKind::StreamCut, BEGUN));
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_is_told() {
    let headers = ["content-type: text/event-stream", "content-length: 9999"];
    let (_server, facts) =
        ask_server(answer("200 OK", &headers, START.as_bytes()), Then::Close).await;
    let (error, retry) = failure(facts);
    assert_eq!((error.kind, retry), (FailureKind::StreamCut, BEGUN));
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_told_with_its_first_words() {
    let bytes = answer(
        "200 OK",
        &["content-type: application/json"],
        br#"{"hello":1}"#,
    );
    let (_server, facts) = ask_server(bytes, Then::Close).await;
    let error = TurnError::new(FailureKind::NotAStream, r#"HTTP 200: {"hello":1}"#);
    assert_eq!(failure(facts), (error, RetryHint::default()));
}

#[tokio::test]
async fn a_compressed_stream_is_read() {
    // `START` and `STOP`, compressed.
    let gzip = "H4sIAAAAAAACA3WNMQrAIBAEe18Rtrax9TMieEhIopI7iyD+PVokkCLdzs7CBi/eLg1yFYLFQcw+kmPxp0A/DNuwhuk5OjP7HGifPHJ9F6lUcZI3SgxrNHKVT9N7Vyr8PeaCoW9Mh/b2kQAAAA==";
    let body = BASE64_STANDARD.decode(gzip).unwrap();
    let headers = ["content-type: text/event-stream", "content-encoding: gzip"];
    let (_server, facts) = ask_server(answer("200 OK", &headers, &body), Then::Close).await;
    assert_eq!(parts(facts), (whole_reply(), None));
}

#[tokio::test]
async fn an_error_inside_the_stream_is_its_end() {
    let error = "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let (_server, facts) = ask_server(stream(&format!("{START}{error}")), Then::Wait).await;
    let failed = StreamEvent::Failed(TurnError::new(FailureKind::Overloaded, "Overloaded"));
    assert_eq!(parts(facts), ([started(), vec![failed]].concat(), None));
}

#[tokio::test]
async fn a_page_without_a_type_is_no_reply_either() {
    let (_server, facts) = ask_server(answer("200 OK", &[], b"<html>\n"), Then::Close).await;
    let (error, retry) = failure(facts);
    assert_eq!((error.kind, retry), (FailureKind::NotAStream, BEGUN));
}

#[tokio::test]
async fn a_stream_of_comments_alone_was_cut() {
    let (_server, facts) = ask_server(stream(": alive\n\n"), Then::Close).await;
    let (error, retry) = failure(facts);
    assert_eq!((error.kind, retry), (FailureKind::StreamCut, BEGUN));
}

#[tokio::test]
async fn silence_is_no_sign_of_life() {
    let (_server, facts) = ask_server(stream(""), Then::Wait).await;
    assert!(
        matches!(facts.as_slice(), [Fact::RequestFailed { .. }]),
        "{facts:?}"
    );
}

#[tokio::test]
async fn nonsense_in_the_first_bytes_is_not_asked_for_again() {
    let (_server, facts) = ask_server(stream("data: nonsense\n\n"), Then::Close).await;
    let (error, retry) = failure(facts);
    assert_eq!((error.kind, retry), (FailureKind::ServerError, BEGUN));
}

#[tokio::test]
async fn a_comment_is_a_sign_of_life() {
    let (_server, facts) = ask_server(stream(": still here\n\n"), Then::Wait).await;
    assert!(
        matches!(facts.first(), Some(Fact::StreamAlive(ID))),
        "{facts:?}"
    );
}

#[tokio::test]
async fn nothing_leaves_before_it_may() {
    let mut server = Server::play(vec![(stream(START), Then::Wait)]).await;
    let (out, mut facts) = mpsc::channel(8);
    let (release, ready) = oneshot::channel::<()>();
    let barrier = async move { drop(ready.await) };
    let task = Http::default().send(outgoing(endpoint(&server.url), LONG, out), barrier);
    assert!(
        timeout(Duration::from_millis(50), facts.recv())
            .await
            .is_err()
    );
    assert_eq!(server.requests(), Vec::<String>::new());
    release.send(()).unwrap();
    assert!(matches!(
        facts.recv().await,
        Some(Event {
            fact: Fact::Streamed { .. },
            ..
        })
    ));
    drop(task);
    server.saw_the_end().await;
    assert!(
        facts.recv().await.is_none(),
        "a dropped request still speaks"
    );
}

#[tokio::test]
async fn failures_of_the_network_are_told_in_plain_words() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let (error, retry) = failure(ask(endpoint(&format!("http://{address}"))).await);
    let message = "127.0.0.1 refused the connection: nothing listens at that address.";
    assert_eq!(
        (error, retry),
        (
            TurnError::new(FailureKind::Network, message),
            RetryHint::default()
        )
    );

    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let secure = format!("https://{}", plain.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = plain.accept().await.unwrap();
        socket
            .write_all(b"HTTP/1.1 400 what?\r\n\r\n")
            .await
            .unwrap();
    });
    let (error, _) = failure(ask(endpoint(&secure)).await);
    let message = "The secure connection to 127.0.0.1 failed";
    assert!(error.message.starts_with(message), "{}", error.message);

    let (_server, facts) = ask_server(Vec::new(), Then::Close).await;
    let message = "127.0.0.1 closed the connection before it answered.";
    assert_eq!(
        failure(facts).0,
        TurnError::new(FailureKind::Network, message)
    );
}

#[tokio::test]
async fn a_name_that_nobody_knows_is_told_as_one() {
    let (error, _) = failure(ask(endpoint("http://nowhere.localhost:9")).await);
    assert_eq!(error.kind, FailureKind::Network);
}

#[tokio::test]
async fn a_header_that_can_not_be_sent_is_named_without_its_value() {
    let mut odd = endpoint("http://127.0.0.1:9");
    odd.custom_headers = vec![("x-team".into(), Secret::new("bl\nue"))];
    let (error, _) = failure(ask(odd).await);
    assert_eq!(error.kind, FailureKind::BadConfiguration);
    assert!(
        error.message.contains("`x-team`") && !error.message.contains("bl"),
        "{error:?}"
    );
}

#[tokio::test]
async fn the_list_of_models_is_read_page_by_page() {
    let page = |json: &str| {
        (
            answer(
                "200 OK",
                &["content-type: application/json"],
                json.as_bytes(),
            ),
            Then::Close,
        )
    };
    let first = r#"{"data":[{"id":"a","display_name":"A"}],"has_more":true,"last_id":"a"}"#;
    let server = Server::play(vec![page(first), page(r#"{"data":[{"id":"b"}]}"#)]).await;
    let endpoint = endpoint(&server.url);
    let provider = Anthropic::new(endpoint.version);
    let models = Http::default()
        .list_models(&provider, &endpoint)
        .await
        .unwrap();
    let model = |id: &str, name: &str| OfferedModel {
        id: id.into(),
        display_name: name.into(),
    };
    assert_eq!(models, [model("a", "A"), model("b", "b")]);
    assert!(server.requests()[1].starts_with("GET /v1/models?limit=1000&after_id=a "));
    let gone = Server::play(vec![(answer("404 Not Found", &[], b""), Then::Close)]).await;
    let missing = self::endpoint(&gone.url);
    let error = Http::default()
        .list_models(&provider, &missing)
        .await
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::NotFound);
}
