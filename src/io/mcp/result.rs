//! A server's answer to a call, made into what goes to the model and onto the screen.

pub(crate) mod blocks;
pub(crate) mod cut;

use std::fmt;
use std::sync::Arc;

use rmcp::model::{CustomResult, ServerResult};
use serde_json::{Map, Value};

use crate::chat::tool::{Audience, PartBody, ResultPart};
use crate::io::mcp::result::blocks::Blocks;
use crate::io::mcp::result::cut::cut;

/// Keeps bytes beside the conversation; returns where they can be found, or why not.
#[derive(Clone)]
pub struct Save(pub Arc<SaveBytes>);

/// How bytes are kept. May take a while.
pub type SaveBytes = dyn Fn(&[u8]) -> Result<String, String> + Send + Sync;

impl fmt::Debug for Save {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Save")
    }
}

/// What a call gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    /// The tool says that it failed.
    pub is_error: bool,
    /// What it gave.
    pub parts: Vec<ResultPart>,
}

/// Returns the text of a result: as it came over a child's wire, written anew otherwise.
pub(crate) fn raw_text(result: ServerResult) -> Result<String, String> {
    if let ServerResult::CustomResult(CustomResult(Value::String(text))) = result {
        return Ok(text);
    }
    serde_json::to_string(&result).map_err(|error| error.to_string())
}

/// Makes the parts of a result from its text; at most `most` bytes of text are kept, the whole is
/// saved otherwise. The error is a sentence without a period.
pub(crate) fn convert(text: &str, most: usize, save: &Save) -> Result<Converted, String> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("the server's answer can't be read: {error}"))?;
    let Value::Object(result) = value else {
        return Err("the server's answer is not a result of a call".to_owned());
    };
    refuse_other_kinds(&result)?;
    let blocks = Blocks { save };
    let mut parts: Vec<ResultPart> = match result.get("content") {
        Some(Value::Array(content)) => content.iter().filter_map(|b| blocks.part(b)).collect(),
        Some(Value::Null) | None => Vec::new(),
        // Some servers leave the list out around the one block they have.
        Some(other) => blocks.part(other).into_iter().collect(),
    };
    parts.extend(structured(&result, &parts));
    Ok(Converted {
        is_error: result.get("isError").and_then(Value::as_bool) == Some(true),
        parts: cut(parts, most, save),
    })
}

/// Refuses results that are not the end of a call.
fn refuse_other_kinds(result: &Map<String, Value>) -> Result<(), String> {
    match result.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => Ok(()),
        Some("input_required") => Err(
            "the server asks the person for more input before it goes on, and that is not supported yet".to_owned(),
        ),
        Some(other) => Err(format!("the server answers with a result of the unknown kind `{other}`")),
    }
}

/// Returns the structured content as text, unless a text says the same already.
fn structured(result: &Map<String, Value>, parts: &[ResultPart]) -> Option<ResultPart> {
    let structured = result
        .get("structuredContent")
        .filter(|value| !value.is_null())?;
    let says_it = |part: &ResultPart| match &part.body {
        PartBody::Text(text) => {
            part.audience != Audience::Person
                && serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured)
        }
        PartBody::Image(_) | PartBody::Document(_) => false,
    };
    (!parts.iter().any(says_it)).then(|| ResultPart::text(structured.to_string()))
}

#[cfg(test)]
mod tests;
