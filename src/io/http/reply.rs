//! One request from the first byte sent to the last byte read.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Client, Response, Url};
use time::OffsetDateTime;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout};

use crate::app::event::Fact;
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::id::RequestId;
use crate::chat::moment::Millis;
use crate::chat::stream::StreamEvent;
use crate::io::auth::Endpoint;
use crate::io::http::client::Clients;
use crate::io::http::failure;
use crate::io::http::headers::headers;
use crate::io::http::retry_after::retry_hint;
use crate::provider::http::{HttpFailure, HttpRequest};
use crate::provider::{Decoder, Provider};

/// How much of an answer that is not a stream is read, in bytes.
const ERROR_BODY: usize = 16 * 1024;
/// How long such an answer may take.
const ERROR_BODY_LIMIT: Duration = Duration::from_secs(10);
/// Signs of life are reported this often at most.
const ALIVE_EVERY: Duration = Duration::from_secs(1);
/// How long the end of a connection is waited for, so that it can be used again.
const LINGER: Duration = Duration::from_millis(500);

/// A request that failed, with what is known about trying again.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: TurnError,
    pub(super) retry: RetryHint,
}

impl From<TurnError> for Failure {
    fn from(error: TurnError) -> Self {
        Self {
            error,
            retry: RetryHint::default(),
        }
    }
}

/// What one exchange needs.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) id: RequestId,
    pub(super) provider: Arc<dyn Provider>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) idle: Millis,
    pub(super) out: Sender<Fact>,
}

impl Exchange {
    /// Sends the request and reports the reply. Returns when the reply is over or nobody listens.
    pub(super) async fn run(&self, clients: &Clients, request: HttpRequest) -> Result<(), Failure> {
        let client = clients.client_for(&self.endpoint).await?;
        let response = self
            .within_idle(post(&client, &self.endpoint, request)?)
            .await??;
        let response = accept_stream(response, self.provider.as_ref(), &self.endpoint).await?;
        self.read_stream(response).await
    }

    async fn read_stream(&self, mut response: Response) -> Result<(), Failure> {
        let mut decoder = self.provider.decoder();
        let mut alive = Alive::default();
        let mut body_began = false;
        loop {
            let mut events = Vec::new();
            let step = self
                .next_step(&mut response, decoder.as_mut(), &mut events)
                .await;
            let step = step.map_err(|failure| failure.in_body(body_began));
            if matches!(step, Ok(Step::More)) {
                body_began = true;
            }
            let is_over = events.iter().any(ends_reply);
            if !self.report(events, &mut alive).await {
                return Ok(());
            }
            match step? {
                Step::More if is_over => return linger(response).await,
                Step::More => {}
                Step::End => {
                    return self
                        .finish(decoder)
                        .await
                        .map_err(|f| f.in_body(body_began));
                }
            }
        }
    }

    async fn next_step(
        &self,
        response: &mut Response,
        decoder: &mut dyn Decoder,
        events: &mut Vec<StreamEvent>,
    ) -> Result<Step, Failure> {
        let host = self.host();
        let chunk = self.within_idle(response.chunk()).await?;
        let Some(bytes) = chunk.map_err(|error| failure::cut(error, host))? else {
            return Ok(Step::End);
        };
        let pushed = decoder.push(&bytes, events);
        pushed.map_err(|error| failure::unreadable(&error, host))?;
        Ok(Step::More)
    }

    async fn finish(&self, decoder: Box<dyn Decoder>) -> Result<(), Failure> {
        let mut events = Vec::new();
        let finished = decoder.finish(&mut events);
        if !events.is_empty() {
            self.send(events).await;
        }
        finished.map_err(|error| failure::unreadable(&error, self.host()).into())
    }

    /// Reports what a chunk gave, or that it gave nothing. Tells whether anybody listens.
    async fn report(&self, events: Vec<StreamEvent>, alive: &mut Alive) -> bool {
        if !events.is_empty() {
            return self.send(events).await;
        }
        if alive.is_due() {
            return self.out.send(Fact::StreamAlive(self.id)).await.is_ok();
        }
        !self.out.is_closed()
    }

    async fn send(&self, events: Vec<StreamEvent>) -> bool {
        let request = self.id;
        self.out
            .send(Fact::Streamed { request, events })
            .await
            .is_ok()
    }

    /// Waits no longer than the idle limit.
    async fn within_idle<T>(&self, wait: impl Future<Output = T>) -> Result<T, TurnError> {
        timeout(Duration::from_millis(self.idle.0), wait)
            .await
            .map_err(|_elapsed| failure::silent(self.idle, self.host()))
    }

    fn host(&self) -> &str {
        self.endpoint.base_url.host()
    }
}

enum Step {
    More,
    End,
}

impl Failure {
    /// Notes whether the reply had begun; then the request is never sent again by itself.
    fn in_body(mut self, body_began: bool) -> Self {
        self.retry.body_began |= body_began;
        self
    }
}

/// Decides when a sign of life is worth a report.
#[derive(Debug, Default)]
struct Alive {
    last: Option<Instant>,
}

impl Alive {
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = self
            .last
            .is_none_or(|last| now.duration_since(last) >= ALIVE_EVERY);
        if is_due {
            self.last = Some(now);
        }
        is_due
    }
}

fn ends_reply(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::Finished | StreamEvent::Failed(_))
}

/// Reads what little comes after the end of a reply, so that the connection can be used again.
async fn linger(mut response: Response) -> Result<(), Failure> {
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    // Nothing depends on it: a server that keeps the stream open only loses the connection.
    drop(timeout(LINGER, rest).await);
    Ok(())
}

type Sending<'a> = std::pin::Pin<Box<dyn Future<Output = Result<Response, TurnError>> + Send + 'a>>;

fn post<'a>(
    client: &Client,
    endpoint: &'a Endpoint,
    request: HttpRequest,
) -> Result<Sending<'a>, TurnError> {
    let url: Url = endpoint.base_url.join(&request.path);
    let headers = headers(&request, endpoint)?;
    let sending = client.post(url).headers(headers).body(request.body).send();
    let host = endpoint.base_url.host();
    Ok(Box::pin(async move {
        sending.await.map_err(|error| failure::network(error, host))
    }))
}

/// Lets a stream of events through; everything else is a failure that the dialect explains.
async fn accept_stream(
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
