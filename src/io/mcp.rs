//! MCP servers: started in the background, called with proofs of approval, stopped together.
//!
//! Each server has one task (`server`) that owns everything about it; the rest of the program
//! hears of it through facts only and never sees a type of the protocol library.

pub(crate) mod address;
pub(crate) mod backoff;
pub(crate) mod call;
pub(crate) mod clean;
pub(crate) mod connect;
pub(crate) mod environment;
pub(crate) mod failure;
pub(crate) mod handler;
pub(crate) mod last_words;
pub(crate) mod listing;
pub mod order;
pub(crate) mod process;
pub(crate) mod program;
pub mod result;
pub(crate) mod server;
pub(crate) mod session;
pub(crate) mod stdio;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::event::Fact;
use crate::app::servers::{ServerFailure, ServerStatus};
use crate::chat::id::{ServerName, ToolUseId};
use crate::config::mcp_file::Refused;
use crate::config::server::ServerEntry;
use crate::gate::Approved;
use crate::io::facts::Facts;
use crate::io::mcp::connect::Plan;
use crate::io::mcp::last_words::LastWords;
use crate::io::mcp::order::{CallLimits, Order, not_run};
use crate::io::mcp::result::Save;
use crate::io::mcp::server::{Command, Server};
use crate::redact::Redactor;

/// So many processes may be starting at once.
const STARTS_AT_ONCE: usize = 4;

/// After this long a start is called slow, unless `MCP_TIMEOUT` says otherwise.
const START_LIMIT: Duration = Duration::from_secs(30);

/// All servers together have so long to end when nothing presses.
pub const LONGEST_STOP: Duration = Duration::from_secs(4);

/// What servers need from the rest of the program.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Our environment; a short list of it is passed on. `MCP_TIMEOUT` (milliseconds) is read here.
    pub environment: Vec<(String, String)>,
    /// Where relative working folders and programs begin.
    pub folder: PathBuf,
    /// Looks through what is told of servers.
    pub redactor: Arc<Redactor>,
    /// Keeps what is too large for the conversation.
    pub save: Save,
}

/// All servers. Dropping it kills every process that is left.
#[derive(Debug)]
pub struct Mcp {
    facts: Facts,
    setup: Setup,
    starts: Arc<Semaphore>,
    servers: BTreeMap<ServerName, Known>,
    refused: Vec<Refused>,
    /// Facts that are on their way while the channel is full.
    telling: JoinSet<()>,
}

#[derive(Debug)]
struct Known {
    entry: ServerEntry,
    words: LastWords,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    commands: mpsc::UnboundedSender<Command>,
    stop: CancellationToken,
    task: JoinSet<()>,
}

/// Returns the program that a command names, or why there is none.
pub fn find_program(command: &str, folder: &Path, path: &str) -> Result<String, String> {
    program::find(command, folder, path)
        .map(|program| program.display().to_string())
        .map_err(|error| error.to_string())
}

impl Known {
    fn new(entry: ServerEntry, redactor: &Arc<Redactor>) -> Self {
        Self {
            entry,
            words: LastWords::new(Arc::clone(redactor)),
            running: None,
        }
    }
}

impl Mcp {
    /// Gets to know the servers; starts none. Of two entries with one name the later counts.
    pub fn new(
        entries: Vec<ServerEntry>,
        refused: Vec<Refused>,
        facts: Facts,
        setup: Setup,
    ) -> Self {
        let known = |entry: ServerEntry| (entry.name.clone(), Known::new(entry, &setup.redactor));
        Self {
            servers: entries.into_iter().map(known).collect(),
            facts,
            starts: Arc::new(Semaphore::new(STARTS_AT_ONCE)),
            refused,
            setup,
            telling: JoinSet::new(),
        }
    }

    /// Starts every server that is not running, in the background, and tells of those that are
    /// switched off or can't be started. Must be called inside the runtime.
    pub fn start_all(&mut self) {
        for Refused { name, reason } in std::mem::take(&mut self.refused) {
            let failure = ServerFailure {
                reason,
                ..ServerFailure::default()
            };
            self.tell_status(name, ServerStatus::Failed(failure));
        }
        let names: Vec<_> = self.servers.keys().cloned().collect();
        for name in names {
            self.start(&name);
        }
    }

    /// Adds a server and starts it.
    pub fn add(&mut self, entry: ServerEntry) {
        let name = entry.name.clone();
        self.servers
            .insert(name.clone(), Known::new(entry, &self.setup.redactor));
        self.start(&name);
    }

    /// Starts a server that is not running.
    pub fn start(&mut self, name: &ServerName) {
        let disabled = self
            .servers
            .get(name)
            .is_some_and(|known| known.entry.disabled);
        if disabled {
            self.tell_status(name.clone(), ServerStatus::Disabled);
        } else {
            self.launch(name, JoinSet::new());
        }
    }

