//! Why a session can't begin.

use std::io;
use std::path::PathBuf;

use crate::cli::config_command::LoadError;
use crate::config::mcp_file::McpFileError;
use crate::config::model::ModelError;
use crate::gate::allow::BadPattern;
use crate::io::log::LogError;
use crate::io::places::NoHome;
use crate::io::store::library::FindError;
use crate::keymap::bindings::KeymapError;
use crate::redact::PatternError;

/// Why a session can't begin. Each says what to change.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration file can't be used.
    #[error(transparent)]
    Config(#[from] LoadError),
    /// The model's provider is not known.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model's provider speaks something that is not spoken here.
    #[error(
        "`{provider}` speaks `{wire}`, which is not built yet: only services that speak the Messages API (`anthropic`) can be used; choose one with -m or `model` in the configuration"
    )]
    Wire {
        /// The provider.
        provider: String,
        /// What it speaks.
        wire: String,
    },
    /// Keys in the configuration can't be bound.
    #[error("[keys] in the configuration: {0}")]
    Keys(String),
    /// A redaction pattern in the configuration is wrong.
    #[error(transparent)]
    Redact(#[from] PatternError),
    /// A file of servers can't be used.
    #[error("{}: {error}", path.display())]
    Servers {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: McpFileError,
    },
    /// A file that was named can't be read.
    #[error("{} can't be read: {error}", path.display())]
    ServersFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file of the system prompt can't be read.
    #[error("the system prompt {} can't be read: {error}", path.display())]
    SystemFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The debug log can't be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A pattern of `--allow-tool` names nothing.
    #[error(transparent)]
    Allow(#[from] BadPattern),
    /// No such transcript.
    #[error(transparent)]
    Transcript(#[from] FindError),
    /// No home folder.
    #[error(transparent)]
    NoHome(#[from] NoHome),
    /// The working folder is gone.
    #[error("the working folder can't be used: {0}")]
    Folder(io::Error),
    /// Something on this machine failed.
    #[error(transparent)]
    Machine(#[from] io::Error),
    /// The command begins no conversation.
    #[error("this command begins no conversation")]
    NotAConversation,
}

impl StartError {
    /// Returns the exit code: 3 for what the configuration says, 2 for usage, 1 for the machine.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Config(_)
            | Self::Model(_)
            | Self::Wire { .. }
            | Self::Keys(_)
            | Self::Redact(_)
            | Self::Servers { .. }
            | Self::ServersFile { .. }
            | Self::SystemFile { .. } => 3,
            Self::Allow(_) => 2,
            Self::Transcript(_)
            | Self::NoHome(_)
            | Self::Log(_)
            | Self::Folder(_)
            | Self::Machine(_)
            | Self::NotAConversation => 1,
        }
    }

    /// Puts what is wrong with key bindings into one line each.
    pub(in crate::run) fn keys(errors: &[KeymapError]) -> Self {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Self::Keys(lines.join("; "))
    }
}
