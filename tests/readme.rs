//! What the README and the architecture page say, compared with the program.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use keytide::app::command::COMMANDS;
use keytide::config::parse::parse;
use keytide::keymap::bindings::table_markdown;

use crate::layers::project;
use crate::support::run::PROGRAM;

fn page(name: &str) -> String {
    fs::read_to_string(project().join(name)).expect("the page is there")
}

#[test]
fn the_key_table_is_that_of_the_program() {
    assert!(
        page("README.md").contains(&table_markdown()),
        "{}",
        table_markdown()
    );
}

#[test]
fn the_slash_commands_are_those_of_the_program() {
    let mut table = String::from("| command | does |\n|---|---|\n");
    for command in COMMANDS {
        let typed = format!("/{} {}", command.name, command.takes);
        let row = format!("| `{}` | {} |\n", typed.trim_end(), command.does);
        table.push_str(&row);
    }
    assert!(page("README.md").contains(&table), "{table}");
}

/// Every `--option` of a text.
fn options(text: &str) -> BTreeSet<String> {
    let ends = |c: char| !(c.is_ascii_lowercase() || c == '-');
    text.match_indices("--")
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c == '-' || c.is_alphanumeric()))
        .filter_map(|(at, _)| text[at..].split(ends).next())
        .filter(|option| option.len() > 3)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_options_are_those_that_help_lists() {
    let help = Command::new(PROGRAM)
        .arg("--help")
        .output()
        .expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("help is UTF-8");
    let readme = page("README.md");
    let (_, rest) = readme
        .split_once("\n## Command line\n")
        .expect("the section is there");
    let (table, _) = rest
        .split_once("| command | does |")
        .expect("the table ends");
    assert_eq!(options(table), options(&help));
}

#[test]
fn every_setting_of_the_commented_file_is_accepted_when_it_is_used() {
    let file = page("assets/config.toml");
    // A comment that is a setting has a lower-case word and `=`, or a section in brackets.
    let settings = file
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| {
            let word = line.split(" = ").next().unwrap_or_default();
            line.starts_with('[') || line.contains(" = ") && !word.contains(' ')
        });
    let text: String = settings.map(|line| format!("{line}\n")).collect();
    assert!(text.lines().count() > 20, "{text}");
    let config = parse(&text, "config.toml").expect("every setting is known");
    assert_eq!(config.providers.len(), 2);
    assert_eq!(config.redact.keys, ["employee_id"]);
    assert!(!config.keys.is_empty());
}

#[test]
fn every_setting_of_the_readme_is_one_that_is_shown() {
    let readme = page("README.md");
    let shown = Command::new(PROGRAM)
        .args(["--config", "/nowhere", "config", "show"])
        .output()
        .expect("the program starts");
    let shown = String::from_utf8(shown.stdout).expect("it is UTF-8");
    let mut section = String::new();
    for line in shown.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            section = format!("{name}.");
        } else {
            let key = line.split(" = ").next().unwrap_or_default();
            let row = format!("| `{section}{key}` |");
            assert!(readme.contains(&row), "{row}");
        }
    }
}

/// The rows of a page's tables, as cells.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|row| {
            row.trim_end_matches('|')
                .split('|')
                .map(str::trim)
                .collect()
        })
}

#[test]
fn the_rank_table_of_the_architecture_is_that_of_the_crate() {
    let lib = page("src/lib.rs").replace("//! ", "");
    let ranks = |text: &str| -> Vec<String> {
        rows(text)
            .filter(|row| row[0].parse::<u8>().is_ok())
            .map(|row| row.join(" | "))
            .collect()
    };
    assert_eq!(ranks(&page("ARCHITECTURE.md")), ranks(&lib));
}

#[test]
fn every_file_and_test_that_the_architecture_names_is_there() {
    let architecture = page("ARCHITECTURE.md");
    let mut sources = String::new();
    for folder in ["src", "tests"] {
        for path in crate::layers::rust_files(&project().join(folder)) {
            sources.push_str(&fs::read_to_string(path).expect("a source file is UTF-8"));
        }
    }
    let mut tests = 0;
    for word in architecture.split('`').skip(1).step_by(2) {
        let is_file = word.contains('/') && !word.contains(' ');
        if is_file {
            assert!(project().join(word).exists(), "there is no {word}");
        } else if word.matches('_').count() >= 4
            && word
                .chars()
                .all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
        {
            tests += 1;
            assert!(
                sources.contains(&format!("fn {word}(")),
                "there is no test {word}"
            );
        }
    }
    assert!(tests > 10, "{tests} tests are named");
}
