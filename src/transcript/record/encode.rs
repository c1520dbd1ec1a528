//! From a record to its line, or lines: a request's setup is written once, before its first use.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::chat::entry::Entry;
use crate::chat::id::RecordId;
use crate::chat::message::{ContentBlock, ModelContent};
use crate::chat::request::Setup;
use crate::chat::tool::{Arguments, PartBody, ResultPart, ToolResult};
use crate::redact::Redacted;
use crate::transcript::record::line::{
    Began, Block, CutBody, Decided, Head, Line, Part, PartLine, Refused, Replied, Requested,
    ResultBody, SetupBody, Title, Tool, User,
};
use crate::transcript::record::media::{Blob, hash, to_line};
use crate::transcript::record::words::{
    audience_word, left_out_lines, outcome_words, stop_line, usage_line, verdict_words,
};
use crate::transcript::record::{Body, LeftOut, Record, VERSION, stamp};

/// What is to be written for a record.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The lines, each with its line feed.
    pub text: String,
    /// What the lines refer to; to be written first.
    pub blobs: Vec<Blob>,
}

/// Writes the records of one file, in order.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    parent: Option<RecordId>,
    setup: Option<String>,
}

/// A line whose head is not written yet.
struct Draft<'a> {
    encoder: &'a mut Encoder,
    at: String,
    redacted: bool,
    new_id: &'a mut dyn FnMut() -> RecordId,
    out: Lines,
}

impl Encoder {
    /// Goes on behind the last record of a file.
    pub fn after(parent: Option<RecordId>, setup: Option<String>) -> Self {
        Self { parent, setup }
    }

    /// Writes a record as text. `new_id` gives an id that the file doesn't hold yet.
    pub fn encode(
        &mut self,
        record: &Redacted<Record>,
        new_id: &mut dyn FnMut() -> RecordId,
    ) -> Lines {
        let mut draft = Draft {
            at: stamp::to_text(record.at),
            redacted: matches!(record.body, Body::Altered { .. }),
            encoder: self,
            new_id,
            out: Lines::default(),
        };
        match &record.body {
            Body::Began {
                folder,
                program,
                forked_from,
            } => draft.put(
                "began",
                Began {
                    folder: folder.clone(),
                    program: program.clone(),
                    forked_from: forked_from.clone(),
                },
            ),
            Body::Titled(title) => draft.put(
                "title",
                Title {
                    title: title.clone(),
                },
            ),
            Body::Entry(entry) => draft.put_entry(entry, &[]),
            Body::Altered { entry, left_out } => draft.put_entry(entry, left_out),
        }
        draft.out
    }
}

