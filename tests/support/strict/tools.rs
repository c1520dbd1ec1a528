//! Rules about the tools that a request offers.

use std::collections::HashSet;

use serde_json::Value;

use super::{Broken, only_keys, require};

/// What a tool of the client may hold.
const KEYS: [&str; 10] = [
    "type",
    "name",
    "description",
    "input_schema",
    "cache_control",
    "strict",
    "defer_loading",
    "input_examples",
    "eager_input_streaming",
    "allowed_callers",
];

/// Checks `tools`.
pub fn check(request: &Value, warnings: &mut Vec<String>) -> Result<(), Broken> {
    let tools = match request.get("tools") {
        None => return Ok(()),
        Some(Value::Array(tools)) => tools,
        Some(_) => return Err("tools: not a list".to_owned()),
    };
    if tools.is_empty() {
        warnings.push("`tools` is an empty array".to_owned());
    }
    let mut names = HashSet::new();
    for (i, tool) in tools.iter().enumerate() {
        let kind = tool["type"].as_str().unwrap_or("custom");
        let name = tool["name"].as_str().unwrap_or_default();
        require(
            names.insert(name),
            format!("tools.{i}: name `{name}` used twice"),
        )?;
        if kind == "custom" {
            check_tool(tool, name, i, warnings)?;
        }
    }
    Ok(())
}

fn check_tool(
    tool: &Value,
    name: &str,
    i: usize,
    warnings: &mut Vec<String>,
) -> Result<(), Broken> {
    only_keys(tool, &KEYS, &format!("tools.{i}"))?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    require(
        (1..=128).contains(&name.len()) && name.chars().all(fits),
        format!("tools.{i}: name `{name}` not ^[a-zA-Z0-9_-]{{1,128}}$"),
    )?;
    if name.len() > 64 {
        warnings.push(format!("tools.{i}: name `{name}` above 64"));
    }
    require(
        tool.get("description").is_none_or(Value::is_string),
        format!("tools.{i}: description is not text"),
    )?;
    check_schema(&tool["input_schema"], &format!("tools.{i}.input_schema"))
}

fn check_schema(schema: &Value, place: &str) -> Result<(), Broken> {
    require(schema.is_object(), format!("{place}: not an object"))?;
    require(
        schema["type"] == "object",
        format!("{place}: without type `object`"),
    )?;
    for key in ["oneOf", "anyOf", "allOf"] {
        require(
            schema.get(key).is_none(),
            format!("{place}: top-level {key}"),
        )?;
    }
    for key in ["required", "properties"] {
        let null = schema.get(key).is_some_and(Value::is_null);
        require(!null, format!("{place}: {key} is null"))?;
    }
    require(
        jsonschema::meta::is_valid(schema),
        format!("{place}: not a valid JSON Schema"),
    )
}
