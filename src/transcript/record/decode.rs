//! From a line back to what it says. A line that can't be read is told, never an error.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::chat::entry::{Entry, Verdict};
use crate::chat::id::{RecordId, RequestId, ServerName, ToolName, ToolUseId};
use crate::chat::message::{ContentBlock, ModelBlock, ModelContent};
use crate::chat::moment::{Millis, Timestamp};
use crate::chat::raw_json::RawJson;
use crate::chat::stream::{StopReason, Usage};
use crate::chat::tool::{
    Arguments, Audience, PartBody, ResultPart, TimeLimit, ToolOutcome, ToolResult, ToolSpec,
};
use crate::transcript::record::line::{
    Began, Block, CutBody, Decided, Head, Part, PartLine, Refused, Replied, Requested, ResultBody,
    SetupBody, Stop, Title, UsageLine, User,
};
use crate::transcript::record::media::from_line;
use crate::transcript::record::{VERSION, stamp};

/// Where the bytes are that records refer to.
pub trait Blobs {
    /// Returns the bytes of this hash, if they are there and are what they should be.
    fn read(&self, hash: &str) -> Option<Vec<u8>>;
}

/// No bytes at all.
#[derive(Debug, Clone, Copy)]
pub struct NoBlobs;

impl Blobs for NoBlobs {
    fn read(&self, _hash: &str) -> Option<Vec<u8>> {
        None
    }
}

/// A line that was read.
#[derive(Debug, PartialEq)]
pub struct Parsed {
    /// The record's id.
    pub id: RecordId,
    /// The record before it.
    pub parent: Option<RecordId>,
    /// When it was written.
    pub at: Timestamp,
    /// Redaction has changed it.
    pub redacted: bool,
    /// What it says.
    pub body: ParsedBody,
}

/// What a line says.
#[derive(Debug, PartialEq)]
pub enum ParsedBody {
    /// The conversation began.
    Began {
        /// The working folder.
        folder: String,
        /// Made as a copy of this transcript.
        forked_from: Option<String>,
    },
    /// It has this title now.
    Titled(String),
    /// A system prompt and a tool list that requests refer to.
    Setup {
        /// What requests call it.
        hash: String,
        /// The system prompt.
        system: Option<Arc<str>>,
        /// The tools.
        tools: Arc<[ToolSpec]>,
    },
    /// A request was made.
    Requested {
        /// Which request.
        request: RequestId,
        /// The model.
        model: String,
        /// How much effort.
        effort: Option<String>,
        /// The most tokens of the reply.
        max_tokens: u32,
        /// The hash of its setup.
        setup: String,
    },
    /// Something happened in the conversation; blocks that can't be read are named.
    Entry {
        /// What happened.
        entry: Entry,
        /// What is missing from it, one phrase each.
        missing: Vec<String>,
    },
    /// A kind, or a version, made after us.
    Unknown {
        /// The kind.
        kind: String,
        /// The version.
        version: u32,
    },
}

/// Reads one line, which must be one JSON object. `None`: it is no record.
pub fn decode(text: &str, blobs: &dyn Blobs) -> Option<Parsed> {
    let head: Head = serde_json::from_str(text).ok()?;
    let unknown = || ParsedBody::Unknown {
        kind: head.kind.clone(),
        version: head.v,
    };
    let body = if head.v > VERSION {
        unknown()
    } else {
        body(&head.kind, text, blobs).unwrap_or_else(unknown)
    };
    Some(Parsed {
        id: RecordId::new(head.id),
        parent: head.parent.map(RecordId::new),
        at: stamp::from_text(&head.at),
        redacted: head.redacted,
        body,
    })
}

fn body(kind: &str, text: &str, blobs: &dyn Blobs) -> Option<ParsedBody> {
    let mut reader = Reader {
        blobs,
        missing: Vec::new(),
    };
    let entry = match kind {
        "began" => return read(text).map(began),
        "title" => return read(text).map(|title: Title| ParsedBody::Titled(title.title)),
        "setup" => return read(text).map(setup),
        "request" => return read(text).map(request),
        "user" => reader.user(&read(text)?),
        "reply" => reader.reply(read(text)?),
        "cut" => cut(read(text)?),
        "refused" => refused(read(text)?),
        "decision" => decided(read(text)?)?,
        "result" => Entry::Answered(reader.result(read(text)?)?),
        _ => return None,
    };
    Some(ParsedBody::Entry {
        entry,
        missing: reader.missing,
    })
}

fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

fn began(line: Began) -> ParsedBody {
    ParsedBody::Began {
        folder: line.folder,
        forked_from: line.forked_from,
    }
}

fn setup(line: SetupBody) -> ParsedBody {
    let tools = line.tools.into_iter().map(|tool| ToolSpec {
        name: ToolName::new(tool.name),
        description: tool.description,
        input_schema: RawJson::from_raw(tool.input_schema),
    });
    ParsedBody::Setup {
        hash: line.hash,
        system: line.system.map(Into::into),
        tools: tools.collect(),
    }
}

fn request(line: Requested) -> ParsedBody {
    ParsedBody::Requested {
        request: RequestId(line.request),
        model: line.model,
        effort: line.effort,
        max_tokens: line.max_tokens,
        setup: line.setup,
    }
}

fn cut(line: CutBody) -> Entry {
    Entry::Cut {
        request: RequestId(line.request),
        text: line.text,
        reason: line.cut,
        usage: usage(&line.usage),
    }
}

fn refused(line: Refused) -> Entry {
    Entry::Refused {
        request: RequestId(line.request),
        category: line.category,
        usage: usage(&line.usage),
    }
}

