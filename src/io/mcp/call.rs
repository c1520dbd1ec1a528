//! One call, from the request to the one result that it always ends in.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ErrorData, ServerResult};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, RoleClient, ServiceError};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::app::event::Fact;
use crate::chat::listing::Progress;
use crate::chat::moment::Millis;
use crate::chat::tool::{ResultPart, TimeLimit, ToolOutcome, ToolResult};
use crate::io::facts::Facts;
use crate::io::mcp::failure::service_error;
use crate::io::mcp::handler::ProgressBoard;
use crate::io::mcp::order::Order;
use crate::io::mcp::result::{Save, convert, raw_text};
use crate::io::mcp::stdio::reading::LOCAL;

/// Progress is told this often at most.
const PROGRESS_PAUSE: Duration = Duration::from_millis(100);

/// How long telling a server that a call is given up may take.
const CANCEL_LIMIT: Duration = Duration::from_millis(500);

/// How long to wait for the word on how a server ended, once it is silent.
const OBITUARY_LIMIT: Duration = Duration::from_millis(800);

/// The line to a server, as a call sees it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Sends requests.
    pub peer: Peer<RoleClient>,
    /// Progress, by call.
    pub progress: ProgressBoard,
    /// How the server ended, once it has.
    pub obituary: watch::Receiver<Option<Arc<str>>>,
    /// Where facts go.
    pub facts: Facts,
    /// Keeps what is too large.
    pub save: Save,
}

/// How the wait for an answer ended.
enum Wait {
    Answered(Box<Result<ServerResult, ServiceError>>),
    Cut,
    Cancelled,
    Died(Arc<str>),
    OutOfTime(TimeLimit),
}

/// Runs a call. Whatever happens, there is one result; nothing is ever sent twice.
pub(crate) async fn run(
    order: &Order,
    mut line: Line,
    cancel: CancellationToken,
    ready: impl Future<Output = ()>,
) -> ToolResult {
    tokio::select! {
        biased;
        () = cancel.cancelled() => {
            return order.ended(ToolOutcome::Cancelled, "It had not been sent to the server yet.");
        }
        died = died(&mut line.obituary) => {
            return order.ended(ToolOutcome::NotRun, died.to_string());
        }
        () = ready => {}
    }
    let mut handle = match send(order, &line.peer).await {
        Ok(handle) => handle,
        Err(error) => return cut_off(order, &mut line, &error).await,
    };
    let token = handle.progress_token.clone();
    let wait = wait(order, &mut line, &mut handle, &cancel).await;
    line.progress.forget(&token);
    match wait {
        Wait::Answered(answer) => match *answer {
            Ok(result) => finished(order, result, &line.save).await,
            Err(error) => refused(order, &mut line, error).await,
        },
        Wait::Cut => cut_off(order, &mut line, &ServiceError::TransportClosed).await,
        Wait::Died(how) => gone(order, &how),
        Wait::Cancelled => {
            give_up(handle, "cancelled by the person").await;
            order.without_words(ToolOutcome::Cancelled)
        }
        Wait::OutOfTime(limit) => {
            give_up(handle, "time limit reached").await;
            order.without_words(ToolOutcome::TimedOut(limit))
        }
    }
}

async fn send(
    order: &Order,
    peer: &Peer<RoleClient>,
) -> Result<RequestHandle<RoleClient>, ServiceError> {
    let params = CallToolRequestParams::new(order.tool.clone());
    let params = params.with_arguments(order.arguments.clone());
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::no_options();
    peer.send_cancellable_request(request, options).await
}

/// Waits for the answer, tells progress, watches the limits.
async fn wait(
    order: &Order,
    line: &mut Line,
    handle: &mut RequestHandle<RoleClient>,
    cancel: &CancellationToken,
) -> Wait {
    let limits = order.limits;
    let began = Instant::now();
    let (idle, total) = (
        duration(limits.idle),
        duration(limits.total.max(limits.idle)),
    );
    let mut heard = began;
    let mut news = line.progress.follow(&handle.progress_token);
    let mut teller = Teller::new(began);
    loop {
        tokio::select! {
            biased;
            answer = &mut handle.rx => {
                return answer.map_or(Wait::Cut, |answer| Wait::Answered(Box::new(answer)));
            }
            () = cancel.cancelled() => return Wait::Cancelled,
            how = died(&mut line.obituary) => return Wait::Died(how),
            () = sleep_until(began + total) => {
                return Wait::OutOfTime(TimeLimit::Total(limits.total.max(limits.idle)));
            }
            () = sleep_until(heard + idle) => {
                return Wait::OutOfTime(TimeLimit::Idle(limits.idle));
            }
            Ok(()) = news.changed() => {
                heard = Instant::now();
                teller.newest.clone_from(&news.borrow_and_update());
            }
            () = sleep_until(teller.due), if teller.newest.is_some() => teller.tell(order, &line.facts),
        }
    }
}

