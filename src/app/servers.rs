//! The MCP servers as the person knows them.

use std::collections::BTreeMap;

use crate::chat::id::ServerName;

/// A server's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerStatus {
    /// Its program or connection is being started.
    Starting,
    /// It takes longer than its limit and goes on starting in the background.
    Slow {
        /// How long it had, in seconds.
        seconds: u64,
    },
    /// It can be called.
    Ready {
        /// What it calls itself; for display only.
        title: Option<String>,
        /// The protocol version agreed on.
        protocol: String,
    },
    /// It did not start, or is gone.
    Failed(ServerFailure),
    /// The configuration switches it off.
    Disabled,
}

/// Why a server is not there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerFailure {
    /// What happened, a full sentence.
    pub reason: String,
    /// The command or address, redacted.
    pub command: String,
    /// How its process ended (`exit code 1`, `signal 9`).
    pub exit: Option<String>,
    /// The last lines it wrote to stderr, redacted and free of control characters.
    pub stderr: Vec<String>,
}

/// All servers, by name.
#[derive(Debug, Default)]
pub struct Servers(BTreeMap<ServerName, ServerEntry>);

/// One server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// Its state.
    pub status: ServerStatus,
    /// How many tools it offers to the model.
    pub tools: usize,
    /// It has listed its tools.
    pub listed: bool,
}

impl Servers {
    /// Returns the servers, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&ServerName, &ServerEntry)> {
        self.0.iter()
    }

    /// Takes in a server's new state.
    pub fn set_status(&mut self, server: ServerName, status: ServerStatus) {
        self.entry(server).status = status;
    }

    /// Takes in how many tools a server offers.
    pub fn set_tools(&mut self, server: &ServerName, tools: usize) {
        let entry = self.entry(server.clone());
        entry.tools = tools;
        entry.listed = true;
    }

    /// Returns how many servers need not be waited for any longer: their tools are known, or they
    /// are not there.
    pub fn settled(&self) -> usize {
        let over = |entry: &&ServerEntry| match entry.status {
            ServerStatus::Starting => false,
            ServerStatus::Ready { .. } => entry.listed,
            ServerStatus::Slow { .. } | ServerStatus::Failed(_) | ServerStatus::Disabled => true,
        };
        self.0.values().filter(over).count()
    }

    fn entry(&mut self, server: ServerName) -> &mut ServerEntry {
        let starting = ServerEntry {
            status: ServerStatus::Starting,
            tools: 0,
            listed: false,
        };
        self.0.entry(server).or_insert(starting)
    }
}
