//! A block of a reply, from its start to the JSON that goes back.

use serde_json::value::RawValue;

use crate::chat::id::{ToolName, ToolUseId};
use crate::chat::message::{ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::stream::{BlockOpening, StreamEvent};
use crate::chat::tool::{Arguments, ToolUse};
use crate::provider::anthropic::json::{Fields, mended, quoted};

/// The key under which input that is not an object goes back to the model.
const INVALID: &str = "INVALID_JSON";

/// A block that has begun and is not whole yet.
///
/// `start` holds every field of the start event, in order; what the deltas bring is kept beside it
/// and put in its place at the end.
#[derive(Debug)]
pub(super) struct OpenBlock {
    index: usize,
    kind: String,
    start_text: String,
    start: Fields,
    text: Option<String>,
    thinking: Option<String>,
    citations: Vec<String>,
    input: Option<String>,
    assigned: Vec<(String, String)>,
}

impl OpenBlock {
    /// Begins a block with the object of its start event; anything but an object with a type is
    /// nothing, because it could never be sent back.
    ///
    /// `spare_id` names a call whose server gave it no id.
    pub(super) fn new(index: usize, start_text: &str, spare_id: &str) -> Option<Self> {
        let mut start = Fields::parse(start_text)?;
        let kind = start.string("type")?;
        let mut start_text = start_text.to_owned();
        if kind == "tool_use" && start.string("id").is_none_or(|id| id.is_empty()) {
            start.set("id", quoted(spare_id));
            start_text = start.text();
        }
        Some(Self {
            index,
            kind,
            start_text,
            start,
            text: None,
            thinking: None,
            citations: Vec::new(),
            input: None,
            assigned: Vec::new(),
        })
    }

    /// Returns its place in the reply.
    pub(super) const fn index(&self) -> usize {
        self.index
    }

    /// Tells that the block begins, and what its start already holds.
    pub(super) fn opening_events(&self, out: &mut Vec<StreamEvent>) {
        let index = self.index;
        let opening = match self.kind.as_str() {
            "text" => BlockOpening::Text,
            "thinking" | "redacted_thinking" => BlockOpening::Thinking,
            "tool_use" => BlockOpening::ToolUse { name: self.name() },
            kind => BlockOpening::Other {
                kind: kind.to_owned(),
            },
        };
        out.push(StreamEvent::BlockStarted { index, opening });
        let begun = |key| self.start.string(key).filter(|text| !text.is_empty());
        match self.kind.as_str() {
            "text" => out.extend(begun("text").map(|text| StreamEvent::TextGrew { index, text })),
            "thinking" => {
                out.extend(begun("thinking").map(|text| StreamEvent::ThinkingGrew { index, text }));
            }
            _ => {}
        }
    }

    /// Takes in one delta. Kinds made after us change nothing.
    pub(super) fn apply(&mut self, delta: &Fields, out: &mut Vec<StreamEvent>) {
        match delta.string("type").as_deref() {
            Some("text_delta") => self.grow_text(delta, out),
            Some("thinking_delta") => self.grow_thinking(delta, out),
            Some("input_json_delta") => self.grow_input(delta, out),
            Some("signature_delta") => self.assign(delta, &["signature"]),
            Some("compaction_delta") => self.assign(delta, &["content", "encrypted_content"]),
            Some("citations_delta") => {
                self.citations
                    .extend(delta.get("citation").map(str::to_owned));
            }
            Some(_) | None => {}
        }
    }

    /// Makes the block whole.
    pub(super) fn finish(mut self) -> ModelBlock {
        let input = self.settle_input();
        let raw = self.raw_text();
        let content = match self.kind.as_str() {
            "text" => ModelContent::Text(self.start.string("text").unwrap_or_default()),
            "thinking" => ModelContent::Thinking {
                text: self.start.string("thinking").unwrap_or_default(),
            },
            "redacted_thinking" => ModelContent::RedactedThinking,
            "tool_use" => ModelContent::ToolUse(ToolUse {
                id: ToolUseId::new(self.start.string("id").unwrap_or_default()),
                name: ToolName::new(self.name()),
                arguments: input.unwrap_or_else(|| Arguments::parse("")),
            }),
            kind => ModelContent::Other {
                kind: kind.to_owned(),
            },
        };
        // Every part is JSON that was parsed before, so the whole is JSON as well.
        let raw = RawJson::parse(raw).unwrap_or_else(|_| RawJson::null());
        ModelBlock { raw, content }
    }

    fn name(&self) -> String {
        self.start.string("name").unwrap_or_default()
    }

    fn grow_text(&mut self, delta: &Fields, out: &mut Vec<StreamEvent>) {
        let added = delta.string("text").unwrap_or_default();
        let start = &self.start;
        let text = self
            .text
            .get_or_insert_with(|| start.string("text").unwrap_or_default());
        text.push_str(&added);
        if self.kind == "text" && !added.is_empty() {
            out.push(StreamEvent::TextGrew {
                index: self.index,
                text: added,
            });
        }
    }

    fn grow_thinking(&mut self, delta: &Fields, out: &mut Vec<StreamEvent>) {
        let added = delta.string("thinking").unwrap_or_default();
        let start = &self.start;
        let thinking = self
            .thinking
            .get_or_insert_with(|| start.string("thinking").unwrap_or_default());
        thinking.push_str(&added);
        if !added.is_empty() {
            out.push(StreamEvent::ThinkingGrew {
                index: self.index,
                text: added,
            });
        }
    }

    fn grow_input(&mut self, delta: &Fields, out: &mut Vec<StreamEvent>) {
        let added = delta.string("partial_json").unwrap_or_default();
        self.input.get_or_insert_default().push_str(&added);
        if self.kind == "tool_use" && !added.is_empty() {
            out.push(StreamEvent::ArgumentsGrew {
                index: self.index,
                bytes: added.len(),
            });
        }
    }

    /// Keeps whole values, which replace what was there before.
    fn assign(&mut self, delta: &Fields, keys: &[&str]) {
        for &key in keys {
            if let Some(value) = delta.get(key) {
                self.assigned.push((key.to_owned(), value.to_owned()));
            }
        }
    }

    /// Decides what the input is and puts it into the block.
    ///
    /// Fragments win over the start event's input, which is only a place holder; but some servers
    /// send the whole input there and no fragment at all.
    fn settle_input(&mut self) -> Option<Arguments> {
        let fragments = self.input.take().filter(|text| !text.trim().is_empty());
        let from_deltas = fragments.is_some();
        let text = match fragments {
            Some(text) => mended(&text).into_owned(),
            None if self.kind == "tool_use" => self
                .start
                .get("input")
                .filter(|text| *text != "null")
                .unwrap_or("{}")
                .to_owned(),
            None => return None,
        };
        let arguments = Arguments::parse(&text);
        let value = match &arguments {
            Arguments::Object { raw, .. } => raw.text().to_owned(),
            Arguments::Invalid { text, .. } => format!("{{\"{INVALID}\":{}}}", quoted(text)),
        };
        if from_deltas || self.start.get("input") != Some(value.as_str()) {
            self.assigned.push(("input".into(), value));
        }
        Some(arguments)
    }

    /// Returns the block's JSON. A block without deltas is the text of its start event.
    fn raw_text(&mut self) -> String {
        let mut changes: Vec<(String, String)> = Vec::new();
        changes.extend(self.text.take().map(|text| ("text".into(), quoted(&text))));
        changes.extend(
            self.thinking
                .take()
                .map(|text| ("thinking".into(), quoted(&text))),
        );
        changes.extend(self.all_citations().map(|list| ("citations".into(), list)));
        changes.append(&mut self.assigned);
        if changes.is_empty() {
            return self.start_text.clone();
        }
        for (key, value) in changes {
            self.start.set(&key, value);
        }
        self.start.text()
    }

    /// Returns the citations of the start event and of the deltas, if deltas brought any.
    fn all_citations(&mut self) -> Option<String> {
        if self.citations.is_empty() {
            return None;
        }
        let known = self
            .start
            .get("citations")
            .and_then(|text| serde_json::from_str(text).ok());
        let known: Vec<Box<RawValue>> = known.unwrap_or_default();
        let mut all: Vec<String> = known.iter().map(|raw| raw.get().to_owned()).collect();
        all.append(&mut self.citations);
        Some(format!("[{}]", all.join(",")))
    }
}
