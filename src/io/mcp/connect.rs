//! Getting a server to talk: old ones, new ones, slow ones and odd ones.
//!
//! A server is asked in the new way first (`server/discover`) and in the old way (`initialize`)
//! when it does not understand. Where that confuses it, a fresh process or connection is tried with
//! the other way alone. What worked is remembered for the next start.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, RoleClient, RunningService,
    serve_client_with_lifecycle_and_ct,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::servers::ServerFailure;
use crate::config::server::{Reach, ServerEntry};
use crate::io::mcp::address::refusal;
use crate::io::mcp::clean::one_line;
use crate::io::mcp::failure::{Blame, LAST_LINES, is_login_needed, versions};
use crate::io::mcp::handler::Handler;
use crate::io::mcp::last_words::LastWords;
use crate::io::mcp::process::{Launch, Process};
use crate::io::mcp::stdio::Stdio;
use crate::redact::Redactor;

/// A process that does not answer the new way within this is asked in the old way.
const PROBE: Duration = Duration::from_secs(3);

/// An HTTP server that answers neither way within this is asked in the old way on a new connection.
const HTTP_PROBE: Duration = Duration::from_secs(12);

/// A way to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// `initialize`.
    Legacy,
    /// `server/discover`.
    Modern,
}

/// What a start needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The server.
    pub entry: ServerEntry,
    /// Our environment.
    pub environment: Arc<[(String, String)]>,
    /// Where relative folders begin.
    pub folder: Arc<Path>,
    /// Looks through what is told.
    pub redactor: Arc<Redactor>,
    /// Collects what the server writes to stderr.
    pub words: LastWords,
}

/// A server that can be asked.
#[derive(Debug)]
pub(crate) struct Connection {
    /// Sends requests.
    pub peer: Peer<RoleClient>,
    /// The conversation with the server.
    pub service: RunningService<RoleClient, Handler>,
    /// Ends it.
    pub end: CancellationToken,
    /// Hears notices.
    pub handler: Handler,
    /// Its process, if it is one.
    pub process: Option<Process>,
    /// What it says about itself.
    pub facts: ServerFacts,
    /// How it was begun.
    pub era: Era,
}

/// What a server says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerFacts {
    /// What it calls itself, for display.
    pub title: Option<String>,
    /// The version agreed on.
    pub protocol: String,
    /// It offers tools.
    pub has_tools: bool,
    /// It says when its tools change.
    pub tells_changes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Auto,
    Only(Era),
}

/// Connects, trying what `known` says first. Dropping the future ends the process again.
pub(crate) async fn connect(plan: &Plan, known: Option<Era>) -> Result<Connection, ServerFailure> {
    let blame = plan.blame();
    match &plan.entry.reach {
        Reach::OldSse { .. } => {
            return Err(blame.failure(
                "It uses the old HTTP+SSE transport, which Keytide does not speak. Use its Streamable HTTP address (`\"type\": \"http\"`), or a bridge such as `npx mcp-remote URL` as its command.",
            ));
        }
        Reach::Http { url, .. } => {
            if let Some(reason) = refusal(url) {
                return Err(blame.failure(&reason));
            }
        }
        Reach::Stdio { .. } => {}
    }
    let mut mode = known.map_or(Mode::Auto, Mode::Only);
    let mut tried = Vec::new();
    loop {
        tried.push(mode);
        match attempt(plan, mode).await {
            Ok(connection) => return checked(connection, &blame),
            Err(Miss::Final(failure)) => return Err(*failure),
            Err(Miss::Retry(next, failure)) => match next {
                Some(next) if !tried.contains(&next) => mode = next,
                Some(_) | None => return Err(*failure),
            },
        }
    }
}

enum Miss {
    /// Nothing else is worth a try.
    Final(Box<ServerFailure>),
    /// This may still work.
    Retry(Option<Mode>, Box<ServerFailure>),
}

impl Plan {
    pub(crate) fn blame(&self) -> Blame<'_> {
        Blame {
            entry: &self.entry,
            redactor: &self.redactor,
        }
    }

    /// Starts the process of a stdio server and lays the wire to it.
    fn start_process(
        &self,
        mode: Mode,
    ) -> Result<(Process, Stdio<tokio::process::ChildStdin>), Miss> {
        let Reach::Stdio {
            command,
            args,
            env,
            cwd,
        } = &self.entry.reach
        else {
            let failure = self.blame().failure("It has no command.");
            return Err(Miss::Final(Box::new(failure)));
        };
        let launch = Launch {
            command,
            args,
            env,
            cwd: cwd.as_deref(),
            folder: &self.folder,
            ours: &self.environment,
        };
        let (process, pipes) = Process::start(&launch, self.words.clone()).map_err(|error| {
            let failure = self.blame().failure(&error.to_string());
            Miss::Final(Box::new(failure))
        })?;
        let words = self.words.clone();
        let noise = Arc::new(move |line: &str| words.push(format!("(stdout) {line}").as_bytes()));
        let probe = (mode == Mode::Auto).then_some(PROBE);
        Ok((process, Stdio::new(pipes.stdout, pipes.stdin, noise, probe)))
    }
}