impl Draft<'_> {
    fn put<T: Serialize>(&mut self, kind: &str, body: T) {
        let id = (self.new_id)();
        let head = Head {
            v: VERSION,
            id: id.to_string(),
            parent: self.encoder.parent.as_ref().map(ToString::to_string),
            at: self.at.clone(),
            kind: kind.to_owned(),
            redacted: self.redacted,
        };
        let line = Line { head: &head, body };
        // Every key is a string and every value is plain data, so this can't fail.
        if let Ok(text) = serde_json::to_string(&line) {
            self.out.text.push_str(&text);
            self.out.text.push('\n');
            self.encoder.parent = Some(id);
        }
    }

    fn put_entry(&mut self, entry: &Entry, left_out: &[LeftOut]) {
        match entry {
            Entry::UserSaid(blocks) => {
                let blocks = self.blocks(blocks);
                self.put(
                    "user",
                    User {
                        blocks,
                        left_out: left_out_lines(left_out),
                    },
                );
            }
            Entry::Requested { request, setup } => self.put_request(request.0, setup),
            Entry::Replied {
                request,
                reply_id,
                model,
                blocks,
                stop,
                usage,
            } => {
                let body = Replied {
                    request: request.0,
                    reply_id: reply_id.clone(),
                    model: model.clone(),
                    stop: stop.as_ref().map(stop_line),
                    usage: usage_line(usage),
                    blocks: self.blocks(blocks),
                    left_out: left_out_lines(left_out),
                };
                self.put("reply", body);
            }
            Entry::Cut { .. } | Entry::Refused { .. } => self.put_end(entry),
            Entry::Decided {
                call,
                server,
                tool,
                decision,
            } => {
                let (word, reason) = verdict_words(decision);
                let body = Decided {
                    call: call.to_string(),
                    server: server.as_ref().map(ToString::to_string),
                    tool: tool.clone(),
                    decision: word.to_owned(),
                    reason,
                };
                self.put("decision", body);
            }
            Entry::Answered(result) => {
                let body = result_body(result, &mut self.out.blobs);
                self.put("result", body);
            }
        }
    }

    /// A request that ended without a whole reply.
    fn put_end(&mut self, entry: &Entry) {
        match entry {
            Entry::Cut {
                request,
                text,
                reason,
                usage,
            } => {
                let body = CutBody {
                    request: request.0,
                    cut: reason.clone(),
                    text: text.clone(),
                    usage: usage_line(usage),
                };
                self.put("cut", body);
            }
            Entry::Refused {
                request,
                category,
                usage,
            } => {
                let body = Refused {
                    request: request.0,
                    category: category.clone(),
                    usage: usage_line(usage),
                };
                self.put("refused", body);
            }
            Entry::UserSaid(_)
            | Entry::Requested { .. }
            | Entry::Replied { .. }
            | Entry::Decided { .. }
            | Entry::Answered(_) => {}
        }
    }

    fn put_request(&mut self, request: u64, setup: &Setup) {
        let mut body = SetupBody {
            hash: String::new(),
            system: setup.system.as_deref().map(str::to_owned),
            tools: setup
                .tools
                .iter()
                .map(|tool| Tool {
                    name: tool.name.to_string(),
                    description: tool.description.clone(),
                    input_schema: tool.input_schema.as_raw().to_owned(),
                })
                .collect(),
        };
        let content = serde_json::to_vec(&(&body.system, &body.tools)).unwrap_or_default();
        let hash = hash(&content);
        if self.encoder.setup.as_ref() != Some(&hash) {
            body.hash.clone_from(&hash);
            self.put("setup", body);
            self.encoder.setup = Some(hash.clone());
        }
        self.put(
            "request",
            Requested {
                request,
                model: setup.model.clone(),
                effort: setup.effort.clone(),
                max_tokens: setup.max_tokens,
                setup: hash,
            },
        );
    }

    fn blocks(&mut self, blocks: &[ContentBlock]) -> Vec<Box<RawValue>> {
        let blobs = &mut self.out.blobs;
        let line = |block: &ContentBlock| raw(&block_line(block, blobs));
        blocks.iter().map(line).collect()
    }
}

fn block_line(block: &ContentBlock, blobs: &mut Vec<Blob>) -> Block {
    match block {
        ContentBlock::Text(text) => Block::Text(text.clone()),
        ContentBlock::Image(media) => Block::Image(to_line(media, blobs)),
        ContentBlock::ToolResult(result) => Block::ToolResult(result_body(result, blobs)),
        ContentBlock::Model(block) => {
            let model = block.raw.as_raw().to_owned();
            match &block.content {
                ModelContent::ToolUse(tool_use) => match &tool_use.arguments {
                    Arguments::Invalid { text, reason } => Block::InvalidCall {
                        model,
                        text: text.clone(),
                        reason: reason.clone(),
                    },
                    Arguments::Object { .. } => Block::Model(model),
                },
                ModelContent::Text(_)
                | ModelContent::Thinking { .. }
                | ModelContent::RedactedThinking
                | ModelContent::Other { .. } => Block::Model(model),
            }
        }
    }
}

fn result_body(result: &ToolResult, blobs: &mut Vec<Blob>) -> ResultBody {
    let (outcome, reason, limit_ms) = outcome_words(&result.outcome);
    let part = |part: &ResultPart| {
        raw(&Part {
            audience: audience_word(part.audience).map(str::to_owned),
            body: match &part.body {
                PartBody::Text(text) => PartLine::Text(text.clone()),
                PartBody::Image(media) => PartLine::Image(to_line(media, blobs)),
                PartBody::Document(media) => PartLine::Document(to_line(media, blobs)),
            },
        })
    };
    ResultBody {
        call: result.id.to_string(),
        outcome: outcome.to_owned(),
        reason,
        limit_ms,
        content: result.content.iter().map(part).collect(),
    }
}

fn raw<T: Serialize>(value: &T) -> Box<RawValue> {
    // Plain data with string keys; this can't fail.
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
