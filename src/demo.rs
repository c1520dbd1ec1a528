//! The demo: a scripted model on loopback HTTP and an MCP server of our own.
//!
//! Nothing in it is a shortcut: the program speaks to the model over HTTP and to the server over the
//! pipes of a child process, as it does with real ones.

mod check;
mod model;
mod reading;
mod reply;
mod script;
pub mod server;
mod stream;
#[cfg(test)]
mod tests;
mod tools;
mod weather;

use std::io;
use std::net::Ipv4Addr;
use std::path::Path;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::chat::id::ServerName;
use crate::config::server::{Reach, ServerEntry};
use crate::demo::stream::Pace;

/// The name of the demo's MCP server; tools are `demo__…`.
pub const SERVER: &str = "demo";

/// The scripted model while it runs. Dropping it stops it.
#[derive(Debug)]
pub struct Demo {
    base_url: String,
    task: JoinHandle<()>,
}

impl Demo {
    /// Starts the model on a free port of the loopback address.
    ///
    /// # Errors
    ///
    /// When no port can be opened.
    pub async fn start() -> io::Result<Self> {
        Self::start_at(Pace::HUMAN).await
    }

    /// Starts it without pauses between words.
    #[cfg(test)]
    async fn start_fast() -> io::Result<Self> {
        Self::start_at(Pace::NONE).await
    }

    async fn start_at(pace: Pace) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let task = tokio::spawn(async move {
            // It serves until it is aborted; a connection that fails is that client's affair.
            axum::serve(listener, model::routes(pace)).await.ok();
        });
        Ok(Self { base_url, task })
    }

    /// Returns the base URL, to be used like `ANTHROPIC_BASE_URL`.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns how the demo's MCP server is started: this program, as a child process.
pub fn server_entry(program: &Path) -> ServerEntry {
    ServerEntry {
        name: ServerName::from(SERVER),
        reach: Reach::Stdio {
            command: program.display().to_string(),
            args: vec!["demo-server".to_owned()],
            env: Vec::new(),
            cwd: None,
        },
        timeout: None,
        disabled: false,
    }
}
