//! Messages and the blocks in them.

use crate::chat::id::ToolUseId;
use crate::chat::raw_json::RawJson;
use crate::chat::tool::{Media, ToolResult, ToolUse};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person, and the results of tools.
    User,
    /// The model.
    Assistant,
}

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub blocks: Vec<ContentBlock>,
}

impl Message {
    /// Makes a message of plain text from the person.
    pub fn user_text(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            blocks: vec![ContentBlock::Text(text.into())],
        }
    }

    /// Returns the calls that this message asks for, in order.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.blocks.iter().filter_map(ContentBlock::as_tool_use)
    }

    /// Returns the plain text of the message, blocks joined by line feeds.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter_map(ContentBlock::as_text)
            .collect();
        texts.join("\n")
    }
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentBlock {
    /// Text that was written on this side.
    Text(String),
    /// A picture that was attached on this side.
    Image(Media),
    /// The answer to a call.
    ToolResult(ToolResult),
    /// A block that a model sent, kept as the JSON it sent.
    Model(ModelBlock),
}

impl ContentBlock {
    /// Returns the text of a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Model(block) => block.as_text(),
            Self::Image(_) | Self::ToolResult(_) => None,
        }
    }

    /// Returns the call, if this block asks for one.
    pub fn as_tool_use(&self) -> Option<&ToolUse> {
        match self {
            Self::Model(ModelBlock {
                content: ModelContent::ToolUse(tool_use),
                ..
            }) => Some(tool_use),
            Self::Model(_) | Self::Text(_) | Self::Image(_) | Self::ToolResult(_) => None,
        }
    }

    /// Returns the id of the call that this block answers.
    pub fn answers(&self) -> Option<&ToolUseId> {
        match self {
            Self::ToolResult(result) => Some(&result.id),
            Self::Model(_) | Self::Text(_) | Self::Image(_) => None,
        }
    }
}

/// A block from a model: its raw JSON to send back, and what we understand of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelBlock {
    /// The block as the model sent it. Only this goes back to the model.
    pub raw: RawJson,
    /// What it says. Only this is shown.
    pub content: ModelContent,
}

impl ModelBlock {
    /// Returns the text of a text block.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            ModelContent::Text(text) => Some(text),
            ModelContent::Thinking { .. }
            | ModelContent::RedactedThinking
            | ModelContent::ToolUse(_)
            | ModelContent::Other { .. } => None,
        }
    }

    /// Tells whether the block is the model's reasoning, which is bound to all that came before.
    pub const fn is_thinking(&self) -> bool {
        matches!(
            self.content,
            ModelContent::Thinking { .. } | ModelContent::RedactedThinking
        )
    }
}

/// What a model's block says.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelContent {
    /// Text for the person.
    Text(String),
    /// Reasoning, or a summary of it; the text may be empty.
    Thinking {
        /// What can be read of it.
        text: String,
    },
    /// Reasoning that only the service can read.
    RedactedThinking,
    /// A call that this side must answer.
    ToolUse(ToolUse),
    /// Anything else: a call or result of the service's own tools, or a kind made after us.
    Other {
        /// The block's `type`.
        kind: String,
    },
}
