//! A server that is there: its calls, its changes, its end.

use std::collections::{HashMap, HashSet};
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, RoleClient};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::app::event::Fact;
use crate::app::servers::ServerFailure;
use crate::chat::id::{ServerName, ToolUseId};
use crate::io::facts::Facts;
use crate::io::mcp::call::{self, Line};
use crate::io::mcp::connect::{Connection, Era, Plan};
use crate::io::mcp::failure::LAST_LINES;
use crate::io::mcp::handler::Handler;
use crate::io::mcp::listing::{Listing, list};
use crate::io::mcp::order::not_run;
use crate::io::mcp::process::Process;
use crate::io::mcp::result::Save;
use crate::io::mcp::server::Command;

/// Several notices of a change within this are one.
const CHANGE_PAUSE: Duration = Duration::from_millis(200);

/// How long calls have to say their last word when the server is gone or stopped.
const LAST_WORD: Duration = Duration::from_secs(1);

/// How long to wait before asking for notices again, and how often.
const LISTEN_AGAIN: (Duration, usize) = (Duration::from_secs(5), 5);

/// A connected server with the calls that run on it.
pub(crate) struct Session<'a> {
    plan: &'a Plan,
    process: Option<Process>,
    closed: Pin<Box<dyn Future<Output = ()> + Send>>,
    end: CancellationToken,
    handler: Handler,
    line: Line,
    obituary: watch::Sender<Option<Arc<str>>>,
    calls: JoinSet<()>,
    running: HashMap<Id, (ToolUseId, CancellationToken)>,
    /// What it lists now, and the names of its tools.
    listing: Option<Listing>,
    listed: HashSet<String>,
    relisting: Option<Pin<Box<dyn Future<Output = Listing> + Send>>>,
    _listening: JoinSet<()>,
}

enum Ending {
    Stopped,
    Died,
}

impl<'a> Session<'a> {
    /// Takes a connection over.
    pub(crate) fn begin(plan: &'a Plan, connection: Connection, facts: Facts, save: Save) -> Self {
        let (obituary, read_obituary) = watch::channel(None);
        let (peer, handler) = (connection.peer, connection.handler);
        let mut listening = JoinSet::new();
        if connection.era == Era::Modern && connection.facts.tells_changes {
            listening.spawn(listen(peer.clone(), Arc::clone(&handler.changed)));
        }
        let service = connection.service;
        Self {
            plan,
            process: connection.process,
            closed: Box::pin(async move {
                service.waiting().await.ok();
            }),
            end: connection.end,
            line: Line {
                peer,
                progress: handler.progress.clone(),
                obituary: read_obituary,
                facts,
                save,
            },
            handler,
            obituary,
            calls: JoinSet::new(),
            running: HashMap::new(),
            listing: None,
            listed: HashSet::new(),
            relisting: None,
            _listening: listening,
        }
    }

    /// Runs calls until the end; says how it ended unless it was stopped.
    pub(crate) async fn run(
        mut self,
        listing: Listing,
        commands: &mut mpsc::UnboundedReceiver<Command>,
        stop: &CancellationToken,
    ) -> Option<ServerFailure> {
        self.tell_tools(listing).await;
        match self.until_the_end(commands, stop).await {
            Ending::Stopped => {
                self.stop().await;
                None
            }
            Ending::Died => Some(self.bury().await),
        }
    }

