//! How long a person waits for the first key, and what an idle program costs.
//!
//! `cargo bench --bench start` starts the real program in a terminal with ten MCP servers of which
//! three never answer. It prints figures and asserts nothing: a busy machine is no fault. Waits are
//! looked at every millisecond or two, so smaller differences mean nothing.
#![expect(
    dead_code,
    unreachable_pub,
    let_underscore_drop,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::format_collect,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench looks at the clock, prints, and uses a part of what the tests have"
)]

#[path = "../tests/support"]
mod support {
    pub mod census;
    pub mod fake_mcp;
    pub mod home;
    pub mod pty;
    pub mod secrets;
    pub mod wait;
}

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, json};

use support::fake_mcp::FakeMcp;
use support::home::Home;
use support::pty::{Pty, Start};

/// How often the start is measured.
const RUNS: usize = 20;
/// How long the idle program is watched.
const IDLE: Duration = Duration::from_secs(5);

fn home() -> Home {
    let home = Home::new();
    let mut servers = Map::new();
    for number in 0..10 {
        let name = format!("s{number}");
        let part = json!({"initialize": {"never": number < 3}});
        let server = FakeMcp::new(&home.servers(), &name, &part);
        servers.insert(name, server.entry(&home.mark));
    }
    home.write_servers(&servers.into());
    home
}

fn start(home: &Home) -> Pty {
    let mut environment = home.environment();
    environment.push(("ANTHROPIC_API_KEY".into(), "sk-ant-bench".into()));
    environment.push(("ANTHROPIC_BASE_URL".into(), "http://127.0.0.1:9".into()));
    Pty::start(&Start {
        command: vec![env!("CARGO_BIN_EXE_keytide").to_owned()],
        environment,
        folder: &home.work(),
        size: (80, 24),
        umask: None,
    })
}

/// Waits without the rests that tests take.
fn until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never came");
        thread::sleep(Duration::from_micros(200));
    }
}

/// From the start of the process to the first frame, and to the first key that shows.
fn first_key(home: &Home) -> (Duration, Duration) {
    let begun = Instant::now();
    let mut pty = start(home);
    until(|| !pty.screen().trim().is_empty());
    let frame = begun.elapsed();
    pty.send("~");
    until(|| pty.screen().contains('~'));
    (frame, begun.elapsed())
}

/// CPU time and voluntary context switches of all threads of a process so far.
fn cost(pid: i32) -> (Duration, u64) {
    let (mut time, mut switches) = (0, 0);
    for task in fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let read = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
        let running = read("schedstat");
        time += running
            .split(' ')
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0_u64);
        let status = read("status");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        switches += line
            .and_then(|text| text.trim().parse::<u64>().ok())
            .unwrap_or(0);
    }
    (Duration::from_nanos(time), switches)
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |place: usize| times.get(place).copied().unwrap_or_default();
    let (least, middle, most) = (at(0), at(RUNS / 2), at(RUNS - 1));
    println!("{what}: min {least:.1?}, median {middle:.1?}, max {most:.1?} over {RUNS} runs");
}

fn main() {
    let home = home();
    let (frames, keys) = (0..RUNS).map(|_| first_key(&home)).unzip();
    print("first frame", frames);
    print("first key shows", keys);
    let pty = start(&home);
    until(|| !pty.screen().trim().is_empty());
    // Until every good server has started and the three silent ones have been waited for a while.
    thread::sleep(Duration::from_secs(5));
    let (time, switches) = cost(pty.pid());
    let written = pty.log().len();
    thread::sleep(IDLE);
    let (time_after, switches_after) = cost(pty.pid());
    println!(
        "idle for {IDLE:?}: {:.2?} of CPU, {} voluntary context switches, {} bytes written",
        time_after.saturating_sub(time),
        switches_after - switches,
        pty.log().len() - written
    );
}
