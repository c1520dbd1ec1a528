//! F10: nothing is written through a link that somebody planted, and a person's own links stay links.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

use crate::support::pty::Ended;
use crate::support::reply::say;
use crate::support::run::{Run, Stage};

fn one_turn(stage: Stage, arguments: &[&str]) -> Run {
    stage.api.then(say("first answer"));
    let mut run = stage.start(arguments);
    run.ready();
    run.say("first question");
    run.pty.wait_for("first answer");
    run
}

/// Plants something at every file that a run writes; the victim must stay as it is.
fn victim_is_safe(plant: fn(&Path, &Path)) {
    // The names are learned from a run in the same folders.
    let mut run = one_turn(Stage::new([]), &["--debug"]);
    run.end_by_quitting();
    let home = &run.stage.home;
    let victim = home.path().join("victim");
    fs::write(&victim, "precious\n").expect("a file is written");
    let state = home.path().join("state/keytide");
    let mut written = Vec::new();
    for folder in [home.data(), state] {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                written.push(entry.path());
            }
        }
    }
    for file in written {
        fs::remove_file(&file).expect("it can be removed");
        plant(&victim, &file);
    }
    let mut run = run.again(&["--debug"]);
    // It may refuse to start, but not without a word and not with success.
    let ended = run.pty.wait_end(Duration::from_secs(2));
    if ended.is_none() {
        run.ready();
        run.say("second question");
        run.pty.wait_for_line("done");
        run.end_by_quitting();
    }
    assert!(matches!(ended, None | Some(Ended::Code(1..))), "{ended:?}");
    assert_eq!(
        fs::read_to_string(&victim).expect("it is there"),
        "precious\n"
    );
}

#[test]
fn a_planted_symbolic_link_is_not_written_through() {
    victim_is_safe(|victim, file| symlink(victim, file).expect("a link is made"));
}

#[test]
fn a_planted_hard_link_is_not_written_through() {
    victim_is_safe(|victim, file| fs::hard_link(victim, file).expect("a link is made"));
}

#[test]
fn a_data_folder_that_is_a_persons_own_link_works_and_stays_a_link() {
    let stage = Stage::new([]);
    let real = stage.home.path().join("elsewhere");
    fs::create_dir(&real).expect("a folder is made");
    symlink(&real, stage.home.data()).expect("a link is made");
    let config = stage.home.path().join("my-config.toml");
    fs::write(&config, "effort = \"high\"\n").expect("a file is written");
    symlink(&config, stage.home.config().join("config.toml")).expect("a link is made");
    let mut run = one_turn(stage, &[]);
    run.end_by_quitting();
    let home = &run.stage.home;
    for link in [home.data(), home.config().join("config.toml")] {
        assert!(
            fs::symlink_metadata(&link).is_ok_and(|data| data.is_symlink()),
            "{link:?}"
        );
    }
    assert!(real.join("transcripts").is_dir());
    run.judge();
}

#[test]
fn a_data_folder_that_everybody_can_write_is_tightened_or_refused() {
    let stage = Stage::new([]);
    let data = stage.home.data();
    fs::create_dir(&data).expect("a folder is made");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o777)).expect("a mode is set");
    let run = one_turn(stage, &[]);
    let mode = fs::metadata(&data)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777;
    let told = run.all_screens().to_lowercase().contains("others");
    assert!(mode == 0o700 || told, "{mode:o}");
    run.finish();
}
