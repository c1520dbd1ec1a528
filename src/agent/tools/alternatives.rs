//! `oneOf`, `anyOf` and `allOf` at the top of a schema, folded into plain properties.
//!
//! Services refuse them there. The folded schema allows everything that the listed one allows and
//! more; the gate and the server still check the arguments against the listed one.

use serde_json::{Map, Value, json};

use crate::agent::tools::api_schema::pointed_at;
use crate::agent::tools::subschemas::Mended;

/// Folds the alternatives at the top of `schema` into its properties.
pub fn fold_alternatives(schema: &mut Map<String, Value>) -> Mended {
    let mut mended = Mended::No;
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let Some(list) = schema.get(keyword) else {
            continue;
        };
        let branches = object_branches(schema, list);
        schema.shift_remove(keyword);
        add_properties(schema, &branches);
        add_required(schema, &branches, keyword);
        mended = Mended::Yes;
    }
    mended
}

/// Returns the branches that can describe an object, a local reference followed once.
fn object_branches(schema: &Map<String, Value>, list: &Value) -> Vec<Map<String, Value>> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let followed = list
        .iter()
        .filter_map(Value::as_object)
        .filter_map(|branch| match branch.get("$ref").and_then(Value::as_str) {
            Some(reference) => pointed_at(schema, reference).ok(),
            None => Some(branch.clone()),
        });
    followed.filter(may_be_object).collect()
}

fn may_be_object(branch: &Map<String, Value>) -> bool {
    match branch.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(kind) => kind == "object",
    }
}

fn add_properties(schema: &mut Map<String, Value>, branches: &[Map<String, Value>]) {
    for branch in branches {
        let Some(Value::Object(found)) = branch.get("properties") else {
            continue;
        };
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        let Some(properties) = properties.as_object_mut() else {
            return;
        };
        for (name, part) in found {
            match properties.get_mut(name) {
                None => drop(properties.insert(name.clone(), part.clone())),
                Some(known) => widen(known, part),
            }
        }
    }
}

/// Lets a property be what one more branch says of it.
fn widen(known: &mut Value, part: &Value) {
    if known == part {
        return;
    }
    if let Some(Value::Array(choices)) = known.get_mut("anyOf") {
        if !choices.contains(part) {
            choices.push(part.clone());
        }
        return;
    }
    *known = json!({"anyOf": [known.clone(), part.clone()]});
}

/// Adds what every branch requires; of `allOf`, what any branch requires.
fn add_required(schema: &mut Map<String, Value>, branches: &[Map<String, Value>], keyword: &str) {
    let of = |branch: &Map<String, Value>| {
        let list = branch.get("required").and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let everywhere = |name: &Value| branches.iter().all(|branch| of(branch).contains(name));
    let mut wanted: Vec<Value> = of(schema);
    for name in branches.iter().flat_map(of) {
        if !wanted.contains(&name) && (keyword == "allOf" || everywhere(&name)) {
            wanted.push(name);
        }
    }
    if !wanted.is_empty() {
        schema.insert("required".to_owned(), Value::Array(wanted));
    }
}
