//! A stage: an app with two tools, a clock, timers that run out, and frames that are drawn.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "timers are kept apart from all other effects"
)]

use std::sync::Arc;

use crate::agent::AgentOptions;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::{Event, Fact, Timer};
use crate::app::overlay::Overlay;
use crate::app::scene::ColorDepth;
use crate::app::settings::Settings;
use crate::app::shown::{Shown, ShownCall};
use crate::chat::entry::Entry;
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::id::{RequestId, ToolUseId};
use crate::chat::listing::ListedTool;
use crate::chat::message::{ContentBlock, ModelBlock, ModelContent};
use crate::chat::moment::{Millis, Moment, Timestamp};
use crate::chat::raw_json::RawJson;
use crate::chat::request::ModelRequest;
use crate::chat::stream::{BlockOpening, StopReason, StreamEvent};
use crate::chat::tool::{Arguments, ResultPart, ToolOutcome, ToolResult, ToolUse};
use crate::config::GateSettings;
use crate::keymap::bindings::Keymap;
use crate::keymap::key::{Key, KeyCode};
use crate::redact::{RedactRules, Redactor};
use crate::transcript::record::{Body, Record};

/// Somebody types with so much time between two keys.
const BETWEEN_KEYS: u64 = 50;

pub(super) struct Stage {
    pub(super) app: App,
    pub(super) now: u64,
    pub(super) timers: Vec<(Timer, u64)>,
    /// Whether frames show the waiting call to its end.
    pub(super) shows_end: bool,
    /// The last request that was sent.
    pub(super) request: RequestId,
    pub(super) bodies: Vec<ModelRequest>,
}

impl Stage {
    pub(super) fn new() -> Self {
        Self::with(settings())
    }

    pub(super) fn with(settings: Settings) -> Self {
        let options = AgentOptions {
            model: "claude-opus-5".into(),
            system: None,
            max_tokens: 32_000,
            effort: None,
            max_turns: 5,
            seed: 7,
        };
        let redactor = Redactor::new(&RedactRules::default()).unwrap();
        let app = App::new(settings, options, Keymap::standard(), Arc::new(redactor));
        let mut stage = Self {
            app,
            now: 10_000,
            timers: Vec::new(),
            shows_end: true,
            request: RequestId::default(),
            bodies: Vec::new(),
        };
        let tools = vec![tool("echo"), tool("wipe")];
        stage.tell(Fact::ToolsListed {
            server: "s".into(),
            tools,
            problems: Vec::new(),
        });
        stage
    }

    /// A stage whose model has asked for these calls of `s__echo`, which wait at the gate.
    pub(super) fn at_gate(calls: &[&str]) -> Self {
        let mut stage = Self::new();
        stage.say("go");
        stage.ask_for(calls);
        stage
    }

    /// The same, with a quiet keyboard: the gate is armed.
    pub(super) fn at_armed_gate(calls: &[&str]) -> Self {
        let mut stage = Self::at_gate(calls);
        stage.wait(2_000);
        stage
    }

    pub(super) fn moment(&self) -> Moment {
        Moment {
            mono: Millis(self.now),
            wall: Timestamp(1_700_000_000_000 + i64::try_from(self.now).unwrap()),
        }
    }

    /// Tells a fact, draws a frame if one is due, and names what was asked, timers left out.
    pub(super) fn tell(&mut self, fact: Fact) -> Vec<String> {
        let effects = self.app.update(Event {
            at: self.moment(),
            fact,
        });
        let mut names = self.take_in(effects);
        names.extend(self.draw());
        names
    }

    /// Notes what was asked.
    pub(super) fn take_in(&mut self, effects: Vec<Effect>) -> Vec<String> {
        let mut names = Vec::new();
        for effect in effects {
            match effect {
                Effect::StartTimer { timer, after } => {
                    self.timers.retain(|(known, _)| *known != timer);
                    self.timers.push((timer, self.now + after.0));
                }
                Effect::StopTimer(timer) => self.timers.retain(|(known, _)| *known != timer),
                other => names.push(self.note(other)),
            }
        }
        names
    }

    /// Draws, as the loop does when something visible has changed.
    pub(super) fn draw(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        while self.app.take_dirty() {
            let fact = Fact::Drawn(self.shown());
            let effects = self.app.update(Event {
                at: self.moment(),
                fact,
            });
            names.extend(self.take_in(effects));
        }
        names
    }

    /// Lets time pass; timers run out on the way.
    pub(super) fn wait(&mut self, ms: u64) -> Vec<String> {
        let until = self.now + ms;
        let mut names = Vec::new();
        while let Some(next) = self
            .timers
            .iter()
            .map(|(_, at)| *at)
            .min()
            .filter(|at| *at <= until)
        {
            let place = self.timers.iter().position(|(_, at)| *at == next).unwrap();
            let (timer, at) = self.timers.remove(place);
            self.now = at;
            names.extend(self.tell(Fact::TimerFired(timer)));
        }
        self.now = until;
        names
    }

