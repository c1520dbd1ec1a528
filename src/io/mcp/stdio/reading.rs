//! One line from a server, from bytes to a message.

use std::collections::BTreeMap;

use rmcp::model::{
    CustomResult, ErrorCode, ErrorData, InitializeResult, JsonRpcMessage, NumberOrString,
    ServerJsonRpcMessage, ServerResult,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::io::mcp::stdio::book::{Asked, Book};
use crate::io::mcp::stdio::mend::{guess_id, mend_surrogates, trimmed};

/// What a line turned out to be.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message to hand on.
    Message(Box<ServerJsonRpcMessage>),
    /// Not a message: something that was printed to the wrong place.
    Noise(String),
    /// Nothing: an empty line, or an answer that nobody waits for.
    Nothing,
}

/// Marks an error that was made on this side, so that it can't be taken for the server's own.
pub(crate) const LOCAL: &str = "keytide/local";

/// Makes an error of this side.
pub(crate) fn local_error(message: impl Into<String>) -> ErrorData {
    let data = Some(json!({ LOCAL: true }));
    ErrorData::new(ErrorCode::INTERNAL_ERROR, message.into(), data)
}

/// Reads a line. A line that holds a list of messages gives several.
pub(crate) fn read(mut line: Vec<u8>, book: &Book) -> Vec<Incoming> {
    mend_surrogates(&mut line);
    let line = trimmed(&line);
    if line.is_empty() {
        return vec![Incoming::Nothing];
    }
    let text = String::from_utf8_lossy(line);
    if text.starts_with('[')
        && let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(&text)
    {
        return list
            .into_iter()
            .map(|part| read_one(part.get(), book))
            .collect();
    }
    vec![read_one(&text, book)]
}

/// Answers the call that a line which is too long, or can't be read, seems to belong to.
pub(crate) fn unreadable(
    head: &[u8],
    tail: &[u8],
    reason: String,
    book: &Book,
) -> Option<Incoming> {
    let (id, _) = book.take(&guess_id(trimmed(head), trimmed(tail))?)?;
    Some(error_for(local_error(reason), Some(id)))
}

fn read_one(text: &str, book: &Book) -> Incoming {
    let members: BTreeMap<String, &RawValue> = match serde_json::from_str(text) {
        Ok(members) => members,
        Err(error) => {
            let reason = format!("the server's answer is not valid JSON: {error}");
            return unreadable(text.as_bytes(), text.as_bytes(), reason, book)
                .unwrap_or_else(|| Incoming::Noise(text.to_owned()));
        }
    };
    let part = |name: &str| members.get(name).map(|raw| raw.get());
    if members.contains_key("method") {
        return match serde_json::from_str::<ServerJsonRpcMessage>(text) {
            Ok(message) => Incoming::Message(Box::new(message)),
            Err(_) => Incoming::Noise(text.to_owned()),
        };
    }
    let id = part("id").and_then(|id| serde_json::from_str(id).ok());
    match (part("result"), part("error")) {
        (_, Some(error)) if error != "null" => refused(error, &id.unwrap_or_default(), book),
        (Some(result), _) => answered(result, &id.unwrap_or_default(), book),
        (None, _) => Incoming::Noise(text.to_owned()),
    }
}

fn answered(result: &str, id: &Value, book: &Book) -> Incoming {
    let Some((id, asked)) = book.take(id) else {
        return Incoming::Nothing;
    };
    let custom = |value| ServerResult::CustomResult(CustomResult(value));
    let plain = || serde_json::from_str(result).map_err(|error| error.to_string());
    let read = match asked {
        Asked::Raw => Ok(custom(Value::String(result.to_owned()))),
        Asked::Initialize => plain().map(|value| match mended_initialize(&value) {
            Some(result) => ServerResult::InitializeResult(result),
            None => custom(value),
        }),
        Asked::Discover | Asked::Plain => serde_json::from_str(result).map_err(|e| e.to_string()),
    };
    match read {
        Ok(result) => Incoming::Message(Box::new(JsonRpcMessage::response(result, id))),
        Err(reason) => error_for(
            local_error(format!("the server's answer can't be read: {reason}")),
            Some(id),
        ),
    }
}

fn refused(error: &str, id: &Value, book: &Book) -> Incoming {
    // An error without an id answers the only open question, if there is only one.
    let open = match id {
        Value::Null => book.take_only(),
        Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => book.take(id),
    };
    match open {
        Some((id, _)) => error_for(error_data(error), Some(id)),
        None => Incoming::Nothing,
    }
}

fn error_for(error: ErrorData, id: Option<NumberOrString>) -> Incoming {
    Incoming::Message(Box::new(JsonRpcMessage::error(error, id)))
}

/// Reads an error object; what is missing or of the wrong kind is filled in.
fn error_data(text: &str) -> ErrorData {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let code = value.get("code").and_then(Value::as_i64);
    let code = code.and_then(|code| i32::try_from(code).ok());
    let message = match value.get("message").and_then(Value::as_str) {
        Some(message) => message.to_owned(),
        None => text.to_owned(),
    };
    ErrorData::new(
        code.map_or(ErrorCode::INTERNAL_ERROR, ErrorCode),
        message,
        value.get("data").cloned(),
    )
}

/// Reads the answer to `initialize`; a missing `capabilities` offers nothing, a missing
/// `serverInfo` names nothing. `None` when no protocol version is in it.
fn mended_initialize(value: &Value) -> Option<InitializeResult> {
    let version = value.get("protocolVersion")?.as_str()?;
    let capabilities = value.get("capabilities").and_then(Value::as_object);
    let objects: Map<String, Value> = capabilities
        .into_iter()
        .flatten()
        .filter(|(_, settings)| settings.is_object())
        .map(|(name, settings)| (name.clone(), settings.clone()))
        .collect();
    let info = value.get("serverInfo");
    let text = |name: &str| info.and_then(|info| info.get(name)).and_then(Value::as_str);
    let mut result = json!({
        "protocolVersion": version,
        "capabilities": objects,
        "serverInfo": {"name": text("name").unwrap_or(""), "version": text("version").unwrap_or("")},
    });
    if let (Some(title), Some(shown)) = (text("title"), result.get_mut("serverInfo")) {
        shown["title"] = title.into();
    }
    if let Some(instructions) = value.get("instructions").and_then(Value::as_str) {
        result["instructions"] = instructions.into();
    }
    serde_json::from_value(result).ok()
}
