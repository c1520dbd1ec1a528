//! One run of the program: its home, its model, its servers and its terminal.

use std::io::Write;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fake_api::FakeApi;
use super::fake_mcp::FakeMcp;
use super::home::Home;
use super::pty::{Pty, Start};
use super::reply::Reply;
use super::wait;

/// The program that is tested.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_keytide");

/// Everything around the program, before it starts and after it has ended.
#[derive(Debug)]
pub struct Stage {
    /// Its folders.
    pub home: Home,
    /// Its model.
    pub api: FakeApi,
    entries: Map<String, Value>,
    servers: Vec<(String, FakeMcp)>,
    /// Variables besides those of the home; an empty value removes one.
    pub variables: Vec<(String, String)>,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The umask.
    pub umask: Option<u32>,
}

/// What a run without a terminal left.
#[derive(Debug)]
pub struct Output {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained.
    pub stderr: String,
}

/// The program at work in a terminal.
#[derive(Debug)]
pub struct Run {
    /// What is around it.
    pub stage: Rc<Stage>,
    /// Where it runs.
    pub pty: Pty,
    /// Calls that were approved so far.
    pub approved: usize,
    /// How often each server had been asked for its tools before this start.
    listed_before: Vec<usize>,
}

impl Stage {
    /// A stage with a scripted model and no server.
    pub fn new(script: impl IntoIterator<Item = Reply>) -> Self {
        let api = FakeApi::start(script);
        let variables = [
            ("ANTHROPIC_BASE_URL", api.url()),
            ("ANTHROPIC_API_KEY", "sk-ant-test-0123456789".to_owned()),
        ];
        Self {
            home: Home::new(),
            variables: variables
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            api,
            entries: Map::new(),
            servers: Vec::new(),
            size: (80, 24),
            umask: None,
        }
    }

    /// Adds a FAKE-MCP that plays a part; null for the plain one.
    pub fn server(mut self, name: &str, part: Value) -> Self {
        let part = if part.is_null() {
            Value::Object(Map::new())
        } else {
            part
        };
        let server = FakeMcp::new(&self.home.servers(), name, &part);
        self.entries
            .insert(name.to_owned(), server.entry(&self.home.mark));
        self.servers.push((name.to_owned(), server));
        self
    }

    /// Changes fields of the last server's entry, or of a named one.
    pub fn entry(mut self, name: &str, fields: Value) -> Self {
        let entry = self
            .entries
            .entry(name)
            .or_insert_with(|| Value::Object(Map::new()));
        for (key, value) in fields.as_object().cloned().unwrap_or_default() {
            entry[&key] = value;
        }
        self
    }

    /// Sets a variable of the environment; an empty value removes it.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes `config.toml`.
    pub fn config(self, text: &str) -> Self {
        self.home.write_config(text);
        self
    }

    /// Adds the plain FAKE-MCP under the name `s`.
    pub fn with_echo(self) -> Self {
        self.server("s", Value::Null)
    }

    /// Sets the size of the terminal.
    pub fn sized(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    /// A server of the stage.
    pub fn mcp(&self, name: &str) -> &FakeMcp {
        let found = self.servers.iter().find(|(known, _)| known == name);
        found
            .map(|(_, server)| server)
            .expect("the stage has this server")
    }

    /// Every call that any server received.
    pub fn calls(&self) -> usize {
        self.servers
            .iter()
            .map(|(_, server)| server.calls().len())
            .sum()
    }

    fn environment(&self) -> Vec<(String, String)> {
        let mut all = self.home.environment();
        for (name, value) in &self.variables {
            all.retain(|(known, _)| known != name);
            if !value.is_empty() {
                all.push((name.clone(), value.clone()));
            }
        }
        all
    }

    /// Starts the program in a terminal.
    pub fn start(self, arguments: &[&str]) -> Run {
        Rc::new(self).open(arguments)
    }

    fn open(self: Rc<Self>, arguments: &[&str]) -> Run {
        self.prepare();
        let listed_before = self
            .servers
            .iter()
            .map(|(_, server)| times_listed(server))
            .collect();
        let mut command = vec![PROGRAM.to_owned()];
        command.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let pty = Pty::start(&Start {
            command,
            environment: self.environment(),
            folder: &self.home.work(),
            size: self.size,
            umask: self.umask,
        });
        Run {
            stage: self,
            pty,
            approved: 0,
            listed_before,
        }
    }

    fn prepare(&self) {
        if !self.entries.is_empty() {
            self.home
                .write_servers(&Value::Object(self.entries.clone()));
        }
    }

    /// Runs the program without a terminal to its end, with this on its standard input.
    pub fn run(&self, arguments: &[&str], input: &str) -> Output {
        self.prepare();
        let mut command = Command::new(PROGRAM);
        command.args(arguments).env_clear().envs(self.environment());
        command.current_dir(self.home.work()).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("its input is a pipe");
        // It may end without having read all of it.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let status = wait::answer(wait::deadline() * 2, || child.try_wait().ok().flatten());
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (stdout, stderr) = (
            stdout.join().unwrap_or_default(),
            stderr.join().unwrap_or_default(),
        );
        assert!(
            status.is_some(),
            "`keytide {arguments:?}` did not end:\n{stdout}\n{stderr}"
        );
        Output {
            code: status.and_then(|status| status.code()),
            stdout,
            stderr,
        }
    }
}

fn times_listed(server: &FakeMcp) -> usize {
    server.received_of("tools/list").len()
}

/// Reads a pipe to its end beside the program, at most 16 MB of it.
fn collect(pipe: Option<impl std::io::Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ =
                std::io::Read::read_to_end(&mut std::io::Read::take(pipe, 16 << 20), &mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Run {
    /// Starts the program again on the same stage, after it has ended.
    pub fn again(self, arguments: &[&str]) -> Self {
        let Self {
            stage,
            pty,
            approved,
            listed_before: _,
        } = self;
        drop(pty);
        Self {
            approved,
            ..stage.open(arguments)
        }
    }

    /// Starts a second program on the same stage while the first one runs.
    pub fn beside(&self, arguments: &[&str]) -> Self {
        Rc::clone(&self.stage).open(arguments)
    }

    /// Waits until the program shows itself and every server has been asked for its tools.
    pub fn ready(&mut self) {
        self.pty
            .wait_until("something", |screen| !screen.trim().is_empty());
        for ((name, server), before) in self.stage.servers.iter().zip(&self.listed_before) {
            wait::until(&format!("`{name}` is asked for its tools"), || {
                times_listed(server) > *before
            });
        }
        self.pty.settle();
    }

    /// Every screen so far, as one text.
    pub fn all_screens(&self) -> String {
        self.pty.frames().join("\n")
    }

    /// Tells whether a replacement mark was written: the emulator leaves it out of its screens.
    pub fn wrote_replacement(&self) -> bool {
        String::from_utf8_lossy(&self.pty.log()).contains('\u{fffd}')
    }

    /// The only transcript on the disk, as text.
    pub fn transcript(&self) -> String {
        let files = self.stage.home.transcripts();
        assert_eq!(files.len(), 1, "transcripts: {files:?}");
        std::fs::read_to_string(&files[0]).expect("a transcript is UTF-8")
    }

    /// Waits a moment in which the program should go on running.
    pub fn pause(&mut self, time: Duration) {
        let over = wait::answer(time, || (!self.pty.is_running()).then_some(()));
        assert!(
            over.is_none(),
            "the program ended by itself:\n{}",
            self.pty.screen()
        );
    }
}
