//! The rules of `ARCHITECTURE.md` that a compiler can't check, read from the source of `src/`.

mod reader;
mod rules;

use std::fs;
use std::path::{Path, PathBuf};

use reader::Source;
use rules::{Ranks, check};

/// Returns every Rust file under a folder, sorted.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the folder of the project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn ranks() -> Ranks {
    let lib = fs::read_to_string(project().join("src/lib.rs")).expect("src/lib.rs can be read");
    Ranks::parse(&lib)
}

#[test]
fn every_file_keeps_the_layer_rules() {
    let (ranks, src) = (ranks(), project().join("src"));
    let mut broken = Vec::new();
    for path in rust_files(&src) {
        let text = fs::read_to_string(&path).expect("a source file is UTF-8");
        let name = path.strip_prefix(&src).expect("it lies in src");
        let name = name.to_str().expect("its name is UTF-8").replace('\\', "/");
        broken.extend(check(&ranks, &name, &Source::read(&text)));
    }
    assert!(
        broken.is_empty(),
        "{} rules broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

#[test]
fn the_rank_table_names_every_module_of_the_crate() {
    let lib = fs::read_to_string(project().join("src/lib.rs")).expect("src/lib.rs can be read");
    let ranks = ranks();
    let unranked: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .filter(|module| ranks.of(module).is_none())
        .collect();
    assert_eq!(unranked, Vec::<&str>::new());
}

/// Checks a snippet as if it stood in `src/<file>` and returns the rules it breaks.
fn broken_by(file: &str, text: &str) -> Vec<String> {
    let ranks = Ranks::parse(
        "//! | 0 | `chat` | x |\n//! | 1 | `gate` | x |\n//! | 1 | `redact` | x |\n\
         //! | 2 | `agent` | x |\n//! | 4 | `app` | x |\n//! | 5 | `ui` | x |\n//! | 5 | `io` | x |\n\
         //! | 5 | `demo` | x |\n//! | 6 | `run` | x |\n",
    );
    let mut broken: Vec<String> = check(&ranks, file, &Source::read(text))
        .iter()
        .map(|line| line.split(" · ").next().unwrap_or_default().to_owned())
        .collect();
    broken.dedup();
    broken
}

#[test]
fn a_module_that_imports_its_own_rank_or_a_higher_one_is_named_with_its_line() {
    for (file, text, rules) in [
        (
            "gate.rs",
            "\nuse crate::redact::Redactor;",
            vec!["src/gate.rs:2: L1"],
        ),
        ("gate.rs", "use crate::chat::id::ToolName;", vec![]),
        ("gate/arming.rs", "use crate::gate::Gate;", vec![]),
        (
            "ui/gate.rs",
            "fn f() {\n crate::io::x(); }",
            vec!["src/ui/gate.rs:2: L1"],
        ),
        (
            "io.rs",
            "use crate::{app::App, ui::{self, view}};",
            vec!["src/io.rs:1: L1"],
        ),
        (
            "gate.rs",
            "use super::run::Loop;",
            vec!["src/gate.rs:1: L1"],
        ),
        (
            "chat.rs",
            "pub(crate) use crate::app::X;",
            vec!["src/chat.rs:1: L1"],
        ),
        ("main.rs", "use keytide::run;", vec![]),
        (
            "gate.rs",
            "// use crate::run::X;\n/* crate::ui */ const A: &str = \"crate::io\";",
            vec![],
        ),
        (
            "gate.rs",
            "const A: &str = r#\"\" crate::io \"#; const B: char = '\"'; use crate::ui;",
            vec!["src/gate.rs:1: L1"],
        ),
        (
            "gate.rs",
            "fn f<'a>(x: &'a str) { crate::io::f(x) }",
            vec!["src/gate.rs:1: L1"],
        ),
    ] {
        assert_eq!(broken_by(file, text), rules, "{file}: {text}");
    }
}

#[test]
fn a_pure_module_that_reaches_for_the_world_is_named() {
    for (file, text, rules) in [
        ("app.rs", "use std::{fmt, fs};", vec!["src/app.rs:1: L2"]),
        (
            "app.rs",
            "use std::time::Duration;\nfn f() { Instant::now(); }",
            vec!["src/app.rs:2: L2"],
        ),
        (
            "gate.rs",
            "fn f() { let _ = ::std::env::var(\"A\"); }",
            vec!["src/gate.rs:1: L2"],
        ),
        (
            "chat.rs",
            "async fn f() { tokio::task::yield_now().await }",
            vec!["src/chat.rs:1: L2"],
        ),
        (
            "ui.rs",
            "use ratatui::Frame; use std::thread;",
            vec!["src/ui.rs:1: L2"],
        ),
        (
            "io/clock.rs",
            "fn f() { std::time::SystemTime::now(); }",
            vec![],
        ),
        ("app.rs", "#[cfg(test)]\nmod tests { use std::fs; }", vec![]),
        ("app/tests.rs", "use std::fs;", vec![]),
        (
            "app.rs",
            "#[cfg(test)]\nmod tests;\nuse std::fs;",
            vec!["src/app.rs:3: L2"],
        ),
    ] {
        assert_eq!(broken_by(file, text), rules, "{file}: {text}");
    }
}

#[test]
fn an_outside_crate_away_from_home_is_named() {
    for (file, text, rules) in [
        (
            "io/store.rs",
            "use reqwest::Client;",
            vec!["src/io/store.rs:1: L3"],
        ),
        ("io/http/proxy.rs", "use reqwest::Client;", vec![]),
        ("io/mcp/call.rs", "use rmcp::model::Tool;", vec![]),
        ("run.rs", "use crossterm::event;", vec!["src/run.rs:1: L3"]),
        ("app/composer.rs", "use tui_textarea::TextArea;", vec![]),
        (
            "app/scroll.rs",
            "use ratatui::layout::Rect;",
            vec!["src/app/scroll.rs:1: L3"],
        ),
        (
            "io/http.rs",
            "use axum::Router;",
            vec!["src/io/http.rs:1: L3"],
        ),
        ("demo/model.rs", "use axum::Router;", vec![]),
        ("agent/schema.rs", "use jsonschema::Validator;", vec![]),
        (
            "gate/edit.rs",
            "use jsonschema::Validator;",
            vec!["src/gate/edit.rs:1: L3"],
        ),
    ] {
        assert_eq!(broken_by(file, text), rules, "{file}: {text}");
    }
}

#[test]
fn serde_derives_glob_reexports_and_climbing_paths_are_named() {
    for (file, text, rules) in [
        (
            "chat/id.rs",
            "#[derive(Debug, serde::Serialize)]\nstruct A;",
            vec!["src/chat/id.rs:1: L5"],
        ),
        (
            "chat/id.rs",
            "#[derive(\n Debug,\n Deserialize)]\nstruct A;",
            vec!["src/chat/id.rs:1: L5"],
        ),
        (
            "config/server.rs",
            "#[derive(Deserialize)] struct A;",
            vec![],
        ),
        (
            "ui/a.rs",
            "use super::super::theme;",
            vec!["src/ui/a.rs:1: L10"],
        ),
        ("ui/a.rs", "pub use theme::*;", vec!["src/ui/a.rs:1: L10"]),
        (
            "ui/a.rs",
            "pub(crate) use theme::{Theme, shade::*};",
            vec!["src/ui/a.rs:1: L10"],
        ),
        ("ui/a.rs", "use ratatui::prelude::*;", vec![]),
    ] {
        assert_eq!(broken_by(file, text), rules, "{file}: {text}");
    }
}
