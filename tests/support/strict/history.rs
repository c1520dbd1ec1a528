//! Rules about the order of messages and the pairs in them.

use std::collections::HashSet;

use serde_json::Value;

use super::{Broken, require};

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
}

fn ids<'a>(message: &'a Value, kind: &str, key: &str) -> Vec<&'a str> {
    let of_kind = blocks(message).iter().filter(|block| block["type"] == kind);
    of_kind.filter_map(|block| block[key].as_str()).collect()
}

/// Tells whether a call or a result is in the history.
pub fn holds_tools(messages: &[Value]) -> bool {
    let is_tool = |block: &Value| block["type"] == "tool_use" || block["type"] == "tool_result";
    messages.iter().flat_map(blocks).any(is_tool)
}

/// Who speaks first, who speaks last, and who may speak at all.
pub fn check_roles(messages: &[Value]) -> Result<(), Broken> {
    let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
    let first = messages
        .first()
        .map(role)
        .ok_or("messages: at least one is required")?;
    require(
        first == "user",
        "messages.0: the first message must be from the user",
    )?;
    for (i, message) in messages.iter().enumerate() {
        let known = ["user", "assistant", "system"].contains(&role(message).as_str());
        require(known, format!("messages.{i}: unknown role"))?;
    }
    let last = messages
        .last()
        .ok_or("messages: at least one is required")?;
    let text = blocks(last).last().and_then(|block| block["text"].as_str());
    let text = text.or(last["content"].as_str()).unwrap_or_default();
    require(
        role(last) != "assistant" || text.trim_end() == text,
        "the final assistant text cannot end with trailing whitespace",
    )?;
    // Only the continuation of a paused server tool ends with the assistant.
    let paused = blocks(last)
        .iter()
        .any(|block| block["type"] == "server_tool_use");
    require(
        role(last) != "assistant" || paused,
        "the conversation must end with a user message",
    )
}

/// Every call has its result in the next message, and every result its call.
pub fn check_pairs(messages: &[Value]) -> Result<(), Broken> {
    let mut used = HashSet::new();
    for (i, message) in messages.iter().enumerate() {
        let asked = ids(message, "tool_use", "id");
        for id in &asked {
            require(
                used.insert(*id),
                format!("messages.{i}: tool_use id `{id}` used twice"),
            )?;
        }
        if !asked.is_empty() {
            let next = messages.get(i + 1);
            let answered = next.map_or(Vec::new(), |next| ids(next, "tool_result", "tool_use_id"));
            for id in &asked {
                require(
                    answered.iter().filter(|answer| *answer == id).count() == 1,
                    format!("messages.{i}: `{id}` found without one tool_result immediately after"),
                )?;
            }
        }
        check_results(messages, i)?;
    }
    Ok(())
}

fn check_results(messages: &[Value], i: usize) -> Result<(), Broken> {
    let message = &messages[i];
    let before = i.checked_sub(1).map(|i| &messages[i]);
    let asked = before.map_or(Vec::new(), |before| ids(before, "tool_use", "id"));
    for id in ids(message, "tool_result", "tool_use_id") {
        require(
            asked.contains(&id),
            format!("messages.{i}: unexpected tool_use_id `{id}` in tool_result"),
        )?;
    }
    let is_result = |block: &Value| block["type"] == "tool_result";
    let after_other = blocks(message)
        .iter()
        .skip_while(|block| is_result(block))
        .any(is_result);
    require(
        !after_other,
        format!("messages.{i}: a tool_result after another block"),
    )
}

fn is_reasoning(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

fn reasoning(blocks: &[Value]) -> Vec<&Value> {
    blocks.iter().filter(|block| is_reasoning(block)).collect()
}

/// Reasoning comes back as it was sent, whole, or not at all; while its calls are being answered
/// it must be there.
pub fn check_reasoning(messages: &[Value], sent: &[Vec<Value>]) -> Result<(), Broken> {
    for (i, message) in messages.iter().enumerate() {
        let content = blocks(message);
        if message["role"] != "assistant" || reasoning(content).is_empty() {
            continue;
        }
        require(
            sent.iter().any(|reply| same_reasoning(content, reply)),
            format!("messages.{i}: reasoning differs from what was sent"),
        )?;
    }
    let Some(answering) = messages.len().checked_sub(2).map(|i| &messages[i]) else {
        return Ok(());
    };
    let asked = ids(answering, "tool_use", "id");
    let origin = sent.iter().rev().find(|reply| {
        let theirs = reply.iter().filter(|block| block["type"] == "tool_use");
        let theirs: Vec<&str> = theirs.filter_map(|block| block["id"].as_str()).collect();
        !asked.is_empty() && theirs == asked
    });
    match origin {
        Some(reply) => require(
            reasoning(reply) == reasoning(blocks(answering)),
            "reasoning is missing from the message whose results are being sent",
        ),
        None => Ok(()),
    }
}

/// The same reasoning at the same places; blank text may have been left out.
fn same_reasoning(content: &[Value], reply: &[Value]) -> bool {
    let is_blank = |block: &&Value| {
        block["type"] == "text"
            && block["text"]
                .as_str()
                .is_none_or(|text| text.trim().is_empty())
    };
    let shape = |blocks: &[Value]| -> Vec<Value> {
        let kept = blocks.iter().filter(|block| !is_blank(block));
        kept.map(|block| block["type"].clone()).collect()
    };
    reasoning(content) == reasoning(reply) && shape(content) == shape(reply)
}