/// Tells progress now and then, the newest only.
struct Teller {
    newest: Option<Progress>,
    due: Instant,
}

impl Teller {
    const fn new(now: Instant) -> Self {
        Self {
            newest: None,
            due: now,
        }
    }

    fn tell(&mut self, order: &Order, facts: &Facts) {
        self.due = Instant::now() + PROGRESS_PAUSE;
        let Some(progress) = self.newest.clone() else {
            return;
        };
        let call = order.id.clone();
        if facts.try_tell(Fact::ToolProgressed { call, progress }) {
            self.newest = None;
        }
    }
}

/// Waits until the server has ended.
async fn died(obituary: &mut watch::Receiver<Option<Arc<str>>>) -> Arc<str> {
    let how = obituary.wait_for(Option::is_some).await;
    let how = how.ok().and_then(|how| how.clone());
    how.unwrap_or_else(|| "The server was stopped.".into())
}

async fn finished(order: &Order, result: ServerResult, save: &Save) -> ToolResult {
    let (save, most) = (save.clone(), order.limits.result_bytes);
    // A result of some megabytes takes a while to take apart.
    let converted = tokio::task::spawn_blocking(move || {
        raw_text(result).and_then(|text| convert(&text, most, &save))
    });
    match converted.await {
        Ok(Ok(converted)) => ToolResult {
            id: order.id.clone(),
            outcome: if converted.is_error {
                ToolOutcome::Failed
            } else {
                ToolOutcome::Succeeded
            },
            content: converted.parts,
        },
        Ok(Err(reason)) => order.ended(ToolOutcome::Failed, sentence(&reason)),
        Err(_) => order.ended(ToolOutcome::Failed, "The result could not be read."),
    }
}

/// Ends a call that came back as an error.
async fn refused(order: &Order, line: &mut Line, error: ServiceError) -> ToolResult {
    if let ServiceError::McpError(said) = &error {
        return order.ended(ToolOutcome::Failed, error_text(said));
    }
    if matches!(error, ServiceError::TransportClosed) {
        return cut_off(order, line, &error).await;
    }
    let text = format!("The call could not be made: {}.", service_error(&error));
    order.ended(ToolOutcome::Failed, text)
}

/// Our own errors must not look like the server's.
fn error_text(error: &ErrorData) -> String {
    let local = error.data.as_ref().and_then(|data| data.get(LOCAL));
    match local {
        Some(_) => sentence(&error.message),
        None => format!("MCP error {}: {}", error.code.0, error.message),
    }
}

/// Ends a call whose connection broke, with the word on why if it comes soon.
async fn cut_off(order: &Order, line: &mut Line, error: &ServiceError) -> ToolResult {
    match timeout(OBITUARY_LIMIT, died(&mut line.obituary)).await {
        Ok(how) => gone(order, &how),
        Err(_) => gone(
            order,
            &format!("The connection broke: {}.", service_error(error)),
        ),
    }
}

fn gone(order: &Order, how: &str) -> ToolResult {
    order.ended(ToolOutcome::ServerGone, how)
}

/// Tells the server that nobody waits any more. A late answer is dropped on the wire.
async fn give_up(handle: RequestHandle<RoleClient>, reason: &str) {
    let cancel = handle.cancel(Some(reason.to_owned()));
    // A server that reads nothing can't be told.
    timeout(CANCEL_LIMIT, cancel).await.ok();
}

fn sentence(reason: &str) -> String {
    let mut characters = reason.chars();
    let first: String = characters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", characters.as_str())
}

const fn duration(span: Millis) -> Duration {
    Duration::from_millis(span.0)
}

impl Line {
    /// Tells the one result of a call.
    pub(crate) async fn finish(&self, result: ToolResult) {
        self.facts.tell(Fact::ToolFinished(result)).await;
    }
}

/// Makes the result of a call that this program failed to run.
pub(crate) fn broken(id: crate::chat::id::ToolUseId) -> ToolResult {
    ToolResult {
        id,
        outcome: ToolOutcome::Failed,
        content: vec![ResultPart::text(
            "The call broke off because of a fault in Keytide; whether it had an effect is not known.",
        )],
    }
}
