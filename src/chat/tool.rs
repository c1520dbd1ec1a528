//! What can be called, what a model asks, and what goes back.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::chat::id::{ToolName, ToolUseId};
use crate::chat::moment::Millis;
use crate::chat::raw_json::RawJson;

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    /// Public name, unique in a request.
    pub name: ToolName,
    /// What the tool does, in its server's words.
    pub description: Option<String>,
    /// JSON Schema of the arguments: an object of `"type": "object"`.
    pub input_schema: RawJson,
}

/// One call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// Answered by a [`ToolResult`] with the same id.
    pub id: ToolUseId,
    /// The public name that the model used; it may name no tool at all.
    pub name: ToolName,
    /// What the tool is to be called with.
    pub arguments: Arguments,
}

/// The arguments of a call: an object, or text that turned out not to be one.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments {
    /// A JSON object.
    Object {
        /// The text that the model wrote.
        raw: RawJson,
        /// The same, parsed, in the same order.
        map: Map<String, Value>,
    },
    /// Something that can't be sent to a tool. Such a call is answered and never run.
    Invalid {
        /// The text that the model wrote.
        text: String,
        /// Why it is not an object.
        reason: String,
    },
}

impl Arguments {
    /// Reads the arguments of a call; blank text stands for no arguments.
    pub fn parse(text: &str) -> Self {
        let text = if text.trim().is_empty() { "{}" } else { text };
        let invalid = |reason: String| Self::Invalid {
            text: text.to_owned(),
            reason,
        };
        let raw = match RawJson::parse(text) {
            Ok(raw) => raw,
            Err(error) => return invalid(error.reason),
        };
        match raw.to_value() {
            Ok(Value::Object(map)) => Self::Object { raw, map },
            Ok(_) => invalid("the arguments are not a JSON object".to_owned()),
            Err(error) => invalid(error.reason),
        }
    }

    /// Returns the text that the model wrote.
    pub fn text(&self) -> &str {
        match self {
            Self::Object { raw, .. } => raw.text(),
            Self::Invalid { text, .. } => text,
        }
    }
}

/// The answer to one [`ToolUse`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Which call this answers.
    pub id: ToolUseId,
    /// How the call ended.
    pub outcome: ToolOutcome,
    /// What came back, in order. May be empty; a dialect then says so in its own words.
    pub content: Vec<ResultPart>,
}

/// How a call ended. A model can tell all of these apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOutcome {
    /// The tool ran and reported success.
    Succeeded,
    /// The tool ran and reported an error, or the server refused the call.
    Failed,
    /// The person said no; nothing ran.
    Denied,
    /// The person said no and why; nothing ran.
    DeniedWithReason(String),
    /// The person stopped it while it ran; its effects are unknown.
    Cancelled,
    /// A time limit ended it; its effects are unknown.
    TimedOut(TimeLimit),
    /// The server went away while the call ran; its effects are unknown.
    ServerGone,
    /// It never ran: its arguments were not usable, no such tool exists, or its reply was cut.
    NotRun,
}

impl ToolOutcome {
    /// Tells whether the model is told that this is an error.
    pub const fn is_error(&self) -> bool {
        !matches!(self, Self::Succeeded)
    }
}

/// Which limit ended a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// Nothing was heard for this long; progress starts it anew.
    Idle(Millis),
    /// The call took this long in all.
    Total(Millis),
}

/// A piece of a tool's result and who it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPart {
    /// Who gets it.
    pub audience: Audience,
    /// What it is.
    pub body: PartBody,
}

impl ResultPart {
    /// Makes a piece of text for everybody.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            audience: Audience::Everybody,
            body: PartBody::Text(text.into()),
        }
    }
}

/// Who a piece of a result is for (MCP `annotations.audience`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Shown, and sent to the model.
    Everybody,
    /// Shown, not sent.
    Person,
    /// Sent; folded on the screen.
    Model,
}

/// What a piece of a result is, after a server's own kinds have been mapped to these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartBody {
    /// Text, also for everything that can only be described.
    Text(String),
    /// A picture of `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    Image(Media),
    /// A document of `application/pdf`.
    Document(Media),
}

/// Bytes with their type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// MIME type.
    pub media_type: String,
    /// The bytes in standard base64.
    pub base64: Arc<str>,
}
