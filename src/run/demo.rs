//! The demo inside a session: its model becomes the one that is asked, its server is added.

use std::io::{Error, Result};

use crate::config::server::ServerEntry;
use crate::demo::{Demo, server_entry};
use crate::io::auth::{Credential, Endpoint};
use crate::io::http::BaseUrl;
use crate::io::model::Route;
use crate::provider::anthropic::Version;

/// What a newcomer reads first.
pub const DEMO_WELCOME: &str = "This is the demo: a scripted model on this machine, and a real MCP \
     server. It costs nothing. Say hello, or ask for the weather in Beijing and 1234 + 5678.";

/// The demo's model while it runs, how it is reached, and the demo's server.
#[derive(Debug)]
pub struct Running {
    /// Keeps the model running.
    pub model: Demo,
    /// Leads to it.
    pub route: Route,
    /// Starts this program again, as an MCP server.
    pub server: ServerEntry,
}

/// Starts the demo's model on this machine.
pub async fn start() -> Result<Running> {
    let model = Demo::start().await?;
    let base_url = BaseUrl::parse(model.base_url()).map_err(Error::other)?;
    let route = Route::to(Endpoint {
        base_url,
        version: Version::Classic,
        credential: Credential::None,
        custom_headers: Vec::new(),
    });
    let program = std::env::current_exe()?;
    Ok(Running {
        model,
        route,
        server: server_entry(&program),
    })
}
