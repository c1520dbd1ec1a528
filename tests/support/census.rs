//! Which processes are left of a run, found by a mark in their environment.

use std::fs;
use std::time::Duration;

use super::wait;

/// A process that still exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alive {
    /// Its id.
    pub pid: i32,
    /// Its state letter; `Z` is a zombie.
    pub state: char,
    /// Its name.
    pub name: String,
}

/// Finds the processes whose environment holds a mark.
pub fn marked(mark: &str) -> Vec<Alive> {
    let mut found = Vec::new();
    for pid in pids() {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let holds = environment
            .windows(mark.len())
            .any(|window| window == mark.as_bytes());
        if let (true, Some(alive)) = (holds, look(pid)) {
            found.push(alive);
        }
    }
    found
}

/// Finds the children of a process.
pub fn children(parent: i32) -> Vec<Alive> {
    let is_child = |alive: &Alive| parent_of(alive.pid) == Some(parent);
    pids()
        .into_iter()
        .filter_map(look)
        .filter(is_child)
        .collect()
}

/// Waits until no process with this mark is left; returns those that stay.
pub fn left_after(mark: &str, within: Duration) -> Vec<Alive> {
    let gone = wait::answer(within, || marked(mark).is_empty().then_some(()));
    gone.map_or_else(|| marked(mark), |()| Vec::new())
}

/// Tells whether a thread of a process runs, or would if it got a processor.
pub fn is_busy(pid: i32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let stats = tasks.filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
    stats.into_iter().any(|stat| {
        let letter = stat
            .rsplit_once(") ")
            .and_then(|(_, fields)| fields.chars().next());
        matches!(letter, Some('R' | 'D'))
    })
}

/// CPU time that a process has used, in clock ticks of 10 ms.
pub fn cpu_ticks(pid: i32) -> u64 {
    let fields = stat_fields(pid).unwrap_or_default();
    let number = |i: usize| fields.get(i).and_then(|text| text.parse::<u64>().ok());
    number(11).unwrap_or(0) + number(12).unwrap_or(0)
}

fn pids() -> Vec<i32> {
    let entries = fs::read_dir("/proc").expect("/proc can be read").flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// The fields of `/proc/PID/stat` behind the name.
fn stat_fields(pid: i32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

fn look(pid: i32) -> Option<Alive> {
    let state = stat_fields(pid)?.first()?.chars().next()?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(Alive {
        pid,
        state,
        name: name.trim().to_owned(),
    })
}

fn parent_of(pid: i32) -> Option<i32> {
    stat_fields(pid)?.get(1)?.parse().ok()
}