async fn attempt(plan: &Plan, mode: Mode) -> Result<Connection, Miss> {
    let (handler, end) = (Handler::default(), CancellationToken::new());
    let (service, process) = match &plan.entry.reach {
        Reach::Http { url, headers } => {
            let greeting = greet(handler.clone(), http(url, headers), mode, end.clone());
            let Ok(answer) = timeout(HTTP_PROBE, greeting).await else {
                let failure = plan.blame().failure("It did not answer in time.");
                return Err(Miss::Retry(
                    Some(Mode::Only(Era::Legacy)),
                    Box::new(failure),
                ));
            };
            (answer, None)
        }
        Reach::Stdio { .. } | Reach::OldSse { .. } => {
            let (process, wire) = plan.start_process(mode)?;
            (
                greet(handler.clone(), wire, mode, end.clone()).await,
                Some(process),
            )
        }
    };
    match service {
        Ok(service) => Ok(connection(service, handler, end, process)),
        Err(error) => Err(miss(plan, mode, &error, process).await),
    }
}

async fn greet<T, E, A>(
    handler: Handler,
    transport: T,
    mode: Mode,
    end: CancellationToken,
) -> Result<RunningService<RoleClient, Handler>, ClientInitializeError>
where
    T: rmcp::transport::IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = match mode {
        Mode::Auto => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        },
        Mode::Only(Era::Modern) => ClientLifecycleMode::Discover { preferred_versions },
        Mode::Only(Era::Legacy) => ClientLifecycleMode::Initialize,
    };
    serve_client_with_lifecycle_and_ct(handler, transport, lifecycle, end).await
}

fn http(
    url: &str,
    headers: &[(String, String)],
) -> impl rmcp::transport::Transport<RoleClient, Error = impl std::error::Error + Send + Sync + use<>>
+ use<> {
    let mut custom = std::collections::HashMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse(), value.parse()) {
            custom.insert(name, value);
        }
    }
    let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(custom);
    StreamableHttpClientTransport::from_config(config)
}

fn connection(
    service: RunningService<RoleClient, Handler>,
    handler: Handler,
    end: CancellationToken,
    process: Option<Process>,
) -> Connection {
    let info = service.peer().peer_info();
    let tools = info
        .as_ref()
        .and_then(|info| info.capabilities.tools.clone());
    let title = info.as_ref().and_then(|info| {
        let server = info.server_info.as_ref()?;
        let title = one_line(server.title.as_ref().unwrap_or(&server.name));
        (!title.is_empty()).then_some(title)
    });
    let version = info.map(|info| info.protocol_version.clone());
    let era = match &version {
        Some(version) if !version.has_initialize() => Era::Modern,
        Some(_) | None => Era::Legacy,
    };
    let facts = ServerFacts {
        title,
        protocol: version.map_or_else(String::new, |version| version.as_str().to_owned()),
        has_tools: tools.is_some(),
        tells_changes: tools.is_some_and(|tools| tools.list_changed == Some(true)),
    };
    Connection {
        peer: service.peer().clone(),
        service,
        end,
        handler,
        process,
        facts,
        era,
    }
}

/// Refuses a version that is not known: rmcp takes whatever a server answers.
fn checked(connection: Connection, blame: &Blame<'_>) -> Result<Connection, ServerFailure> {
    let known = ProtocolVersion::KNOWN_VERSIONS;
    if known
        .iter()
        .any(|version| version.as_str() == connection.facts.protocol)
    {
        return Ok(connection);
    }
    Err(blame.failure(&format!(
        "It answers with the protocol version `{}`, which is not known here. Known are {}.",
        one_line(&connection.facts.protocol),
        versions(known),
    )))
}

/// Says what went wrong and what may still work.
async fn miss(
    plan: &Plan,
    mode: Mode,
    error: &ClientInitializeError,
    process: Option<Process>,
) -> Miss {
    let mut failure = plan.blame().failure(&plan.blame().handshake(error));
    if let Some(mut process) = process {
        // A process that is about to end says more than its silence.
        failure.exit = process.verdict(Duration::from_millis(500)).await;
        failure.stderr = process.last_words(LAST_LINES);
    }
    Miss::Retry(next(mode, error), Box::new(failure))
}

/// Returns the way to try after this failure.
fn next(mode: Mode, error: &ClientInitializeError) -> Option<Mode> {
    let (legacy, modern) = (Mode::Only(Era::Legacy), Mode::Only(Era::Modern));
    if is_login_needed(error) {
        return None;
    }
    if mode != Mode::Auto {
        return Some(Mode::Auto);
    }
    // It was too slow for the first question and knows only the new way.
    let is_late = matches!(error, ClientInitializeError::ConflictInitResponseId(..));
    let fallback = if let ClientInitializeError::LegacyFallbackFailed { fallback, .. } = error {
        fallback.as_ref()
    } else {
        error
    };
    let refused_old = matches!(fallback, ClientInitializeError::JsonRpcError(_));
    Some(if is_late || refused_old {
        modern
    } else {
        legacy
    })
}
