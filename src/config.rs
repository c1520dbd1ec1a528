//! The configuration: what a person can set, from text to values.

pub mod error;
pub mod mcp_file;
pub mod model;
pub mod parse;
pub mod server;
pub mod utf8;

use crate::chat::moment::Millis;
use crate::redact::RedactRules;

/// Everything that can be configured, with its defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// `PROVIDER/MODEL`, split.
    pub model: ModelChoice,
    /// How much effort the model puts in.
    pub effort: Option<String>,
    /// Looks.
    pub theme: String,
    /// Limits.
    pub limits: Limits,
    /// The gate.
    pub gate: GateSettings,
    /// Redaction.
    pub redact: RedactRules,
    /// Endpoints, by name.
    pub providers: Vec<ProviderEntry>,
    /// Key bindings: (action, key), checked by the keymap.
    pub keys: Vec<(String, String)>,
}

/// The model that the demo pretends to be.
pub const DEMO_MODEL: &str = "keytide-demo";

/// A provider and a model of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    /// The provider's name.
    pub provider: String,
    /// The model's id.
    pub model: String,
}

/// `[limits]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most tokens of a reply.
    pub max_tokens: u32,
    /// The most requests for one user message.
    pub max_turns: u32,
    /// A call may be silent this long.
    pub tool_idle: Millis,
    /// A call may take this long.
    pub tool_total: Millis,
    /// A stream may be silent this long.
    pub stream_idle: Millis,
    /// This much of a tool's result goes into the conversation, in bytes.
    pub result_bytes: usize,
}

/// `[gate]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateSettings {
    /// The gate is armed after this long without a key.
    pub quiet: Millis,
}

/// `[provider.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderEntry {
    /// Its name.
    pub name: String,
    /// Its wire form; for a known provider its own.
    pub wire: String,
    /// Where it is.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    pub api_key_env: Option<String>,
    /// The command that prints its key.
    pub api_key_command: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            model: ModelChoice {
                provider: "anthropic".into(),
                model: "claude-opus-5".into(),
            },
            effort: None,
            theme: "auto".into(),
            limits: Limits::default(),
            gate: GateSettings { quiet: Millis(400) },
            redact: RedactRules::default(),
            providers: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_tokens: 32_000,
            max_turns: 50,
            tool_idle: Millis::from_secs(60),
            tool_total: Millis::from_secs(600),
            stream_idle: Millis::from_secs(120),
            result_bytes: 200_000,
        }
    }
}
