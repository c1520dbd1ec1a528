//! Which servers a session starts: from files, from scripts, never from a folder by itself.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::invocation::Options;
use crate::config::mcp_file::{self, McpFile, McpFileError, Refused};
use crate::config::server::ServerEntry;
use crate::config::utf8;
use crate::run::session::{Ground, StartError};

/// The servers of a session.
#[derive(Debug, Default)]
pub struct Found {
    /// Those that can be started.
    pub entries: Vec<ServerEntry>,
    /// Those that can't, with the reason.
    pub refused: Vec<Refused>,
    /// Full sentences that the person should read.
    pub notices: Vec<String>,
}

/// Finds the servers. Later files win over earlier ones, scripts over files.
pub fn find(options: &Options, ground: &Ground) -> Result<Found, StartError> {
    let mut found = Found::default();
    let choice = &options.servers;
    if choice.none {
        return Ok(found);
    }
    let own = ground.places.config.join("mcp.json");
    // The demo shows what it is, whatever else is configured.
    if !choice.strict && !ground.settings.demo {
        if let Some(file) = read_if_there(&own, ground)? {
            found.add_file(file, &own);
        }
        found.notices.extend(mention_project_file(&ground.folder));
    }
    for path in &choice.files {
        let file = read(path, ground)?;
        found.add_file(file, path);
    }
    for script in &choice.scripts {
        found.add_entry(script.clone());
    }
    Ok(found)
}

impl Found {
    fn add_file(&mut self, file: McpFile, path: &Path) {
        for warning in file.warnings {
            self.notices.push(format!("{}: {warning}", path.display()));
        }
        for entry in file.servers {
            self.add_entry(entry);
        }
        self.refused.extend(file.refused);
    }

    fn add_entry(&mut self, entry: ServerEntry) {
        self.refused.retain(|refused| refused.name != entry.name);
        self.entries.retain(|known| known.name != entry.name);
        self.entries.push(entry);
    }
}

fn read(path: &Path, ground: &Ground) -> Result<McpFile, StartError> {
    let bytes = std::fs::read(path).map_err(|error| StartError::ServersFile {
        path: path.to_path_buf(),
        error,
    })?;
    let variable = |name: &str| ground.environment.get(name).cloned();
    let text = utf8::text(bytes).map_err(|line| McpFileError {
        line,
        reason: "this is not UTF-8 text".to_owned(),
    });
    let file = text.and_then(|text| mcp_file::parse(&text, &variable));
    file.map_err(|error| StartError::Servers {
        path: path.to_path_buf(),
        error,
    })
}

fn read_if_there(path: &Path, ground: &Ground) -> Result<Option<McpFile>, StartError> {
    match read(path, ground) {
        Ok(file) => Ok(Some(file)),
        Err(StartError::ServersFile { error, .. }) if error.kind() == ErrorKind::NotFound => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A project's own file never starts anything by itself: whoever wrote it would run code here.
fn mention_project_file(folder: &Path) -> Option<String> {
    let path = project_file(folder)?;
    Some(format!(
        "{} lists MCP servers of this project. They are not started. Look at the file, then use \
         `--mcp-config {}` to start them.",
        path.display(),
        path.display()
    ))
}

fn project_file(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(".mcp.json"))
        .find(|path| path.is_file())
}
