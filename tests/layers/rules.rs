//! What each layer may name.

use super::reader::{Source, UsedPath};

/// Modules of the crate and their ranks, from the table in `src/lib.rs`.
#[derive(Debug)]
pub struct Ranks(Vec<(String, u32)>);

/// The highest rank whose modules are pure: they get time, files and answers as values.
const HIGHEST_PURE_RANK: u32 = 4;

/// What a pure module never names.
const WORLD: [&[&str]; 11] = [
    &["tokio"],
    &["reqwest"],
    &["rmcp"],
    &["crossterm"],
    &["std", "fs"],
    &["std", "net"],
    &["std", "process"],
    &["std", "env"],
    &["std", "thread"],
    &["Instant", "now"],
    &["SystemTime", "now"],
];

/// Outside crates with a home: only files that begin so may name them.
const HOMES: [(&str, &[&str]); 7] = [
    ("reqwest", &["io/http", "io/auth"]),
    ("rmcp", &["io/mcp", "demo"]),
    ("crossterm", &["io/terminal"]),
    ("ratatui", &["ui", "io/terminal", "app/composer"]),
    ("tui_textarea", &["app/composer", "ui/composer"]),
    ("axum", &["demo"]),
    ("jsonschema", &["agent/schema", "agent/tools/api_schema"]),
];

/// Where serde may be derived.
const SERDE_HOMES: [&str; 4] = ["provider", "transcript/record", "audit", "config"];

impl Ranks {
    /// Reads the rows `| rank | module | …`.
    pub fn parse(lib: &str) -> Self {
        let row = |line: &str| {
            let mut cells = line.strip_prefix("//! |")?.split('|').map(str::trim);
            let rank = cells.next()?.parse().ok()?;
            let module = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
            Some((module.to_owned(), rank))
        };
        Self(lib.lines().filter_map(row).collect())
    }

    /// Returns the rank of a module.
    pub fn of(&self, module: &str) -> Option<u32> {
        let found = self.0.iter().find(|(name, _)| name == module);
        found.map(|(_, rank)| *rank)
    }
}

/// Returns a line for every rule that a file breaks. `file` is its path below `src/`.
pub fn check(ranks: &Ranks, file: &str, source: &Source) -> Vec<String> {
    let module = file.split(['/', '.']).next().unwrap_or_default();
    let report =
        |line: usize, rule: &str, what: &str| format!("src/{file}:{line}: {rule} · {what}");
    let mut broken = Vec::new();
    for path in &source.paths {
        let joined = path.parts.join("::");
        if let Some(why) = too_high(ranks, module, file, path) {
            broken.push(report(path.line, "L1", &format!("`{joined}`: {why}")));
        }
        if is_pure(ranks, module) && !is_test(file, path) && names_world(path) {
            broken.push(report(
                path.line,
                "L2",
                &format!("`{joined}` in a pure module"),
            ));
        }
        if let Some((name, homes)) = away_from_home(file, path) {
            let what = format!("`{joined}`: `{name}` lives in {}", homes.join(", "));
            broken.push(report(path.line, "L3", &what));
        }
        if path.parts.iter().take(2).all(|part| part == "super") && path.parts.len() > 2 {
            broken.push(report(path.line, "L10", "`super::super`; write `crate::…`"));
        }
        if path.public_use && path.parts.last().is_some_and(|part| part == "*") {
            broken.push(report(
                path.line,
                "L10",
                &format!("glob re-export `{joined}`"),
            ));
        }
    }
    for (line, words) in &source.derives {
        let serde = |word: &String| word == "Serialize" || word == "Deserialize";
        if words.iter().any(serde) && !lives_in(file, &SERDE_HOMES) {
            let what = format!("serde is derived only in {}", SERDE_HOMES.join(", "));
            broken.push(report(*line, "L5", &what));
        }
    }
    broken
}

fn too_high(ranks: &Ranks, module: &str, file: &str, path: &UsedPath) -> Option<String> {
    let own = match module {
        "lib" => return None,
        // The program may use everything.
        "main" => u32::MAX,
        _ => ranks.of(module)?,
    };
    let mut parts = path.parts.iter().map(String::as_str);
    let target = match parts.next()? {
        "crate" | "keytide" => parts.next()?,
        // In `src/x.rs` itself `super` is the crate; in its inline modules it is not.
        "super" if !file.contains('/') && path.depth == 0 => parts.next()?,
        _ => return None,
    };
    let rank = ranks.of(target)?;
    let lower = target == module || rank < own;
    (!lower).then(|| format!("`{module}` has rank {own}, `{target}` has rank {rank}"))
}

fn is_pure(ranks: &Ranks, module: &str) -> bool {
    module == "ui"
        || ranks
            .of(module)
            .is_some_and(|rank| rank <= HIGHEST_PURE_RANK)
}

fn is_test(file: &str, path: &UsedPath) -> bool {
    path.in_tests || file.ends_with("/tests.rs") || file.contains("/tests/")
}

fn names_world(path: &UsedPath) -> bool {
    WORLD.iter().any(|banned| {
        let anywhere = banned.last() == Some(&"now");
        let places = if anywhere { path.parts.len() } else { 1 };
        (0..places).any(|skip| {
            path.parts
                .iter()
                .skip(skip)
                .take(banned.len())
                .eq(banned.iter())
        })
    })
}

fn away_from_home(file: &str, path: &UsedPath) -> Option<(&'static str, &'static [&'static str])> {
    let first = path.parts.first()?;
    let (name, homes) = HOMES.into_iter().find(|(name, _)| name == first)?;
    // A test may look at its module from the other side, with a client of its own.
    (!is_test(file, path) && !lives_in(file, homes)).then_some((name, homes))
}

fn lives_in(file: &str, homes: &[&str]) -> bool {
    homes.iter().any(|home| {
        file.strip_prefix(home)
            .is_some_and(|rest| rest.starts_with(['/', '.', '_']))
    })
}
