//! A terminal with the real program in it.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty};
use rustix::process::{Pid, Signal, kill_process};

use super::{census, wait};

/// The most bytes of output that are kept, and the most screens.
const MOST_BYTES: usize = 64 << 20;
const MOST_FRAMES: usize = 20_000;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With an exit code.
    Code(u32),
    /// By a signal that it did not handle.
    Signal(String),
}

/// A terminal and the program that runs in it.
pub struct Pty {
    child: Box<dyn Child + Send + Sync>,
    terminal: Option<Open>,
    shared: Arc<Shared>,
    before: String,
}

/// The ends of a terminal that is still there.
struct Open {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    // Kept open so that the settings can be compared after the program has gone.
    _slave: Box<dyn SlavePty + Send>,
    reader: JoinHandle<()>,
}

struct Shared {
    over: AtomicBool,
    seen: Mutex<Seen>,
}

struct Seen {
    parser: vt100::Parser,
    log: Vec<u8>,
    frames: Vec<String>,
    changed: Instant,
    answers: Vec<u8>,
}

impl fmt::Debug for Pty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Pty of process {:?}\n{}",
            self.child.process_id(),
            self.screen()
        )
    }
}

/// What is started in a terminal.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// All of its environment.
    pub environment: Vec<(String, String)>,
    /// Its working folder.
    pub folder: &'a Path,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Its umask.
    pub umask: Option<u32>,
}

