//! Why a server is not there, in words for the person.

use std::error::Error;

use rmcp::model::{ErrorData, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ServiceError};

use crate::app::servers::ServerFailure;
use crate::config::server::{Reach, ServerEntry};
use crate::io::mcp::clean::one_line;
use crate::redact::Redactor;

/// So many last lines of stderr are told with a failure.
pub(crate) const LAST_LINES: usize = 20;

/// Makes the failures of one server.
#[derive(Debug)]
pub(crate) struct Blame<'a> {
    /// The server.
    pub entry: &'a ServerEntry,
    /// Looks through what is told.
    pub redactor: &'a Redactor,
}

impl Blame<'_> {
    /// Makes a failure of `reason`, which begins a sentence of its own.
    pub(crate) fn failure(&self, reason: &str) -> ServerFailure {
        ServerFailure {
            reason: format!("The server `{}` is not there. {reason}", self.entry.name),
            command: self.command(),
            ..ServerFailure::default()
        }
    }

    /// Returns the command or address, redacted.
    fn command(&self) -> String {
        let text = match &self.entry.reach {
            Reach::Stdio { command, args, .. } => {
                let words = std::iter::once(command).chain(args);
                words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
            Reach::Http { url, .. } | Reach::OldSse { url } => url.clone(),
        };
        one_line(&self.redactor.text(&text))
    }

    /// Puts a failed handshake into words.
    pub(crate) fn handshake(&self, error: &ClientInitializeError) -> String {
        if is_login_needed(error) {
            return "It asks for a login, and logging in is not supported yet. If it takes a token, set `headers` in its entry.".to_owned();
        }
        let text = match error {
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                return self.handshake(fallback);
            }
            ClientInitializeError::ConnectionClosed(_) => {
                "It ended, or closed the connection, before it answered.".to_owned()
            }
            ClientInitializeError::JsonRpcError(error) => {
                format!("It refused to start: {}.", protocol_error(error))
            }
            ClientInitializeError::ExpectedInitResult(_)
            | ClientInitializeError::ExpectedInitResponse(_) => {
                "It answered the greeting with something else; is it an MCP server?".to_owned()
            }
            ClientInitializeError::NoCompatibleProtocolVersion {
                server_supported, ..
            } => format!(
                "It speaks only protocol versions that are not known here: {}.",
                versions(server_supported)
            ),
            ClientInitializeError::TransportError { error, .. } => {
                format!(
                    "The connection failed: {}.",
                    with_sources(error.error.as_ref())
                )
            }
            ClientInitializeError::ConflictInitResponseId(..)
            | ClientInitializeError::UncorrelatedErrorResponse { .. }
            | ClientInitializeError::NoPreferredProtocolVersion
            | ClientInitializeError::Cancelled
            | _ => format!("The connection failed: {}.", with_sources(error)),
        };
        one_line(&self.redactor.text(&text))
    }
}

/// Tells whether a handshake failed because a login is needed.
pub(crate) fn is_login_needed(error: &ClientInitializeError) -> bool {
    error.is_authorization_required()
        || error.auth_challenge().is_some()
        || mentions_401(&with_sources(error))
}

fn mentions_401(text: &str) -> bool {
    text.contains("401 Unauthorized") || text.contains("HTTP 401")
}

/// Puts an error of the protocol into words.
pub(crate) fn protocol_error(error: &ErrorData) -> String {
    format!("MCP error {}: {}", error.code.0, error.message)
}

/// Puts an error of a connection into words.
pub(crate) fn service_error(error: &ServiceError) -> String {
    if let ServiceError::McpError(error) = error {
        return protocol_error(error);
    }
    if error.is_authorization_required() || error.auth_challenge().is_some() {
        return "the server asks for a login, and logging in is not supported yet".to_owned();
    }
    if let ServiceError::TransportSend(error) = error {
        return with_sources(error.error.as_ref());
    }
    with_sources(error)
}

/// Writes versions out, separated by commas.
pub(crate) fn versions(versions: &[ProtocolVersion]) -> String {
    let names: Vec<_> = versions.iter().map(ProtocolVersion::as_str).collect();
    names.join(", ")
}

/// Returns an error's text with those of its sources, each once, cut to what can be read.
fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text.chars().take(400).collect()
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@,+~%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
