//! The flags as clap reads them, and the rules between them.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use crate::cli::invocation::{
    Chat, Command, Common, ConfigCommand, Invocation, Options, OutputFormat, Print, ServerChoice,
    Start, SystemPrompt, TranscriptsCommand,
};
use crate::cli::server_script;

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 error, 2 usage, 3 no credentials or bad configuration, 4 a tool needed \
approval and there was nobody to ask (-p), 5 turn limit, 75 service overloaded or unreachable, \
130 Ctrl+C, 143 SIGTERM.";

/// A chat client for the terminal in which no tool runs without a keypress
#[derive(Debug, Parser)]
#[command(name = "keytide", version, after_help = EXIT_CODES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub(super) struct Flags {
    #[command(flatten)]
    common: CommonFlags,
    #[command(flatten)]
    chat: ChatFlags,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Debug, Args)]
struct CommonFlags {
    /// Model; providers are anthropic, demo, and those of the configuration [default:
    /// anthropic/claude-opus-5]
    #[arg(short, long, global = true, value_name = "[PROVIDER/]MODEL")]
    model: Option<String>,
    /// Configuration file
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder for transcripts and everything else that is kept
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// No colours (also `NO_COLOR`)
    #[arg(long, global = true)]
    no_color: bool,
    /// Write a redacted debug log to a file
    #[arg(long, global = true, value_name = "FILTER", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    debug: Option<String>,
}

#[derive(Debug, Args, PartialEq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags of a command line are independent switches"
)]
struct ChatFlags {
    /// MCP servers to start: a .py or .js file, run with python3 or node, named after the file
    #[arg(value_name = "SERVER_SCRIPT")]
    scripts: Vec<String>,
    /// The whole product offline: a scripted model and a small server of our own
    #[arg(long)]
    demo: bool,
    /// One answer on stdout, then exit; stdin is added when it is not a terminal
    #[arg(short, long = "print", value_name = "PROMPT", num_args = 0..=1, default_missing_value = "")]
    print: Option<String>,
    /// Go on with the newest transcript of this folder
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    go_on: bool,
    /// Go on with a transcript; without ID: choose one
    #[arg(short, long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// With -c or -r: go on in a copy
    #[arg(long)]
    fork: bool,
    /// How much effort the model puts in (Claude: low, medium, high, xhigh, max)
    #[arg(long, value_name = "LEVEL")]
    effort: Option<String>,
    /// The most tokens of a reply, thinking included; at least 16000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// The most model requests for one message [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// System prompt
    #[arg(long, value_name = "TEXT", conflicts_with = "system_file")]
    system: Option<String>,
    /// File with the system prompt
    #[arg(long, value_name = "FILE")]
    system_file: Option<PathBuf>,
    /// File with MCP servers (repeatable)
    #[arg(long, value_name = "FILE")]
    mcp_config: Vec<PathBuf>,
    /// Only the servers of --mcp-config and the scripts
    #[arg(long)]
    strict_mcp_config: bool,
    /// No MCP servers
    #[arg(long, conflicts_with_all = ["mcp_config", "scripts"])]
    no_mcp: bool,
    /// Only with -p: a tool that may run, `server__tool` or `server__*` (repeatable)
    #[arg(long, value_name = "PATTERN")]
    allow_tool: Vec<String>,
    /// Only with -p: the form of the answer [default: text]
    #[arg(long, value_name = "FORMAT")]
    output_format: Option<OutputFormat>,
    /// A linear conversation without a screen of its own, for screen readers and dumb terminals
    #[arg(long)]
    plain: bool,
    /// Keep nothing on disk
    #[arg(long)]
    no_save: bool,
    /// Looks
    #[arg(long, value_name = "NAME", value_parser = ["auto", "dark", "light", "none"])]
    theme: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// The transcripts on disk
    #[command(subcommand)]
    Transcripts(TranscriptsCommand),
    /// The configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Models that the configured provider offers
    Models,
    /// What works here, and what to do about the rest
    Doctor,
    /// The demo's MCP server, on stdin and stdout
    #[command(hide = true)]
    DemoServer,
}

/// A rule between flags that was broken.
#[derive(Debug)]
pub(super) struct Mistake {
    pub(super) kind: ErrorKind,
    pub(super) text: String,
}

