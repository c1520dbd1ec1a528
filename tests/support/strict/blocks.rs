//! What each block of a message may hold.

use serde_json::Value;

use super::{Broken, only_keys, require};

/// Checks the system prompt and every block of every message.
pub fn check_all(request: &Value, messages: &[Value]) -> Result<(), Broken> {
    for (i, block) in list(&request["system"]).iter().enumerate() {
        require(
            block["type"] == "text",
            format!("system.{i}: not a text block"),
        )?;
        check(block, &format!("system.{i}"))?;
    }
    for (m, message) in messages.iter().enumerate() {
        let place = format!("messages.{m}");
        only_keys(message, &["role", "content"], &place)?;
        match &message["content"] {
            Value::String(text) => {
                let blank = text.trim().is_empty();
                require(!blank, format!("{place}: text content must be non-empty"))?;
            }
            Value::Array(blocks) => {
                let last = m + 1 == messages.len() && message["role"] == "assistant";
                require(
                    last || !blocks.is_empty(),
                    format!("{place}: empty content"),
                )?;
                for (b, block) in blocks.iter().enumerate() {
                    check(block, &format!("{place}.content.{b}"))?;
                    fits_role(block, &message["role"], &format!("{place}.content.{b}"))?;
                }
            }
            _ => return Err(format!("{place}.content: not text or blocks")),
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the keys that a kind of block may have; none for a kind that is kept as it came.
fn allowed_keys(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "text" => &["type", "text", "citations", "cache_control"],
        "thinking" => &["type", "thinking", "signature"],
        "redacted_thinking" => &["type", "data"],
        "tool_use" => &[
            "type",
            "id",
            "name",
            "input",
            "caller",
            "toolset_name",
            "cache_control",
        ],
        "tool_result" => &[
            "type",
            "tool_use_id",
            "content",
            "is_error",
            "toolset_name",
            "cache_control",
        ],
        "image" => &["type", "source", "transformations", "cache_control"],
        "document" => &[
            "type",
            "source",
            "title",
            "context",
            "citations",
            "cache_control",
        ],
        "search_result" => &[
            "type",
            "source",
            "title",
            "content",
            "citations",
            "cache_control",
        ],
        _ => return None,
    })
}

fn check(block: &Value, place: &str) -> Result<(), Broken> {
    let kind = block["type"]
        .as_str()
        .ok_or_else(|| format!("{place}: a block without type"))?;
    if let Some(keys) = allowed_keys(kind) {
        only_keys(block, keys, place)?;
    }
    match kind {
        "text" => {
            let text = block["text"]
                .as_str()
                .ok_or_else(|| format!("{place}: text required"))?;
            require(
                !text.trim().is_empty(),
                format!("{place}: text content blocks must be non-empty"),
            )
        }
        "thinking" => {
            require(
                block["thinking"].is_string(),
                format!("{place}: thinking required"),
            )?;
            let signature = block["signature"].as_str().unwrap_or_default();
            require(
                !signature.is_empty(),
                format!("{place}: thinking lost its signature"),
            )
        }
        "redacted_thinking" => {
            require(block["data"].is_string(), format!("{place}: data required"))
        }
        "tool_use" => {
            require(
                block["input"].is_object(),
                format!("{place}: input must be an object"),
            )?;
            let named = ["id", "name"].iter().all(|key| block[key].is_string());
            require(named, format!("{place}: id and name required"))
        }
        "tool_result" => check_result(block, place),
        "image" | "document" => require(
            block["source"].is_object(),
            format!("{place}: source required"),
        ),
        _ => Ok(()),
    }
}

fn check_result(block: &Value, place: &str) -> Result<(), Broken> {
    let id = block["tool_use_id"].as_str().unwrap_or_default();
    require(!id.is_empty(), format!("{place}: tool_use_id required"))?;
    require(
        !id.starts_with("srvtoolu_"),
        format!("{place}: a server tool is never answered"),
    )?;
    require(
        block.get("is_error").is_none_or(Value::is_boolean),
        format!("{place}: is_error is not a boolean"),
    )?;
    match &block["content"] {
        Value::Null | Value::String(_) => Ok(()),
        Value::Array(parts) => parts.iter().enumerate().try_for_each(|(i, part)| {
            let known = [
                "text",
                "image",
                "document",
                "search_result",
                "tool_reference",
            ];
            let kind = part["type"].as_str().unwrap_or_default();
            require(
                known.contains(&kind),
                format!("{place}.content.{i}: `{kind}` in a result"),
            )?;
            check(part, &format!("{place}.content.{i}"))
        }),
        _ => Err(format!("{place}.content: not text or blocks")),
    }
}

fn fits_role(block: &Value, role: &Value, place: &str) -> Result<(), Broken> {
    let kind = block["type"].as_str().unwrap_or_default();
    let fits = match kind {
        "thinking" | "redacted_thinking" | "tool_use" | "server_tool_use" => role == "assistant",
        "tool_result" | "image" | "document" => role == "user",
        _ => true,
    };
    require(
        fits,
        format!("{place}: `{kind}` in a message of role {role}"),
    )
}
