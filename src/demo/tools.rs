//! The tools of the demo's MCP server, as it lists them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// Returns every tool.
pub(super) fn list() -> Vec<Tool> {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 200});
    let number = json!({"type": "number"});
    vec![
        tool(
            "get_weather",
            "Weather",
            "Tells the weather in a city.",
            READS,
        )
        .arguments(&json!({"city": described(&text, "The city, in any language.")})),
        tool("add", "Addition", "Adds two numbers.", READS)
            .arguments(&json!({"a": number, "b": number})),
        tool(
            "slow_count",
            "Slow count",
            "Counts seconds and reports its progress; can be cancelled.",
            READS,
        )
        .arguments(&json!({"seconds": {"type": "integer", "minimum": 1, "maximum": 120}})),
        tool("fail", "Failure", "Always fails.", READS).arguments(&json!({})),
        tool(
            "store_password",
            "Password store",
            "Pretends to keep a password, and forgets it at once.",
            CHANGES,
        )
        .arguments(&json!({
            "user": text,
            "password": {"type": "string", "format": "password", "writeOnly": true},
        })),
    ]
    .into_iter()
    .map(|built| built.0)
    .collect()
}

/// What a tool does to the world: (reads only, destroys, may be repeated, reaches the open world).
type Hints = [bool; 4];

const READS: Hints = [true, false, true, false];
const CHANGES: Hints = [false, false, true, false];

struct Built(Tool);

fn tool(name: &'static str, title: &str, does: &'static str, hints: Hints) -> Built {
    let [reads, destroys, repeats, open] = hints;
    let mut tool = Tool::new(name, does, JsonObject::new());
    tool.title = Some(title.to_owned());
    tool.annotations = Some(
        ToolAnnotations::with_title(title)
            .read_only(reads)
            .destructive(destroys)
            .idempotent(repeats)
            .open_world(open),
    );
    Built(tool)
}

impl Built {
    /// Gives the tool its arguments, all of them required.
    fn arguments(mut self, properties: &Value) -> Self {
        let names: Vec<&String> = properties
            .as_object()
            .into_iter()
            .flatten()
            .map(|(k, _)| k)
            .collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": false,
        });
        if let Value::Object(schema) = schema {
            self.0.input_schema = Arc::new(schema);
        }
        self
    }
}

fn described(schema: &Value, text: &str) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), json!(text));
    }
    schema
}