fn conflict(text: &str) -> Mistake {
    Mistake {
        kind: ErrorKind::ArgumentConflict,
        text: text.to_owned(),
    }
}

impl Flags {
    /// Applies the rules that hold between flags.
    pub(super) fn into_invocation(self) -> Result<Invocation, Mistake> {
        let command = match self.command {
            None => self.chat.into_command()?,
            Some(_) if self.chat != ChatFlags::default() => {
                return Err(conflict(
                    "options of a conversation can't be used with a command",
                ));
            }
            Some(Subcommands::Transcripts(command)) => Command::Transcripts(command),
            Some(Subcommands::Config(command)) => Command::Config(command),
            Some(Subcommands::Models) => Command::Models,
            Some(Subcommands::Doctor) => Command::Doctor,
            Some(Subcommands::DemoServer) => Command::DemoServer,
        };
        Ok(Invocation {
            common: Common {
                config: self.common.config,
                data_dir: self.common.data_dir,
                debug: self.common.debug,
                model: self.common.model,
                no_color: self.common.no_color,
            },
            command,
        })
    }
}

impl ChatFlags {
    fn into_command(mut self) -> Result<Command, Mistake> {
        let start = self.start()?;
        let Some(prompt) = self.print.take() else {
            if !self.allow_tool.is_empty() {
                return Err(conflict(
                    "--allow-tool works only with -p: in a conversation every call waits for your key",
                ));
            }
            if self.output_format.is_some() {
                return Err(conflict("--output-format works only with -p"));
            }
            return Ok(Command::Chat(Box::new(Chat {
                start,
                plain: self.plain,
                theme: self.theme.take(),
                options: self.options()?,
            })));
        };
        if matches!(start, Start::Browse { .. }) {
            return Err(conflict("with -p, -r needs the ID of a transcript"));
        }
        Ok(Command::Print(Box::new(Print {
            start,
            prompt: Some(prompt).filter(|prompt| !prompt.is_empty()),
            allow_tools: patterns(std::mem::take(&mut self.allow_tool))?,
            format: self.output_format.unwrap_or_default(),
            options: self.options()?,
        })))
    }

    fn start(&self) -> Result<Start, Mistake> {
        let fork = self.fork;
        match &self.resume {
            Some(id) if id.is_empty() => Ok(Start::Browse { fork }),
            Some(id) => Ok(Start::Transcript {
                id: id.clone(),
                fork,
            }),
            None if self.go_on => Ok(Start::Newest { fork }),
            None if fork => Err(conflict(
                "--fork goes with -c or -r: it copies a transcript",
            )),
            None => Ok(Start::Fresh),
        }
    }

    fn options(self) -> Result<Options, Mistake> {
        let text = self.system.map(SystemPrompt::Text);
        Ok(Options {
            demo: self.demo,
            effort: self.effort,
            max_tokens: self.max_tokens,
            max_turns: self.max_turns,
            system: text.or(self.system_file.map(SystemPrompt::File)),
            no_save: self.no_save,
            servers: ServerChoice {
                files: self.mcp_config,
                strict: self.strict_mcp_config,
                none: self.no_mcp,
                scripts: scripts(&self.scripts)?,
            },
        })
    }
}

fn scripts(paths: &[String]) -> Result<Vec<crate::config::server::ServerEntry>, Mistake> {
    server_script::entries(paths).map_err(|error| Mistake {
        kind: ErrorKind::InvalidValue,
        text: error.to_string(),
    })
}

/// Lets through `server__tool` and `server__*`; a star anywhere else would match more than it says.
fn patterns(patterns: Vec<String>) -> Result<Vec<String>, Mistake> {
    let fits = |pattern: &String| {
        pattern.split_once("__").is_some_and(|(server, tool)| {
            let exact = !tool.is_empty() && !tool.contains('*');
            !server.is_empty() && !server.contains('*') && (exact || tool == "*")
        })
    };
    match patterns.iter().find(|pattern| !fits(pattern)) {
        None => Ok(patterns),
        Some(pattern) => Err(Mistake {
            kind: ErrorKind::InvalidValue,
            text: format!("--allow-tool {pattern}: write server__tool or server__*"),
        }),
    }
}