impl Pty {
    /// Opens a terminal and starts a program in it.
    pub fn start(start: &Start<'_>) -> Self {
        let system = portable_pty::native_pty_system();
        let pair = system
            .openpty(cells(start.size))
            .expect("a terminal can be opened");
        let before = settings(pair.master.as_ref());
        let mut command = CommandBuilder::from_argv(start.command.iter().map(Into::into).collect());
        command.env_clear();
        for (name, value) in &start.environment {
            command.env(name, value);
        }
        command.cwd(start.folder);
        command.umask(start.umask);
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        // All reads and writes come back at once, so that the terminal can be closed at any time.
        let fd = pair.master.as_raw_fd().expect("a master has a descriptor");
        fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).expect("a descriptor can be changed");
        let reading = pair
            .master
            .try_clone_reader()
            .expect("a master can be read");
        let shared = Arc::new(Shared {
            over: AtomicBool::new(false),
            seen: Mutex::new(Seen::new(start.size)),
        });
        let reader = thread::spawn({
            let shared = Arc::clone(&shared);
            move || read(reading, &shared)
        });
        let writer = pair.master.take_writer().expect("a master can be written");
        let open = Open {
            master: pair.master,
            writer,
            _slave: pair.slave,
            reader,
        };
        Self {
            child,
            terminal: Some(open),
            shared,
            before,
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of the program.
    pub fn pid(&self) -> i32 {
        let pid = self
            .child
            .process_id()
            .expect("a started program has an id");
        i32::try_from(pid).expect("an id is small")
    }

    /// The screen as text: its rows without trailing blanks, joined by line feeds.
    pub fn screen(&self) -> String {
        text_of(self.seen().parser.screen())
    }

    /// The screen with its colours, to compare two of them: a line for each row, then the cursor.
    pub fn exact_screen(&self) -> String {
        let seen = self.seen();
        let screen = seen.parser.screen();
        let (rows, columns) = screen.size();
        let row = |row| -> String {
            (0..columns.get())
                .map(|column| look(screen, row, column))
                .collect()
        };
        let rows: Vec<String> = (0..rows.get()).map(row).collect();
        let cursor = (!screen.hide_cursor()).then(|| screen.cursor_position());
        format!("{}\ncursor {cursor:?}", rows.join("\n"))
    }

    /// Lets something look at every cell of the screen.
    pub fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.seen().parser.screen())
    }

    /// Column and row of the cursor, and whether it is visible.
    pub fn cursor(&self) -> (u16, u16, bool) {
        let seen = self.seen();
        let (row, column) = seen.parser.screen().cursor_position();
        (column, row, !seen.parser.screen().hide_cursor())
    }

    /// Column and row at which text begins on the screen, in cells.
    pub fn place_of(&self, text: &str) -> Option<(u16, u16)> {
        let seen = self.seen();
        let screen = seen.parser.screen();
        let (rows, columns) = screen.size();
        for row in 0..rows.get() {
            for column in 0..columns.get() {
                let rest = screen
                    .rows(column, columns.get() - column)
                    .nth(usize::from(row));
                let begins = screen
                    .cell(row, column)
                    .is_some_and(vt100::Cell::has_contents);
                if begins && rest.is_some_and(|rest| rest.starts_with(text)) {
                    return Some((column, row));
                }
            }
        }
        None
    }

    /// Every screen so far, in order.
    pub fn frames(&self) -> Vec<String> {
        self.seen().frames.clone()
    }

    /// Every byte that the program wrote.
    pub fn log(&self) -> Vec<u8> {
        self.seen().log.clone()
    }

    /// Writes bytes to the program, as the keyboard would.
    pub fn send(&mut self, keys: impl AsRef<[u8]>) {
        let mut rest = keys.as_ref();
        while !rest.is_empty() {
            self.answer_questions();
            let Some(open) = &mut self.terminal else {
                return;
            };
            match open.writer.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(Duration::from_millis(2));
                }
                Err(error) => panic!("the terminal can't be written: {error}"),
            }
        }
    }

    /// Pastes text, with the brackets of a terminal that has them switched on.
    pub fn paste(&mut self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Gives the terminal another size; a side of zero is possible.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let mut seen = self.seen();
        seen.parser.set_size(side(rows), side(columns));
        drop(seen);
        if let Some(open) = &self.terminal {
            open.master
                .resize(cells((columns, rows)))
                .expect("a terminal can be resized");
        }
    }

    /// Waits for a screen about which something holds.
    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let mut ended = false;
        let found = wait::answer(wait::deadline(), || {
            self.answer_questions();
            let screen = self.screen();
            if holds(&screen) {
                return Some(Some(screen));
            }
            // Once more after the end: what it wrote last may still be on its way.
            let over = ended;
            ended = !self.is_running();
            over.then_some(None)
        });
        let why = if ended {
            "the program has ended"
        } else {
            "it never came"
        };
        match found.flatten() {
            Some(screen) => screen,
            None => panic!(
                "no screen with {what}: {why}; the last one is\n{}",
                self.screen()
            ),
        }
    }

    /// Waits for text on the screen.
    pub fn wait_for(&mut self, text: &str) -> String {
        self.wait_until(&format!("`{text}`"), |screen| screen.contains(text))
    }

    /// Waits until text is no longer on the screen.
    pub fn wait_gone(&mut self, text: &str) -> String {
        self.wait_until(&format!("no `{text}`"), |screen| !screen.contains(text))
    }

    /// Waits for a line that holds this text and nothing else.
    pub fn wait_for_line(&mut self, text: &str) -> String {
        let is_line = |screen: &str| screen.lines().any(|line| line.trim() == text);
        self.wait_until(&format!("the line `{text}`"), is_line)
    }

    /// Waits until the program has written nothing and has had nothing to do for a while.
    pub fn settle(&mut self) {
        let quiet = Duration::from_millis(150);
        let pid = self.pid();
        let mut busy = Instant::now();
        let settled = wait::answer(wait::deadline(), || {
            self.answer_questions();
            if census::is_busy(pid) {
                busy = Instant::now();
            }
            let quiet_since = self.seen().changed.max(busy);
            (quiet_since.elapsed() > quiet).then_some(())
        });
        assert!(
            settled.is_some(),
            "the screen never came to rest:\n{}",
            self.screen()
        );
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.pid()).expect("a process id is not zero");
        kill_process(pid, signal).expect("a signal can be sent");
    }

    /// Closes the terminal, as a lost connection does.
    pub fn close(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        if let Some(open) = self.terminal.take() {
            open.reader.join().expect("the reader does not panic");
        }
    }

    /// Tells whether the program still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for the end of the program.
    pub fn wait_end(&mut self, within: Duration) -> Option<Ended> {
        let status = wait::answer(within, || {
            self.answer_questions();
            self.child.try_wait().ok().flatten()
        })?;
        // What it wrote last is still on its way.
        thread::sleep(Duration::from_millis(20));
        Some(match status.signal() {
            Some(name) => Ended::Signal(name.to_owned()),
            None => Ended::Code(status.exit_code()),
        })
    }

    /// The settings of the terminal before the start and now.
    pub fn settings(&self) -> (String, Option<String>) {
        let now = self
            .terminal
            .as_ref()
            .map(|open| settings(open.master.as_ref()));
        (self.before.clone(), now)
    }

    /// Answers what the program has asked the terminal.
    fn answer_questions(&mut self) {
        let answers = std::mem::take(&mut self.seen().answers);
        if let (Some(open), false) = (&mut self.terminal, answers.is_empty()) {
            let _ = open.writer.write_all(&answers);
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if thread::panicking() {
            tell(&self.screen());
        }
        if self.is_running() {
            let _ = self.child.kill();
            let pid = Pid::from_raw(self.pid()).expect("a process id is not zero");
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = self.child.wait();
        self.close();
    }
}

impl Seen {
    fn new((columns, rows): (u16, u16)) -> Self {
        Self {
            parser: vt100::Parser::new(side(rows), side(columns), 0),
            log: Vec::new(),
            frames: Vec::new(),
            changed: Instant::now(),
            answers: Vec::new(),
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.changed = Instant::now();
        self.parser.process(bytes);
        assert!(
            self.log.len() < MOST_BYTES,
            "the program writes without end"
        );
        self.log.extend_from_slice(bytes);
        let screen = text_of(self.parser.screen());
        if self.frames.last() != Some(&screen) && self.frames.len() < MOST_FRAMES {
            self.frames.push(screen);
        }
        // A terminal says what it is; a program that asks would wait for it.
        if bytes.windows(3).any(|window| window == b"\x1b[c") {
            self.answers.extend_from_slice(b"\x1b[?62;22c");
        }
        if bytes.windows(4).any(|window| window == b"\x1b[6n") {
            let (row, column) = self.parser.screen().cursor_position();
            self.answers
                .extend(format!("\x1b[{};{}R", row + 1, column + 1).into_bytes());
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the test runner shows it beside the failure"
)]
fn tell(screen: &str) {
    eprintln!("the last screen:\n{screen}");
}

fn read(mut reading: Box<dyn Read + Send>, shared: &Shared) {
    let mut buffer = vec![0; 1 << 16];
    while !shared.over.load(Ordering::Relaxed) {
        match reading.read(&mut buffer) {
            Ok(count) if count > 0 => {
                let mut seen = shared.seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.take(&buffer[..count]);
            }
            _ => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// How a cell looks: a blank one shows nothing but its background.
fn look(screen: &vt100::Screen, row: u16, column: u16) -> String {
    let Some(cell) = screen.cell(row, column) else {
        return String::new();
    };
    let plain = cell.bgcolor() == vt100::Color::Default && !cell.inverse();
    if plain && cell.contents().trim().is_empty() && !cell.underline() {
        return " ".to_owned();
    }
    let style = [
        cell.bold(),
        cell.dim(),
        cell.italic(),
        cell.underline(),
        cell.inverse(),
    ];
    let style: String = style
        .map(|set| if set { '1' } else { '0' })
        .iter()
        .collect();
    format!(
        "{}[{:?},{:?},{style}]",
        cell.contents(),
        cell.fgcolor(),
        cell.bgcolor()
    )
}

fn text_of(screen: &vt100::Screen) -> String {
    let (_, columns) = screen.size();
    let rows = screen
        .rows(0, columns.get())
        .map(|row| row.trim_end().to_owned());
    rows.collect::<Vec<_>>().join("\n")
}

fn side(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap_or(NonZeroU16::MIN)
}

fn cells((cols, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn settings(master: &dyn MasterPty) -> String {
    let settings = master.get_termios().expect("a terminal has settings");
    format!("{settings:?}")
}
