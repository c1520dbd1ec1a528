//! C06: nobody else can read what Keytide writes, at no moment and with no umask.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crate::support::reply::{say, tool, tool_as};
use crate::support::run::Stage;

/// Everything below a folder that others can read or list.
fn open_to_others(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_symlink() {
            continue;
        }
        if metadata.mode() & 0o077 != 0 {
            found.push((entry.path(), format!("{:o}", metadata.mode() & 0o777)));
        }
        if metadata.is_dir() {
            found.extend(open_to_others(&entry.path()));
        }
    }
    found
}

/// Looks at the folders all the time until it is told to stop; returns everything it found.
fn watch(folders: Vec<PathBuf>, over: Arc<AtomicBool>) -> JoinHandle<Vec<(PathBuf, String)>> {
    thread::spawn(move || {
        let mut found = Vec::new();
        while !over.load(Ordering::Relaxed) {
            found.extend(folders.iter().flat_map(|folder| open_to_others(folder)));
            thread::yield_now();
        }
        found.dedup();
        found
    })
}

fn with_umask(umask: u32) {
    let mut stage = Stage::new([tool("s__echo", "{\"text\":\"a\"}"), say("finished")]).with_echo();
    stage.umask = Some(umask);
    let folders = ["data", "state", "cache", "tmp"].map(|name| stage.home.path().join(name));
    let over = Arc::<AtomicBool>::default();
    let watcher = watch(folders.into(), Arc::clone(&over));
    let mut run = stage.start(&["--debug"]);
    run.ready();
    run.say("go");
    run.approve();
    run.pty.wait_for("finished");
    run.finish();
    over.store(true, Ordering::Relaxed);
    assert_eq!(watcher.join().expect("the watcher does not panic"), []);
}

#[test]
fn with_the_usual_umask_files_are_private_from_their_first_moment() {
    with_umask(0o022);
}

#[test]
fn without_a_umask_files_are_private_from_their_first_moment() {
    with_umask(0);
}

#[test]
fn old_files_that_others_could_read_are_tightened_when_they_are_used() {
    let script = [
        say("first"),
        tool_as("toolu_2", "s__echo", "{\"text\":\"a\"}"),
        say("finished"),
    ];
    let mut run = Stage::new(script).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.pty.wait_for("first");
    run.end_by_quitting();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let data = run.stage.home.data();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("a mode can be set");
    fs::set_permissions(&data, Permissions::from_mode(0o755)).expect("a mode can be set");
    let mut run = run.again(&["-c"]);
    run.ready();
    run.say("more");
    run.approve();
    run.pty.wait_for("finished");
    let reported = run.all_screens().contains("readable by others");
    assert!(reported || open_to_others(&data.join("transcripts")).is_empty());
    let mode = fs::metadata(&data).expect("the folder is there").mode() & 0o777;
    assert!(reported || mode == 0o700, "{mode:o}");
    run.finish();
}
