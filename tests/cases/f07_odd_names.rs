//! F07: whatever a conversation begins with, it has its own file and is found again; odd neighbours
//! in the folder harm nobody.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::reply::say;
use crate::support::run::Stage;

#[test]
fn each_title_has_its_own_file_and_is_found_by_it() {
    let stage = Stage::new([]);
    let long = "long".repeat(75);
    let titles = [
        "мой-проект",
        "проект мой",
        "TEST",
        "test",
        "../x",
        "a/b",
        ".",
        "con",
        &long,
        "-rf",
        "🦀",
        "two\nlines",
        "red \u{1b}[31m",
    ];
    for title in titles {
        // The prompt comes on standard input: some of these look like options.
        let output = stage.run(&["-p"], title);
        assert_eq!(output.code, Some(0), "{title:?}: {output:?}");
    }
    let files = stage.home.transcripts();
    assert_eq!(files.len(), titles.len(), "{files:?}");
    let listed = stage.run(&["transcripts", "list"], "");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    for title in [
        "мой-проект",
        "проект мой",
        "TEST",
        "test",
        "../x",
        "a/b",
        "con",
        "-rf",
        "🦀",
    ] {
        assert!(
            listed.stdout.contains(title),
            "{title} is not listed:\n{}",
            listed.stdout
        );
    }
    assert!(!listed.stdout.contains("\u{1b}[31m"), "{}", listed.stdout);
    let outside = stage.home.path().join("data");
    let names: Vec<_> = fs::read_dir(outside)
        .expect("it is there")
        .flatten()
        .collect();
    assert_eq!(
        names.len(),
        1,
        "something was written beside the data folder: {names:?}"
    );
}

#[test]
fn foreign_things_in_the_folder_are_passed_over() {
    let mut run = Stage::new([say("first answer")]).start(&[]);
    run.ready();
    run.say("first question");
    run.pty.wait_for("first answer");
    run.end_by_quitting();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let folder = file.parent().expect("it lies in a folder").to_owned();
    fs::create_dir(folder.join("x.jsonl")).expect("a folder is made");
    mknodat(
        CWD,
        folder.join("pipe.jsonl"),
        FileType::Fifo,
        Mode::RWXU,
        0,
    )
    .expect("a pipe is made");
    symlink("/nowhere/at/all", folder.join("dangling.jsonl")).expect("a link is made");
    fs::write(folder.join("foreign.jsonl"), "{\"name\":\"package\"}\n").expect("a file is made");
    fs::write(folder.join("foreign.json"), "{}").expect("a file is made");
    fs::write(folder.join(".DS_Store"), "\0\0\0\u{1}Bud1").expect("a file is made");
    let hidden = folder.join("unreadable.jsonl");
    fs::write(&hidden, "{}").expect("a file is made");
    fs::set_permissions(&hidden, fs::Permissions::from_mode(0o000)).expect("a mode is set");
    let listed = run.stage.run(&["transcripts", "list"], "");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.stdout.contains("first question"), "{listed:?}");
    let mut run = run.again(&["-r"]);
    run.pty.wait_for("first question");
    run.pty.send("\x1b");
    run.finish();
}
