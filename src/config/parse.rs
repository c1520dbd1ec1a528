//! From the text of `config.toml` to the configuration.

mod keys;
mod provider;
mod section;
#[cfg(test)]
mod tests;

use crate::chat::moment::Millis;
use crate::config::error::{ConfigError, Problem};
use crate::config::parse::section::{Item, Reader, Section};
use crate::config::{Config, GateSettings, Limits, ModelChoice};
use crate::redact::{RedactRules, Redactor};

/// The gate waits at least this long for a pause in typing.
const LEAST_QUIET: u64 = 200;
/// A smaller reply is cut before it says anything: thinking and text share the number.
const LEAST_TOKENS: u32 = 16_000;
/// The looks there are.
const THEMES: &[&str] = &["auto", "dark", "light", "none"];

/// Reads a configuration. `file` is how the person knows it, for messages.
///
/// # Errors
///
/// Everything that is wrong with it, by line: syntax, unknown keys, wrong types, values out of
/// range, patterns that don't compile, key bindings that can't be.
pub fn parse(text: &str, file: &str) -> Result<Config, ConfigError> {
    let mut reader = Reader::new(text);
    let config = match toml::de::DeTable::parse(text) {
        Ok(table) => config(Section::root(table.get_ref()), &mut reader),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            reader.problem(at, format!("this is not TOML: {}", error.message()));
            Config::default()
        }
    };
    let problems = reader.into_problems();
    if problems.is_empty() {
        Ok(config)
    } else {
        Err(ConfigError {
            file: file.to_owned(),
            problems,
        })
    }
}

/// Raises a limit on tokens to the least that makes sense.
pub fn enough_tokens(asked: u32) -> u32 {
    asked.max(LEAST_TOKENS)
}

fn config(mut root: Section<'_>, reader: &mut Reader<'_>) -> Config {
    let mut config = Config::default();
    let model = root.take("model");
    if let Some(effort) = root.take("effort").and_then(|item| reader.word(&item)) {
        config.effort = Some(effort);
    }
    if let Some(theme) = root.take("theme").and_then(|item| theme(&item, reader)) {
        config.theme = theme;
    }
    if let Some(section) = root.take("provider").and_then(|i| reader.section(&i)) {
        config.providers = provider::entries(&section, reader);
    }
    if let Some(section) = root.take("limits").and_then(|i| reader.section(&i)) {
        config.limits = limits(section, reader);
    }
    if let Some(section) = root.take("gate").and_then(|i| reader.section(&i)) {
        config.gate = gate(section, reader);
    }
    if let Some(section) = root.take("redact").and_then(|i| reader.section(&i)) {
        config.redact = redact(section, reader);
    }
    if let Some(section) = root.take("keys").and_then(|i| reader.section(&i)) {
        config.keys = keys::bindings(&section, reader);
    }
    if let Some(choice) = model.and_then(|item| model_choice(&item, &config, reader)) {
        config.model = choice;
    }
    root.finish(reader);
    config
}

fn model_choice(item: &Item<'_>, config: &Config, reader: &mut Reader<'_>) -> Option<ModelChoice> {
    let text = reader.word(item)?;
    let own: Vec<&str> = config.providers.iter().map(|p| p.name.as_str()).collect();
    match ModelChoice::parse(&text, &config.model.provider, &own) {
        Ok(choice) => Some(choice),
        Err(error) => {
            reader.problem(item.at, error.to_string());
            None
        }
    }
}

fn theme(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<String> {
    let theme = reader.word(item)?;
    if THEMES.contains(&theme.as_str()) {
        return Some(theme);
    }
    let text = format!(
        "there is no theme `{theme}`; there are {}",
        THEMES.join(", ")
    );
    reader.problem(item.at, text);
    None
}

fn limits(mut section: Section<'_>, reader: &mut Reader<'_>) -> Limits {
    let mut limits = Limits::default();
    let mut number = |key, section: &mut Section<'_>| {
        let item = section.take(key)?;
        reader.number(&item, 1, u64::from(u32::MAX))
    };
    if let Some(tokens) = number("max_tokens", &mut section) {
        limits.max_tokens = enough_tokens(u32::try_from(tokens).unwrap_or(u32::MAX));
    }
    if let Some(turns) = number("max_turns", &mut section) {
        limits.max_turns = u32::try_from(turns).unwrap_or(u32::MAX);
    }
    if let Some(seconds) = number("tool_idle_seconds", &mut section) {
        limits.tool_idle = Millis::from_secs(seconds);
    }
    if let Some(seconds) = number("tool_total_seconds", &mut section) {
        limits.tool_total = Millis::from_secs(seconds);
    }
    if let Some(seconds) = number("stream_idle_seconds", &mut section) {
        limits.stream_idle = Millis::from_secs(seconds);
    }
    if let Some(bytes) = number("result_bytes", &mut section) {
        limits.result_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    }
    section.finish(reader);
    limits
}

fn gate(mut section: Section<'_>, reader: &mut Reader<'_>) -> GateSettings {
    let mut gate = Config::default().gate;
    if let Some(item) = section.take("quiet_ms")
        && let Some(quiet) = reader.number(&item, LEAST_QUIET, 60_000)
    {
        gate.quiet = Millis(quiet);
    }
    section.finish(reader);
    gate
}

fn redact(mut section: Section<'_>, reader: &mut Reader<'_>) -> RedactRules {
    let mut rules = RedactRules::default();
    if let Some(item) = section.take("keys") {
        rules.keys = reader
            .words(&item)
            .into_iter()
            .map(|(_, key)| key)
            .collect();
    }
    if let Some(item) = section.take("patterns") {
        for (at, pattern) in reader.words(&item) {
            let alone = RedactRules {
                patterns: vec![pattern],
                ..RedactRules::default()
            };
            match Redactor::new(&alone) {
                Ok(_) => rules.patterns.extend(alone.patterns),
                Err(error) => reader.problem(at, error.to_string()),
            }
        }
    }
    section.finish(reader);
    rules
}

impl Reader<'_> {
    fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems;
        problems.sort_by_key(|problem| problem.line);
        problems
    }
}
