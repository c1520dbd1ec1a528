//! A workbench: an agent with two tools, a clock, and a short hand for events.

use crate::agent::effect::AgentEffect;
use crate::agent::event::AgentEvent;
use crate::agent::{Agent, AgentOptions};
use crate::chat::entry::Entry;
use crate::chat::id::RequestId;
use crate::chat::listing::ListedTool;
use crate::chat::message::{ContentBlock, ModelBlock, ModelContent};
use crate::chat::moment::Millis;
use crate::chat::raw_json::RawJson;
use crate::chat::stream::{StopReason, StreamEvent};
use crate::chat::tool::{Arguments, ResultPart, ToolOutcome, ToolResult, ToolUse};
use crate::gate::Gate;
use crate::gate::arming::Pauses;
use crate::gate::decision::Decision;
use crate::keymap::key::Key;

pub(super) struct Bench {
    pub(super) agent: Agent,
    pub(super) now: Millis,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with_gate(Gate::interactive(Pauses::default()))
    }

    pub(super) fn with_gate(gate: Gate) -> Self {
        let options = AgentOptions {
            model: "claude-opus-5".into(),
            system: None,
            max_tokens: 32_000,
            effort: None,
            max_turns: 5,
            seed: 7,
        };
        let mut agent = Agent::new(options, gate);
        let tool = |name: &str| ListedTool {
            name: name.to_owned(),
            input_schema: Some(RawJson::parse(r#"{"type":"object"}"#).unwrap()),
            ..ListedTool::default()
        };
        agent.list_tools(&"s".into(), vec![tool("echo"), tool("wipe")]);
        Self {
            agent,
            now: Millis(10_000),
        }
    }

    pub(super) fn tell(&mut self, event: AgentEvent) -> Vec<AgentEffect> {
        self.agent.handle(event, self.now)
    }

    pub(super) fn say(&mut self, text: &str) -> Vec<AgentEffect> {
        self.tell(AgentEvent::UserSubmitted(vec![ContentBlock::Text(
            text.to_owned(),
        )]))
    }

    /// Streams a whole reply to the latest request.
    pub(super) fn reply(&mut self, blocks: Vec<ModelBlock>, stop: StopReason) -> Vec<AgentEffect> {
        let mut events: Vec<StreamEvent> = blocks
            .into_iter()
            .enumerate()
            .map(|(index, block)| StreamEvent::BlockFinished { index, block })
            .collect();
        events.extend([StreamEvent::Stopping(stop), StreamEvent::Finished]);
        let request = self.agent.last_request;
        self.tell(AgentEvent::Streamed { request, events })
    }

    /// Draws the gate whole, waits, presses a key and lets it stay alone.
    pub(super) fn decide(&mut self, decision: Decision) -> Vec<AgentEffect> {
        let ids: Vec<_> = self
            .agent
            .gate()
            .waiting()
            .iter()
            .map(|call| call.id().clone())
            .collect();
        for id in ids {
            self.agent.gate_mut().drawn(&id, true, self.now);
        }
        self.now = self.now + Millis(2_000);
        let wait = self
            .agent
            .gate_mut()
            .hold(Key::char('y'), self.now)
            .expect("the gate is armed");
        self.now = self.now + wait;
        let press = self
            .agent
            .gate_mut()
            .release(self.now)
            .expect("the press stayed alone");
        self.tell(AgentEvent::Decided { press, decision })
    }

    pub(super) fn finish(&mut self, id: &str, text: &str) -> Vec<AgentEffect> {
        self.tell(AgentEvent::ToolFinished(success(id, text)))
    }

    /// Returns the last request as (role, what its blocks are) lines.
    pub(super) fn sent(effects: &[AgentEffect]) -> Vec<String> {
        let Some(AgentEffect::SendRequest { body, .. }) = effects
            .iter()
            .find(|effect| matches!(effect, AgentEffect::SendRequest { .. }))
        else {
            return vec!["nothing was sent".to_owned()];
        };
        body.history
            .messages()
            .iter()
            .map(|message| {
                let blocks: Vec<String> = message.blocks.iter().map(describe).collect();
                format!("{:?}: {}", message.role, blocks.join(", "))
            })
            .collect()
    }
}

pub(super) fn describe(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => format!("text {text:?}"),
        ContentBlock::Image(_) => "image".to_owned(),
        ContentBlock::ToolResult(result) => format!("result {} {:?}", result.id, result.outcome),
        ContentBlock::Model(block) => match &block.content {
            ModelContent::Text(text) => format!("said {text:?}"),
            ModelContent::Thinking { .. } | ModelContent::RedactedThinking => "thinking".to_owned(),
            ModelContent::ToolUse(tool_use) => format!("asks {}", tool_use.id),
            ModelContent::Other { kind } => kind.clone(),
        },
    }
}

pub(super) fn text(text: &str) -> ModelBlock {
    let raw = serde_json::json!({"type": "text", "text": text});
    ModelBlock {
        raw: RawJson::from_value(&raw),
        content: ModelContent::Text(text.to_owned()),
    }
}

pub(super) fn asks(id: &str, name: &str) -> ModelBlock {
    asks_with(id, name, "{}")
}

pub(super) fn asks_with(id: &str, name: &str, arguments: &str) -> ModelBlock {
    let raw = format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#);
    let arguments = Arguments::parse(arguments);
    ModelBlock {
        raw: RawJson::parse(raw).unwrap(),
        content: ModelContent::ToolUse(ToolUse {
            id: id.into(),
            name: name.into(),
            arguments,
        }),
    }
}

pub(super) fn success(id: &str, text: &str) -> ToolResult {
    let content = vec![ResultPart::text(text)];
    ToolResult {
        id: id.into(),
        outcome: ToolOutcome::Succeeded,
        content,
    }
}

/// Names the effects, in order: what they are and whom they concern.
pub(super) fn names(effects: &[AgentEffect]) -> Vec<String> {
    effects.iter().map(name).collect()
}

fn name(effect: &AgentEffect) -> String {
    match effect {
        AgentEffect::Remember(entry) => format!("remember {}", name_entry(entry)),
        AgentEffect::SendRequest {
            request: RequestId(number),
            ..
        } => format!("send {number}"),
        AgentEffect::AbortRequest(RequestId(number)) => format!("abort {number}"),
        AgentEffect::WaitToRetry { after, .. } => format!("wait {}", after.0),
        AgentEffect::CallTool(approved) => format!("call {}", approved.tool_use().id),
        AgentEffect::CancelTool(id) => format!("cancel {id}"),
        AgentEffect::GiveBack(_) => "give back".to_owned(),
        AgentEffect::TurnPaused => "paused".to_owned(),
    }
}

fn name_entry(entry: &Entry) -> String {
    match entry {
        Entry::UserSaid(_) => "said".to_owned(),
        Entry::Requested {
            request: RequestId(number),
            ..
        } => format!("request {number}"),
        Entry::Replied { .. } => "reply".to_owned(),
        Entry::Cut { reason, .. } => format!("cut {reason}"),
        Entry::Refused { .. } => "refused".to_owned(),
        Entry::Decided { call, decision, .. } => format!("{call} {decision:?}"),
        Entry::Answered(result) => format!("{} {:?}", result.id, result.outcome),
    }
}
