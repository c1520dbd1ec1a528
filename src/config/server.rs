//! How an MCP server is reached: one entry of `mcpServers`, variables expanded.

use std::path::Path;

use crate::chat::id::ServerName;
use crate::chat::moment::Millis;

/// One server of the configuration, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// The name it is configured under.
    pub name: ServerName,
    /// How it is reached.
    pub reach: Reach,
    /// The idle limit of its calls, in place of the general one.
    pub timeout: Option<Millis>,
    /// Not to be started.
    pub disabled: bool,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A child process that speaks over its standard input and output.
    Stdio {
        /// The program, found on PATH, relative to `cwd`, or absolute.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Added to the short allow-list of the environment.
        env: Vec<(String, String)>,
        /// Its working folder.
        cwd: Option<String>,
    },
    /// A Streamable HTTP endpoint.
    Http {
        /// Where.
        url: String,
        /// Sent with each request.
        headers: Vec<(String, String)>,
    },
    /// The old HTTP+SSE transport, which is named and refused.
    OldSse {
        /// Where.
        url: String,
    },
}

/// A file on the command line that is not a server script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not a server script: its name must end in .py or .js")]
pub struct NotAScript {
    /// The path as it was given.
    pub path: String,
}

impl ServerEntry {
    /// Makes the entry of a script given on the command line: `.py` is started with `python3`,
    /// `.js` with `node`, and the server is named after the file's stem.
    pub fn from_script(path: &str) -> Result<Self, NotAScript> {
        let file = Path::new(path);
        let interpreter = file
            .extension()
            .and_then(|extension| extension.to_str())
            .and_then(interpreter_of);
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let (Some(interpreter), Some(stem)) = (interpreter, stem) else {
            return Err(NotAScript {
                path: path.to_owned(),
            });
        };
        Ok(Self {
            name: ServerName::new(stem),
            reach: Reach::Stdio {
                command: interpreter.to_owned(),
                args: vec![path.to_owned()],
                env: Vec::new(),
                cwd: None,
            },
            timeout: None,
            disabled: false,
        })
    }
}

fn interpreter_of(extension: &str) -> Option<&'static str> {
    match extension {
        "py" => Some("python3"),
        "js" => Some("node"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_started_with_its_interpreter_and_named_after_its_stem() {
        let entry = ServerEntry::from_script("tools/my.weather.py").unwrap();
        assert_eq!(entry.name, ServerName::new("my.weather"));
        let Reach::Stdio { command, args, .. } = entry.reach else {
            panic!("a script is a child process");
        };
        assert_eq!(
            (command.as_str(), args),
            ("python3", vec!["tools/my.weather.py".to_owned()])
        );
        assert!(matches!(
            ServerEntry::from_script("x.js").unwrap().reach,
            Reach::Stdio { command, .. } if command == "node"
        ));
        assert!(ServerEntry::from_script("notes.txt").is_err());
        assert!(ServerEntry::from_script(".py").is_err());
    }
}
