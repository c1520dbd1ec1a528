//! Files stay small: the largest may not grow, and no new one becomes large.

use std::fs;

use crate::layers::{project, rust_files};

/// A file that is not in the table may have this many lines.
const LIMIT: usize = 500;

/// The ten largest files and the number of lines they may have, in steps of 25. Lower a number when
/// its file shrinks; raising one is a decision that shows in the diff.
const LARGEST: [(&str, usize); 10] = [
    ("src/io/http/tests.rs", 500),
    ("tests/support/pty.rs", 500),
    ("src/io/store/tests.rs", 500),
    ("src/provider/anthropic/decode/tests.rs", 475),
    ("src/redact/words.rs", 500),
    ("src/provider/anthropic/encode/tests.rs", 450),
    ("src/app/tests/stage.rs", 450),
    ("src/transcript/replay/tests.rs", 400),
    ("src/agent/calls.rs", 400),
    ("src/app.rs", 400),
];

/// Returns what is wrong with the sizes of these files.
fn too_large(files: &[(String, usize)], largest: &[(&str, usize)]) -> Vec<String> {
    let allowed = |name: &str| {
        let listed = largest.iter().find(|(listed, _)| *listed == name);
        listed.map_or(LIMIT, |(_, lines)| *lines)
    };
    let grown = files.iter().filter(|(name, lines)| *lines > allowed(name));
    let gone = largest
        .iter()
        .filter(|(listed, _)| files.iter().all(|(name, _)| name != listed));
    grown
        .map(|(name, lines)| format!("{name} has {lines} lines, {} are allowed", allowed(name)))
        .chain(gone.map(|(name, _)| format!("{name} is in the table and not in the project")))
        .collect()
}

#[test]
fn no_file_grows_past_its_number_of_lines() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        for path in rust_files(&project().join(folder)) {
            let lines = fs::read_to_string(&path).map_or(0, |text| text.lines().count());
            let name = path
                .strip_prefix(project())
                .expect("it lies in the project");
            files.push((name.display().to_string(), lines));
        }
    }
    let wrong = too_large(&files, &LARGEST);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_listed_file_that_grows_and_a_new_file_that_is_large_are_named() {
    let files = [("src/a.rs".to_owned(), 601), ("src/b.rs".to_owned(), 501)];
    let listed = [("src/a.rs", 600), ("src/gone.rs", 510)];
    assert_eq!(
        too_large(&files, &listed),
        [
            "src/a.rs has 601 lines, 600 are allowed",
            "src/b.rs has 501 lines, 500 are allowed",
            "src/gone.rs is in the table and not in the project",
        ]
    );
}
