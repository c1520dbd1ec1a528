//! How a record is redacted: everything but what is signed, which is kept whole or left out.

use std::sync::Arc;

use serde_json::Value;

use crate::chat::entry::{Entry, Verdict};
use crate::chat::message::{ContentBlock, ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::request::Setup;
use crate::chat::tool::{Arguments, PartBody, ResultPart, ToolOutcome, ToolResult, ToolSpec};
use crate::redact::{Redactable, Redactor};
use crate::transcript::record::{Body, LeftOut, Record};

impl Redactable for Record {
    fn redacted_by(self, redactor: &Redactor) -> Self {
        let body = match self.body {
            Body::Titled(title) => Body::Titled(text(redactor, &title)),
            Body::Entry(entry) => redact_entry(redactor, entry, Vec::new()),
            Body::Altered { entry, left_out } => redact_entry(redactor, entry, left_out),
            began @ Body::Began { .. } => began,
        };
        Self { at: self.at, body }
    }
}

fn redact_entry(redactor: &Redactor, entry: Entry, mut left_out: Vec<LeftOut>) -> Body {
    let before = entry.clone();
    let was_altered = !left_out.is_empty();
    let entry = mask_entry(redactor, entry, &mut left_out);
    if was_altered || !left_out.is_empty() || entry != before {
        Body::Altered { entry, left_out }
    } else {
        Body::Entry(entry)
    }
}

fn mask_entry(redactor: &Redactor, entry: Entry, left_out: &mut Vec<LeftOut>) -> Entry {
    match entry {
        Entry::UserSaid(blocks) => Entry::UserSaid(mask_blocks(redactor, blocks, left_out)),
        Entry::Requested { request, setup } => {
            let setup = mask_setup(redactor, &setup);
            Entry::Requested { request, setup }
        }
        Entry::Replied {
            request,
            reply_id,
            model,
            blocks,
            stop,
            usage,
        } => Entry::Replied {
            request,
            reply_id,
            model,
            blocks: mask_blocks(redactor, blocks, left_out),
            stop,
            usage,
        },
        Entry::Cut {
            request,
            text: cut,
            reason,
            usage,
        } => Entry::Cut {
            request,
            text: cut.map(|cut| text(redactor, &cut)),
            reason: text(redactor, &reason),
            usage,
        },
        refused @ Entry::Refused { .. } => refused,
        Entry::Decided {
            call,
            server,
            tool,
            decision,
        } => Entry::Decided {
            call,
            server,
            tool,
            decision: mask_verdict(redactor, decision),
        },
        Entry::Answered(result) => Entry::Answered(mask_result(redactor, result)),
    }
}

fn mask_blocks(
    redactor: &Redactor,
    blocks: Vec<ContentBlock>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<ContentBlock> {
    let mut masked = Vec::new();
    for (index, block) in blocks.into_iter().enumerate() {
        match block {
            ContentBlock::Text(said) => masked.push(ContentBlock::Text(text(redactor, &said))),
            ContentBlock::Image(image) => masked.push(ContentBlock::Image(image)),
            ContentBlock::ToolResult(result) => {
                masked.push(ContentBlock::ToolResult(mask_result(redactor, result)));
            }
            ContentBlock::Model(block) => match mask_model_block(redactor, block) {
                Ok(block) => masked.push(ContentBlock::Model(block)),
                Err(why) => left_out.push(LeftOut {
                    index,
                    why: why.to_owned(),
                }),
            },
        }
    }
    masked
}

/// Masks a model's block, or says why it must be left out.
fn mask_model_block(redactor: &Redactor, block: ModelBlock) -> Result<ModelBlock, &'static str> {
    let invalid = mask_invalid(redactor, &block);
    let raw = mask_raw(redactor, &block.raw).ok_or("it holds a secret that can't be masked")?;
    if raw == block.raw && invalid.is_none() {
        return Ok(block);
    }
    if block.is_thinking() {
        return Err("it is signed and holds a secret");
    }
    let mut masked = ModelBlock::from_raw(raw);
    if let (Some(arguments), ModelContent::ToolUse(tool_use)) = (invalid, &mut masked.content) {
        tool_use.arguments = arguments;
    }
    Ok(masked)
}

/// Arguments that are no JSON object are not in the raw block and are masked as text.
fn mask_invalid(redactor: &Redactor, block: &ModelBlock) -> Option<Arguments> {
    let ModelContent::ToolUse(tool_use) = &block.content else {
        return None;
    };
    let Arguments::Invalid { text: said, reason } = &tool_use.arguments else {
        return None;
    };
    Some(Arguments::Invalid {
        text: text(redactor, said),
        reason: text(redactor, reason),
    })
}

/// Returns the masked JSON; the same bytes where nothing is secret.
fn mask_raw(redactor: &Redactor, raw: &RawJson) -> Option<RawJson> {
    let Ok(value) = raw.to_value() else {
        return RawJson::parse(text(redactor, raw.text())).ok();
    };
    let masked = redactor.json(&value, None);
    if *masked == value {
        Some(raw.clone())
    } else {
        Some(RawJson::from_value(&masked))
    }
}

fn mask_result(redactor: &Redactor, result: ToolResult) -> ToolResult {
    let outcome = match result.outcome {
        ToolOutcome::DeniedWithReason(reason) => {
            ToolOutcome::DeniedWithReason(text(redactor, &reason))
        }
        same @ (ToolOutcome::Succeeded
        | ToolOutcome::Failed
        | ToolOutcome::Denied
        | ToolOutcome::Cancelled
        | ToolOutcome::TimedOut(_)
        | ToolOutcome::ServerGone
        | ToolOutcome::NotRun) => same,
    };
    let part = |part: ResultPart| ResultPart {
        audience: part.audience,
        body: match part.body {
            PartBody::Text(said) => PartBody::Text(text_or_json(redactor, &said)),
            same @ (PartBody::Image(_) | PartBody::Document(_)) => same,
        },
    };
    ToolResult {
        id: result.id,
        outcome,
        content: result.content.into_iter().map(part).collect(),
    }
}

fn mask_verdict(redactor: &Redactor, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::DeniedWithReason(reason) => Verdict::DeniedWithReason(text(redactor, &reason)),
        same @ (Verdict::Approved
        | Verdict::AllowedByFlag(_)
        | Verdict::Denied
        | Verdict::Stopped) => same,
    }
}

