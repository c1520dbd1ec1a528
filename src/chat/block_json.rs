//! From the raw JSON of a model's block, in the form of the Messages API, to what it says.

use serde_json::Value;

use crate::chat::id::{ToolName, ToolUseId};
use crate::chat::message::{ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::tool::{Arguments, ToolUse};

impl ModelBlock {
    /// Reads a block that was kept as the JSON it came in. A kind that we don't know is kept.
    pub fn from_raw(raw: RawJson) -> Self {
        let content = raw
            .to_value()
            .map_or_else(|_| other("unreadable"), |value| content(&value));
        Self { raw, content }
    }
}

fn content(value: &Value) -> ModelContent {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => ModelContent::Text(text("text").to_owned()),
        "thinking" => ModelContent::Thinking {
            text: text("thinking").to_owned(),
        },
        "redacted_thinking" => ModelContent::RedactedThinking,
        "tool_use" => ModelContent::ToolUse(ToolUse {
            id: ToolUseId::new(text("id")),
            name: ToolName::new(text("name")),
            arguments: Arguments::parse(&input(value)),
        }),
        kind => other(kind),
    }
}

fn input(value: &Value) -> String {
    value.get("input").map(Value::to_string).unwrap_or_default()
}

fn other(kind: &str) -> ModelContent {
    ModelContent::Other {
        kind: kind.to_owned(),
    }
}
