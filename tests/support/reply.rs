//! Replies of the scripted model: the events of a stream, and how their bytes are cut.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// One step of a reply's body.
#[derive(Debug, Clone)]
pub enum Step {
    /// These bytes, in one write.
    Bytes(Vec<u8>),
    /// These bytes in writes of so many, with a pause after each.
    Drip(Vec<u8>, usize, Duration),
    /// Nothing for a while.
    Pause(Duration),
    /// Nothing until the gate is opened.
    Wait(Latch),
    /// Nothing for ever; the connection stays open.
    Hang,
    /// The connection is closed in mid-body.
    Drop,
}

/// A door that a test opens.
#[derive(Debug, Clone, Default)]
pub struct Latch(Arc<(Mutex<bool>, Condvar)>);

impl Latch {
    /// Lets everything through from now on.
    pub fn open(&self) {
        *self.0.0.lock().expect("no test panicked with it") = true;
        self.0.1.notify_all();
    }

    /// Waits a little for the door; tells whether it is open.
    pub fn wait(&self, at_most: Duration) -> bool {
        let open = self.0.0.lock().expect("no test panicked with it");
        let waited = self.0.1.wait_timeout_while(open, at_most, |open| !*open);
        *waited.expect("no test panicked with it").0
    }
}

/// What the scripted model answers to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers besides the length and the framing.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub steps: Vec<Step>,
    /// The blocks that its events make, as the service would remember them.
    pub blocks: Vec<Value>,
    /// Send the body as it is and close, without chunks.
    pub unframed: bool,
}

impl Reply {
    /// A stream of these events.
    pub fn stream(events: &str) -> Self {
        Self::cut(events, vec![Step::Bytes(events.as_bytes().to_vec())])
    }

    /// A stream whose meaning is `events`, sent in these steps.
    pub fn cut(events: &str, steps: Vec<Step>) -> Self {
        Self {
            status: 200,
            headers: vec![(
                "content-type".into(),
                "text/event-stream; charset=utf-8".into(),
            )],
            steps,
            blocks: blocks(events),
            unframed: false,
        }
    }

    /// An error with a JSON body, as the service words it.
    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        let body = json!({"type": "error", "error": {"type": kind, "message": message}});
        Self::other(status, "application/json", body.to_string().as_bytes())
    }

    /// Any answer.
    pub fn other(status: u16, content_type: &str, body: &[u8]) -> Self {
        Self {
            status,
            headers: vec![("content-type".into(), content_type.into())],
            steps: vec![Step::Bytes(body.to_vec())],
            blocks: Vec::new(),
            unframed: false,
        }
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// `EV`: one event.
pub fn ev(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// `MS`: the start of a message.
pub fn ms() -> String {
    ev(
        "message_start",
        &json!({"type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5",
            "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1}}}),
    )
}

/// The start of a block.
pub fn start(index: usize, block: &Value) -> String {
    ev(
        "content_block_start",
        &json!({"type": "content_block_start", "index": index, "content_block": block}),
    )
}

/// A piece of a block.
pub fn delta(index: usize, delta: &Value) -> String {
    ev(
        "content_block_delta",
        &json!({"type": "content_block_delta", "index": index, "delta": delta}),
    )
}

/// A piece of text.
pub fn text_delta(index: usize, text: &str) -> String {
    delta(index, &json!({"type": "text_delta", "text": text}))
}

/// The end of a block.
pub fn stop(index: usize) -> String {
    ev(
        "content_block_stop",
        &json!({"type": "content_block_stop", "index": index}),
    )
}

/// `TB`: a block of text.
pub fn tb(index: usize, text: &str) -> String {
    start(index, &json!({"type": "text", "text": ""})) + &text_delta(index, text) + &stop(index)
}

/// The first event of a `TU`.
pub fn tu_start(index: usize, id: &str, name: &str) -> String {
    start(
        index,
        &json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
    )
}

/// `TU`: a call, its arguments in these pieces.
pub fn tu(index: usize, id: &str, name: &str, pieces: &[&str]) -> String {
    let piece = |json: &&str| {
        delta(
            index,
            &json!({"type": "input_json_delta", "partial_json": json}),
        )
    };
    let pieces: String = pieces.iter().map(piece).collect();
    tu_start(index, id, name) + &pieces + &stop(index)
}

/// `END`: the end of a message.
pub fn end(reason: &str) -> String {
    let change = json!({"type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 9}});
    ev("message_delta", &change) + &ev("message_stop", &json!({"type": "message_stop"}))
}

/// `SAY`: an answer of text.
pub fn say(text: &str) -> Reply {
    Reply::stream(&(ms() + &tb(0, text) + &end("end_turn")))
}

/// `TOOL`: one call, with the id `toolu_1`.
pub fn tool(name: &str, arguments: &str) -> Reply {
    tool_as("toolu_1", name, arguments)
}

/// `TOOL` with another id.
pub fn tool_as(id: &str, name: &str, arguments: &str) -> Reply {
    tools(&[(id, name, arguments)])
}

/// Several calls in one answer: id, name, arguments.
pub fn tools(calls: &[(&str, &str, &str)]) -> Reply {
    let numbered = calls.iter().enumerate();
    let calls = numbered.map(|(i, (id, name, json))| tu(i, id, name, &[json]));
    Reply::stream(&(ms() + &calls.collect::<String>() + &end("tool_use")))
}

/// Puts the events of a stream together as the service does: the blocks it will remember.
fn blocks(events: &str) -> Vec<Value> {
    let mut open: Vec<(Value, String)> = Vec::new();
    for event in events
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
    {
        let Ok(event) = serde_json::from_str::<Value>(event) else {
            continue;
        };
        let delta = &event["delta"];
        match event["type"].as_str() {
            Some("content_block_start") => {
                open.push((event["content_block"].clone(), String::new()));
            }
            Some("content_block_delta") => {
                if let Some((block, json)) = open.last_mut() {
                    apply(block, json, delta);
                }
            }
            _ => {}
        }
    }
    let finish = |(mut block, json): (Value, String)| {
        if let Ok(input) = serde_json::from_str(&json) {
            block["input"] = input;
        }
        block
    };
    open.into_iter().map(finish).collect()
}

fn apply(block: &mut Value, json: &mut String, delta: &Value) {
    for key in ["text", "thinking"] {
        if let Some(more) = delta[key].as_str() {
            let so_far = block[key].as_str().unwrap_or_default();
            block[key] = Value::String(format!("{so_far}{more}"));
        }
    }
    if let Some(signature) = delta["signature"].as_str() {
        block["signature"] = signature.into();
    }
    json.push_str(delta["partial_json"].as_str().unwrap_or_default());
}