    /// Presses a key, a while after the one before.
    pub(super) fn key(&mut self, key: Key) -> Vec<String> {
        let mut names = self.wait(BETWEEN_KEYS);
        names.extend(self.tell(Fact::KeyPressed(key)));
        names
    }

    pub(super) fn press(&mut self, code: KeyCode) -> Vec<String> {
        self.key(Key::press(code))
    }

    pub(super) fn ctrl(&mut self, char: char) -> Vec<String> {
        self.key(Key::ctrl(char))
    }

    /// Types at the speed of a hand.
    pub(super) fn type_text(&mut self, text: &str) -> Vec<String> {
        text.chars()
            .flat_map(|char| self.key(Key::char(char)))
            .collect()
    }

    /// All keys at once, as a paste without brackets arrives.
    pub(super) fn burst(&mut self, text: &str) -> Vec<String> {
        let key = |char| match char {
            '\r' => Key::press(KeyCode::Enter),
            '\n' => Key::ctrl('j'),
            '\t' => Key::press(KeyCode::Tab),
            char => Key::char(char),
        };
        text.chars()
            .flat_map(|char| self.tell(Fact::KeyPressed(key(char))))
            .collect()
    }

    /// Presses a key at the gate and leaves it alone until it counts.
    pub(super) fn decide(&mut self, char: char) -> Vec<String> {
        let mut names = self.key(Key::char(char));
        names.extend(self.wait(200));
        names
    }

    pub(super) fn say(&mut self, text: &str) -> Vec<String> {
        let mut names = self.type_text(text);
        names.extend(self.press(KeyCode::Enter));
        names
    }

    /// Streams to the last request.
    pub(super) fn stream(&mut self, events: Vec<StreamEvent>) -> Vec<String> {
        let request = self.request;
        self.tell(Fact::Streamed { request, events })
    }

    /// The model answers the last request with a text.
    pub(super) fn reply(&mut self, text: &str) -> Vec<String> {
        self.stream(whole(vec![text_block(text)], StopReason::EndTurn))
    }

    /// The model asks for calls of `s__echo`.
    pub(super) fn ask_for(&mut self, calls: &[&str]) -> Vec<String> {
        let blocks = calls.iter().map(|id| call_block(id, "s__echo")).collect();
        self.stream(whole(blocks, StopReason::ToolUse))
    }

    pub(super) fn finish(&mut self, id: &str) -> Vec<String> {
        self.tell(Fact::ToolFinished(success(id)))
    }

    /// The last request fails for good.
    pub(super) fn fail(&mut self, kind: FailureKind) -> Vec<String> {
        let request = self.request;
        self.tell(Fact::RequestFailed {
            request,
            error: TurnError::new(kind, ""),
            retry: RetryHint {
                body_began: true,
                ..RetryHint::default()
            },
        })
    }

    pub(super) fn draft(&self) -> String {
        self.app.composer.text()
    }

    pub(super) fn flash(&self) -> &str {
        self.app.flash.as_deref().unwrap_or_default()
    }

    pub(super) fn last_notice(&self) -> String {
        use crate::app::timeline::ItemBody;
        let text = self.app.feed.items().iter().rev().find_map(|item| {
            if let ItemBody::Notice(notice) = &item.body {
                Some(notice.text.clone())
            } else {
                None
            }
        });
        text.unwrap_or_default()
    }

    fn shown(&self) -> Shown {
        let gate = self.app.agent.gate();
        let call = match (&self.app.overlay, gate.front()) {
            (None, front) => front.map(|call| call.id().clone()),
            (Some(Overlay::Call { call, .. }), Some(_)) => Some(call.clone()),
            (Some(_), _) => None,
        };
        Shown {
            scrolled_from: self.app.scroll,
            page_height: 10,
            gate: call.map(|call| ShownCall {
                call,
                end_visible: self.shows_end,
                max_scroll: 0,
                page_height: 5,
            }),
            ..Shown::default()
        }
    }

    fn note(&mut self, effect: Effect) -> String {
        match effect {
            Effect::SendRequest { request, body } => {
                self.request = request;
                self.bodies.push(*body);
                format!("send {}", request.0)
            }
            Effect::AbortRequest(request) => format!("abort {}", request.0),
            Effect::CallTool(approved) => format!("call {}", approved.tool_use().id),
            Effect::CancelTool(id) => format!("cancel {id}"),
            Effect::Append(record) => format!("append {}", name_of(&record)),
            Effect::NewTranscript => "new transcript".to_owned(),
            Effect::ContinueTranscript { id, fork } => {
                format!("{} {id}", if fork { "fork" } else { "continue" })
            }
            Effect::ListTranscripts => "list transcripts".to_owned(),
            Effect::LoadTranscript { id, purpose } => format!("load {id} {purpose:?}"),
            Effect::StartTimer { .. } | Effect::StopTimer(_) => String::new(),
            Effect::StartServers => "start servers".to_owned(),
            Effect::StartDemo => "start demo".to_owned(),
            Effect::OpenEditor(text) => format!("edit {text:?}"),
            Effect::Ring => "ring".to_owned(),
            Effect::Suspend => "suspend".to_owned(),
            Effect::Redraw => "redraw".to_owned(),
            Effect::Quit(code) => format!("quit {code}"),
        }
    }
}