fn mask_setup(redactor: &Redactor, setup: &Arc<Setup>) -> Arc<Setup> {
    let tool = |tool: &ToolSpec| ToolSpec {
        name: tool.name.clone(),
        description: tool.description.as_ref().map(|said| text(redactor, said)),
        // The names in a schema are the names of secrets, not secrets.
        input_schema: mask_schema(redactor, &tool.input_schema),
    };
    let masked = Setup {
        model: setup.model.clone(),
        system: setup
            .system
            .as_ref()
            .map(|said| text(redactor, said).into()),
        tools: setup.tools.iter().map(tool).collect(),
        max_tokens: setup.max_tokens,
        effort: setup.effort.clone(),
    };
    Arc::new(masked)
}

/// Masks the strings of a schema by their shape: a `default` or an `example` can be a real key.
fn mask_schema(redactor: &Redactor, schema: &RawJson) -> RawJson {
    let Ok(value) = schema.to_value() else {
        return schema.clone();
    };
    let masked = mask_strings(redactor, &value);
    if masked == value {
        schema.clone()
    } else {
        RawJson::from_value(&masked)
    }
}

fn mask_strings(redactor: &Redactor, value: &Value) -> Value {
    match value {
        Value::String(said) => Value::String(text(redactor, said)),
        Value::Array(items) => Value::Array(
            items
                .iter()
                .map(|item| mask_strings(redactor, item))
                .collect(),
        ),
        Value::Object(map) => {
            let entry =
                |(name, value): (&String, &Value)| (name.clone(), mask_strings(redactor, value));
            Value::Object(map.iter().map(entry).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn text(redactor: &Redactor, text: &str) -> String {
    redactor.text(text).into_inner()
}

/// Results are often JSON, which can be looked through better than text.
fn text_or_json(redactor: &Redactor, said: &str) -> String {
    let value = Value::String(said.to_owned());
    match redactor.json(&value, None).into_inner() {
        Value::String(masked) => text(redactor, &masked),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            text(redactor, said)
        }
    }
}
