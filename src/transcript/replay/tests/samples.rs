//! Entries and files for the stories.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::chat::entry::{Entry, Verdict};
use crate::chat::id::{RecordId, RequestId};
use crate::chat::message::{ContentBlock, ModelBlock};
use crate::chat::moment::{Millis, Timestamp};
use crate::chat::raw_json::RawJson;
use crate::chat::request::Setup;
use crate::chat::stream::{StopReason, Usage};
use crate::chat::tool::{
    Audience, Media, PartBody, ResultPart, TimeLimit, ToolOutcome, ToolResult, ToolSpec,
};
use crate::redact::Redactor;
use crate::transcript::record::{Blob, Blobs, Body, Encoder, Record};

pub(crate) struct Kept(pub(crate) Vec<Blob>);

impl Blobs for Kept {
    fn read(&self, hash: &str) -> Option<Vec<u8>> {
        let found = self.0.iter().find(|blob| blob.hash == hash);
        found.map(|blob| blob.bytes.clone())
    }
}

pub(crate) fn at(n: i64) -> Timestamp {
    Timestamp(1_764_554_400_000 + n)
}

pub(crate) fn picture(bytes: usize) -> Media {
    Media {
        media_type: "image/png".into(),
        base64: STANDARD.encode(vec![7u8; bytes]).into(),
    }
}

pub(crate) fn setup() -> Arc<Setup> {
    Arc::new(Setup {
        model: "claude-opus-5".into(),
        system: Some("Be brief.".into()),
        tools: vec![ToolSpec {
            name: "s__echo".into(),
            description: Some("Says it again".into()),
            input_schema: RawJson::parse(r#"{"type":"object", "properties":{}}"#).unwrap(),
        }]
        .into(),
        max_tokens: 32_000,
        effort: Some("high".into()),
    })
}

pub(crate) fn says(text: &str) -> Entry {
    Entry::UserSaid(vec![ContentBlock::Text(text.into())])
}

pub(crate) fn replies(raws: &[&str]) -> Entry {
    let block = |raw: &&str| {
        ContentBlock::Model(ModelBlock::from_raw(
            RawJson::parse((*raw).to_owned()).unwrap(),
        ))
    };
    Entry::Replied {
        request: RequestId(1),
        reply_id: Some("msg_1".into()),
        model: Some("claude-opus-5".into()),
        blocks: raws.iter().map(block).collect(),
        stop: Some(StopReason::EndTurn),
        usage: Usage {
            input: 1,
            cache_read: 2,
            cache_write: 3,
            output: 4,
        },
    }
}

pub(crate) fn thinks(thinking: &str, text: &str) -> Entry {
    let text = format!(r#"{{"type":"text","text":"{text}"}}"#);
    if thinking.is_empty() {
        replies(&[&text])
    } else {
        replies(&[thinking, &text])
    }
}

fn call(id: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"s__echo","input":{{"text":"é🌊"}}}}"#)
}

