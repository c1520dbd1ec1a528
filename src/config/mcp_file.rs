//! The file that lists MCP servers (`mcp.json`, `.mcp.json`), from text to entries.

pub mod entry;
pub mod expand;
pub mod json_map;

use crate::chat::id::ServerName;
use crate::config::mcp_file::entry::Read;
use crate::config::mcp_file::json_map::{JsonMap, Place};
use crate::config::server::ServerEntry;

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct McpFile {
    /// The servers that can be started (or are switched off), in the order of the file.
    pub servers: Vec<ServerEntry>,
    /// The servers that can't be started as they are written.
    pub refused: Vec<Refused>,
    /// What is odd but does no harm, one sentence each, with its line.
    pub warnings: Vec<String>,
}

/// A server that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The name it is configured under.
    pub name: ServerName,
    /// Why, a full sentence.
    pub reason: String,
}

/// The file can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct McpFileError {
    /// Where, counted from 1.
    pub line: usize,
    /// What is wrong, naming the server and the field.
    pub reason: String,
}

/// Looks a variable of the environment up.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads a file of servers. `variable` is what `${NAME}` is looked up with.
///
/// A syntax error, a name used twice, an empty command or a field of the wrong kind is an error
/// with its line. An unknown field is a warning; a variable that is not set leaves its server out.
pub fn parse(text: &str, variable: Lookup<'_>) -> Result<McpFile, McpFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let place = Place::new(text);
    let mut file = McpFile::default();
    let top = JsonMap::parse(text, &place)?;
    for (key, value) in &top.members {
        if *key == "mcpServers" {
            read_servers(value.get(), &place, variable, &mut file)?;
        } else {
            file.warnings.push(format!(
                "Line {}: `{key}` is not known at the top of a server file and is ignored.",
                place.line_of(value.get()),
            ));
        }
    }
    Ok(file)
}

fn read_servers(
    text: &str,
    place: &Place<'_>,
    variable: Lookup<'_>,
    file: &mut McpFile,
) -> Result<(), McpFileError> {
    let servers = JsonMap::parse(text, place).map_err(|error| McpFileError {
        reason: format!("`mcpServers`: {}", error.reason),
        ..error
    })?;
    for (index, (name, value)) in servers.members.iter().enumerate() {
        let line = place.line_of(value.get());
        if servers.members.iter().take(index).any(|(n, _)| n == name) {
            let reason = format!("the server name `{name}` is used twice");
            return Err(McpFileError { line, reason });
        }
        if name.trim().is_empty() {
            let reason = "a server has an empty name".to_owned();
            return Err(McpFileError { line, reason });
        }
        match entry::read(name, value.get(), place, variable, &mut file.warnings)? {
            Read::Entry(entry) => file.servers.push(entry),
            Read::Refused(reason) => file.refused.push(Refused {
                name: ServerName::new(name.as_str()),
                reason,
            }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