pub(super) fn settings() -> Settings {
    Settings {
        provider: "anthropic".into(),
        folder: "/home/person/tides".into(),
        theme: "auto".into(),
        colors: ColorDepth::Ansi,
        gate: GateSettings { quiet: Millis(400) },
        has_credentials: true,
        save: true,
        greetings: Vec::new(),
    }
}

pub(super) fn tool(name: &str) -> ListedTool {
    ListedTool {
        name: name.to_owned(),
        input_schema: Some(RawJson::parse(r#"{"type":"object"}"#).unwrap()),
        ..ListedTool::default()
    }
}

/// Leaves out what is written down: what is left is what happens outside.
pub(super) fn acts(names: &[String]) -> Vec<&str> {
    names
        .iter()
        .map(String::as_str)
        .filter(|name| !name.starts_with("append"))
        .collect()
}

/// The events of a reply whose blocks arrive one after the other.
pub(super) fn whole(blocks: Vec<ModelBlock>, stop: StopReason) -> Vec<StreamEvent> {
    let mut events = vec![StreamEvent::Started {
        reply_id: Some("msg_1".into()),
        model: None,
    }];
    for (index, block) in blocks.into_iter().enumerate() {
        let opening = match &block.content {
            ModelContent::ToolUse(tool_use) => BlockOpening::ToolUse {
                name: tool_use.name.to_string(),
            },
            ModelContent::Text(_)
            | ModelContent::Thinking { .. }
            | ModelContent::RedactedThinking
            | ModelContent::Other { .. } => BlockOpening::Text,
        };
        events.push(StreamEvent::BlockStarted { index, opening });
        if let Some(text) = block.as_text().map(str::to_owned) {
            events.push(StreamEvent::TextGrew { index, text });
        }
        events.push(StreamEvent::BlockFinished { index, block });
    }
    events.extend([StreamEvent::Stopping(stop), StreamEvent::Finished]);
    events
}

/// The beginning of a text, as it arrives.
pub(super) fn beginning(text: &str) -> Vec<StreamEvent> {
    vec![
        StreamEvent::BlockStarted {
            index: 0,
            opening: BlockOpening::Text,
        },
        StreamEvent::TextGrew {
            index: 0,
            text: text.to_owned(),
        },
    ]
}

pub(super) fn text_block(text: &str) -> ModelBlock {
    let raw = serde_json::json!({"type": "text", "text": text});
    ModelBlock {
        raw: RawJson::from_value(&raw),
        content: ModelContent::Text(text.to_owned()),
    }
}

pub(super) fn call_block(id: &str, name: &str) -> ModelBlock {
    let raw = serde_json::json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    ModelBlock {
        raw: RawJson::from_value(&raw),
        content: ModelContent::ToolUse(ToolUse {
            id: id.into(),
            name: name.into(),
            arguments: Arguments::parse(r#"{"text":"hi"}"#),
        }),
    }
}

pub(super) fn success(id: &str) -> ToolResult {
    ToolResult {
        id: ToolUseId::from(id),
        outcome: ToolOutcome::Succeeded,
        content: vec![ResultPart::text("done")],
    }
}

/// What an entry of a record is about.
pub(super) fn entry_of(record: &Record) -> Option<&Entry> {
    match &record.body {
        Body::Entry(entry) | Body::Altered { entry, .. } => Some(entry),
        Body::Began { .. } | Body::Titled(_) => None,
    }
}

fn name_of(record: &Record) -> String {
    match &record.body {
        Body::Began { .. } => "began".to_owned(),
        Body::Titled(title) => format!("titled {title}"),
        Body::Entry(entry) | Body::Altered { entry, .. } => name_of_entry(entry),
    }
}

fn name_of_entry(entry: &Entry) -> String {
    match entry {
        Entry::UserSaid(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
            format!("said {}", texts.join(" + "))
        }
        Entry::Requested { request, .. } => format!("request {}", request.0),
        Entry::Replied { .. } => "reply".to_owned(),
        Entry::Cut { text, reason, .. } => {
            format!("cut {reason} {}", text.as_deref().unwrap_or("-"))
        }
        Entry::Refused { .. } => "refused".to_owned(),
        Entry::Decided { call, decision, .. } => format!("{call} {decision:?}"),
        Entry::Answered(result) => format!("{} {:?}", result.id, result.outcome),
    }
}
