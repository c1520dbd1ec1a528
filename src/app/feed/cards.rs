//! The cards of calls: how they begin, change and end.

use serde_json::Value;

use crate::agent::tools::Toolbox;
use crate::app::feed::Feed;
use crate::app::timeline::{CallCard, CallState, ItemBody, ItemId, ShownPart};
use crate::chat::id::ToolUseId;
use crate::chat::listing::Progress;
use crate::chat::moment::Millis;
use crate::chat::tool::{Arguments, PartBody, ResultPart, ToolResult, ToolUse};
use crate::redact::Redacted;

impl Feed {
    /// A call began to run.
    pub fn start_call(&mut self, id: &ToolUseId, since: Millis) {
        self.change_card(id, |card| {
            card.state = CallState::Running {
                since,
                progress: None,
                stopping: false,
            };
        });
    }

    /// A running call told how far it is.
    pub fn note_progress(&mut self, id: &ToolUseId, news: &Progress) {
        let message = news
            .message
            .as_ref()
            .map(|text| self.redactor.text(text).into_inner());
        self.change_card(id, |card| {
            if let CallState::Running { progress, .. } = &mut card.state {
                *progress = Some(Progress { message, ..*news });
            }
        });
    }

    /// A call has its result.
    pub(in crate::app::feed) fn end_call(&mut self, result: &ToolResult, now: Millis) {
        let parts: Vec<ShownPart> = result
            .content
            .iter()
            .map(|part| self.shown_part(part))
            .collect();
        self.change_card(&result.id, |card| {
            let took = match &card.state {
                CallState::Running { since, .. } => now.since(*since),
                CallState::Waiting(_) | CallState::Ended { .. } => Millis(0),
            };
            card.state = CallState::Ended {
                outcome: result.outcome.clone(),
                took,
            };
            card.result = parts;
        });
    }

    pub(in crate::app::feed) fn new_card(
        &self,
        tool_use: &ToolUse,
        tools: &Toolbox,
        place: (usize, usize),
        now: Millis,
    ) -> CallCard {
        let tool = tools.resolve(&tool_use.name);
        let schema = tool
            .and_then(|tool| tool.listed.input_schema.as_ref())
            .and_then(|schema| schema.to_value().ok());
        CallCard {
            id: tool_use.id.clone(),
            public_name: tool_use.name.clone(),
            server: tool.map(|tool| tool.server.clone()),
            tool: tool.map_or_else(
                || tool_use.name.to_string(),
                |tool| tool.listed.name.clone(),
            ),
            title: tool.and_then(|tool| tool.listed.title.clone()),
            hints: tool.map(|tool| tool.listed.hints).unwrap_or_default(),
            arguments: self.shown_arguments(&tool_use.arguments, schema.as_ref()),
            state: CallState::Waiting(now),
            result: Vec::new(),
            place,
        }
    }

    fn shown_arguments(&self, arguments: &Arguments, schema: Option<&Value>) -> Redacted<String> {
        match arguments {
            Arguments::Object { map, .. } => {
                let value = self.redactor.json(&Value::Object(map.clone()), schema);
                // A JSON value always has a text; looking through it twice changes nothing.
                let text = serde_json::to_string_pretty(&*value).unwrap_or_default();
                self.redactor.text(&text)
            }
            Arguments::Invalid { text, .. } => self.redactor.text(text),
        }
    }

    fn shown_part(&self, part: &ResultPart) -> ShownPart {
        match &part.body {
            PartBody::Text(text) => ShownPart::Text {
                text: self.redactor.text(text),
                audience: part.audience,
            },
            PartBody::Image(media) | PartBody::Document(media) => ShownPart::Media {
                media_type: media.media_type.clone(),
                // Four characters of base64 stand for three bytes.
                bytes: media.base64.len() / 4 * 3,
            },
        }
    }

    fn change_card(&mut self, id: &ToolUseId, change: impl FnOnce(&mut CallCard)) {
        let Some(item) = self.card_item(id) else {
            return;
        };
        self.change(item, |body| {
            if let ItemBody::Call(card) = body {
                change(card);
            }
        });
    }

    fn card_item(&self, id: &ToolUseId) -> Option<ItemId> {
        let has_card = |body: &ItemBody| matches!(body, ItemBody::Call(card) if card.id == *id);
        self.items
            .iter()
            .rev()
            .find(|item| has_card(&item.body))
            .map(|item| item.id)
    }
}
