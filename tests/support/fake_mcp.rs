//! FAKE-MCP from the outside: writes its part, reads its log, gives it commands.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::wait;

/// One server: a script, its part and its log.
#[derive(Debug, Clone)]
pub struct FakeMcp {
    folder: PathBuf,
    name: String,
}

impl FakeMcp {
    /// Writes the part that a server plays; `part` is described in `fake_mcp.py`.
    pub fn new(folder: &Path, name: &str, part: &Value) -> Self {
        fs::create_dir_all(folder).expect("the folder of a server can be made");
        // A name may hold what a file name can't.
        let stem: String = name
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let server = Self {
            folder: folder.to_owned(),
            name: stem,
        };
        let mut part = part.clone();
        part["log"] = json!(server.log_path());
        part["control"] = json!(server.file("control"));
        fs::write(server.file("part.json"), part.to_string()).expect("a part can be written");
        server
    }

    fn file(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{}.{what}", self.name))
    }

    fn log_path(&self) -> PathBuf {
        self.file("log")
    }

    /// The script that plays every part.
    pub fn script() -> &'static str {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/fake_mcp.py")
    }

    /// The arguments behind `python3`.
    pub fn args(&self) -> Vec<String> {
        vec![
            Self::script().to_owned(),
            self.file("part.json").display().to_string(),
        ]
    }

    /// Its entry in `mcpServers`.
    pub fn entry(&self, mark: &str) -> Value {
        json!({"command": "python3", "args": self.args(), "env": {"TG_MARK": mark}})
    }

    /// Everything it has logged.
    pub fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.log_path()).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// The messages it received, parsed.
    pub fn received(&self) -> Vec<Value> {
        let log = self.log();
        let lines = log.iter().filter_map(|entry| entry["line"].as_str());
        lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// The messages of one method that it received.
    pub fn received_of(&self, method: &str) -> Vec<Value> {
        let all = self.received().into_iter();
        all.filter(|message| message["method"] == method).collect()
    }

    /// The calls it received: tool and arguments, in order.
    pub fn calls(&self) -> Vec<(String, Value)> {
        let calls = self.received_of("tools/call").into_iter();
        calls
            .map(|call| {
                let name = call["params"]["name"].as_str().unwrap_or_default();
                (name.to_owned(), call["params"]["arguments"].clone())
            })
            .collect()
    }

    /// Waits for that many calls in all and returns them.
    pub fn wait_for_calls(&self, count: usize) -> Vec<(String, Value)> {
        wait::until(&format!("call {count} at {}", self.name), || {
            self.calls().len() >= count
        });
        self.calls()
    }

    /// Waits until it has logged a message or event with this text in it.
    pub fn wait_for(&self, text: &str) {
        wait::until(&format!("`{text}` in the log of {}", self.name), || {
            fs::read_to_string(self.log_path()).is_ok_and(|log| log.contains(text))
        });
    }

    /// The ids of the processes that have played this part.
    pub fn pids(&self) -> Vec<i64> {
        let log = self.log();
        let starts = log.iter().filter(|entry| entry["event"] == "started");
        starts.filter_map(|entry| entry["pid"].as_i64()).collect()
    }

    /// Gives it a command, such as `{"do": "release"}`.
    pub fn command(&self, command: &Value) {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(self.file("control"));
        writeln!(file.expect("a control file opens"), "{command}").expect("a command is written");
    }
}
