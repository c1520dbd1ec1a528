//! `SERVER_SCRIPT`: a file that is run as a stdio MCP server.

use std::path::Path;

use crate::chat::id::ServerName;
use crate::config::model::{did_you_mean, nearest};
use crate::config::server::{Reach, ServerEntry};

/// The commands that a mistyped one may be meant for.
const COMMANDS: &[&str] = &["transcripts", "config", "models", "doctor"];

/// A word that is not a server script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ScriptError {
    /// It ends in something else.
    #[error(
        "`{path}` is neither a command nor a server script, which ends in .py or .js{}",
        did_you_mean(.similar.as_deref())
    )]
    Kind {
        /// The word.
        path: String,
        /// The command that looks most like it.
        similar: Option<String>,
    },
    /// Two scripts would have one name.
    #[error(
        "two server scripts are called `{0}`; give one of them its own entry in a --mcp-config file"
    )]
    Twice(String),
}

/// Makes a server of each path.
pub(super) fn entries(paths: &[String]) -> Result<Vec<ServerEntry>, ScriptError> {
    let mut entries: Vec<ServerEntry> = Vec::new();
    for path in paths {
        let entry = entry(path)?;
        if entries.iter().any(|other| other.name == entry.name) {
            return Err(ScriptError::Twice(entry.name.as_str().to_owned()));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(path: &str) -> Result<ServerEntry, ScriptError> {
    let file = Path::new(path);
    let command = match file.extension().and_then(|extension| extension.to_str()) {
        Some("py") => "python3",
        Some("js") => "node",
        Some(_) | None => return Err(kind(path)),
    };
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    Ok(ServerEntry {
        name: ServerName::new(stem.ok_or_else(|| kind(path))?),
        reach: Reach::Stdio {
            command: command.to_owned(),
            args: vec![path.to_owned()],
            env: Vec::new(),
            cwd: None,
        },
        timeout: None,
        disabled: false,
    })
}

fn kind(path: &str) -> ScriptError {
    ScriptError::Kind {
        path: path.to_owned(),
        similar: nearest(path, COMMANDS.iter().copied()),
    }
}
