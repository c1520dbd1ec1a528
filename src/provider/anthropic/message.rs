//! How messages and their blocks are written.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::chat::message::{ContentBlock, Message, ModelBlock, Role};
use crate::chat::tool::{Audience, Media, PartBody, ResultPart, ToolResult};
use crate::provider::anthropic::breakpoint::CacheControl;
use crate::provider::anthropic::outcome;

/// What stands for a result with nothing in it: an empty block would be refused.
const NO_OUTPUT: &str = "(no output)";

/// A message as the service reads it.
#[derive(Debug, Serialize)]
pub(super) struct WireMessage<'a> {
    role: &'static str,
    content: Vec<WireBlock<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum WireBlock<'a> {
    /// A block of the model, byte for byte.
    Raw(&'a RawValue),
    /// The same, and it is the model's reasoning.
    Thinking(&'a RawValue),
    Own(OwnBlock<'a>),
}

/// A block that was written on this side.
#[derive(Debug, Serialize)]
struct OwnBlock<'a> {
    #[serde(flatten)]
    body: OwnBody<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OwnBody<'a> {
    Plain(Plain<'a>),
    ToolResult(WireResult<'a>),
}

#[derive(Debug, Serialize)]
struct WireResult<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    tool_use_id: &'a str,
    content: Vec<Plain<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    is_error: bool,
}

/// What both a message and a result can hold.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Plain<'a> {
    Text { text: Cow<'a, str> },
    Image { source: Source<'a> },
    Document { source: Source<'a> },
}

#[derive(Debug, Serialize)]
struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'a str,
    data: &'a str,
}

impl<'a> WireMessage<'a> {
    /// Writes a message; one that would hold nothing is left out.
    ///
    /// The service joins neighbours of one role, so leaving a message out breaks nothing. A finished
    /// reply of thinking alone (cut by the output limit, or followed by blank text) is left out too:
    /// the service takes no message that ends so.
    pub(super) fn of(message: &'a Message) -> Option<Self> {
        let (results, others): (Vec<_>, Vec<_>) = message
            .blocks
            .iter()
            .partition(|block| block.answers().is_some());
        let content: Vec<WireBlock<'a>> = results
            .into_iter()
            .chain(others)
            .filter_map(WireBlock::of)
            .collect();
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let says_something = content.iter().any(|block| !block.is_thinking());
        says_something.then_some(Self { role, content })
    }

    /// Returns who speaks.
    pub(super) fn role(&self) -> Role {
        if self.role == "user" {
            Role::User
        } else {
            Role::Assistant
        }
    }

    /// Returns how many blocks it has.
    pub(super) const fn len(&self) -> usize {
        self.content.len()
    }

    /// Marks its last block for the prompt cache, if that block is our own.
    pub(super) fn mark_last(&mut self) {
        match self.content.last_mut() {
            Some(WireBlock::Own(block)) => block.cache_control = Some(CacheControl::default()),
            Some(WireBlock::Raw(_) | WireBlock::Thinking(_)) | None => {}
        }
    }
}

impl<'a> WireBlock<'a> {
    const fn is_thinking(&self) -> bool {
        matches!(self, Self::Thinking(_))
    }

    fn of(block: &'a ContentBlock) -> Option<Self> {
        let body = match block {
            ContentBlock::Model(block) => return raw_block(block),
            ContentBlock::Text(text) => OwnBody::Plain(Plain::text(text)?),
            ContentBlock::Image(media) => OwnBody::Plain(Plain::media(media)),
            ContentBlock::ToolResult(result) => OwnBody::ToolResult(WireResult::of(result)),
        };
        Some(Self::Own(OwnBlock {
            body,
            cache_control: None,
        }))
    }
}

/// A model's block goes back as it came; only blank text, which the service itself would refuse to
/// see again, stays out.
fn raw_block(block: &ModelBlock) -> Option<WireBlock<'_>> {
    let is_blank = block.as_text().is_some_and(|text| text.trim().is_empty());
    let raw = block.raw.as_raw();
    if block.is_thinking() {
        Some(WireBlock::Thinking(raw))
    } else {
        (!is_blank).then_some(WireBlock::Raw(raw))
    }
}

impl<'a> WireResult<'a> {
    fn of(result: &'a ToolResult) -> Self {
        let first = outcome::words(&result.outcome).map(Plain::words);
        let parts = result.content.iter().filter_map(Plain::of_part);
        let mut content: Vec<Plain<'a>> = first.into_iter().chain(parts).collect();
        if content.is_empty() {
            content.push(Plain::words(NO_OUTPUT));
        }
        Self {
            kind: "tool_result",
            tool_use_id: result.id.as_str(),
            content,
            is_error: result.outcome.is_error(),
        }
    }
}

impl<'a> Plain<'a> {
    /// Writes text as it is; blank text would be refused and is left out.
    fn text(text: &'a str) -> Option<Self> {
        (!text.trim().is_empty()).then(|| Self::words(text))
    }

    fn words(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Writes bytes as the kind of block that takes them; what the service would refuse is told in
    /// words, because one refused block stops the whole conversation.
    fn media(media: &'a Media) -> Self {
        let source = Source {
            kind: "base64",
            media_type: &media.media_type,
            data: &media.base64,
        };
        match media.media_type.as_str() {
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Self::Image { source },
            "application/pdf" => Self::Document { source },
            other => Self::words(format!("(data of the type {other}, which can't be sent)")),
        }
    }

    fn of_part(part: &'a ResultPart) -> Option<Self> {
        match part.audience {
            Audience::Person => None,
            Audience::Everybody | Audience::Model => match &part.body {
                PartBody::Text(text) => Self::text(text),
                PartBody::Image(media) | PartBody::Document(media) => Some(Self::media(media)),
            },
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
