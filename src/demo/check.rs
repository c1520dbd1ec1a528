//! What the real service refuses, the demo refuses too: a conversation has to stay valid.

use std::collections::HashSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Signs a thinking block, so that a changed one can be told.
pub(super) fn signature(thinking: &str) -> String {
    use base64::Engine as _;
    let digest = Sha256::digest(format!("keytide demo {thinking}"));
    base64::engine::general_purpose::STANDARD.encode(digest)
}

/// Checks a request.
///
/// # Errors
///
/// The message of the 400, which names the place.
pub(super) fn request(request: &Value) -> Result<(), String> {
    if !request["model"].is_string() {
        return Err("model: field required".to_owned());
    }
    if request["max_tokens"]
        .as_u64()
        .is_none_or(|tokens| tokens == 0)
    {
        return Err("max_tokens: must be a positive integer".to_owned());
    }
    if request["stream"] != Value::Bool(true) {
        return Err("stream: the demo only streams".to_owned());
    }
    tools(&request["tools"])?;
    let Some(messages) = request["messages"]
        .as_array()
        .filter(|list| !list.is_empty())
    else {
        return Err("messages: at least one message is required".to_owned());
    };
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        open = one_message(at, message, &open, &mut seen)?;
    }
    if messages.last().is_some_and(|last| last["role"] != "user") {
        return Err("messages: the conversation must end with a user message".to_owned());
    }
    Ok(())
}

fn tools(tools: &Value) -> Result<(), String> {
    let mut names = HashSet::new();
    for (at, tool) in tools.as_array().into_iter().flatten().enumerate() {
        let name = tool["name"].as_str().unwrap_or_default();
        let fits = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(format!(
                "tools.{at}.name: must match ^[a-zA-Z0-9_-]{{1,64}}$"
            ));
        }
        if !names.insert(name) {
            return Err(format!("tools.{at}.name: tool names must be unique"));
        }
        if tool["input_schema"]["type"] != "object" {
            return Err(format!("tools.{at}.input_schema.type: must be `object`"));
        }
    }
    Ok(())
}

/// Checks a message and returns the calls that the next one has to answer.
fn one_message(
    at: usize,
    message: &Value,
    open: &[String],
    seen: &mut HashSet<String>,
) -> Result<Vec<String>, String> {
    let role = message["role"].as_str().unwrap_or_default();
    let text = message["content"].as_str();
    let empty = Vec::new();
    let blocks = message["content"].as_array().unwrap_or(&empty);
    if text.is_none_or(|text| text.trim().is_empty()) && blocks.is_empty() {
        return Err(format!("messages.{at}.content: must not be empty"));
    }
    for (index, block) in blocks.iter().enumerate() {
        one_block(block).map_err(|reason| format!("messages.{at}.content.{index}: {reason}"))?;
    }
    match role {
        "user" if at == 0 || !open.is_empty() || no_results(blocks) => {
            answers(at, blocks, open)?;
            Ok(Vec::new())
        }
        "user" => Err(format!(
            "messages.{at}: a `tool_result` without its `tool_use` in the message before"
        )),
        "assistant" if at > 0 && open.is_empty() => calls(at, blocks, seen),
        "assistant" if at == 0 => Err("messages.0: the first message must be a user's".to_owned()),
        "assistant" => Err(unanswered(at, open)),
        _ => Err(format!("messages.{at}.role: must be `user` or `assistant`")),
    }
}

fn one_block(block: &Value) -> Result<(), String> {
    match block["type"].as_str() {
        Some("text") if block["text"].as_str().unwrap_or_default().trim().is_empty() => {
            Err("text content blocks must be non-empty".to_owned())
        }
        Some("tool_use") if !block["input"].is_object() => {
            Err("tool_use.input: must be an object".to_owned())
        }
        Some("thinking") => {
            // A block whose text was left out is signed over nothing.
            let thinking = block["thinking"].as_str().unwrap_or_default();
            if block["signature"].as_str() == Some(&signature(thinking)) {
                Ok(())
            } else {
                Err("`thinking` blocks cannot be modified".to_owned())
            }
        }
        Some(_) => Ok(()),
        None => Err("type: field required".to_owned()),
    }
}

fn no_results(blocks: &[Value]) -> bool {
    blocks.iter().all(|block| block["type"] != "tool_result")
}

/// Checks that the results come first and answer every open call once.
fn answers(at: usize, blocks: &[Value], open: &[String]) -> Result<(), String> {
    let is_result = |block: &&Value| block["type"] == "tool_result";
    let first: Vec<&Value> = blocks.iter().take_while(is_result).collect();
    if first.len() != blocks.iter().filter(is_result).count() {
        return Err(format!(
            "messages.{at}: `tool_result` blocks must come first"
        ));
    }
    let mut left: Vec<&str> = open.iter().map(String::as_str).collect();
    for result in first {
        let id = result["tool_use_id"].as_str().unwrap_or_default();
        let Some(place) = left.iter().position(|open| *open == id) else {
            return Err(format!(
                "messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}"
            ));
        };
        left.remove(place);
    }
    if left.is_empty() {
        return Ok(());
    }
    let left: Vec<String> = left.into_iter().map(str::to_owned).collect();
    Err(unanswered(at, &left))
}

fn unanswered(at: usize, open: &[String]) -> String {
    format!(
        "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {}",
        open.join(", ")
    )
}

fn calls(at: usize, blocks: &[Value], seen: &mut HashSet<String>) -> Result<Vec<String>, String> {
    let mut open = Vec::new();
    for call in blocks.iter().filter(|block| block["type"] == "tool_use") {
        let id = call["id"].as_str().unwrap_or_default().to_owned();
        if !seen.insert(id.clone()) {
            return Err(format!("messages.{at}: `tool_use` ids must be unique"));
        }
        open.push(id);
    }
    Ok(open)
}