    async fn until_the_end(
        &mut self,
        commands: &mut mpsc::UnboundedReceiver<Command>,
        stop: &CancellationToken,
    ) -> Ending {
        let changed = Arc::clone(&self.handler.changed);
        let mut due: Option<Instant> = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return Ending::Stopped,
                () = ended(&mut self.process) => return Ending::Died,
                () = &mut self.closed => return Ending::Died,
                command = commands.recv() => match command {
                    Some(command) => self.obey(command).await,
                    None => return Ending::Stopped,
                },
                Some(done) = self.calls.join_next_with_id() => self.call_ended(done).await,
                listing = relisted(&mut self.relisting) => self.tell_tools(listing).await,
                () = changed.notified() => due = Some(Instant::now() + CHANGE_PAUSE),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() && self.relisting.is_none() => {
                    due = None;
                    self.relist();
                }
            }
        }
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Call { order, .. } if !self.listed.contains(&order.tool) => {
                let text = format!(
                    "The server `{}` does not offer the tool `{}` any more.",
                    order.server, order.tool,
                );
                self.line.finish(not_run(&order.id, text)).await;
            }
            Command::Call { order, ready } => {
                let (line, cancel) = (self.line.clone(), CancellationToken::new());
                let (id, token) = (order.id.clone(), cancel.clone());
                let task = self.calls.spawn(async move {
                    let result = call::run(&order, line.clone(), cancel, ready).await;
                    line.finish(result).await;
                });
                self.running.insert(task.id(), (id, token));
            }
            Command::Cancel(call) => {
                let tokens = self.running.values().filter(|(id, _)| *id == call);
                tokens.for_each(|(_, token)| token.cancel());
            }
        }
    }

    async fn call_ended(&mut self, done: Result<(Id, ()), JoinError>) {
        let (task, broke) = match &done {
            Ok((task, ())) => (*task, false),
            Err(error) => (error.id(), true),
        };
        if let Some((call, _)) = self.running.remove(&task).filter(|_| broke) {
            self.line.finish(call::broken(call)).await;
        }
    }

    async fn tell_tools(&mut self, listing: Listing) {
        self.relisting = None;
        if self.listing.as_ref() == Some(&listing) {
            // Many servers tell of a change when nothing has changed.
            return;
        }
        self.listed = listing.tools.iter().map(|tool| tool.name.clone()).collect();
        let fact = Fact::ToolsListed {
            server: self.name().clone(),
            tools: listing.tools.clone(),
            problems: listing.problems.clone(),
        };
        self.listing = Some(listing);
        self.line.facts.tell(fact).await;
    }

    fn relist(&mut self) {
        let peer = self.line.peer.clone();
        self.relisting = Some(Box::pin(async move { list(&peer).await }));
    }

    /// Ends the server in good order: calls first, then its input, then the process.
    async fn stop(&mut self) {
        for (_, cancel) in self.running.values() {
            cancel.cancel();
        }
        self.drain_calls(LAST_WORD / 2).await;
        self.end.cancel();
        timeout(LAST_WORD / 4, &mut self.closed).await.ok();
        if let Some(process) = &self.process {
            process.stop().await;
        }
    }

    /// Finds out how the server ended, tells the calls that run on it, and clears up.
    async fn bury(&mut self) -> ServerFailure {
        let exit = match &mut self.process {
            Some(process) => process.verdict(Duration::from_millis(500)).await,
            None => None,
        };
        let how = match (&exit, &self.process) {
            (Some(exit), _) => format!("ended ({exit})"),
            (None, Some(_)) => "closed its output".to_owned(),
            (None, None) => "closed the connection".to_owned(),
        };
        let obituary = format!("The server `{}` {how}.", self.name());
        self.obituary.send_replace(Some(obituary.into()));
        self.drain_calls(LAST_WORD).await;
        self.end.cancel();
        let mut failure = self.plan.blame().failure(&format!("It {how}."));
        failure.exit = exit;
        if let Some(process) = &self.process {
            failure.stderr = process.last_words(LAST_LINES);
            process.clear();
        }
        failure
    }

    async fn drain_calls(&mut self, limit: Duration) {
        let mut limit = pin!(sleep(limit));
        loop {
            tokio::select! {
                done = self.calls.join_next_with_id() => match done {
                    Some(done) => self.call_ended(done).await,
                    None => return,
                },
                () = &mut limit => return,
            }
        }
    }

    const fn name(&self) -> &ServerName {
        &self.plan.entry.name
    }
}

async fn ended(process: &mut Option<Process>) {
    match process {
        Some(process) => drop(process.ended().await),
        None => pending().await,
    }
}

async fn relisted(
    relisting: &mut Option<Pin<Box<dyn Future<Output = Listing> + Send>>>,
) -> Listing {
    match relisting {
        Some(relisting) => relisting.await,
        None => pending().await,
    }
}

/// Listens for notices of a new-style server, which sends them only to those who ask.
async fn listen(peer: Peer<RoleClient>, changed: Arc<Notify>) {
    let (pause, times) = LISTEN_AGAIN;
    for _ in 0..times {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let Ok(mut notices) = peer.listen(filter).await else {
            return;
        };
        while let Ok(Some(_)) = notices.next().await {
            changed.notify_one();
        }
        sleep(pause).await;
        // Something may have changed in between.
        changed.notify_one();
    }
}
