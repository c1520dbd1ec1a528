//! A session put together: from the command line, the environment and the configuration to the
//! state and the world.

mod dialect;
pub mod servers;
mod start_error;

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::AgentOptions;
use crate::app::App;
use crate::app::scene::ColorDepth;
use crate::app::settings::Settings as AppSettings;
use crate::chat::id::TranscriptId;
use crate::chat::moment::Moment;
use crate::cli::config_command;
use crate::cli::invocation::{Command, Invocation, Options, Start, SystemPrompt};
use crate::cli::settings::{self, Settings};
use crate::config::{Config, ProviderEntry};
use crate::demo::Demo;
use crate::gate::Gate;
use crate::gate::allow::AllowList;
use crate::gate::arming::Pauses;
use crate::io::auth::{AuthError, find_endpoint};
use crate::io::clock::Clock;
use crate::io::dotenv::{self, Environment};
use crate::io::editor;
use crate::io::log;
use crate::io::model::Route;
use crate::io::outside::{Outside, OutsideSetup};
use crate::io::places::Places;
use crate::io::store::library::Library;
use crate::keymap::bindings::Keymap;
use crate::redact::Redactor;
use crate::run::demo;
pub use crate::run::session::start_error::StartError;

/// Everything that a front end needs.
#[derive(Debug)]
pub struct Session {
    /// The state.
    pub app: App,
    /// The world without its screen.
    pub outside: Outside,
    /// Keeps the demo's model running.
    pub demo: Option<Demo>,
    /// How many servers are being started.
    pub servers: usize,
    /// What the conversation goes on from.
    pub resume: Resume,
    /// The program that opens for a long draft, with its arguments.
    pub editor: Vec<String>,
}

/// What a conversation goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resume {
    /// Nothing.
    Fresh,
    /// This transcript.
    Transcript {
        /// Which one.
        id: TranscriptId,
        /// Go on in a copy.
        fork: bool,
    },
    /// What the person chooses in the browser.
    Browse {
        /// Go on in a copy.
        fork: bool,
    },
}

/// What is known before a session is put together.
#[derive(Debug)]
pub struct Ground {
    /// Where things are kept.
    pub places: Places,
    /// Variables, with those of the folder's `.env`.
    pub environment: Environment,
    /// The working folder.
    pub folder: PathBuf,
    /// Flags, environment and configuration, merged.
    pub settings: Settings,
    /// Full sentences that the person should read.
    pub notices: Vec<String>,
}

impl Ground {
    /// Reads what all commands need.
    pub fn read(invocation: &Invocation) -> Result<Self, StartError> {
        let places = Places::find(invocation.common.data_dir.as_deref())?;
        let folder = std::env::current_dir().map_err(StartError::Folder)?;
        let mut environment = dotenv::real_environment();
        let notices = dotenv::add_dotenv(&folder, &mut environment);
        let config = match &invocation.common.config {
            Some(named) => config_command::load_named(named)?,
            None => config_command::load(&config_file(invocation, &places))?,
        };
        let read = |name: &str| environment.get(name).cloned();
        let seen = settings::Environment::read(read);
        let settings = settings::settings(&invocation.common, &invocation.command, &seen, config)?;
        dialect::require_spoken(&settings)?;
        Ok(Self {
            places,
            environment,
            folder,
            settings,
            notices,
        })
    }

    /// Returns how the configured model is reached.
    pub fn route(&self) -> Route {
        Route::new(self.environment.clone(), self.provider_entry())
    }

    /// Returns what the configuration says of the provider.
    pub fn provider_entry(&self) -> Option<ProviderEntry> {
        let wanted = &self.settings.config.model.provider;
        self.settings
            .config
            .providers
            .iter()
            .find(|entry| entry.name == *wanted)
            .cloned()
    }

    /// Tells whether there is a way to reach the model, and notes what is odd about it. A command
    /// that prints the key is not run: it may take a while.
    async fn look_for_credentials(&mut self) -> bool {
        let entry = self.provider_entry();
        if entry
            .as_ref()
            .is_some_and(|entry| !entry.api_key_command.is_empty())
        {
            return true;
        }
        match find_endpoint(&self.environment, entry.as_ref()).await {
            Ok(mut found) => {
                self.notices.append(&mut found.notices);
                true
            }
            Err(AuthError::NoKey { .. }) => false,
            Err(error) => {
                self.notices
                    .push(format!("No request can be made: {error}."));
                false
            }
        }
    }
}

/// Returns where the configuration is.
pub fn config_file(invocation: &Invocation, places: &Places) -> PathBuf {
    invocation
        .common
        .config
        .clone()
        .unwrap_or_else(|| places.config.join("config.toml"))
}

