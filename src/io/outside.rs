//! All that is not the screen, behind one `perform`: model, servers, disk, timers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::app::effect::Effect;
use crate::app::event::{Event, Fact};
use crate::app::notice::{Level, Notice};
use crate::chat::id::ServerName;
use crate::chat::moment::Millis;
use crate::config::Limits;
use crate::config::mcp_file::Refused;
use crate::config::server::ServerEntry;
use crate::gate::Approved;
use crate::io::blobs::BlobFolder;
use crate::io::clock::Clock;
use crate::io::facts::Facts;
use crate::io::mcp::order::CallLimits;
use crate::io::mcp::result::Save;
use crate::io::mcp::{self, Mcp};
use crate::io::model::{Model, Route};
use crate::io::places::Places;
use crate::io::shelf::Shelf;
use crate::io::store::{News, Store, StoreOptions};
use crate::io::timers::Timers;
use crate::redact::Redactor;

/// Facts that wait to be taken in. Deltas and results wait for a place; progress is dropped.
const QUEUE: usize = 1_024;

/// After the terminal has vanished everything must be over within two seconds.
const WITHIN_TWO_SECONDS: Duration = Duration::from_millis(1_800);

/// Then servers are asked to end, and so long afterwards they are killed.
const HASTY_STOP: Duration = Duration::from_millis(1_400);

/// How much time there is for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Haste {
    /// Servers may end in good order, and the disk may take its time.
    InOrder,
    /// The terminal is gone.
    AtOnce,
}

impl Haste {
    /// Tells from the exit code.
    pub const fn of(code: u8) -> Self {
        match code {
            129 => Self::AtOnce,
            _ => Self::InOrder,
        }
    }

    const fn limit(self) -> Duration {
        match self {
            Self::InOrder => mcp::LONGEST_STOP,
            Self::AtOnce => HASTY_STOP,
        }
    }
}

/// What the outside is started with.
#[derive(Debug)]
pub struct OutsideSetup {
    /// Where things are kept.
    pub places: Places,
    /// The clock that began with the program.
    pub clock: Clock,
    /// Limits of calls and streams.
    pub limits: Limits,
    /// How the model is reached.
    pub route: Route,
    /// The servers.
    pub servers: Vec<ServerEntry>,
    /// Servers of the configuration that can't be started, with the reason.
    pub refused: Vec<Refused>,
    /// The environment, from which servers get a few variables.
    pub environment: Vec<(String, String)>,
    /// The working folder.
    pub folder: PathBuf,
    /// The conversation is kept on disk.
    pub save: bool,
    /// Finds secrets in what servers write.
    pub redactor: Arc<Redactor>,
}

/// The world without its screen.
#[derive(Debug)]
pub struct Outside {
    clock: Clock,
    limits: Limits,
    idle_of: Vec<(ServerName, Millis)>,
    events: mpsc::Sender<Event>,
    inbox: mpsc::Receiver<Event>,
    model: Model,
    mcp: Mcp,
    store: Store,
    shelf: Shelf,
    timers: Timers,
}

impl Outside {
    /// Starts it. Must be called inside the runtime; waits for nothing.
    pub fn start(setup: OutsideSetup) -> std::io::Result<Self> {
        let (events, inbox) = mpsc::channel(QUEUE);
        let facts = Facts {
            events: events.clone(),
            clock: setup.clock,
        };
        let options = StoreOptions {
            data: setup.places.data.clone(),
            folder: setup.folder.display().to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            save: setup.save,
        };
        let store = Store::start(options, listener(facts.clone()))?;
        let save = save_beside(
            BlobFolder::new(setup.places.data.clone()),
            &setup.redactor,
            setup.save,
        );
        let idle_of = setup
            .servers
            .iter()
            .filter_map(|entry| entry.timeout.map(|idle| (entry.name.clone(), idle)))
            .collect();
        let mcp_setup = mcp::Setup {
            environment: setup.environment,
            folder: setup.folder,
            redactor: setup.redactor,
            save,
        };
        Ok(Self {
            clock: setup.clock,
            limits: setup.limits,
            idle_of,
            model: Model::new(setup.route, setup.limits.stream_idle, facts.clone()),
            mcp: Mcp::new(setup.servers, setup.refused, facts.clone(), mcp_setup),
            store,
            shelf: Shelf::new(setup.places.data, facts.clone()),
            timers: Timers::new(facts),
            events,
            inbox,
        })
    }

