//! What this side answers when a server speaks first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RoleClient};
use tokio::sync::{Notify, watch};

use crate::chat::listing::Progress;

/// With more entries than this, those of calls that are over are dropped.
const MOST: usize = 256;

/// Hears a server's notices. It declares no sampling, no roots and no elicitation, and refuses all
/// three: nothing that a server asks is answered without the person.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handler {
    /// Progress, by call.
    pub progress: ProgressBoard,
    /// The tool list has changed.
    pub changed: Arc<Notify>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("keytide", env!("CARGO_PKG_VERSION")).with_title("Keytide");
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress.post(
            params.progress_token,
            Progress {
                done: params.progress,
                total: params.total,
                message: params.message,
            },
        );
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}

/// The newest progress of each running call. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProgressBoard(Arc<Mutex<Board>>);

type Board = HashMap<ProgressToken, watch::Sender<Option<Progress>>>;

impl ProgressBoard {
    /// Follows a call. Progress that came before is not lost: the notice may be faster than we.
    pub(crate) fn follow(&self, token: &ProgressToken) -> watch::Receiver<Option<Progress>> {
        let mut board = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = board.entry(token.clone());
        entry
            .or_insert_with(|| watch::Sender::new(None))
            .subscribe()
    }

    /// Forgets a call.
    pub(crate) fn forget(&self, token: &ProgressToken) {
        let mut board = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        board.remove(token);
    }

    fn post(&self, token: ProgressToken, progress: Progress) {
        let mut board = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if board.len() >= MOST {
            // Words about calls that are over.
            board.retain(|_, followed| followed.receiver_count() > 0);
        }
        let entry = board.entry(token);
        let sender = entry.or_insert_with(|| watch::Sender::new(None));
        sender.send_if_modified(|newest| {
            // Notices may overtake each other; progress only rises.
            let late = newest
                .as_ref()
                .is_some_and(|known| known.done > progress.done);
            if !late {
                *newest = Some(progress);
            }
            // A late notice is a sign of life all the same.
            true
        });
    }
}
