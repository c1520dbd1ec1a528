//! The schemas inside a schema: mended one by one, their references checked.

use serde_json::{Map, Value, json};

use crate::agent::tools::api_schema::{Unusable, pointed_at};

/// Whether something was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mended {
    /// Something was.
    Yes,
    /// It is as it came.
    No,
}

impl Mended {
    /// Adds what another step did.
    pub(crate) fn note(&mut self, other: Self) {
        if other == Self::Yes {
            *self = Self::Yes;
        }
    }
}

/// Keywords whose value is an object of schemas.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// Keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value is one schema (`items` in old dialects a list).
const SINGLES: [&str; 11] = [
    "additionalProperties",
    "unevaluatedProperties",
    "additionalItems",
    "unevaluatedItems",
    "items",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
];

/// Keywords that mean nothing when they are `null`, but make a schema invalid.
const NOT_NULL: [&str; 12] = [
    "type",
    "required",
    "title",
    "description",
    "enum",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "$schema",
];

/// Mends `schema` and everything inside it: `null` keywords are dropped, the `required: true` of
/// an old dialect too, and truth values that stand for a schema are written out.
pub fn mend_parts(schema: &mut Map<String, Value>) -> Mended {
    let before = schema.len();
    schema.retain(|key, value| !(value.is_null() && is_never_null(key)));
    schema.retain(|key, value| !(key == "required" && value.is_boolean()));
    let mut mended = if schema.len() == before {
        Mended::No
    } else {
        Mended::Yes
    };
    for (key, value) in schema.iter_mut() {
        mended.note(mend_value(key, value));
    }
    mended
}

fn is_never_null(key: &str) -> bool {
    let keywords = [&MAPS[..], &LISTS[..], &SINGLES[..], &NOT_NULL[..]];
    keywords.iter().any(|list| list.contains(&key))
}

fn mend_value(key: &str, value: &mut Value) -> Mended {
    let mut mended = Mended::No;
    match value {
        Value::Object(map) if MAPS.contains(&key) => {
            for part in map.values_mut() {
                mended.note(written_out(part));
            }
        }
        Value::Object(map) if SINGLES.contains(&key) => mended.note(mend_parts(map)),
        Value::Array(list) if LISTS.contains(&key) || key == "items" => {
            for part in list {
                mended.note(written_out(part));
            }
        }
        Value::Object(_)
        | Value::Array(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_) => {}
    }
    mended
}

/// Writes a schema that is a truth value, or nothing at all, as an object.
fn written_out(part: &mut Value) -> Mended {
    *part = match part {
        Value::Object(map) => return mend_parts(map),
        Value::Bool(true) | Value::Null => json!({}),
        Value::Bool(false) => json!({"not": {}}),
        Value::Number(_) | Value::String(_) | Value::Array(_) => return Mended::No,
    };
    Mended::Yes
}

/// Checks that every reference leads to something inside `root`.
pub fn check_references(root: &Map<String, Value>) -> Result<(), Unusable> {
    check_inside(root, root)
}

fn check_inside(schema: &Map<String, Value>, root: &Map<String, Value>) -> Result<(), Unusable> {
    if let Some(Value::String(reference)) = schema.get("$ref") {
        check_reference(reference, root)?;
    }
    for (key, value) in schema {
        for part in parts(key, value) {
            check_inside(part, root)?;
        }
    }
    Ok(())
}

fn check_reference(reference: &str, root: &Map<String, Value>) -> Result<(), Unusable> {
    match reference.strip_prefix('#') {
        Some(pointer) if pointer.starts_with('/') => pointed_at(root, reference).map(drop),
        // The schema itself, or an anchor somewhere in it.
        Some(_) => Ok(()),
        None => Err(Unusable::Elsewhere(reference.to_owned())),
    }
}

/// Returns the object schemas that stand under a keyword.
fn parts<'a>(key: &str, value: &'a Value) -> Vec<&'a Map<String, Value>> {
    let found: Vec<&Value> = match value {
        Value::Object(map) if MAPS.contains(&key) => map.values().collect(),
        Value::Array(list) if LISTS.contains(&key) || key == "items" => list.iter().collect(),
        Value::Object(_) if SINGLES.contains(&key) => vec![value],
        Value::Object(_)
        | Value::Array(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_) => Vec::new(),
    };
    found.into_iter().filter_map(Value::as_object).collect()
}
