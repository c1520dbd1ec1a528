//! Events in any order: whatever happens, no call runs without its key press, and no request leaves
//! with an unanswered call.

use std::collections::{HashMap, HashSet};

use crate::agent::effect::AgentEffect;
use crate::agent::event::AgentEvent;
use crate::agent::tests::bench::{Bench, asks, asks_with, success, text};
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::id::{RequestId, ToolUseId};
use crate::chat::message::{ContentBlock, Message, Role};
use crate::chat::moment::Millis;
use crate::chat::stream::{BlockOpening, StopReason, StreamEvent};
use crate::gate::decision::Decision;
use crate::keymap::key::Key;

const SEQUENCES: u64 = 20_000;
const STEPS: usize = 40;

/// Numbers that look random, the same for a seed each time (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % sides
    }
}

/// Watches one agent from outside, with books of its own.
struct Watch {
    bench: Bench,
    dice: Dice,
    ran: HashSet<ToolUseId>,
    running: Vec<ToolUseId>,
    approved: usize,
}

impl Watch {
    fn new(seed: u64) -> Self {
        Self {
            bench: Bench::new(),
            dice: Dice(seed),
            ran: HashSet::new(),
            running: Vec::new(),
            approved: 0,
        }
    }

    fn step(&mut self) {
        let dice = self.dice.roll(20);
        self.bench.now = self.bench.now + Millis(self.dice.roll(600));
        match dice {
            0 | 1 => self.tell(AgentEvent::UserSubmitted(vec![ContentBlock::Text(
                "hi".into(),
            )])),
            2 | 3 => self.stream_a_piece(),
            4..=7 => self.stream_a_reply(),
            8 => self.fail_a_request(),
            9 => self.tell(AgentEvent::RetryDue(self.some_request())),
            10..=14 => self.press_a_key(),
            15 | 16 => self.finish_a_call(),
            17 => self.stop_a_call(),
            18 => match self.dice.roll(4) {
                0 => self.tell(AgentEvent::TurnStopped),
                1 => self.tell(AgentEvent::StreamStopped),
                2 => self.tell(AgentEvent::QueueTakenBack),
                _ => self.bench.agent.lose_server(&"s".into()),
            },
            _ => self.tell(AgentEvent::AskedAgain),
        }
    }

    /// Tells the agent a fact that lets nothing run.
    fn tell(&mut self, event: AgentEvent) {
        let effects = self.bench.tell(event);
        self.check(&effects, 0);
    }

    fn some_request(&self) -> RequestId {
        self.bench.agent.last_request
    }

    fn stream_a_piece(&mut self) {
        let index = usize::try_from(self.dice.roll(3)).unwrap();
        let events = vec![
            StreamEvent::BlockStarted {
                index,
                opening: BlockOpening::Text,
            },
            StreamEvent::TextGrew {
                index,
                text: "x".into(),
            },
        ];
        self.tell(AgentEvent::Streamed {
            request: self.some_request(),
            events,
        });
    }

    fn stream_a_reply(&mut self) {
        let blocks = (0..self.dice.roll(4)).map(|_| match self.dice.roll(7) {
            0 => text("said"),
            1 => asks("same", "s__echo"),
            2 => asks("other", "no_such_tool"),
            3 => asks_with("bad", "s__echo", "{\"cut"),
            _ => asks(&format!("c{}", self.dice.roll(5)), "s__wipe"),
        });
        let blocks = blocks.collect::<Vec<_>>();
        let stop = match self.dice.roll(8) {
            0 => StopReason::MaxTokens,
            1 => StopReason::Refusal {
                category: None,
                explanation: None,
            },
            2 => StopReason::PauseTurn,
            3 => StopReason::EndTurn,
            _ => StopReason::ToolUse,
        };
        let effects = self.bench.reply(blocks, stop);
        self.check(&effects, 0);
    }

    fn fail_a_request(&mut self) {
        let kind = [
            FailureKind::Overloaded,
            FailureKind::Unauthorized,
            FailureKind::StreamCut,
        ];
        let kind = kind[usize::try_from(self.dice.roll(3)).unwrap()];
        let retry = RetryHint {
            body_began: self.dice.roll(2) == 0,
            ..RetryHint::default()
        };
        let error = TurnError::new(kind, "");
        self.tell(AgentEvent::RequestFailed {
            request: self.some_request(),
            error,
            retry,
        });
    }

