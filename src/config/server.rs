//! How an MCP server is reached: one entry of `mcpServers`, variables expanded.

use crate::chat::id::ServerName;
use crate::chat::moment::Millis;

/// One server of the configuration, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// The name it is configured under.
    pub name: ServerName,
    /// How it is reached.
    pub reach: Reach,
    /// The idle limit of its calls, in place of the general one.
    pub timeout: Option<Millis>,
    /// Not to be started.
    pub disabled: bool,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A child process that speaks over its standard input and output.
    Stdio {
        /// The program, found on PATH, relative to `cwd`, or absolute.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Added to the short allow-list of the environment.
        env: Vec<(String, String)>,
        /// Its working folder.
        cwd: Option<String>,
    },
    /// A Streamable HTTP endpoint.
    Http {
        /// Where.
        url: String,
        /// Sent with each request.
        headers: Vec<(String, String)>,
    },
    /// The old HTTP+SSE transport, which is named and refused.
    OldSse {
        /// Where.
        url: String,
    },
}
