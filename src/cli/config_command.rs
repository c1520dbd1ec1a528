//! `keytide config path|show|init|check`.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::cli::invocation::ConfigCommand;
use crate::config::error::{ConfigError, Problem};
use crate::config::parse::parse;
use crate::config::{Config, ProviderEntry, utf8};

/// The file that `init` writes: every setting, commented out.
pub const DEFAULT_FILE: &str = include_str!("../../assets/config.toml");

/// What a command prints, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// For stdout.
    pub out: String,
    /// For stderr.
    pub err: String,
    /// The exit code.
    pub code: u8,
}

/// Runs one of the commands on a configuration file.
pub fn run(command: ConfigCommand, file: &Path) -> Answer {
    match command {
        ConfigCommand::Path => done(format!("{}\n", file.display())),
        ConfigCommand::Show => answer(load(file), |config| show(&config)),
        ConfigCommand::Init => init(file),
        ConfigCommand::Check => answer(load(file), |_| format!("{} is right.\n", file.display())),
    }
}

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is wrong.
    #[error(transparent)]
    Wrong(#[from] ConfigError),
    /// It can't be read.
    #[error("{file} can't be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
}

/// Reads a configuration file; one that doesn't exist is the defaults.
pub fn load(file: &Path) -> Result<Config, LoadError> {
    let name = file.display().to_string();
    match fs::read(file) {
        Ok(bytes) => read(bytes, name),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
        Err(error) => Err(LoadError::Unreadable {
            file: name,
            reason: error.to_string(),
        }),
    }
}

/// Reads a configuration file that was asked for by name, which therefore has to exist.
pub fn load_named(file: &Path) -> Result<Config, LoadError> {
    if file.exists() {
        return load(file);
    }
    Err(LoadError::Unreadable {
        file: file.display().to_string(),
        reason: "there is no such file".to_owned(),
    })
}

fn read(bytes: Vec<u8>, name: String) -> Result<Config, LoadError> {
    match utf8::text(bytes) {
        Ok(text) => Ok(parse(&text, &name)?),
        Err(line) => Err(LoadError::Wrong(ConfigError {
            file: name,
            problems: vec![Problem {
                line,
                text: "this is not UTF-8 text".to_owned(),
            }],
        })),
    }
}

fn init(file: &Path) -> Answer {
    match write_new(file) {
        Ok(()) => done(format!("Wrote {}.\n", file.display())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => failed(
            1,
            &format!("{} is there already; nothing was changed.", file.display()),
        ),
        Err(error) => failed(1, &format!("{} can't be written: {error}.", file.display())),
    }
}

fn write_new(file: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)?;
    file.write_all(DEFAULT_FILE.as_bytes())
}

/// Writes a configuration down as `config.toml` would have it. It holds no secrets: keys are named
/// by variable or command.
pub fn show(config: &Config) -> String {
    let mut text = String::new();
    let limits = &config.limits;
    let model = format!("{}/{}", config.model.provider, config.model.model);
    line(&mut text, "model", quoted(&model));
    if let Some(effort) = &config.effort {
        line(&mut text, "effort", quoted(effort));
    }
    line(&mut text, "theme", quoted(&config.theme));
    for provider in &config.providers {
        show_provider(&mut text, provider);
    }
    text.push_str("\n[limits]\n");
    line(&mut text, "max_tokens", limits.max_tokens);
    line(&mut text, "max_turns", limits.max_turns);
    line(&mut text, "tool_idle_seconds", limits.tool_idle.as_secs());
    line(&mut text, "tool_total_seconds", limits.tool_total.as_secs());
    line(
        &mut text,
        "stream_idle_seconds",
        limits.stream_idle.as_secs(),
    );
    line(&mut text, "result_bytes", limits.result_bytes);
    text.push_str("\n[gate]\n");
    line(&mut text, "quiet_ms", config.gate.quiet.0);
    text.push_str("\n[redact]\n");
    line(&mut text, "keys", list(&config.redact.keys));
    line(&mut text, "patterns", list(&config.redact.patterns));
    text.push_str("\n[keys]\n");
    let mut names: Vec<&str> = config.keys.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    for name in names {
        let keys = config.keys.iter().filter(|(other, _)| other == name);
        let keys: Vec<String> = keys.map(|(_, key)| key.clone()).collect();
        line(&mut text, &quoted(name), list(&keys));
    }
    text
}

