//! Whether arguments fit a tool's schema.

use std::fmt;

use jsonschema::Draft;
use serde_json::{Map, Value};

use crate::chat::raw_json::RawJson;

/// The most problems that are told at once.
const MOST: usize = 20;

/// One place where arguments don't fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProblem {
    /// Where, as a JSON pointer; empty for the arguments as a whole.
    pub place: String,
    /// What is wrong there, without a period.
    pub reason: String,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "{}: {}", self.place, self.reason)
        }
    }
}

/// What could be found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// The arguments fit.
    Fits,
    /// The schema can't be used to check anything; why, without a period. This blocks nothing.
    Unknown(String),
}

/// Checks `arguments` against `schema` (2020-12 unless `$schema` says otherwise). Nothing is ever
/// fetched: a schema that refers elsewhere can't be used.
pub fn check(schema: &RawJson, arguments: &Map<String, Value>) -> Result<Fit, Vec<SchemaProblem>> {
    let schema = match schema.to_value() {
        Ok(schema) => schema,
        Err(error) => return Ok(Fit::Unknown(error.reason)),
    };
    let options = jsonschema::options().with_draft(dialect(&schema)).offline();
    let validator = match options.build(&schema) {
        Ok(validator) => validator,
        Err(error) => return Ok(Fit::Unknown(error.to_string())),
    };
    let arguments = Value::Object(arguments.clone());
    let problems: Vec<_> = validator
        .iter_errors(&arguments)
        .take(MOST)
        .map(|error| SchemaProblem {
            place: error.instance_path().to_string(),
            // Never the value itself: it may be a secret, and this goes to the screen.
            reason: error.masked().to_string(),
        })
        .collect();
    if problems.is_empty() {
        Ok(Fit::Fits)
    } else {
        Err(problems)
    }
}

/// Returns why a schema is not valid in its own dialect (2020-12 when that one is not known).
pub fn why_invalid(schema: &Value) -> Option<String> {
    let found = match jsonschema::meta::validator_for(schema) {
        Ok(dialect) => dialect.validate(schema).err(),
        Err(_) => jsonschema::draft202012::meta::validate(schema).err(),
    };
    found.map(|error| error.to_string().chars().take(200).collect())
}

/// Returns the dialect that a schema names, 2020-12 when it names none or one that is not known.
fn dialect(schema: &Value) -> Draft {
    let named = schema.get("$schema").and_then(Value::as_str).unwrap_or("");
    let is = |part: &str| named.contains(part);
    match named {
        _ if is("draft-04") => Draft::Draft4,
        _ if is("draft-06") => Draft::Draft6,
        _ if is("draft-07") => Draft::Draft7,
        _ if is("2019-09") => Draft::Draft201909,
        _ => Draft::Draft202012,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(schema: &str, arguments: &str) -> Result<Fit, Vec<SchemaProblem>> {
        let Ok(Value::Object(map)) = serde_json::from_str(arguments) else {
            panic!("an object");
        };
        check(&RawJson::parse(schema).unwrap(), &map)
    }

    #[test]
    fn arguments_that_fit_and_arguments_that_do_not() {
        let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
        assert_eq!(run(schema, r#"{"n":1}"#), Ok(Fit::Fits));
        let problems = run(schema, r#"{"n":"x"}"#).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].place, "/n");
        let missing = run(schema, "{}").unwrap_err();
        assert_eq!(missing[0].place, "");
        assert!(missing[0].reason.contains("\"n\" is a required property"));
    }

    #[test]
    fn the_dialect_named_is_the_one_that_counts() {
        // A list of `items` is a tuple in draft 7 and no schema at all in 2020-12.
        let tuple = r#""properties":{"t":{"items":[{"type":"string"}]}}"#;
        let old = format!(r#"{{"$schema":"http://json-schema.org/draft-07/schema#",{tuple}}}"#);
        assert!(run(&old, r#"{"t":[1]}"#).is_err());
        let new = format!("{{{tuple}}}");
        assert!(matches!(run(&new, r#"{"t":[1]}"#), Ok(Fit::Unknown(_))));
    }

    #[test]
    fn a_schema_that_can_not_be_used_blocks_nothing_and_fetches_nothing() {
        for schema in [
            r#"{"$ref":"http://127.0.0.1:9/never.json"}"#,
            r#"{"$ref":"file:///etc/hostname"}"#,
            r#"{"type":"strin"}"#,
            r#"{"pattern":"("}"#,
            "7",
        ] {
            assert!(matches!(run(schema, "{}"), Ok(Fit::Unknown(_))), "{schema}");
        }
        let odd = r#"{"$schema":"https://example.test/dialect","type":"object"}"#;
        assert!(run(odd, "{}").is_ok());
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = r##"{"type":"object","properties":{"child":{"$ref":"#"}}}"##;
        assert_eq!(run(schema, r#"{"child":{"child":{}}}"#), Ok(Fit::Fits));
        assert!(run(schema, r#"{"child":{"child":3}}"#).is_err());
        let circle = r##"{"$ref":"#"}"##;
        assert!(run(circle, "{}").is_ok());
    }
}