    /// Stops a server if it runs, and starts it anew.
    pub fn restart(&mut self, name: &ServerName) {
        let running = self
            .servers
            .get_mut(name)
            .and_then(|known| known.running.take());
        let before = running.map_or_else(JoinSet::new, |running| {
            running.stop.cancel();
            running.task
        });
        self.launch(name, before);
    }

    /// Runs a call once `ready` is done, which is when everything before it is on disk. Ends in
    /// exactly one `ToolFinished`, whatever happens; nothing is ever sent twice.
    pub fn call(
        &mut self,
        approved: Approved,
        limits: CallLimits,
        ready: impl Future<Output = ()> + Send + 'static,
    ) {
        match Order::of(approved, limits) {
            Ok(order) => self.send(order, Box::pin(ready)),
            Err(result) => self.tell(Fact::ToolFinished(result)),
        }
    }

    /// Tells a server to stop a call. The call's `ToolFinished` still comes.
    pub fn cancel(&self, call: &ToolUseId) {
        // Only the server that runs it knows it.
        for running in self
            .servers
            .values()
            .filter_map(|known| known.running.as_ref())
        {
            let cancel = Command::Cancel(call.clone());
            running.commands.send(cancel).unwrap_or(());
        }
    }

    /// Stops all servers at the same time and waits for them until `limit`; kills whoever is left.
    pub fn shutdown(
        &mut self,
        limit: Duration,
    ) -> impl Future<Output = ()> + Send + 'static + use<> {
        let known = self.servers.values_mut();
        let mut ending: Vec<Running> = known.filter_map(|known| known.running.take()).collect();
        for running in &ending {
            running.stop.cancel();
        }
        async move {
            let all = async {
                for running in &mut ending {
                    while running.task.join_next().await.is_some() {}
                }
            };
            let all_gone = timeout(limit, all).await.is_ok();
            // Who waits for the end of a task knows that its processes were killed; a task that is
            // only dropped may be forgotten when the program ends.
            for running in ending.iter_mut().filter(|_| !all_gone) {
                running.task.shutdown().await;
            }
        }
    }

    /// Returns the last lines that a server wrote to its stderr, at most 500.
    pub fn last_words(&self, server: &ServerName) -> Vec<String> {
        let known = self.servers.get(server);
        known.map_or_else(Vec::new, |known| known.words.last(usize::MAX))
    }

    fn send(
        &mut self,
        mut order: Order,
        ready: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>,
    ) {
        let Some(known) = self.servers.get(&order.server) else {
            let text = format!("There is no server `{}`.", order.server);
            return self.tell(Fact::ToolFinished(not_run(&order.id, text)));
        };
        if let Some(idle) = known.entry.timeout {
            order.limits.idle = idle;
        }
        let id = order.id.clone();
        let sent = known.running.as_ref().is_some_and(|running| {
            let call = Command::Call { order, ready };
            running.commands.send(call).is_ok()
        });
        if !sent {
            let text = format!("The server `{}` is not running.", known.entry.name);
            self.tell(Fact::ToolFinished(not_run(&id, text)));
        }
    }

    fn launch(&mut self, name: &ServerName, mut before: JoinSet<()>) {
        let limit = start_limit(&self.setup.environment);
        let Some(known) = self
            .servers
            .get_mut(name)
            .filter(|known| known.running.is_none())
        else {
            return;
        };
        let (commands, queue) = mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let server = Server {
            plan: Plan {
                entry: known.entry.clone(),
                environment: self.setup.environment.clone().into(),
                folder: self.setup.folder.clone().into(),
                redactor: Arc::clone(&self.setup.redactor),
                words: known.words.clone(),
            },
            facts: self.facts.clone(),
            save: self.setup.save.clone(),
            start_limit: limit,
            starts: Arc::clone(&self.starts),
            commands: queue,
            stop: stop.clone(),
        };
        let mut task = JoinSet::new();
        task.spawn(async move {
            while before.join_next().await.is_some() {}
            Box::pin(server.run()).await;
        });
        known.running = Some(Running {
            commands,
            stop,
            task,
        });
    }

    fn tell_status(&mut self, server: ServerName, status: ServerStatus) {
        self.tell(Fact::ServerChanged { server, status });
    }

    fn tell(&mut self, fact: Fact) {
        let facts = self.facts.clone();
        self.telling.spawn(async move {
            facts.tell(fact).await;
        });
        while self.telling.try_join_next().is_some() {}
    }
}

/// Returns how long a start may take before it is called slow.
fn start_limit(environment: &[(String, String)]) -> Duration {
    let set = environment.iter().find(|(name, _)| name == "MCP_TIMEOUT");
    let millis = set.and_then(|(_, value)| value.trim().parse().ok());
    millis
        .filter(|millis| *millis > 0)
        .map_or(START_LIMIT, Duration::from_millis)
}

#[cfg(test)]
mod tests;
