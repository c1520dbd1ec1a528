//! A reply as the event stream of the Messages API, in small pieces at a human pace.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::demo::check::signature;
use crate::demo::reply::{Call, Reply};

/// How long the model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    /// Before the first word, in milliseconds.
    first: u64,
    /// Between two pieces at least, and how much more at most.
    between: (u64, u64),
}

impl Pace {
    /// As fast as a model that one can read along with.
    pub(super) const HUMAN: Self = Self {
        first: 350,
        between: (20, 20),
    };
    /// At once.
    #[cfg(test)]
    pub(super) const NONE: Self = Self {
        first: 0,
        between: (0, 0),
    };

    fn piece(self, count: usize) -> Duration {
        // Uneven, like a real one, but the same in every run.
        let more = u64::try_from(count * 7).unwrap_or_default() % (self.between.1 + 1);
        Duration::from_millis(self.between.0 + more)
    }
}

/// A piece of the stream and the pause before it.
pub(super) type Frame = (Duration, Bytes);

/// Sends the frames, each after its pause.
pub(super) fn paced(frames: Vec<Frame>) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::iter(frames).then(|(pause, bytes)| async move {
        tokio::time::sleep(pause).await;
        Ok(bytes)
    })
}

/// Writes a reply down as frames.
pub(super) fn frames(request: &Value, reply: &Reply, pace: Pace) -> Vec<Frame> {
    let mut writer = Writer {
        frames: Vec::new(),
        pace,
        index: 0,
        written: 0,
    };
    writer.start(request);
    if let Some(thinking) = &reply.thinking {
        let shown = request["thinking"]["display"] == "summarized";
        writer.thinking(if shown { thinking } else { "" });
    }
    if !reply.text.is_empty() {
        writer.text(&reply.text);
    }
    for call in &reply.calls {
        writer.call(call);
    }
    writer.end(if reply.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    });
    writer.frames
}

struct Writer {
    frames: Vec<Frame>,
    pace: Pace,
    index: usize,
    /// Characters of output so far, for the usage.
    written: usize,
}

impl Writer {
    fn start(&mut self, request: &Value) {
        let (cached, fresh) = input_tokens(request);
        let message = json!({
            "id": format!("msg_{}", Uuid::now_v7().simple()),
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": {
                "input_tokens": 3,
                "cache_creation_input_tokens": fresh,
                "cache_read_input_tokens": cached,
                "output_tokens": 1,
            },
        });
        self.send_after(
            Duration::from_millis(self.pace.first),
            "message_start",
            &json!({"type": "message_start", "message": message}),
        );
        self.send("ping", &json!({"type": "ping"}));
    }

    fn thinking(&mut self, text: &str) {
        let block = json!({"type": "thinking", "thinking": "", "signature": ""});
        self.block(&block, |writer| {
            for piece in pieces(text, 14) {
                writer.delta(&json!({"type": "thinking_delta", "thinking": piece}));
            }
            writer.delta(&json!({"type": "signature_delta", "signature": signature(text)}));
        });
        self.written += text.chars().count();
    }

    fn text(&mut self, text: &str) {
        self.block(&json!({"type": "text", "text": ""}), |writer| {
            for (count, piece) in pieces(text, 9).into_iter().enumerate() {
                writer.delta(&json!({"type": "text_delta", "text": piece}));
                // A long answer is kept alive in between, as the service does.
                if count % 120 == 119 {
                    writer.send("ping", &json!({"type": "ping"}));
                }
            }
        });
        self.written += text.chars().count();
    }

    fn call(&mut self, call: &Call) {
        let id = format!("toolu_{}", Uuid::now_v7().simple());
        let block = json!({"type": "tool_use", "id": id, "name": call.name, "input": {}});
        let input = call.input.to_string();
        self.block(&block, |writer| {
            writer.delta(&json!({"type": "input_json_delta", "partial_json": ""}));
            for piece in pieces(&input, 12) {
                writer.delta(&json!({"type": "input_json_delta", "partial_json": piece}));
            }
        });
        self.written += input.len();
    }

    fn end(&mut self, stop_reason: &str) {
        let delta = json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": null},
            "usage": {"output_tokens": self.written / 3 + 4},
        });
        self.send("message_delta", &delta);
        self.send("message_stop", &json!({"type": "message_stop"}));
    }

    fn block(&mut self, block: &Value, deltas: impl FnOnce(&mut Self)) {
        let start = json!({
            "type": "content_block_start", "index": self.index, "content_block": block,
        });
        self.send("content_block_start", &start);
        deltas(self);
        let stop = json!({"type": "content_block_stop", "index": self.index});
        self.send("content_block_stop", &stop);
        self.index += 1;
    }

    fn delta(&mut self, delta: &Value) {
        let pause = self.pace.piece(self.frames.len());
        let event = json!({"type": "content_block_delta", "index": self.index, "delta": delta});
        self.send_after(pause, "content_block_delta", &event);
    }

    fn send(&mut self, event: &str, data: &Value) {
        self.send_after(Duration::ZERO, event, data);
    }

    fn send_after(&mut self, pause: Duration, event: &str, data: &Value) {
        let frame = format!("event: {event}\ndata: {data}\n\n");
        self.frames.push((pause, Bytes::from(frame)));
    }
}

/// Returns the tokens that the cache holds already and the new ones, roughly.
fn input_tokens(request: &Value) -> (usize, usize) {
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    let (last, before) = messages
        .split_last()
        .map_or((0, &[][..]), |(last, before)| {
            (last.to_string().len(), before)
        });
    let prefix = request["system"].to_string().len() + request["tools"].to_string().len();
    let said: usize = before.iter().map(|message| message.to_string().len()).sum();
    if before.is_empty() {
        (0, (prefix + last) / 4)
    } else {
        ((prefix + said) / 4, last / 4)
    }
}

/// Cuts a text into small pieces, between characters.
fn pieces(text: &str, size: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut rest = chars.as_slice();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        // Wide characters say more each.
        let wide = rest.first().is_some_and(|char| *char > '\u{2e80}');
        let take = if wide { size.div_ceil(3) } else { size };
        let (piece, more) = rest.split_at(take.min(rest.len()));
        pieces.push(piece.iter().collect());
        rest = more;
    }
    pieces
}