fn show_provider(text: &mut String, provider: &ProviderEntry) {
    text.push_str("\n[provider.");
    text.push_str(&quoted(&provider.name));
    text.push_str("]\n");
    line(text, "wire", quoted(&provider.wire));
    if let Some(address) = &provider.base_url {
        line(text, "base_url", quoted(address));
    }
    if let Some(variable) = &provider.api_key_env {
        line(text, "api_key_env", quoted(variable));
    }
    if !provider.api_key_command.is_empty() {
        line(text, "api_key_command", list(&provider.api_key_command));
    }
}

fn line(text: &mut String, key: &str, value: impl std::fmt::Display) {
    // Writing to a String can't fail.
    writeln!(text, "{key} = {value}").ok();
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

fn answer(loaded: Result<Config, LoadError>, text: impl FnOnce(Config) -> String) -> Answer {
    match loaded {
        Ok(config) => done(text(config)),
        Err(error) => failed(3, &error.to_string()),
    }
}

fn done(out: String) -> Answer {
    Answer {
        out,
        err: String::new(),
        code: 0,
    }
}

fn failed(code: u8, text: &str) -> Answer {
    Answer {
        out: String::new(),
        err: format!("{text}\n"),
        code,
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_FILE, load_named, run, show};
    use crate::cli::invocation::ConfigCommand;
    use crate::config::Config;
    use crate::config::parse::parse;

    #[test]
    fn what_is_shown_reads_back_as_the_same_configuration() {
        let text = "model = \"own/m\"\neffort = \"low\"\n[provider.own]\nwire = \"openai-chat\"\n\
                    base_url = \"http://h/v1\"\napi_key_command = [\"a\", \"b \\\"c\"]\n\
                    [redact]\npatterns = ['A\\d']\n[keys]\n\"gate.run\" = [\"a\", \"F9\"]\n";
        for text in [text, ""] {
            let config = parse(text, "x").unwrap();
            assert_eq!(parse(&show(&config), "shown"), Ok(config));
        }
    }

    #[test]
    fn init_writes_a_private_file_once_and_check_finds_it_right() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/config.toml");
        assert_eq!(run(ConfigCommand::Init, &file).code, 0);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), DEFAULT_FILE);
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(run(ConfigCommand::Init, &file).code, 1);
        assert_eq!(run(ConfigCommand::Check, &file).code, 0);
    }

    #[test]
    fn a_wrong_file_ends_with_3_and_names_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "\nnope = 1\n").unwrap();
        let answer = run(ConfigCommand::Check, &file);
        assert_eq!(answer.code, 3);
        assert!(answer.err.contains("config.toml:2: unknown key `nope`"));
    }

    #[test]
    fn a_file_in_another_encoding_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, b"theme = 'dark'\n# \xe4\n").unwrap();
        let answer = run(ConfigCommand::Check, &file);
        assert_eq!(answer.code, 3);
        assert!(
            answer.err.contains("config.toml:2: this is not UTF-8"),
            "{}",
            answer.err
        );
    }

    #[test]
    fn a_configuration_that_was_named_has_to_exist() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("mistyped.toml");
        assert!(load_named(&missing).is_err());
        std::fs::write(&missing, "").unwrap();
        assert_eq!(load_named(&missing).unwrap(), Config::default());
    }

    #[test]
    fn without_a_file_the_defaults_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let answer = run(ConfigCommand::Show, &folder.path().join("config.toml"));
        assert_eq!(answer.out, show(&Config::default()));
    }
}
