//! Which answers a server still owes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, NumberOrString};
use serde_json::Value;

/// How an answer is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// `server/discover`.
    Discover,
    /// `initialize`: odd answers are mended.
    Initialize,
    /// A list or a call: the answer is handed on as the text it came in.
    Raw,
    /// Anything else.
    Plain,
}

/// The requests that were sent and not yet answered or given up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Book(Arc<Mutex<HashMap<NumberOrString, Asked>>>);

impl Book {
    /// Notes what a message that is being sent asks for, or gives up.
    pub(crate) fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                let asked = match request.request.method() {
                    "server/discover" => Asked::Discover,
                    "initialize" => Asked::Initialize,
                    "tools/list" | "tools/call" => Asked::Raw,
                    _ => Asked::Plain,
                };
                let mut open = self.open();
                if asked == Asked::Initialize {
                    // The server has been found to be an old one; a late word on the first
                    // question would be taken for the answer to this one.
                    open.retain(|_, earlier| *earlier != Asked::Discover);
                }
                open.insert(request.id.clone(), asked);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open().remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    /// Returns what an answer with this id answers, and forgets it. Answers that nobody waits for
    /// give `None`. A number written as text is the same id.
    pub(crate) fn take(&self, id: &Value) -> Option<(NumberOrString, Asked)> {
        let mut open = self.open();
        let candidates = match id {
            Value::Number(number) => [number.as_i64().map(NumberOrString::Number), None],
            Value::String(text) => [
                Some(NumberOrString::String(text.as_str().into())),
                text.parse().ok().map(NumberOrString::Number),
            ],
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => [None, None],
        };
        let mut candidates = candidates.into_iter().flatten();
        candidates.find_map(|id| open.remove(&id).map(|asked| (id, asked)))
    }

    /// Returns and forgets the one open request; `None` when there are none or several.
    pub(crate) fn take_only(&self) -> Option<(NumberOrString, Asked)> {
        let mut open = self.open();
        let id = open.keys().next().cloned().filter(|_| open.len() == 1)?;
        open.remove_entry(&id)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<NumberOrString, Asked>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