pub(crate) fn asks(ids: &[&str]) -> Entry {
    let calls: Vec<String> = ids.iter().map(|id| call(id)).collect();
    replies(&calls.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(crate) fn thinks_and_asks(thinking: &str, id: &str) -> Entry {
    replies(&[thinking, &call(id)])
}

pub(crate) fn approved(id: &str) -> Entry {
    Entry::Decided {
        call: id.into(),
        server: Some("s".into()),
        tool: Some("echo".into()),
        decision: Verdict::Approved,
    }
}

pub(crate) fn answered(id: &str) -> Entry {
    Entry::Answered(ToolResult {
        id: id.into(),
        outcome: ToolOutcome::Succeeded,
        content: vec![ResultPart::text("done")],
    })
}

/// Every kind of entry, in every form.
pub(crate) fn every_entry() -> Vec<Entry> {
    let request = RequestId(1);
    let usage = Usage {
        input: 1,
        ..Usage::default()
    };
    let mut all = vec![
        Entry::UserSaid(vec![
            ContentBlock::Text("hi é🌊".into()),
            ContentBlock::Image(picture(9)),
        ]),
        Entry::Requested {
            request,
            setup: setup(),
        },
        replies(&[
            r#"{"type":"thinking","thinking":"","signature":"Eq"}"#,
            r#"{"type":"redacted_thinking","data":"Zm9v"}"#,
            r#"{"type":"text","text":"ok"}"#,
            &call("c0"),
            &call("c1"),
            &call("c2"),
            &call("c3"),
            &call("c4"),
            &call("c5"),
            &call("c6"),
            &call("c7"),
            &call("c8"),
        ]),
    ];
    all.extend(every_decision());
    all.extend(every_result());
    all.extend(every_stop(usage));
    all.push(Entry::Cut {
        request,
        text: Some("half".into()),
        reason: "stopped".into(),
        usage,
    });
    all.push(Entry::Cut {
        request,
        text: None,
        reason: "network".into(),
        usage,
    });
    all.push(Entry::Refused {
        request,
        category: Some("cyber".into()),
        usage,
    });
    all
}

fn every_decision() -> Vec<Entry> {
    let verdicts = [
        Verdict::Approved,
        Verdict::AllowedByFlag("s__*".into()),
        Verdict::Denied,
        Verdict::DeniedWithReason("use read only".into()),
        Verdict::Stopped,
    ];
    verdicts
        .into_iter()
        .enumerate()
        .map(|(number, decision)| Entry::Decided {
            call: format!("c{number}").as_str().into(),
            server: Some("s".into()),
            tool: Some("echo".into()),
            decision,
        })
        .collect()
}

fn every_result() -> Vec<Entry> {
    let outcomes = [
        ToolOutcome::Succeeded,
        ToolOutcome::Failed,
        ToolOutcome::Denied,
        ToolOutcome::DeniedWithReason("use read only".into()),
        ToolOutcome::Cancelled,
        ToolOutcome::TimedOut(TimeLimit::Idle(Millis(60_000))),
        ToolOutcome::TimedOut(TimeLimit::Total(Millis(600_000))),
        ToolOutcome::ServerGone,
        ToolOutcome::NotRun,
    ];
    outcomes
        .into_iter()
        .enumerate()
        .map(|(number, outcome)| {
            Entry::Answered(ToolResult {
                id: format!("c{number}").as_str().into(),
                outcome,
                content: parts(),
            })
        })
        .collect()
}

fn every_stop(usage: Usage) -> Vec<Entry> {
    let stops = [
        StopReason::ToolUse,
        StopReason::MaxTokens,
        StopReason::StopSequence(Some("END".into())),
        StopReason::PauseTurn,
        StopReason::Refusal {
            category: Some("cyber".into()),
            explanation: Some("no".into()),
        },
        StopReason::ContextWindowExceeded,
        StopReason::Other("new".into()),
    ];
    stops
        .into_iter()
        .map(|stop| Entry::Replied {
            request: RequestId(1),
            reply_id: None,
            model: None,
            stop: Some(stop),
            usage,
            blocks: vec![ContentBlock::Model(ModelBlock::from_raw(
                RawJson::parse(r#"{"type":"new_kind","x":1}"#.to_owned()).unwrap(),
            ))],
        })
        .collect()
}

fn parts() -> Vec<ResultPart> {
    vec![
        ResultPart::text("{\"a\" : 1}"),
        ResultPart {
            audience: Audience::Person,
            body: PartBody::Text("seen".into()),
        },
        ResultPart {
            audience: Audience::Model,
            body: PartBody::Image(picture(9)),
        },
        ResultPart {
            audience: Audience::Everybody,
            body: PartBody::Document(picture(3)),
        },
    ]
}

/// A conversation in random order: also such as no program would write.
pub(crate) fn story(steps: &[usize]) -> Vec<Entry> {
    let request = RequestId(1);
    let usage = Usage::default();
    let step = |step: &usize| match step {
        0 => says("hello"),
        1 => thinks(
            r#"{"type":"thinking","thinking":"t","signature":"s"}"#,
            "reply",
        ),
        2 => asks(&["a", "b"]),
        3 => answered("a"),
        4 => answered("b"),
        5 => approved("a"),
        6 => Entry::Cut {
            request,
            text: Some("half".into()),
            reason: "stopped".into(),
            usage,
        },
        7 => Entry::Refused {
            request,
            category: None,
            usage,
        },
        _ => says("password=hunter2-secret"),
    };
    steps.iter().map(step).collect()
}

/// A file with these entries.
pub(crate) fn file(entries: &[Entry]) -> Vec<u8> {
    written(entries)
}

pub(crate) fn written(entries: &[Entry]) -> Vec<u8> {
    let redactor = Redactor::default();
    let mut encoder = Encoder::default();
    let mut number = 0;
    let mut out = Vec::new();
    let began = Body::Began {
        folder: "/work".into(),
        program: "0.1.0".into(),
        forked_from: None,
    };
    let bodies = [began, Body::Titled("A title".into())]
        .into_iter()
        .chain(entries.iter().cloned().map(Body::Entry));
    for (n, body) in bodies.enumerate() {
        let record = redactor.redact(Record {
            at: at(i64::try_from(n).unwrap()),
            body,
        });
        let lines = encoder.encode(&record, &mut || {
            number += 1;
            RecordId::new(format!("r{number}"))
        });
        out.extend_from_slice(lines.text.as_bytes());
    }
    out
}
