//! A tool's input schema in the form that model services accept.
//!
//! Services refuse a whole request for one odd schema, so each is checked, mended where the meaning
//! survives, and left out otherwise. A schema that is fine stays as its server wrote it, byte for
//! byte. Nothing is ever fetched.

use serde_json::{Map, Value, json};

use crate::agent::schema::why_invalid;
use crate::agent::tools::alternatives::fold_alternatives;
use crate::agent::tools::subschemas::{Mended, check_references, mend_parts};
use crate::chat::raw_json::RawJson;

/// The longest schema that is sent, in bytes.
const LONGEST: usize = 256 * 1024;

/// The most references that are followed to find out what a schema is.
const MOST_HOPS: usize = 16;

/// Why a tool can't be offered to a model, to be read after "its input schema".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// Too long.
    #[error("is longer than {LONGEST} bytes")]
    TooLong,
    /// Not JSON that can be read (nested too deep, numbers out of range).
    #[error("can't be read: {0}")]
    Unreadable(String),
    /// Not a schema of an object.
    #[error("does not describe an object")]
    NotAnObject,
    /// It refers to something outside of itself.
    #[error("refers to `{0}`, which is not inside it")]
    Elsewhere(String),
    /// Its references lead in a circle.
    #[error("refers to itself in a circle")]
    Circle,
    /// It is not a valid JSON Schema.
    #[error("is not valid: {0}")]
    Invalid(String),
}

/// Returns the schema to send for what a server listed; `None` stands for no schema at all.
pub fn api_schema(listed: Option<&RawJson>) -> Result<RawJson, Unusable> {
    let Some(raw) = listed else {
        return Ok(any_object());
    };
    if raw.text().len() > LONGEST {
        return Err(Unusable::TooLong);
    }
    let value = raw
        .to_value()
        .map_err(|error| Unusable::Unreadable(error.reason))?;
    let mut schema = match value {
        Value::Bool(true) => return Ok(any_object()),
        Value::Object(schema) => schema,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return Err(Unusable::NotAnObject);
        }
    };
    let mended = [
        mend_parts(&mut schema),
        inline_reference(&mut schema)?,
        fold_alternatives(&mut schema),
        settle_type(&mut schema)?,
    ];
    check_references(&schema)?;
    let schema = Value::Object(schema);
    if let Some(reason) = why_invalid(&schema) {
        return Err(Unusable::Invalid(reason));
    }
    if mended.contains(&Mended::Yes) {
        Ok(RawJson::from_value(&schema))
    } else {
        Ok(raw.clone())
    }
}

fn any_object() -> RawJson {
    RawJson::from_value(&json!({"type": "object"}))
}

/// Puts what a reference at the top refers to in its place: services want to see the type there.
fn inline_reference(schema: &mut Map<String, Value>) -> Result<Mended, Unusable> {
    let mut mended = Mended::No;
    for _ in 0..MOST_HOPS {
        let Some(reference) = schema.get("$ref") else {
            return Ok(mended);
        };
        let reference = reference.as_str().unwrap_or_default().to_owned();
        let target = pointed_at(schema, &reference)?;
        schema.shift_remove("$ref");
        for (key, value) in target {
            schema.entry(key).or_insert(value);
        }
        mended = Mended::Yes;
    }
    Err(Unusable::Circle)
}

/// Returns the object that a reference inside `schema` points at.
pub(crate) fn pointed_at(
    schema: &Map<String, Value>,
    reference: &str,
) -> Result<Map<String, Value>, Unusable> {
    let elsewhere = || Unusable::Elsewhere(reference.to_owned());
    let pointer = reference.strip_prefix('#').ok_or_else(elsewhere)?;
    let Some(first) = pointer.strip_prefix('/') else {
        let whole = pointer.is_empty();
        return Err(if whole { Unusable::Circle } else { elsewhere() });
    };
    let mut steps = first.split('/').map(unescaped);
    let top = steps.next().and_then(|step| schema.get(&step));
    let found = steps.try_fold(top, |place, step| match place {
        Some(Value::Object(map)) => Some(map.get(&step)),
        Some(Value::Array(list)) => Some(list.get(step.parse::<usize>().ok()?)),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => None,
    });
    match found.flatten() {
        Some(Value::Object(target)) => Ok(target.clone()),
        Some(_) | None => Err(elsewhere()),
    }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Makes the type read `"object"`.
fn settle_type(schema: &mut Map<String, Value>) -> Result<Mended, Unusable> {
    let is_object = match schema.get("type") {
        Some(Value::String(kind)) if kind == "object" => return Ok(Mended::No),
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(Value::Null) | None => true,
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => false,
    };
    if !is_object {
        return Err(Unusable::NotAnObject);
    }
    schema.insert("type".to_owned(), "object".into());
    Ok(Mended::Yes)
}

#[cfg(test)]
mod tests;