    /// Returns the clock.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the way into the event loop, for what comes from elsewhere.
    pub fn way_in(&self) -> mpsc::Sender<Event> {
        self.events.clone()
    }

    /// Waits for the next thing that happens. Cancel-safe.
    pub async fn next(&mut self) -> Option<Event> {
        self.inbox.recv().await
    }

    /// Returns what has happened already, without waiting.
    pub fn ready(&mut self) -> Option<Event> {
        self.inbox.try_recv().ok()
    }

    /// Does what is asked, or gives it back when it concerns the screen.
    pub fn perform(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::SendRequest { request, body } => {
                self.model.send(request, body, self.store.settled());
            }
            Effect::AbortRequest(request) => self.model.abort(request),
            Effect::CallTool(approved) => self.call(approved),
            Effect::CancelTool(call) => self.mcp.cancel(&call),
            Effect::Append(record) => self.store.append(record),
            Effect::NewTranscript => self.store.begin(),
            Effect::ContinueTranscript { id, fork } => self.store.go_on(id, fork),
            Effect::ListTranscripts => self.shelf.list(),
            Effect::LoadTranscript { id, purpose } => self.shelf.load(id, purpose),
            Effect::StartTimer { timer, after } => self.timers.start(timer, after),
            Effect::StopTimer(timer) => self.timers.stop(timer),
            Effect::StartServers => self.mcp.start_all(),
            Effect::StartDemo
            | Effect::OpenEditor(_)
            | Effect::Ring
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Quit(_) => return Some(effect),
        }
        None
    }

    /// Sends the next requests elsewhere.
    pub fn take_route(&mut self, route: Route) {
        self.model.take_route(route);
    }

    /// Adds a server and starts it.
    pub fn add_server(&mut self, entry: ServerEntry) {
        self.mcp.add(entry);
    }

    /// Stops the request and the servers, and waits until all that was said is on disk.
    pub async fn shut_down(mut self, haste: Haste) {
        // Nobody takes facts in any more: who waits for a place in the queue must not wait for ever.
        self.inbox.close();
        self.model.stop();
        let servers = self.mcp.shutdown(haste.limit());
        let settled = self.store.settled();
        let all = async { tokio::join!(servers, settled) };
        match haste {
            Haste::InOrder => drop(all.await),
            // A disk that does not answer must not keep a program whose terminal is gone.
            Haste::AtOnce => drop(tokio::time::timeout(WITHIN_TWO_SECONDS, all).await),
        }
    }

    fn call(&mut self, approved: Approved) {
        let own = self
            .idle_of
            .iter()
            .find(|(server, _)| server == approved.server());
        let limits = CallLimits {
            idle: own.map_or(self.limits.tool_idle, |(_, idle)| *idle),
            total: self.limits.tool_total,
            result_bytes: self.limits.result_bytes,
        };
        self.mcp.call(approved, limits, self.store.settled());
    }
}

/// What the store tells becomes facts. It speaks from a thread of its own, so it may wait there.
fn listener(facts: Facts) -> Box<dyn Fn(News) + Send> {
    Box::new(move |news| {
        let notice = |level, text: String| Fact::Noticed(Notice::new(level, text));
        let fact = match news {
            News::Opened(id) => Fact::TranscriptOpened(id),
            News::Forked {
                from,
                to,
                asked_for,
            } => {
                let why = if asked_for {
                    "stays as it is"
                } else {
                    "is open elsewhere"
                };
                notice(
                    Level::Info,
                    format!("The transcript {from} {why}; you go on in a copy: {to}."),
                )
            }
            News::SaveFailed(why) => Fact::SaveFailed(why),
            News::SavedAgain => Fact::SavedAgain,
            News::Noticed(text) => notice(Level::Warning, text),
        };
        facts.tell_from_thread(fact);
    })
}

/// Large results are kept beside the conversation, redacted like everything on disk.
fn save_beside(folder: BlobFolder, redactor: &Arc<Redactor>, save: bool) -> Save {
    let redactor = Arc::clone(redactor);
    Save(Arc::new(move |bytes: &[u8]| {
        if !save {
            return Err("nothing is saved in this session".to_owned());
        }
        let text = redactor.text(&String::from_utf8_lossy(bytes));
        folder
            .keep_text(&text)
            .map(|path| path.display().to_string())
            .map_err(|error| error.to_string())
    }))
}
