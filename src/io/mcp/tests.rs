//! Servers as real child processes that play the parts of `tests/support/fake_mcp.py` and
//! `tests/support/odd_mcp.py`.

#![expect(
    clippy::wildcard_enum_match_arm,
    clippy::too_many_lines,
    clippy::disallowed_methods,
    reason = "tests pick the facts they wait for, tell whole stories, and need the PATH of python3"
)]

mod calls;
mod ends;
mod lists;
mod starts;
mod web;

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::app::event::Event;
use crate::chat::listing::ListedTool;
use crate::chat::moment::Millis;
use crate::chat::tool::{PartBody, ToolResult};
use crate::config::server::Reach;
use crate::io::clock::Clock;

/// Some servers, and the facts that were heard of them.
struct Play {
    mcp: Mcp,
    events: mpsc::Receiver<Event>,
    folder: TempDir,
    calls: usize,
}

const LIMITS: CallLimits = CallLimits {
    idle: Millis(10_000),
    total: Millis(20_000),
    result_bytes: 1_000,
};

fn support(file: &str) -> String {
    format!("{}/tests/support/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The entry of a program with arguments.
fn program(name: &str, command: &str, args: &[&str]) -> ServerEntry {
    ServerEntry {
        name: ServerName::new(name),
        reach: Reach::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: Vec::new(),
            cwd: None,
        },
        timeout: None,
        disabled: false,
    }
}

/// The entry of a server with bad habits.
fn odd(habits: &[&str]) -> ServerEntry {
    let script = support("odd_mcp.py");
    let args: Vec<&str> = std::iter::once(script.as_str())
        .chain(habits.iter().copied())
        .collect();
    program("odd", "python3", &args)
}

impl Play {
    fn new(entries: Vec<ServerEntry>) -> Self {
        Self::patient(entries, 20_000)
    }

    /// Starts servers that are called slow after so many milliseconds.
    fn patient(entries: Vec<ServerEntry>, start_limit: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::in_folder(entries, start_limit, folder)
    }

    fn in_folder(entries: Vec<ServerEntry>, start_limit: u64, folder: TempDir) -> Self {
        let (sender, events) = mpsc::channel(1024);
        let path = std::env::var_os("PATH").unwrap().into_string().unwrap();
        let setup = Setup {
            environment: vec![
                ("PATH".to_owned(), path),
                ("SECRET_KEY".to_owned(), "hidden".to_owned()),
                ("MCP_TIMEOUT".to_owned(), start_limit.to_string()),
            ],
            folder: folder.path().to_owned(),
            redactor: Arc::default(),
            save: Save(Arc::new(|_| Ok("/blobs/1".to_owned()))),
        };
        let facts = Facts {
            events: sender,
            clock: Clock::start(),
        };
        let mut mcp = Mcp::new(entries, Vec::new(), facts, setup);
        mcp.start_all();
        Self {
            mcp,
            events,
            folder,
            calls: 0,
        }
    }

    /// Starts one server that plays a part.
    fn part(part: &Value) -> Self {
        Self::parts(&[("s", part.clone())], 20_000)
    }

    /// Starts servers that play parts.
    fn parts(parts: &[(&str, Value)], start_limit: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let entries = parts.iter().map(|(name, part)| {
            let mut part = part.clone();
            part["log"] = json!(folder.path().join(format!("{name}.log")));
            part["control"] = json!(folder.path().join(format!("{name}.control")));
            let file = folder.path().join(format!("{name}.json"));
            std::fs::write(&file, part.to_string()).unwrap();
            program(
                name,
                "python3",
                &[&support("fake_mcp.py"), file.to_str().unwrap()],
            )
        });
        Self::in_folder(entries.collect(), start_limit, folder)
    }

    /// What a server has logged.
    fn log(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.path().join(format!("{name}.log")));
        let text = text.unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// The messages of one method that a server has received.
    fn received(&self, name: &str, method: &str) -> Vec<Value> {
        let log = self.log(name);
        let lines = log.iter().filter_map(|entry| entry["line"].as_str());
        let messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages
            .filter(|message| message["method"] == method)
            .collect()
    }

    /// Waits until something has come true outside.
    async fn wait_until(&self, mut is_true: impl FnMut(&Self) -> bool) {
        for _ in 0..1_000 {
            if is_true(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it did not come true in time");
    }

    fn command(&self, name: &str, command: &Value) {
        use std::io::Write;
        let file = self.folder.path().join(format!("{name}.control"));
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            .unwrap();
        writeln!(file, "{command}").unwrap();
    }

    /// Returns the next fact that `pick` likes; others are dropped.
    async fn next<T>(&mut self, mut pick: impl FnMut(Fact) -> Option<T>) -> T {
        let next = async {
            loop {
                let event = self.events.recv().await.expect("the servers are there");
                if let Some(found) = pick(event.fact) {
                    return found;
                }
            }
        };
        timeout(Duration::from_secs(25), next)
            .await
            .expect("a fact in time")
    }

    /// Waits for a server to be ready; returns its first list and the problems with it.
    async fn listed(&mut self, name: &str) -> (Vec<ListedTool>, Vec<String>) {
        self.next(|fact| match fact {
            Fact::ToolsListed {
                server,
                tools,
                problems,
            } if server.as_str() == name => Some((tools, problems)),
            Fact::ServerChanged {
                server,
                status: ServerStatus::Failed(failure),
            } if server.as_str() == name => {
                panic!("{failure:?}")
            }
            _ => None,
        })
        .await
    }

    async fn names(&mut self, name: &str) -> Vec<String> {
        let tools = self.listed(name).await.0;
        tools.into_iter().map(|tool| tool.name).collect()
    }

    async fn failed(&mut self, name: &str) -> ServerFailure {
        self.next(|fact| match fact {
            Fact::ServerChanged {
                server,
                status: ServerStatus::Failed(failure),
            } => (server.as_str() == name).then_some(failure),
            _ => None,
        })
        .await
    }

    /// Sends a call.
    fn send(&mut self, server: &str, tool: &str, text: &str, limits: CallLimits) -> ToolUseId {
        self.calls += 1;
        let id = ToolUseId::new(format!("toolu_{}", self.calls));
        let Value::Object(arguments) = json!({ "text": text }) else {
            unreachable!()
        };
        let order = Order {
            id: id.clone(),
            server: ServerName::new(server),
            tool: tool.to_owned(),
            arguments,
            limits,
        };
        self.mcp.send(order, Box::pin(std::future::ready(())));
        id
    }

    async fn finished(&mut self, id: &ToolUseId) -> ToolResult {
        self.next(|fact| match fact {
            Fact::ToolFinished(result) if result.id == *id => Some(result),
            _ => None,
        })
        .await
    }

    async fn call(&mut self, server: &str, tool: &str, text: &str) -> ToolResult {
        let id = self.send(server, tool, text, LIMITS);
        self.finished(&id).await
    }
}

/// The text of a result.
fn said(result: &ToolResult) -> String {
    let text = |part: &crate::chat::tool::ResultPart| match &part.body {
        PartBody::Text(text) => text.clone(),
        PartBody::Image(_) | PartBody::Document(_) => "(media)".to_owned(),
    };
    result
        .content
        .iter()
        .map(text)
        .collect::<Vec<_>>()
        .join("|")
}
