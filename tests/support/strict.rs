//! STRICT: refuses what the real service refuses. Each rule is named as it is broken.

mod blocks;
mod history;
#[cfg(test)]
mod tests;
mod tools;

use serde_json::Value;

/// The validator, and what it remembers of its own replies.
#[derive(Debug, Default)]
pub struct Strict {
    /// The blocks of each reply that was sent, in order.
    pub sent: Vec<Vec<Value>>,
    /// Every rule that was broken.
    pub refusals: Vec<String>,
    /// What is odd but allowed.
    pub warnings: Vec<String>,
}

/// A rule that is broken, in words.
type Broken = String;

/// What a request may hold at its top.
const FIELDS: [&str; 24] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "output_config",
    "stop_sequences",
    "stream",
    "metadata",
    "service_tier",
    "speed",
    "cache_control",
    "container",
    "diagnostics",
    "inference_geo",
    "context_management",
    "compaction",
    "thread",
    "fallbacks",
    "fallback_credit_token",
    "mcp_servers",
    "output_format",
];

impl Strict {
    /// Looks at the body of a request.
    pub fn check(&mut self, body: &[u8]) -> Result<(), Broken> {
        let mut warnings = Vec::new();
        let verdict = self.verdict(body, &mut warnings);
        self.warnings.append(&mut warnings);
        if let Err(rule) = &verdict {
            self.refusals.push(rule.clone());
        }
        verdict
    }

    fn verdict(&self, body: &[u8], warnings: &mut Vec<String>) -> Result<(), Broken> {
        let text = std::str::from_utf8(body).map_err(|error| format!("body not UTF-8: {error}"))?;
        // A lone surrogate escape is an error of this parser too.
        let request: Value =
            serde_json::from_str(text).map_err(|error| format!("body not JSON: {error}"))?;
        top_level(&request)?;
        tools::check(&request, warnings)?;
        let messages = request["messages"]
            .as_array()
            .ok_or("messages: not a list")?;
        blocks::check_all(&request, messages)?;
        history::check_roles(messages)?;
        history::check_pairs(messages)?;
        history::check_reasoning(messages, &self.sent)?;
        if request.get("tools").is_none() && history::holds_tools(messages) {
            warnings.push("history holds tool blocks but `tools` is absent".to_owned());
        }
        Ok(())
    }
}

/// Says `rule` unless it holds.
fn require(holds: bool, rule: impl Into<String>) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(rule.into()) }
}

/// Refuses keys that the service doesn't know.
fn only_keys(object: &Value, allowed: &[&str], place: &str) -> Result<(), Broken> {
    let object = object
        .as_object()
        .ok_or_else(|| format!("{place}: not an object"))?;
    match object.keys().find(|key| !allowed.contains(&key.as_str())) {
        Some(key) => Err(format!("{place}.{key}: extra inputs are not permitted")),
        None => Ok(()),
    }
}

fn top_level(request: &Value) -> Result<(), Broken> {
    only_keys(request, &FIELDS, "request")?;
    let model = request["model"].as_str().unwrap_or_default();
    require(!model.is_empty(), "model: field required")?;
    require(
        request["max_tokens"].as_u64() >= Some(1),
        "max_tokens: must be at least 1",
    )?;
    let absent_or_text = |key: &str| {
        let value = &request[key];
        value.is_null() || value.is_string() || value.is_array()
    };
    require(absent_or_text("system"), "system: not text or blocks")?;
    require(
        request["stop_sequences"].is_null() || request["stop_sequences"].is_array(),
        "stop_sequences: not a list",
    )?;
    let points = breakpoints(request);
    require(
        points <= 4,
        format!("cache_control: {points} breakpoints, at most 4"),
    )
}

/// Counts the cache breakpoints where the service looks for them: not inside a tool's schema and
/// not inside the input of a call.
fn breakpoints(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = fields
                .get("cache_control")
                .is_some_and(|mark| !mark.is_null());
            let inner = fields
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "input_schema" | "input"));
            usize::from(own) + inner.map(|(_, inner)| breakpoints(inner)).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(breakpoints).sum(),
        _ => 0,
    }
}
