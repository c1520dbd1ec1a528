//! One request from the first byte sent to the last byte read.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url};
use tokio::time::{Instant, timeout};

use crate::app::event::Fact;
use crate::chat::failure::{RetryHint, TurnError};
use crate::chat::id::RequestId;
use crate::chat::moment::Millis;
use crate::chat::stream::StreamEvent;
use crate::io::auth::Endpoint;
use crate::io::facts::Facts;
use crate::io::http::answer::accept_stream;
use crate::io::http::client::Clients;
use crate::io::http::failure;
use crate::io::http::headers::headers;
use crate::provider::http::HttpRequest;
use crate::provider::{Decoder, Provider};

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
    pub(super) out: Facts,
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
        let mut heard = Heard::Nothing;
        let is_declared = response.headers().contains_key(CONTENT_TYPE);
        loop {
            let chunk = self.next_chunk(&mut response).await;
            let Some(bytes) = chunk.map_err(|error| heard.failure(error))? else {
                return self.finish(decoder, heard, is_declared).await;
            };
            let mut events = Vec::new();
            let pushed = decoder.push(&bytes, &mut events);
            heard = heard.and(&events);
            let is_over = events.iter().any(ends_reply);
            if !self.report(events, &mut alive).await {
                return Ok(());
            }
            pushed.map_err(|error| heard.failure(failure::unreadable(&error, self.host())))?;
            if is_over {
                return linger(response).await;
            }
        }
    }

    async fn next_chunk(&self, response: &mut Response) -> Result<Option<Vec<u8>>, TurnError> {
        let chunk = self.within_idle(response.chunk()).await?;
        let chunk = chunk.map_err(|error| failure::cut(error, self.host()))?;
        Ok(chunk.map(|bytes| bytes.to_vec()))
    }

    /// Takes in the end of the stream. Bytes without any event, under no declared type, were never
    /// a stream: a web page, say.
    async fn finish(
        &self,
        decoder: Box<dyn Decoder>,
        heard: Heard,
        is_declared: bool,
    ) -> Result<(), Failure> {
        let mut events = Vec::new();
        let finished = decoder.finish(&mut events);
        let is_stream = is_declared || heard != Heard::Bytes || !events.is_empty();
        if !events.is_empty() {
            self.send(events).await;
        }
        let host = self.host();
        finished.map_err(|error| {
            let told = if is_stream {
                failure::unreadable(&error, host)
            } else {
                failure::no_stream(host)
            };
            heard.failure(told)
        })
    }

    /// Reports what a chunk gave, or that it gave nothing. Tells whether anybody listens.
    async fn report(&self, events: Vec<StreamEvent>, alive: &mut Alive) -> bool {
        if !events.is_empty() {
            return self.send(events).await;
        }
        if alive.is_due() {
            return self.out.tell(Fact::StreamAlive(self.id)).await;
        }
        !self.out.is_closed()
    }

    async fn send(&self, events: Vec<StreamEvent>) -> bool {
        let request = self.id;
        self.out.tell(Fact::Streamed { request, events }).await
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

/// What has come of a reply so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Nothing,
    /// Bytes, and not one event in them.
    Bytes,
    Events,
}

impl Heard {
    const fn and(self, events: &[StreamEvent]) -> Self {
        match self {
            Self::Nothing | Self::Bytes if events.is_empty() => Self::Bytes,
            Self::Nothing | Self::Bytes | Self::Events => Self::Events,
        }
    }

    /// Notes whether the reply had begun; then the request is never sent again by itself.
    fn failure(self, error: TurnError) -> Failure {
        let mut failure = Failure::from(error);
        failure.retry.body_began = self != Self::Nothing;
        failure
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
