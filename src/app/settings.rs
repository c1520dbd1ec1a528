//! What a session is set up with, after flags, environment and configuration have been merged.

use crate::app::scene::ColorDepth;
use crate::config::GateSettings;

/// What `App` has to know of the settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The provider's name.
    pub provider: String,
    /// The working folder, for the transcript.
    pub folder: String,
    /// Looks.
    pub theme: String,
    /// How many colours the terminal has.
    pub colors: ColorDepth,
    /// The gate.
    pub gate: GateSettings,
    /// There is a way to reach the model.
    pub has_credentials: bool,
    /// The conversation is kept on disk.
    pub save: bool,
    /// Whom to send to first: something to say before anything else (a server script's name, a
    /// second key), one full sentence each.
    pub greetings: Vec<String>,
}
