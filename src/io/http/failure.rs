//! What went wrong with a connection, in plain words.

use std::error::Error;
use std::io::{self, ErrorKind};

use crate::chat::failure::{FailureKind, TurnError};
use crate::chat::moment::Millis;
use crate::io::http::client::CONNECT_LIMIT;
use crate::provider::DecodeError;
use crate::provider::http::plain_line;

/// Says what a failed connection means.
pub(super) fn network(error: reqwest::Error, host: &str) -> TurnError {
    // The address may hold a key in its query.
    let error = error.without_url();
    TurnError::new(FailureKind::Network, explain(&error, host))
}

/// Says what the end of a stream in the middle means.
pub(super) fn cut(error: reqwest::Error, host: &str) -> TurnError {
    let error = error.without_url();
    let message = format!(
        "The connection to {host} broke in the middle of the reply ({}).",
        root(&error)
    );
    TurnError::new(FailureKind::StreamCut, message)
}

/// Says that nothing was heard.
pub(super) fn silent(limit: Millis, host: &str) -> TurnError {
    let seconds = limit.as_secs().max(1);
    let message = format!("Nothing has arrived from {host} for {seconds} s.");
    TurnError::new(FailureKind::Silent(limit), message)
}

/// Says that an answer holds not one event.
pub(super) fn no_stream(host: &str) -> TurnError {
    TurnError::new(
        FailureKind::NotAStream,
        format!("What {host} answered is not a stream of events. Is the base URL right?"),
    )
}

/// Says what a reply that can't be read means.
pub(super) fn unreadable(error: &DecodeError, host: &str) -> TurnError {
    match error {
        DecodeError::CutShort => TurnError::new(
            FailureKind::StreamCut,
            format!("The reply from {host} ended before it was whole."),
        ),
        DecodeError::BadEvent(reason) => TurnError::new(
            FailureKind::ServerError,
            format!(
                "The reply from {host} can't be read: {}.",
                plain_line(reason)
            ),
        ),
    }
}

fn explain(error: &reqwest::Error, host: &str) -> String {
    let chain = chain(error);
    let says = |words: &[&str]| words.iter().any(|word| chain.contains(word));
    if says(&["proxy", "tunnel", "socks"]) {
        format!(
            "The proxy did not give a connection to {host} ({}).",
            root(error)
        )
    } else if says(&["dns error", "failed to lookup address"]) {
        format!("The name {host} was not found (DNS). Check the network and the address.")
    } else if says(&[
        "certificate",
        "tls",
        "handshake",
        "corrupt message",
        "rustls",
    ]) {
        format!("The secure connection to {host} failed ({}).", root(error))
    } else if error.is_timeout() {
        let seconds = CONNECT_LIMIT.as_secs();
        format!("No connection to {host} came about within {seconds} s.")
    } else {
        by_kind(io_kind(error), error, host)
    }
}

fn by_kind(kind: Option<ErrorKind>, error: &reqwest::Error, host: &str) -> String {
    match kind {
        Some(ErrorKind::ConnectionRefused) => {
            format!("{host} refused the connection: nothing listens at that address.")
        }
        Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable) => {
            format!("{host} can't be reached from here: there is no way to its network.")
        }
        Some(
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof,
        ) => format!("{host} closed the connection before it answered."),
        Some(_) | None => {
            format!("The connection to {host} failed ({}).", root(error))
        }
    }
}

type AnyError = dyn Error + 'static;

fn sources(error: &reqwest::Error) -> impl Iterator<Item = &AnyError> {
    fn cause<'a>(&error: &&'a AnyError) -> Option<&'a AnyError> {
        error.source()
    }
    std::iter::successors(Some(error as &AnyError), cause)
}

/// Joins the texts of an error and all its causes, in lower case.
fn chain(error: &reqwest::Error) -> String {
    let texts: Vec<String> = sources(error).map(ToString::to_string).collect();
    texts.join(": ").to_lowercase()
}

/// Returns the text of the first cause, which says most.
fn root(error: &reqwest::Error) -> String {
    let text = sources(error).last().map(ToString::to_string);
    plain_line(&text.unwrap_or_default())
}

fn io_kind(error: &reqwest::Error) -> Option<ErrorKind> {
    let is_closed = chain(error).contains("closed before message completed");
    let kinds = sources(error).filter_map(|error| error.downcast_ref::<io::Error>());
    let kind = kinds.last().map(io::Error::kind);
    kind.or(is_closed.then_some(ErrorKind::ConnectionReset))
}
