//! A server's child process and everything that it starts.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::io::mcp::environment::environment;
use crate::io::mcp::last_words::LastWords;
use crate::io::mcp::program::{ProgramError, find};
use crate::io::mcp::stdio::lines::{Line, Lines};

/// How long a server has after its input ended, and again after it was asked to end.
const GRACE: Duration = Duration::from_secs(1);

/// The longest line of stderr, in bytes.
const LONGEST_STDERR_LINE: usize = 16 * 1024;

/// What to start.
#[derive(Debug, Clone)]
pub(crate) struct Launch<'a> {
    /// The program.
    pub command: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// The entry's own environment.
    pub env: &'a [(String, String)],
    /// The entry's working folder.
    pub cwd: Option<&'a str>,
    /// Where a relative working folder begins; the working folder when there is none.
    pub folder: &'a Path,
    /// Our environment, of which a short list is passed on.
    pub ours: &'a [(String, String)],
}

/// A child that runs or has ended. Dropping it kills it with everything that it started.
#[derive(Debug)]
pub(crate) struct Process {
    group: Group,
    exit: watch::Receiver<Option<String>>,
    stderr_open: watch::Receiver<bool>,
    words: LastWords,
    _tasks: JoinSet<()>,
}

/// The ends of a child's pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    /// Its input.
    pub stdin: ChildStdin,
    /// Its output.
    pub stdout: ChildStdout,
}

impl Process {
    /// Starts a child in its own process group, without a shell.
    pub(crate) fn start(
        launch: &Launch<'_>,
        words: LastWords,
    ) -> Result<(Self, Pipes), ProgramError> {
        let mut child = spawn(launch)?;
        let refused = || ProgramError::Refused(launch.command.to_owned(), "no pipes".to_owned());
        let (stdin, stdout) = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .ok_or_else(refused)?;
        let stderr = child.stderr.take().ok_or_else(refused)?;
        let group = Group::of(&child);
        let (exited, exit) = watch::channel(None);
        let (drained, stderr_open) = watch::channel(true);
        let mut tasks = JoinSet::new();
        tasks.spawn(reap(child, exited));
        tasks.spawn(drain(stderr, words.clone(), drained));
        let process = Self {
            group,
            exit,
            stderr_open,
            words,
            _tasks: tasks,
        };
        Ok((process, Pipes { stdin, stdout }))
    }

    /// Waits until the child has ended; returns how.
    pub(crate) async fn ended(&mut self) -> String {
        let ended = self.exit.wait_for(Option::is_some).await;
        let how = ended.ok().and_then(|exit| exit.clone());
        how.unwrap_or_else(|| "ended".to_owned())
    }

    /// Returns how the child ended, if it ends within `limit`, once its last words are in.
    pub(crate) async fn verdict(&mut self, limit: Duration) -> Option<String> {
        let exit = timeout(limit, self.ended()).await.ok()?;
        // A grandchild may hold the pipe open for ever.
        let drained = self.stderr_open.wait_for(|open| !open);
        timeout(Duration::from_millis(300), drained).await.ok();
        Some(exit)
    }

    /// Returns the last lines of stderr.
    pub(crate) fn last_words(&self, most: usize) -> Vec<String> {
        self.words.last(most)
    }

    /// Waits for the end of a child whose input was closed; asks it to end after a second, and
    /// kills what is left of its group after another.
    pub(crate) async fn stop(&self) {
        if self.group.is_gone_within(GRACE).await {
            return;
        }
        self.group.ask_to_end();
        if self.group.is_gone_within(GRACE).await {
            return;
        }
        self.group.kill();
        self.group.is_gone_within(GRACE / 2).await;
    }

    /// Kills what an ended child has left behind.
    pub(crate) fn clear(&self) {
        self.group.kill();
    }
}

fn spawn(launch: &Launch<'_>) -> Result<Child, ProgramError> {
    let folder = match launch.cwd {
        Some(cwd) => launch.folder.join(cwd),
        None => launch.folder.to_owned(),
    };
    if !folder.is_dir() {
        return Err(ProgramError::NoFolder(folder.display().to_string()));
    }
    let variables = environment(launch.ours, launch.env);
    let path = variables.iter().find(|(name, _)| name == "PATH");
    let path = path.map_or("/usr/local/bin:/usr/bin:/bin", |(_, value)| value.as_str());
    let program = find(launch.command, &folder, path)?;
    let mut command = Command::new(program);
    command
        .args(launch.args)
        .env_clear()
        .envs(variables)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
        .spawn()
        .map_err(|error| ProgramError::Refused(launch.command.to_owned(), error.kind().to_string()))
}

async fn reap(mut child: Child, exited: watch::Sender<Option<String>>) {
    let how = match child.wait().await {
        Ok(status) => in_words(status),
        Err(error) => error.to_string(),
    };
    exited.send_replace(Some(how));
}

fn in_words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

async fn drain(stderr: ChildStderr, words: LastWords, open: watch::Sender<bool>) {
    let mut lines = Lines::new(stderr, LONGEST_STDERR_LINE);
    while let Some(line) = lines.next().await {
        match line {
            Line::Whole(bytes) | Line::TooLong { head: bytes, .. } => words.push(&bytes),
        }
    }
    open.send_replace(false);
}

/// A child's process group. Dropping it kills the group.
#[derive(Debug)]
struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
    /// Nobody is left in it; its number may belong to others by now.
    gone: Arc<AtomicBool>,
}

#[cfg(unix)]
impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self {
            id: id.and_then(rustix::process::Pid::from_raw),
            gone: Arc::default(),
        }
    }

    async fn is_gone_within(&self, limit: Duration) -> bool {
        let gone = async {
            while !self.is_gone() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(limit, gone).await.is_ok()
    }

    fn is_gone(&self) -> bool {
        let Some(id) = self.id else {
            return true;
        };
        let gone = self.gone.load(Ordering::Relaxed)
            || rustix::process::test_kill_process_group(id) == Err(rustix::io::Errno::SRCH);
        self.gone.store(gone, Ordering::Relaxed);
        gone
    }

    fn ask_to_end(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(id) = self.id.filter(|_| !self.is_gone()) {
            // It can only fail because everybody has left by now.
            rustix::process::kill_process_group(id, signal).unwrap_or(());
        }
    }
}

#[cfg(not(unix))]
impl Group {
    // Without process groups the child alone is ended, by `kill_on_drop`.
    fn of(_: &Child) -> Self {
        Self {
            gone: Arc::default(),
        }
    }

    async fn is_gone_within(&self, limit: Duration) -> bool {
        sleep(limit.min(Duration::from_millis(100))).await;
        self.gone.load(Ordering::Relaxed)
    }

    fn ask_to_end(&self) {}

    fn kill(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
