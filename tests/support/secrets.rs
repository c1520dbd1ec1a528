//! Searches for secrets where none may be: on screens, in bytes, in files.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A random mark of twelve letters and digits.
pub fn mark() -> String {
    let random = uuid::Uuid::now_v7().simple().to_string();
    // The end of such an id is random, its beginning is the time.
    format!("Q{}", random.chars().rev().take(11).collect::<String>())
}

/// The forms in which a mark is looked for: whole and its first six characters, as it is and in
/// base64 at each of the three places it can begin at. Letters and digits look the same in JSON and
/// in percent form; an escaped form of each character is looked for too.
fn forms(mark: &str) -> Vec<String> {
    let head: String = mark.chars().take(6).collect();
    let escaped: String = mark
        .chars()
        .map(|c| format!("\\u{:04x}", u32::from(c)))
        .collect();
    let percent: String = mark.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let encoded = (0..3).map(|shift| {
        let text = STANDARD.encode(format!("{}{mark}", "x".repeat(shift)));
        // The first and the last group also hold neighbours.
        text.chars().skip(4).take(12).collect()
    });
    [mark.to_owned(), head, escaped, percent]
        .into_iter()
        .chain(encoded)
        .collect()
}

/// Returns each mark that a text holds.
pub fn found_in<'a>(marks: &[&'a str], text: &str) -> Vec<&'a str> {
    let holds = |mark: &&&str| forms(mark).iter().any(|form| text.contains(form));
    marks.iter().filter(holds).copied().collect()
}

/// Returns each file below these folders that holds a mark, with the mark. Links are not followed
/// and pipes are not read.
pub fn found_on_disk(marks: &[&str], folders: &[&Path]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let bytes = fs::read(&file).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let inside = found_in(marks, &text).into_iter().map(str::to_owned);
        found.extend(inside.map(|mark| (file.clone(), mark)));
    }
    found
}

/// Every plain file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => out.extend(files(&entry.path())),
            Ok(kind) if kind.is_file() => out.push(entry.path()),
            _ => {}
        }
    }
    out.sort();
    out
}

#[test]
fn a_mark_is_found_in_every_form() {
    let mark = "Q1b2c3d4e5f6";
    for text in [
        "x Q1b2c3d4e5f6 y".to_owned(),
        "only Q1b2c3".to_owned(),
        STANDARD.encode("password=Q1b2c3d4e5f6&x"),
        STANDARD.encode("assword=Q1b2c3d4e5f6&x"),
        STANDARD.encode("ssword=Q1b2c3d4e5f6&x"),
    ] {
        assert_eq!(found_in(&[mark], &text), [mark], "{text}");
    }
    assert_eq!(
        found_in(&[mark], "Q1b2c and nothing more"),
        Vec::<&str>::new()
    );
}
