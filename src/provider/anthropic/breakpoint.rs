//! Where the prompt cache is written and read: at most four places of a request, here three.

use serde::Serialize;

use crate::chat::message::Role;
use crate::provider::anthropic::message::WireMessage;

/// The service looks for an earlier entry this many blocks back from each place.
const LOOKS_BACK: usize = 20;
/// So many blocks earlier than it must, the spare mark is set: counting is the service's business.
const MARGIN: usize = 5;

/// A mark on a block: the prompt up to here is kept for five minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

impl Default for CacheControl {
    fn default() -> Self {
        Self { kind: "ephemeral" }
    }
}

/// Marks the end of the newest user message, and the place where the request before had its mark
/// when that one is out of the service's sight.
///
/// Only blocks written on this side are marked: a model's blocks go back as they came.
pub(super) fn set_breakpoints(messages: &mut [WireMessage<'_>]) {
    let users = |(_, message): &(usize, &WireMessage<'_>)| message.role() == Role::User;
    let mut newest = messages
        .iter()
        .enumerate()
        .rev()
        .filter(users)
        .map(|(at, _)| at);
    let (last, before) = (newest.next(), newest.next());
    let since = before.map(|at| blocks_after(messages, at));
    if let (Some(at), Some(since)) = (before, since)
        && since + MARGIN > LOOKS_BACK
    {
        mark(messages, at);
    }
    if let Some(at) = last {
        mark(messages, at);
    }
}

fn blocks_after(messages: &[WireMessage<'_>], at: usize) -> usize {
    messages.iter().skip(at + 1).map(WireMessage::len).sum()
}

fn mark(messages: &mut [WireMessage<'_>], at: usize) {
    if let Some(message) = messages.get_mut(at) {
        message.mark_last();
    }
}
