//! How a reply is read: from events of the stream to steps of the reply.

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::chat::stream::{StreamEvent, Usage};
use crate::provider::anthropic::block::OpenBlock;
use crate::provider::anthropic::error;
use crate::provider::anthropic::json::{Fields, mended, read, string};
use crate::provider::anthropic::stop::StopReport;
use crate::provider::anthropic::usage::UsageReport;
use crate::provider::sse::{SseDecoder, SseEvent};
use crate::provider::{DecodeError, Decoder};

/// Reads one reply of the Messages API.
#[derive(Debug, Default)]
pub(super) struct MessageDecoder {
    sse: SseDecoder,
    reply_id: Option<String>,
    /// Blocks that have begun, each with the index that the service calls it by.
    open: Vec<(usize, OpenBlock)>,
    /// How many blocks have begun, or the index after the largest one.
    next_index: usize,
    usage: Usage,
    begun: bool,
    over: bool,
}

/// One event, not looked into: a kind made after us may hold anything.
#[derive(Debug, Default, Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    index: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    content_block: Option<&'a RawValue>,
    #[serde(borrow, default)]
    delta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

impl Envelope<'_> {
    fn index(&self) -> Option<usize> {
        self.index.and_then(read)
    }
}

/// The parts of a `message_start` that matter.
#[derive(Debug, Default, Deserialize)]
struct Opening {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    usage: Option<UsageReport>,
}

impl Decoder for MessageDecoder {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let mut events = Vec::new();
        let pushed = self.sse.push(bytes, &mut events);
        for event in &events {
            self.on_event(event, out)?;
        }
        pushed.map_err(|error| DecodeError::BadEvent(error.to_string()))
    }

    fn finish(mut self: Box<Self>, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let mut events = Vec::new();
        std::mem::take(&mut self.sse).finish(&mut events);
        for event in &events {
            // An event cut in the middle is a cut stream, not a fault of the service.
            self.on_event(event, out)
                .map_err(|_bad| DecodeError::CutShort)?;
        }
        if self.over {
            Ok(())
        } else {
            Err(DecodeError::CutShort)
        }
    }
}

impl MessageDecoder {
    fn on_event(
        &mut self,
        event: &SseEvent,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), DecodeError> {
        let data = event.data.trim();
        // Some proxies end each stream in the way of another API.
        if self.over || data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let data = mended(data);
        let envelope: Envelope<'_> = serde_json::from_str(&data)
            .map_err(|error| DecodeError::BadEvent(error.to_string()))?;
        let kind = envelope
            .kind
            .and_then(string)
            .or_else(|| event.name.clone());
        match kind.as_deref() {
            Some("message_start") => self.on_start(&envelope, out),
            Some("content_block_start") => self.on_block_start(&envelope, out),
            Some("content_block_delta") => self.on_block_delta(&envelope, out),
            Some("content_block_stop") => self.on_block_stop(&envelope, out),
            Some("message_delta") => self.on_delta(&envelope, out),
            Some("message_stop") => self.on_stop(out),
            Some("error") => self.on_error(&data, out),
            Some(_) | None => {}
        }
        Ok(())
    }

    fn on_start(&mut self, envelope: &Envelope<'_>, out: &mut Vec<StreamEvent>) {
        let opening: Opening = envelope.message.and_then(read).unwrap_or_default();
        self.reply_id.clone_from(&opening.id);
        self.begun = true;
        out.push(StreamEvent::Started {
            reply_id: opening.id,
            model: opening.model,
        });
        self.on_usage(opening.usage, out);
    }

    fn on_block_start(&mut self, envelope: &Envelope<'_>, out: &mut Vec<StreamEvent>) {
        if !self.begun {
            self.on_start(&Envelope::default(), out);
        }
        let Some(start) = envelope.content_block else {
            return;
        };
        let called = envelope.index().unwrap_or(self.next_index);
        // A server that calls every block 0 must not make one block overwrite another.
        let index = called.max(self.next_index);
        let reply_id = self.reply_id.as_deref().unwrap_or("reply");
        if let Some(block) = OpenBlock::new(index, start.get(), &format!("{reply_id}_{index}")) {
            self.next_index = index.saturating_add(1);
            block.opening_events(out);
            self.open.push((called, block));
        }
    }

    fn on_block_delta(&mut self, envelope: &Envelope<'_>, out: &mut Vec<StreamEvent>) {
        let delta = envelope.delta.and_then(|raw| Fields::parse(raw.get()));
        let place = self.place(envelope);
        if let (Some(delta), Some((_, block))) = (delta, place.and_then(|at| self.open.get_mut(at)))
        {
            block.apply(&delta, out);
        }
    }

    fn on_block_stop(&mut self, envelope: &Envelope<'_>, out: &mut Vec<StreamEvent>) {
        if let Some(place) = self.place(envelope) {
            let (_, block) = self.open.remove(place);
            finish_block(block, out);
        }
    }

    fn on_delta(&mut self, envelope: &Envelope<'_>, out: &mut Vec<StreamEvent>) {
        self.on_usage(envelope.usage.and_then(read), out);
        let report: Option<StopReport> = envelope.delta.and_then(read);
        out.extend(
            report
                .and_then(StopReport::reason)
                .map(StreamEvent::Stopping),
        );
    }

    fn on_stop(&mut self, out: &mut Vec<StreamEvent>) {
        // Some servers never say that a block is whole; the end of the reply says it for all.
        for (_, block) in self.open.drain(..) {
            finish_block(block, out);
        }
        self.over = true;
        out.push(StreamEvent::Finished);
    }

    fn on_error(&mut self, data: &str, out: &mut Vec<StreamEvent>) {
        self.over = true;
        out.push(StreamEvent::Failed(error::in_stream(data)));
    }

    fn on_usage(&mut self, report: Option<UsageReport>, out: &mut Vec<StreamEvent>) {
        if let Some(report) = report {
            report.replace_in(&mut self.usage);
            out.push(StreamEvent::UsageReported(self.usage));
        }
    }

    /// Finds the open block that an event names, the newest first; the newest one of all when the
    /// event names none.
    fn place(&self, envelope: &Envelope<'_>) -> Option<usize> {
        match envelope.index() {
            Some(called) => self.open.iter().rposition(|(name, _)| *name == called),
            None => self.open.len().checked_sub(1),
        }
    }
}

fn finish_block(block: OpenBlock, out: &mut Vec<StreamEvent>) {
    let index = block.index();
    out.push(StreamEvent::BlockFinished {
        index,
        block: block.finish(),
    });
}
