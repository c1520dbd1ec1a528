//! What the command line asks for, as plain data.

use std::path::PathBuf;

use crate::config::server::ServerEntry;

/// One run of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// What holds for every command.
    pub common: Common,
    /// What to do.
    pub command: Command,
}

/// What holds for every command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Common {
    /// `--config`: this file in place of `CONFIG/config.toml`.
    pub config: Option<PathBuf>,
    /// `--data-dir`: this folder in place of DATA.
    pub data_dir: Option<PathBuf>,
    /// `--debug[=FILTER]`: write a debug log; the filter may be empty.
    pub debug: Option<String>,
    /// `--model`, as written.
    pub model: Option<String>,
    /// `--no-color`.
    pub no_color: bool,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A conversation.
    Chat(Box<Chat>),
    /// One answer on stdout.
    Print(Box<Print>),
    /// The transcripts on disk.
    Transcripts(TranscriptsCommand),
    /// The configuration.
    Config(ConfigCommand),
    /// List the models of the configured provider.
    Models,
    /// Say what works here.
    Doctor,
    /// Be the demo's MCP server on stdin and stdout.
    DemoServer,
}

/// A conversation on the screen, or line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chat {
    /// What it goes on from.
    pub start: Start,
    /// Everything that a one-shot answer has, too.
    pub options: Options,
    /// `--plain`.
    pub plain: bool,
    /// `--theme`.
    pub theme: Option<String>,
}

/// One answer, then exit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Print {
    /// What it goes on from; never `Browse`.
    pub start: Start,
    /// Everything that a conversation has, too.
    pub options: Options,
    /// The prompt; without one it comes from stdin alone.
    pub prompt: Option<String>,
    /// `--allow-tool`: `server__tool` or `server__*`, checked.
    pub allow_tools: Vec<String>,
    /// `--output-format`.
    pub format: OutputFormat,
}

/// What a conversation goes on from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Start {
    /// Nothing.
    #[default]
    Fresh,
    /// `-c`: the newest transcript of this folder.
    Newest {
        /// Go on in a copy.
        fork: bool,
    },
    /// `-r` alone: what the person chooses in the browser.
    Browse {
        /// Go on in a copy.
        fork: bool,
    },
    /// `-r ID`.
    Transcript {
        /// Its id, or the beginning of it.
        id: String,
        /// Go on in a copy.
        fork: bool,
    },
}

/// What a conversation and a one-shot answer have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// `--demo`.
    pub demo: bool,
    /// `--effort`.
    pub effort: Option<String>,
    /// `--max-tokens`.
    pub max_tokens: Option<u32>,
    /// `--max-turns`.
    pub max_turns: Option<u32>,
    /// `--system` or `--system-file`.
    pub system: Option<SystemPrompt>,
    /// `--no-save`.
    pub no_save: bool,
    /// Which servers.
    pub servers: ServerChoice,
}

/// Where the system prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemPrompt {
    /// The command line.
    Text(String),
    /// A file.
    File(PathBuf),
}

/// Which servers are started.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerChoice {
    /// `--mcp-config`, in order.
    pub files: Vec<PathBuf>,
    /// `--strict-mcp-config`: only these files and scripts.
    pub strict: bool,
    /// `--no-mcp`: none at all.
    pub none: bool,
    /// `SERVER_SCRIPT`s.
    pub scripts: Vec<ServerEntry>,
}

/// `--output-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OutputFormat {
    /// The text of the answer.
    #[default]
    Text,
    /// One JSON object when it is done.
    Json,
    /// One JSON object a line, while it happens.
    StreamJson,
}

/// `keytide transcripts …`.
#[derive(Debug, Clone, PartialEq, Eq, clap::Subcommand)]
pub enum TranscriptsCommand {
    /// List the transcripts, newest first
    List,
    /// Print a transcript
    Show {
        /// Its id, or the beginning of it
        id: String,
    },
    /// Print the folder of the transcripts, or the file of one
    Path {
        /// Its id, or the beginning of it
        id: Option<String>,
    },
}

/// `keytide config …`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Subcommand)]
pub enum ConfigCommand {
    /// Print where the configuration file is
    Path,
    /// Print the settings that are used, defaults filled in
    Show,
    /// Write a commented configuration file, if there is none
    Init,
    /// Check the configuration file
    Check,
}
