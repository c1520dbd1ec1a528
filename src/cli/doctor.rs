//! `keytide doctor`: what works here, each line ok, warn or fail with the next step.

use crate::cli::config_command::Answer;

/// What was found out, by whoever may look.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Where the configuration is, or what is wrong with it.
    pub config: Option<Result<String, String>>,
    /// The provider and model that would be used.
    pub model: String,
    /// Where the credentials come from (a variable's name), or what is missing.
    pub credentials: Option<Result<String, String>>,
    /// What the endpoint answered, or why it didn't.
    pub endpoint: Option<Result<String, String>>,
    /// Standard input and output are a terminal.
    pub terminal: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// The size in cells.
    pub size: (u16, u16),
    /// The locale is UTF-8.
    pub utf8: bool,
    /// The folder of the data, or why it can't be written.
    pub data: Option<Result<String, String>>,
    /// The editor's command.
    pub editor: String,
    /// Every configured server, and whether its program or address is there.
    pub servers: Vec<(String, Result<String, String>)>,
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Ok,
    /// Something will be missing.
    Warn,
    /// This doesn't work.
    Fail,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub what: String,
    /// How it went.
    pub state: State,
    /// What was found, and after a fault what to do.
    pub found: String,
}

/// Judges the facts.
pub fn checks(facts: &Facts) -> Vec<Check> {
    let mut checks = Vec::new();
    let told = [
        (
            "configuration",
            &facts.config,
            "Run `keytide config check`.",
        ),
        (
            "credentials",
            &facts.credentials,
            "Set the variable, or try `keytide --demo`.",
        ),
        (
            "endpoint",
            &facts.endpoint,
            "Check the network, the proxy and the base URL.",
        ),
        (
            "data folder",
            &facts.data,
            "Choose another with --data-dir, or keep nothing with --no-save.",
        ),
    ];
    checks.push(check("model", State::Ok, facts.model.clone()));
    for (what, outcome, next) in told {
        if let Some(outcome) = outcome {
            checks.push(outcome_of(what, outcome, State::Fail, next));
        }
    }
    checks.push(terminal(facts));
    if !facts.utf8 {
        let found = "the locale is not UTF-8. Set LANG to one that is, such as C.UTF-8.";
        checks.push(check("characters", State::Warn, found.to_owned()));
    }
    checks.push(check("editor", State::Ok, facts.editor.clone()));
    if facts.servers.is_empty() {
        let found = "none configured. `keytide server.py` starts one, `mcp.json` beside config.toml holds more.";
        checks.push(check("servers", State::Warn, found.to_owned()));
    }
    for (name, outcome) in &facts.servers {
        let what = format!("server {name}");
        let next = "Check its command or address.";
        checks.push(outcome_of(&what, outcome, State::Fail, next));
    }
    checks
}

/// Writes the checks down; the exit code is 1 if one of them failed.
pub fn answer(checks: &[Check]) -> Answer {
    let width = checks.iter().map(|check| check.what.chars().count()).max();
    let width = width.unwrap_or_default();
    let line = |check: &Check| {
        let state = match check.state {
            State::Ok => "ok  ",
            State::Warn => "warn",
            State::Fail => "fail",
        };
        format!("{state}  {:width$}  {}\n", check.what, check.found)
    };
    let failed = checks.iter().any(|check| check.state == State::Fail);
    Answer {
        out: checks.iter().map(line).collect(),
        err: String::new(),
        code: u8::from(failed),
    }
}

fn terminal(facts: &Facts) -> Check {
    let (width, height) = facts.size;
    let term = facts.term.as_deref().unwrap_or("not set");
    let found = format!("TERM {term}, {width}×{height}");
    let (state, next) = if !facts.terminal {
        (
            State::Warn,
            ". Not a terminal: only `keytide -p` works here.",
        )
    } else if term == "dumb" {
        (State::Warn, ". The conversation will be plain.")
    } else if width < 20 || height < 6 {
        (State::Warn, ". Make it at least 20×6.")
    } else {
        (State::Ok, "")
    };
    check("terminal", state, found + next)
}

fn outcome_of(what: &str, outcome: &Result<String, String>, bad: State, next: &str) -> Check {
    match outcome {
        Ok(found) => check(what, State::Ok, found.clone()),
        Err(reason) => {
            let reason = reason.trim_end_matches('.');
            check(what, bad, format!("{reason}. {next}"))
        }
    }
}

fn check(what: &str, state: State, found: String) -> Check {
    Check {
        what: what.to_owned(),
        state,
        found,
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, answer, checks};

    fn healthy() -> Facts {
        Facts {
            config: Some(Ok("/c/config.toml".into())),
            model: "anthropic/claude-opus-5".into(),
            credentials: Some(Ok("ANTHROPIC_API_KEY".into())),
            endpoint: Some(Ok("https://api.anthropic.com".into())),
            terminal: true,
            term: Some("xterm-256color".into()),
            size: (80, 24),
            utf8: true,
            data: Some(Ok("/d".into())),
            editor: "vi".into(),
            servers: vec![("files".into(), Ok("npx".into()))],
        }
    }

    #[test]
    fn when_all_is_well_every_line_says_ok() {
        let answer = answer(&checks(&healthy()));
        assert_eq!(
            answer.out,
            "ok    model          anthropic/claude-opus-5\n\
             ok    configuration  /c/config.toml\n\
             ok    credentials    ANTHROPIC_API_KEY\n\
             ok    endpoint       https://api.anthropic.com\n\
             ok    data folder    /d\n\
             ok    terminal       TERM xterm-256color, 80×24\n\
             ok    editor         vi\n\
             ok    server files   npx\n"
        );
        assert_eq!(answer.code, 0);
    }

    #[test]
    fn a_fault_says_what_to_do_and_ends_with_1() {
        let facts = Facts {
            credentials: Some(Err("ANTHROPIC_API_KEY is not set".into())),
            terminal: false,
            servers: Vec::new(),
            ..healthy()
        };
        let answer = answer(&checks(&facts));
        assert_eq!(answer.code, 1);
        let found: Vec<&str> = answer
            .out
            .lines()
            .filter(|line| !line.starts_with("ok"))
            .collect();
        assert_eq!(
            found,
            [
                "fail  credentials    ANTHROPIC_API_KEY is not set. Set the variable, or try `keytide --demo`.",
                "warn  terminal       TERM xterm-256color, 80×24. Not a terminal: only `keytide -p` works here.",
                "warn  servers        none configured. `keytide server.py` starts one, `mcp.json` beside config.toml holds more.",
            ]
        );
    }
}