    fn press_a_key(&mut self) {
        let gate = self.bench.agent.gate_mut();
        let waiting: Vec<ToolUseId> = gate
            .waiting()
            .iter()
            .map(|call| call.id().clone())
            .collect();
        for id in &waiting {
            if self.dice.roll(3) > 0 {
                gate.drawn(id, self.dice.roll(4) > 0, self.bench.now);
            }
        }
        self.bench.now = self.bench.now + Millis(self.dice.roll(700));
        let now = self.bench.now;
        let Some(wait) = gate.hold(Key::char('y'), now) else {
            return;
        };
        if self.dice.roll(4) == 0 {
            gate.disturbed(now);
        }
        self.bench.now = now + wait;
        let Some(press) = gate.release(self.bench.now) else {
            return;
        };
        let (decision, most) = match self.dice.roll(5) {
            0 => (Decision::Deny, 0),
            1 => (Decision::DenyAll, 0),
            2 => (Decision::RunAll, waiting.len()),
            _ => (Decision::Run, 1),
        };
        let effects = self.bench.tell(AgentEvent::Decided { press, decision });
        self.check(&effects, most);
    }

    fn finish_a_call(&mut self) {
        let forged = ToolUseId::from("c1");
        let id = if self.dice.roll(5) == 0 || self.running.is_empty() {
            forged
        } else {
            let at = usize::try_from(self.dice.roll(self.running.len() as u64)).unwrap();
            self.running.swap_remove(at)
        };
        self.tell(AgentEvent::ToolFinished(success(id.as_str(), "done")));
    }

    fn stop_a_call(&mut self) {
        let id = self.running.last().cloned().unwrap_or_else(|| "c2".into());
        self.tell(AgentEvent::CallStopped(id));
    }

    /// Checks what the agent asks for; at most `most` calls may run because of what it was told.
    fn check(&mut self, effects: &[AgentEffect], most: usize) {
        let mut runs = 0;
        for effect in effects {
            match effect {
                AgentEffect::CallTool(approved) => {
                    runs += 1;
                    let id = &approved.tool_use().id;
                    assert!(self.ran.insert(id.clone()), "{id} ran twice");
                    self.running.push(id.clone());
                }
                AgentEffect::SendRequest { body, .. } => check_history(body.history.messages()),
                AgentEffect::Remember(_)
                | AgentEffect::AbortRequest(_)
                | AgentEffect::WaitToRetry { .. }
                | AgentEffect::CancelTool(_)
                | AgentEffect::GiveBack(_)
                | AgentEffect::TurnPaused => {}
            }
        }
        assert!(
            runs <= most,
            "{runs} calls ran where a key press allowed {most}"
        );
        self.approved += runs;
    }
}

/// The service's own rules for a history, written down again without the product's code.
fn check_history<M: AsRef<Message>>(messages: &[M]) {
    let mut ids = HashMap::new();
    let messages: Vec<&Message> = messages.iter().map(AsRef::as_ref).collect();
    assert_eq!(
        messages.first().map(|message| message.role),
        Some(Role::User)
    );
    for (at, message) in messages.iter().enumerate() {
        assert!(!message.blocks.is_empty(), "message {at} is empty");
        let asked: Vec<&ToolUseId> = message.tool_uses().map(|tool_use| &tool_use.id).collect();
        for id in &asked {
            assert_eq!(ids.insert((*id).clone(), at), None, "{id} is used twice");
        }
        let next = messages
            .get(at + 1)
            .map_or(&[][..], |next| next.blocks.as_slice());
        let answered: Vec<&ToolUseId> = next.iter().map_while(ContentBlock::answers).collect();
        assert_eq!(asked, answered, "calls of message {at} and their answers");
        let all_answers = next
            .iter()
            .filter(|block| block.answers().is_some())
            .count();
        assert_eq!(all_answers, answered.len(), "answers come first");
    }
}

#[test]
fn in_any_order_of_events_no_call_runs_without_its_key_press_and_no_request_leaves_unanswered() {
    let mut approved = 0;
    for seed in 0..SEQUENCES {
        let mut watch = Watch::new(seed);
        for _ in 0..STEPS {
            watch.step();
        }
        approved += watch.approved;
    }
    // The test means something only if calls do run.
    assert!(approved > 5_000, "only {approved} calls ran");
}
