//! The HTTP client, made when it is first needed: reading the system's certificates takes time.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect};

use crate::chat::failure::{FailureKind, TurnError};
use crate::io::auth::Endpoint;

/// How long a connection may take to come about.
pub(super) const CONNECT_LIMIT: Duration = Duration::from_secs(10);
const KEEP_ALIVE: Duration = Duration::from_secs(60);
const USER_AGENT: &str = concat!("keytide/", env!("CARGO_PKG_VERSION"));

/// Two clients: one that uses the system's proxy, and one for this machine, which never does.
#[derive(Debug, Clone, Default)]
pub(super) struct Clients {
    remote: Slot,
    local: Slot,
}

type Slot = Arc<OnceLock<Result<Client, String>>>;

impl Clients {
    /// Returns the client for an endpoint, making it if it is the first.
    pub(super) async fn client_for(&self, endpoint: &Endpoint) -> Result<Client, TurnError> {
        let is_local = endpoint.base_url.is_loopback();
        let slot = Arc::clone(if is_local { &self.local } else { &self.remote });
        let made = tokio::task::spawn_blocking(move || {
            slot.get_or_init(|| build(is_local).map_err(|error| error.to_string()))
                .clone()
        });
        let made = made
            .await
            .map_err(|error| error.to_string())
            .and_then(|made| made);
        made.map_err(|reason| {
            TurnError::new(
                FailureKind::BadConfiguration,
                format!("No secure connections can be made on this system: {reason}."),
            )
        })
    }
}

fn build(is_local: bool) -> reqwest::Result<Client> {
    let builder: ClientBuilder = Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_LIMIT)
        .tcp_keepalive(KEEP_ALIVE)
        .tcp_keepalive_interval(KEEP_ALIVE)
        .tcp_keepalive_retries(5)
        // Following one could carry the key to another host.
        .redirect(redirect::Policy::none());
    if is_local {
        builder.no_proxy().build()
    } else {
        builder.build()
    }
}
