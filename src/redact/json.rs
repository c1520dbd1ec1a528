//! Looks through JSON: by name at any depth, by schema, by the shape of each string.

use serde_json::{Map, Value};

use crate::redact::mark::{Kind, is_mark, mark};
use crate::redact::{Redactor, split};

/// Returns `value` with every secret masked. What is not secret keeps its order and its bytes.
pub(crate) fn mask_json(rules: &Redactor, value: &Value, schema: Option<&Value>) -> Value {
    if schema.is_some_and(is_secret_schema) {
        return mask_leaves(rules, Kind::Secret, value);
    }
    match value {
        Value::String(text) => Value::String(mask_string(rules, text)),
        Value::Array(items) => {
            let item = |(index, item)| mask_json(rules, item, item_schema(schema, index));
            Value::Array(items.iter().enumerate().map(item).collect())
        }
        Value::Object(map) => Value::Object(mask_object(rules, map, schema)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn mask_object(
    rules: &Redactor,
    map: &Map<String, Value>,
    schema: Option<&Value>,
) -> Map<String, Value> {
    // Lists of `{"name": "API_TOKEN", "value": "…"}` name the secret in a value.
    let named = ["name", "key", "header", "field"]
        .iter()
        .find_map(|label| map.get(*label)?.as_str())
        .and_then(|name| rules.names.kind(name));
    map.iter()
        .map(|(name, value)| {
            let by_label = named.filter(|_| name == "value");
            let masked = match rules.names.kind(name).or(by_label) {
                Some(kind) if !is_folder(name, value) => mask_leaves(rules, kind, value),
                Some(_) | None => mask_json(rules, value, property_schema(schema, name)),
            };
            // A name can be a secret too: a map from tokens to their owners.
            (rules.text(name).into_inner(), masked)
        })
        .collect()
}

/// Masks every leaf; nothing, yes and no hide nothing.
fn mask_leaves(rules: &Redactor, kind: Kind, value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::String(text) => Value::String(mask_whole(rules, kind, text)),
        Value::Number(number) => Value::String(mark(&rules.fingerprint, kind, &number.to_string())),
        Value::Array(items) => {
            let item = |item| mask_leaves(rules, kind, item);
            Value::Array(items.iter().map(item).collect())
        }
        Value::Object(map) => {
            let entry = |(name, value): (&String, &Value)| {
                (
                    rules.text(name).into_inner(),
                    mask_leaves(rules, kind, value),
                )
            };
            Value::Object(map.iter().map(entry).collect())
        }
    }
}

/// Masks a whole text; of `Bearer …` the scheme stays.
fn mask_whole(rules: &Redactor, kind: Kind, text: &str) -> String {
    if text.is_empty() || is_mark(text) {
        return text.to_owned();
    }
    let scheme = ["Bearer ", "Basic ", "Token ", "token ", "bearer ", "basic "]
        .into_iter()
        .find(|scheme| kind == Kind::Auth && text.starts_with(scheme));
    let (scheme, secret) = split(text, scheme.map_or(0, str::len));
    if secret.is_empty() || is_mark(secret) {
        return text.to_owned();
    }
    format!("{scheme}{}", mark(&rules.fingerprint, kind, secret))
}

/// Looks through a string; JSON inside it is looked through as JSON.
fn mask_string(rules: &Redactor, text: &str) -> String {
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '['])
        && let Ok(inner) = serde_json::from_str::<Value>(text)
    {
        let masked = mask_json(rules, &inner, None);
        return if masked == inner {
            text.to_owned()
        } else {
            masked.to_string()
        };
    }
    rules.text(text).into_inner()
}

fn is_secret_schema(schema: &Value) -> bool {
    let is = |name: &str| schema.get(name);
    is("format").and_then(Value::as_str) == Some("password")
        || is("writeOnly").and_then(Value::as_bool) == Some(true)
}

fn property_schema<'a>(schema: Option<&'a Value>, name: &str) -> Option<&'a Value> {
    let schema = schema?;
    let own = schema.get("properties").and_then(|all| all.get(name));
    own.or_else(|| schema.get("additionalProperties"))
}

fn item_schema(schema: Option<&Value>, index: usize) -> Option<&Value> {
    let schema = schema?;
    let by_place = schema.get("prefixItems").and_then(|all| all.get(index));
    by_place.or_else(|| schema.get("items"))
}

fn is_folder(name: &str, value: &Value) -> bool {
    let path = value
        .as_str()
        .is_some_and(|text| text.starts_with(['/', '~', '.']));
    path && name.to_ascii_lowercase().ends_with("pwd")
}