/// Puts a session together. Waits for nothing but the local disk.
pub async fn prepare(invocation: &Invocation, clock: Clock) -> Result<Session, StartError> {
    let mut ground = Ground::read(invocation)?;
    let (options, start) = match &invocation.command {
        Command::Chat(chat) => (&chat.options, &chat.start),
        Command::Print(print) => (&print.options, &print.start),
        Command::Transcripts(_)
        | Command::Config(_)
        | Command::Models
        | Command::Doctor
        | Command::DemoServer => return Err(StartError::NotAConversation),
    };
    let redactor = Arc::new(Redactor::new(&ground.settings.config.redact)?);
    start_log(invocation, &ground, &redactor)?;
    let keymap =
        Keymap::with(&ground.settings.config.keys).map_err(|errors| StartError::keys(&errors))?;
    let mut found = servers::find(options, &ground)?;
    ground.notices.append(&mut found.notices);
    let running = if ground.settings.demo {
        Some(demo::start().await?)
    } else {
        None
    };
    let has_credentials = running.is_some() || ground.look_for_credentials().await;
    let (demo, route) = match running {
        Some(running) => {
            found.entries.push(running.server);
            (Some(running.model), running.route)
        }
        None => (None, ground.route()),
    };
    let resume = find_start(start, &mut ground)?;
    let servers = found.entries.len() + found.refused.len();
    let settings = app_settings(&ground, options, has_credentials);
    let agent = agent_options(&ground.settings.config, options, &clock.now())?;
    let gate = gate(&invocation.command, &ground.settings.config)?;
    let app = App::with_gate(settings, agent, keymap, Arc::clone(&redactor), gate);
    let variable = |name: &str| ground.environment.get(name).map(String::as_str);
    let editor = editor::command(variable("VISUAL"), variable("EDITOR"));
    let outside = Outside::start(OutsideSetup {
        places: ground.places,
        clock,
        limits: ground.settings.config.limits,
        route,
        servers: found.entries,
        refused: found.refused,
        environment: ground.environment.into_iter().collect(),
        folder: ground.folder,
        save: !options.no_save,
        redactor,
    })?;
    Ok(Session {
        app,
        outside,
        demo,
        servers,
        resume,
        editor,
    })
}

/// The log is written only when it is asked for; it is redacted like everything on disk.
fn start_log(
    invocation: &Invocation,
    ground: &Ground,
    redactor: &Arc<Redactor>,
) -> Result<(), StartError> {
    match &invocation.common.debug {
        Some(filter) => {
            let file = ground.places.state.join("keytide.log");
            Ok(log::start(&file, filter, Arc::clone(redactor))?)
        }
        None => Ok(()),
    }
}

/// Only a run without a person has a gate that rules open.
fn gate(command: &Command, config: &Config) -> Result<Gate, StartError> {
    match command {
        Command::Print(print) => Ok(Gate::headless(AllowList::parse(&print.allow_tools)?)),
        Command::Chat(_)
        | Command::Transcripts(_)
        | Command::Config(_)
        | Command::Models
        | Command::Doctor
        | Command::DemoServer => Ok(Gate::interactive(Pauses {
            quiet: config.gate.quiet,
            ..Pauses::default()
        })),
    }
}

fn app_settings(ground: &Ground, options: &Options, has_credentials: bool) -> AppSettings {
    let config = &ground.settings.config;
    let read = |name: &str| {
        ground
            .environment
            .get(name)
            .map(String::as_str)
            .unwrap_or_default()
    };
    AppSettings {
        provider: config.model.provider.clone(),
        folder: ground.folder.display().to_string(),
        theme: config.theme.clone(),
        colors: color_depth(ground.settings.no_color, read("TERM"), read("COLORTERM")),
        gate: config.gate,
        has_credentials,
        save: !options.no_save,
        greetings: ground.notices.clone(),
    }
}

fn color_depth(no_color: bool, term: &str, colorterm: &str) -> ColorDepth {
    if no_color || term == "dumb" {
        ColorDepth::None
    } else if matches!(colorterm, "truecolor" | "24bit") {
        ColorDepth::True
    } else if term.contains("256color") {
        ColorDepth::Indexed
    } else {
        ColorDepth::Ansi
    }
}

fn agent_options(
    config: &Config,
    options: &Options,
    now: &Moment,
) -> Result<AgentOptions, StartError> {
    let system = match &options.system {
        None => None,
        Some(SystemPrompt::Text(text)) => Some(text.clone()),
        Some(SystemPrompt::File(path)) => {
            let text = std::fs::read_to_string(path);
            Some(text.map_err(|error| StartError::SystemFile {
                path: path.clone(),
                error,
            })?)
        }
    };
    Ok(AgentOptions {
        model: config.model.model.clone(),
        system: system
            .filter(|text| !text.trim().is_empty())
            .map(Into::into),
        max_tokens: config.limits.max_tokens,
        effort: config.effort.clone(),
        max_turns: config.limits.max_turns,
        seed: now.wall.0.unsigned_abs(),
    })
}

fn find_start(start: &Start, ground: &mut Ground) -> Result<Resume, StartError> {
    let library = Library::new(ground.places.data.clone());
    Ok(match start {
        Start::Fresh => Resume::Fresh,
        Start::Browse { fork } => Resume::Browse { fork: *fork },
        Start::Transcript { id, fork } => Resume::Transcript {
            id: library.find(id)?,
            fork: *fork,
        },
        Start::Newest { fork } => {
            let Some(newest) = library.newest_in(&ground.folder.display().to_string()) else {
                let text = "There is no transcript of this folder yet; this is a new one.";
                ground.notices.push(text.to_owned());
                return Ok(Resume::Fresh);
            };
            Resume::Transcript {
                id: newest.id,
                fork: *fork,
            }
        }
    })
}
