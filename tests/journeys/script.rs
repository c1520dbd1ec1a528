//! What the model and the tools say in a journey, and short words for it.

use std::collections::{HashMap, VecDeque};

use keytide::chat::failure::{FailureKind, RetryHint, TurnError};
use keytide::chat::listing::ListedTool;
use keytide::chat::message::{ModelBlock, ModelContent};
use keytide::chat::raw_json::RawJson;
use keytide::chat::stream::{BlockOpening, StopReason, StreamEvent, Usage};
use keytide::chat::tool::{Arguments, ResultPart, ToolOutcome, ToolResult, ToolUse};

/// What the model and the tools will do.
#[derive(Debug, Default)]
pub struct Script {
    /// One reply a request, in order.
    pub replies: VecDeque<Reply>,
    /// What each call ends in, and after how many milliseconds. A call that is not named never
    /// ends.
    pub results: HashMap<String, (u64, ToolResult)>,
}

/// A reply in pieces: how many milliseconds after the request, and what arrives then.
#[derive(Debug)]
pub struct Reply(pub Vec<(u64, Piece)>);

/// What arrives at once.
#[derive(Debug)]
pub enum Piece {
    /// More of the reply.
    Events(Vec<StreamEvent>),
    /// The request fails; nothing of it is tried again by itself.
    Fails(FailureKind, &'static str),
}

impl Script {
    /// The next request gets this reply.
    pub fn then(mut self, reply: Reply) -> Self {
        self.replies.push_back(reply);
        self
    }

    /// A call succeeds with a text.
    pub fn result(self, id: &str, after: u64, text: &str) -> Self {
        self.ends(id, after, ToolOutcome::Succeeded, text)
    }

    /// A call ends.
    pub fn ends(mut self, id: &str, after: u64, outcome: ToolOutcome, text: &str) -> Self {
        let result = ToolResult {
            id: id.into(),
            outcome,
            content: vec![ResultPart::text(text)],
        };
        self.results.insert(id.to_owned(), (after, result));
        self
    }
}

/// A reply that arrives word by word, 20 ms a word, and is whole after the last.
pub fn say(text: &str) -> Reply {
    let mut pieces = vec![(200, Piece::Events(opening()))];
    let mut at = 200;
    for word in text.split_inclusive(' ') {
        at += 20;
        pieces.push((at, Piece::Events(vec![grew(word)])));
    }
    pieces.push((at + 20, Piece::Events(ending(text))));
    Reply(pieces)
}

/// A reply that is cut after its first words.
pub fn cut(text: &str, kind: FailureKind, message: &'static str) -> Reply {
    let mut events = opening();
    events.push(grew(text));
    Reply(vec![
        (200, Piece::Events(events)),
        (500, Piece::Fails(kind, message)),
    ])
}

/// A request that fails before anything has come.
pub fn fails(kind: FailureKind, message: &'static str) -> Reply {
    Reply(vec![(200, Piece::Fails(kind, message))])
}

/// A reply that says something and asks for calls: (id, name, arguments).
pub fn ask(text: &str, calls: &[(&str, &str, &str)]) -> Reply {
    let mut events = opening();
    events.push(grew(text));
    events.push(StreamEvent::BlockFinished {
        index: 0,
        block: self::text(text),
    });
    for (place, (id, name, arguments)) in calls.iter().enumerate() {
        let index = place + 1;
        events.push(StreamEvent::BlockStarted {
            index,
            opening: BlockOpening::ToolUse {
                name: (*name).to_owned(),
            },
        });
        events.push(StreamEvent::BlockFinished {
            index,
            block: call_block(id, name, arguments),
        });
    }
    events.extend(stop(StopReason::ToolUse));
    Reply(vec![(300, Piece::Events(events))])
}

/// The beginning of a reply of one text.
pub fn opening() -> Vec<StreamEvent> {
    vec![
        StreamEvent::Started {
            reply_id: Some("msg_1".into()),
            model: Some("claude-opus-5".into()),
        },
        StreamEvent::BlockStarted {
            index: 0,
            opening: BlockOpening::Text,
        },
    ]
}

/// More text.
pub fn grew(text: &str) -> StreamEvent {
    StreamEvent::TextGrew {
        index: 0,
        text: text.to_owned(),
    }
}

/// The end of a reply of one text.
pub fn ending(text: &str) -> Vec<StreamEvent> {
    let mut events = vec![StreamEvent::BlockFinished {
        index: 0,
        block: self::text(text),
    }];
    events.extend(stop(StopReason::EndTurn));
    events
}

/// Two tools, `echo` and `wipe`.
pub fn tools() -> Vec<ListedTool> {
    let tool = |name: &str, title: &str| ListedTool {
        name: name.to_owned(),
        title: Some(title.to_owned()),
        input_schema: Some(RawJson::parse(r#"{"type":"object"}"#).expect("it is JSON")),
        ..ListedTool::default()
    };
    vec![tool("echo", "Say it again"), tool("wipe", "Wipe something")]
}

/// What the world hears of a failure.
pub fn failure(kind: FailureKind, message: &str) -> (TurnError, RetryHint) {
    let retry = RetryHint {
        body_began: true,
        ..RetryHint::default()
    };
    (TurnError::new(kind, message), retry)
}

fn stop(reason: StopReason) -> [StreamEvent; 3] {
    [
        StreamEvent::UsageReported(Usage {
            input: 1_200,
            output: 40,
            ..Usage::default()
        }),
        StreamEvent::Stopping(reason),
        StreamEvent::Finished,
    ]
}

/// A whole text.
pub fn text(text: &str) -> ModelBlock {
    let raw = serde_json::json!({"type": "text", "text": text});
    ModelBlock {
        raw: RawJson::from_value(&raw),
        content: ModelContent::Text(text.to_owned()),
    }
}

fn call_block(id: &str, name: &str, arguments: &str) -> ModelBlock {
    let raw = serde_json::json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    ModelBlock {
        raw: RawJson::from_value(&raw),
        content: ModelContent::ToolUse(ToolUse {
            id: id.into(),
            name: name.into(),
            arguments: Arguments::parse(arguments),
        }),
    }
}