fn decided(line: Decided) -> Option<Entry> {
    let decision = match (line.decision.as_str(), line.reason) {
        ("approved", _) => Verdict::Approved,
        ("allowed_by_flag", pattern) => Verdict::AllowedByFlag(pattern.unwrap_or_default()),
        ("denied", None) => Verdict::Denied,
        ("denied", Some(reason)) => Verdict::DeniedWithReason(reason),
        ("stopped", _) => Verdict::Stopped,
        _ => return None,
    };
    Some(Entry::Decided {
        call: ToolUseId::new(line.call),
        server: line.server.map(ServerName::new),
        tool: line.tool,
        decision,
    })
}

/// Reads the parts of an entry and remembers what could not be read.
struct Reader<'a> {
    blobs: &'a dyn Blobs,
    missing: Vec<String>,
}

impl Reader<'_> {
    fn user(&mut self, line: &User) -> Entry {
        self.note_left_out(line.left_out.len());
        Entry::UserSaid(self.blocks(&line.blocks))
    }

    fn reply(&mut self, line: Replied) -> Entry {
        self.note_left_out(line.left_out.len());
        Entry::Replied {
            request: RequestId(line.request),
            reply_id: line.reply_id,
            model: line.model,
            blocks: self.blocks(&line.blocks),
            stop: line.stop.map(stop),
            usage: usage(&line.usage),
        }
    }

    fn note_left_out(&mut self, count: usize) {
        if count > 0 {
            let note = format!("{count} signed blocks that held a secret were never saved");
            self.missing.push(note);
        }
    }

    fn blocks(&mut self, blocks: &[Box<RawValue>]) -> Vec<ContentBlock> {
        blocks.iter().filter_map(|raw| self.block(raw)).collect()
    }

    fn block(&mut self, raw: &RawValue) -> Option<ContentBlock> {
        let Ok(block) = serde_json::from_str(raw.get()) else {
            self.missing.push("a block of an unknown kind".to_owned());
            return None;
        };
        match block {
            Block::Text(text) => Some(ContentBlock::Text(text)),
            Block::Image(line) => {
                let media = from_line(line, self.blobs);
                if media.is_none() {
                    self.missing.push("a picture whose file is gone".to_owned());
                }
                media.map(ContentBlock::Image)
            }
            Block::ToolResult(line) => self.result(line).map(ContentBlock::ToolResult),
            Block::Model(raw) => Some(ContentBlock::Model(model_block(raw))),
            Block::InvalidCall {
                model,
                text,
                reason,
            } => Some(ContentBlock::Model(invalid_call(model, text, reason))),
        }
    }

    fn result(&mut self, line: ResultBody) -> Option<ToolResult> {
        let outcome = outcome(&line.outcome, line.reason, line.limit_ms)?;
        let content = line.content.iter().map(|raw| self.part(raw)).collect();
        Some(ToolResult {
            id: ToolUseId::new(line.call),
            outcome,
            content,
        })
    }

    fn part(&mut self, raw: &RawValue) -> ResultPart {
        let gone = |what: &str| ResultPart::text(format!("[{what} is no longer there]"));
        let Ok(part) = serde_json::from_str::<Part>(raw.get()) else {
            self.missing
                .push("a part of a result of an unknown kind".to_owned());
            return gone("a part of this result");
        };
        let body = match part.body {
            PartLine::Text(text) => Some(PartBody::Text(text)),
            PartLine::Image(line) => from_line(line, self.blobs).map(PartBody::Image),
            PartLine::Document(line) => from_line(line, self.blobs).map(PartBody::Document),
        };
        let Some(body) = body else {
            self.missing
                .push("a part of a result whose file is gone".to_owned());
            return gone("a file of this result");
        };
        let audience = match part.audience.as_deref() {
            Some("person") => Audience::Person,
            Some("model") => Audience::Model,
            Some(_) | None => Audience::Everybody,
        };
        ResultPart { audience, body }
    }
}

fn model_block(raw: Box<RawValue>) -> ModelBlock {
    ModelBlock::from_raw(RawJson::from_raw(raw))
}

fn invalid_call(raw: Box<RawValue>, text: String, reason: String) -> ModelBlock {
    let mut block = model_block(raw);
    if let ModelContent::ToolUse(tool_use) = &mut block.content {
        tool_use.arguments = Arguments::Invalid { text, reason };
    }
    block
}

fn outcome(word: &str, reason: Option<String>, limit_ms: Option<u64>) -> Option<ToolOutcome> {
    let limit = Millis(limit_ms.unwrap_or_default());
    match (word, reason) {
        ("succeeded", _) => Some(ToolOutcome::Succeeded),
        ("failed", _) => Some(ToolOutcome::Failed),
        ("denied", None) => Some(ToolOutcome::Denied),
        ("denied", Some(reason)) => Some(ToolOutcome::DeniedWithReason(reason)),
        ("cancelled", _) => Some(ToolOutcome::Cancelled),
        ("timed_out_idle", _) => Some(ToolOutcome::TimedOut(TimeLimit::Idle(limit))),
        ("timed_out_total", _) => Some(ToolOutcome::TimedOut(TimeLimit::Total(limit))),
        ("server_gone", _) => Some(ToolOutcome::ServerGone),
        ("not_run", _) => Some(ToolOutcome::NotRun),
        _ => None,
    }
}

fn stop(line: Stop) -> StopReason {
    match line.reason.as_str() {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence(line.sequence),
        "pause_turn" => StopReason::PauseTurn,
        "refusal" => StopReason::Refusal {
            category: line.category,
            explanation: line.explanation,
        },
        "context_window_exceeded" => StopReason::ContextWindowExceeded,
        _ => StopReason::Other(line.reason),
    }
}

const fn usage(line: &UsageLine) -> Usage {
    Usage {
        input: line.input,
        cache_read: line.cache_read,
        cache_write: line.cache_write,
        output: line.output,
    }
}
