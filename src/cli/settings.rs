//! Flag over environment over configuration over default.

use crate::cli::invocation::{Command, Common, Options};
use crate::config::model::ModelError;
use crate::config::parse::enough_tokens;
use crate::config::{Config, ModelChoice};

/// What the environment says about settings. Credentials are not among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `ANTHROPIC_MODEL`.
    pub anthropic_model: Option<String>,
    /// `NO_COLOR` is set.
    pub no_color: bool,
    /// `TERM`.
    pub term: Option<String>,
}

impl Environment {
    /// Reads what matters; a variable that is set to nothing counts as not set.
    pub fn read(var: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| var(name).filter(|value| !value.is_empty());
        Self {
            anthropic_model: set("ANTHROPIC_MODEL"),
            no_color: set("NO_COLOR").is_some(),
            term: set("TERM"),
        }
    }
}

/// What holds for this run: the configuration with flags and environment laid over it.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The configuration, changed by flags and environment.
    pub config: Config,
    /// The scripted model and the demo server.
    pub demo: bool,
    /// No colours.
    pub no_color: bool,
    /// A conversation without a screen of its own.
    pub plain: bool,
}

pub use crate::config::DEMO_MODEL;

/// Settles what holds for this run.
///
/// # Errors
///
/// A model of a provider that nobody knows.
pub fn settings(
    common: &Common,
    command: &Command,
    env: &Environment,
    config: Config,
) -> Result<Settings, ModelError> {
    let mut config = config;
    let none = Options::default();
    let (options, theme, plain) = match command {
        Command::Chat(chat) => (&chat.options, chat.theme.clone(), chat.plain),
        Command::Print(print) => (&print.options, None, false),
        Command::Transcripts(_)
        | Command::Config(_)
        | Command::Models
        | Command::Doctor
        | Command::DemoServer => (&none, None, false),
    };
    config.model = model(common, options, env, &config)?;
    config.effort = options.effort.clone().or(config.effort);
    config.theme = theme.unwrap_or(config.theme);
    let tokens = options.max_tokens.unwrap_or(config.limits.max_tokens);
    config.limits.max_tokens = enough_tokens(tokens);
    config.limits.max_turns = options.max_turns.unwrap_or(config.limits.max_turns);
    Ok(Settings {
        demo: config.model.provider == "demo",
        no_color: common.no_color || env.no_color,
        plain: plain || env.term.as_deref() == Some("dumb"),
        config,
    })
}

fn model(
    common: &Common,
    options: &Options,
    env: &Environment,
    config: &Config,
) -> Result<ModelChoice, ModelError> {
    let own: Vec<&str> = config.providers.iter().map(|p| p.name.as_str()).collect();
    let demo = |model: &str| ModelChoice {
        provider: "demo".to_owned(),
        model: model.to_owned(),
    };
    if options.demo {
        return Ok(demo(DEMO_MODEL));
    }
    if let Some(flag) = &common.model {
        if flag == "demo" {
            return Ok(demo(DEMO_MODEL));
        }
        return ModelChoice::parse(flag, &config.model.provider, &own);
    }
    if let Some(model) = &env.anthropic_model {
        // The variable names a model of Anthropic's, whatever slashes a gateway puts into it.
        return Ok(ModelChoice {
            provider: "anthropic".to_owned(),
            model: model.clone(),
        });
    }
    Ok(config.model.clone())
}
