//! One server's life: started, called, watched, started again, stopped. One task each.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::app::event::Fact;
use crate::app::servers::{ServerFailure, ServerStatus};
use crate::chat::id::ToolUseId;
use crate::config::server::Reach;
use crate::io::facts::Facts;
use crate::io::mcp::backoff::Backoff;
use crate::io::mcp::connect::{Connection, Era, Plan, connect};
use crate::io::mcp::failure::LAST_LINES;
use crate::io::mcp::listing::{Listing, list};
use crate::io::mcp::order::{Order, not_run};
use crate::io::mcp::result::Save;
use crate::io::mcp::session::Session;

/// A server that has not started after this is given up.
const LONGEST_START: Duration = Duration::from_secs(300);

/// A start makes others wait for so long at most.
const LONGEST_HOLD: Duration = Duration::from_secs(10);

/// What a server's task is told to do. Its queue is as long as a person approves calls.
pub(crate) enum Command {
    /// Run a call, once `ready` is done.
    Call {
        /// What.
        order: Order,
        /// What must be on disk first.
        ready: Pin<Box<dyn Future<Output = ()> + Send>>,
    },
    /// Stop a call, if it runs here.
    Cancel(ToolUseId),
}

/// The task of one server.
pub(crate) struct Server {
    /// What to start.
    pub plan: Plan,
    /// Where facts go.
    pub facts: Facts,
    /// Keeps what is too large.
    pub save: Save,
    /// After this long a start is called slow.
    pub start_limit: Duration,
    /// So many processes may be starting at once.
    pub starts: Arc<Semaphore>,
    /// What to do.
    pub commands: mpsc::UnboundedReceiver<Command>,
    /// The end.
    pub stop: CancellationToken,
}

impl Server {
    /// Lives until it is stopped.
    pub(crate) async fn run(mut self) {
        let (mut era, mut backoff) = (None, Backoff::default());
        loop {
            self.status(ServerStatus::Starting).await;
            let why = format!("The server `{}` is still starting", self.plan.entry.name);
            let starting = Box::pin(start(self.starting(), era));
            let started = match self.refusing(starting, &why).await {
                None => return,
                Some(Ok(started)) => started,
                Some(Err(failure)) => return self.stay_away(failure).await,
            };
            era = Some(started.0.era);
            let Some(mut failure) = self.serve(started).await else {
                return;
            };
            let Some(wait) = backoff.crashed(Instant::now()) else {
                failure.reason.push_str(
                    " It has ended too often within 10 minutes and is not started again by itself.",
                );
                return self.stay_away(failure).await;
            };
            let again = format!(" It is started again in {} s.", wait.as_secs());
            failure.reason.push_str(&again);
            let why = failure.reason.trim_end_matches('.').to_owned();
            self.status(ServerStatus::Failed(failure)).await;
            if self.refusing(sleep(wait), &why).await.is_none() {
                return;
            }
        }
    }

    /// Runs calls until the server ends (then says how) or is stopped.
    async fn serve(
        &mut self,
        (connection, listing): (Connection, Listing),
    ) -> Option<ServerFailure> {
        self.status(ServerStatus::Ready {
            title: connection.facts.title.clone(),
            protocol: connection.facts.protocol.clone(),
        })
        .await;
        let session = Session::begin(
            &self.plan,
            connection,
            self.facts.clone(),
            self.save.clone(),
        );
        session.run(listing, &mut self.commands, &self.stop).await
    }

    /// Tells that the server is not there, and refuses calls until it is stopped.
    async fn stay_away(&mut self, failure: ServerFailure) {
        let why = failure.reason.trim_end_matches('.').to_owned();
        self.status(ServerStatus::Failed(failure)).await;
        self.refusing(std::future::pending::<()>(), &why).await;
    }

    /// Does some work while calls are refused with `why`. `None` when the server is stopped.
    async fn refusing<F: Future>(&mut self, work: F, why: &str) -> Option<F::Output> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return None,
                command = self.commands.recv() => self.refuse(command?, why).await,
                output = &mut work => return Some(output),
            }
        }
    }

    async fn refuse(&self, command: Command, why: &str) {
        match command {
            Command::Call { order, .. } => {
                let result = not_run(&order.id, format!("{why}."));
                self.facts.tell(Fact::ToolFinished(result)).await;
            }
            Command::Cancel(_) => {}
        }
    }

    async fn status(&self, status: ServerStatus) {
        let server = self.plan.entry.name.clone();
        self.facts
            .tell(Fact::ServerChanged { server, status })
            .await;
    }

    fn starting(&self) -> Starting {
        Starting {
            plan: self.plan.clone(),
            facts: self.facts.clone(),
            limit: self.start_limit,
            starts: Arc::clone(&self.starts),
        }
    }
}

/// What a start needs; apart from the server, which goes on refusing calls.
struct Starting {
    plan: Plan,
    facts: Facts,
    limit: Duration,
    starts: Arc<Semaphore>,
}

/// Connects and lists, saying so when it takes long. Processes wait for their turn first.
async fn start(
    starting: Starting,
    era: Option<Era>,
) -> Result<(Connection, Listing), ServerFailure> {
    let Starting {
        plan,
        facts,
        limit,
        starts,
    } = starting;
    let turn = match &plan.entry.reach {
        Reach::Stdio { .. } => starts.acquire().await.ok(),
        Reach::Http { .. } | Reach::OldSse { .. } => None,
    };
    let began = Instant::now();
    let mut work = pin!(connect_and_list(&plan, era));
    if let Ok(done) = timeout_at(began + limit.min(LONGEST_HOLD), &mut work).await {
        return done;
    }
    drop(turn);
    if let Ok(done) = timeout_at(began + limit, &mut work).await {
        return done;
    }
    let (server, seconds) = (plan.entry.name.clone(), limit.as_secs());
    let status = ServerStatus::Slow { seconds };
    facts.tell(Fact::ServerChanged { server, status }).await;
    if let Ok(done) = timeout(LONGEST_START.saturating_sub(limit), work).await {
        return done;
    }
    let reason = format!("It did not start within {} s.", LONGEST_START.as_secs());
    let mut failure = plan.blame().failure(&reason);
    failure.stderr = plan.words.last(LAST_LINES);
    Err(failure)
}

async fn connect_and_list(
    plan: &Plan,
    era: Option<Era>,
) -> Result<(Connection, Listing), ServerFailure> {
    let connection = connect(plan, era).await?;
    let listing = if connection.facts.has_tools {
        list(&connection.peer).await
    } else {
        Listing::default()
    };
    Ok((connection, listing))
}
