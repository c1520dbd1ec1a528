//! How a request is written: the body of `POST /v1/messages`.
//!
//! The order of keys never changes, and blocks of the model are written as the text that they came
//! in: the prompt cache and the signatures of thinking depend on every byte.

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::chat::request::{LEAST_MAX_TOKENS, ModelRequest};
use crate::chat::tool::ToolSpec;
use crate::provider::EncodeError;
use crate::provider::anthropic::breakpoint::{CacheControl, set_breakpoints};
use crate::provider::anthropic::message::WireMessage;
use crate::provider::anthropic::thinking::ThinkingConfig;
use crate::provider::catalog::{Catalog, ModelFacts};

/// The largest body that the service takes, in bytes.
const LARGEST_BODY: usize = 32 * 1024 * 1024;

#[derive(Debug, Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<[SystemText<'a>; 1]>,
    messages: Vec<WireMessage<'a>>,
}

#[derive(Debug, Serialize)]
struct OutputConfig<'a> {
    effort: &'a str,
}

#[derive(Debug, Serialize)]
struct WireTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Debug, Serialize)]
struct SystemText<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    cache_control: CacheControl,
}

/// Writes the body of a request.
pub(super) fn body(request: &ModelRequest) -> Result<Vec<u8>, EncodeError> {
    let setup = &request.setup;
    let facts = Catalog::builtin().model_or_fallback(&setup.model);
    let max_tokens = max_tokens(setup.max_tokens, &facts);
    let system = setup
        .system
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let mut messages: Vec<WireMessage<'_>> = request
        .history
        .messages()
        .iter()
        .filter_map(|message| WireMessage::of(message))
        .collect();
    set_breakpoints(&mut messages);
    let body = Body {
        model: &setup.model,
        max_tokens,
        stream: true,
        thinking: ThinkingConfig::of(&facts, max_tokens),
        output_config: effort(setup.effort.as_deref(), &facts),
        tools: tools(&setup.tools, system.is_none()),
        system: system.map(system_text),
        messages,
    };
    let bytes =
        serde_json::to_vec(&body).map_err(|error| EncodeError::NotJson(error.to_string()))?;
    within_limit(bytes, LARGEST_BODY)
}

/// A body too large is refused here: the service would close the connection while it is sent, and
/// that looks like a fault of the network, which is tried again.
fn within_limit(body: Vec<u8>, limit: usize) -> Result<Vec<u8>, EncodeError> {
    let bytes = body.len();
    if bytes > limit {
        Err(EncodeError::TooLarge { bytes, limit })
    } else {
        Ok(body)
    }
}

/// Thinking and text share this limit, so it is never small; the model's own limit is the most.
fn max_tokens(asked: u32, facts: &ModelFacts) -> u32 {
    asked.max(LEAST_MAX_TOKENS).min(facts.max_output)
}

fn effort<'a>(asked: Option<&'a str>, facts: &ModelFacts) -> Option<OutputConfig<'a>> {
    let effort = asked.filter(|level| facts.takes_effort(level))?;
    Some(OutputConfig { effort })
}

/// Writes the tools in the order given. One breakpoint covers tools and system prompt together, so
/// the last tool has one only where there is no system prompt.
fn tools(specs: &[ToolSpec], is_prefix_end: bool) -> Vec<WireTool<'_>> {
    let last = specs.len().checked_sub(1).filter(|_| is_prefix_end);
    specs
        .iter()
        .enumerate()
        .map(|(at, spec)| WireTool {
            name: spec.name.as_str(),
            description: spec.description.as_deref(),
            input_schema: spec.input_schema.as_raw(),
            cache_control: (Some(at) == last).then(CacheControl::default),
        })
        .collect()
}

fn system_text(text: &str) -> [SystemText<'_>; 1] {
    [SystemText {
        kind: "text",
        text,
        cache_control: CacheControl::default(),
    }]
}
