//! An observer who sees only what is told and what is asked, and knows what may follow what.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an observer looks at a few of many"
)]

use std::collections::HashSet;

use proptest::prelude::*;

use crate::app::effect::Effect;
use crate::app::event::Fact;
use crate::app::tests::stage::entry_of;
use crate::chat::entry::{Entry, Verdict};
use crate::chat::message::ContentBlock;
use crate::keymap::key::{KeyCode, KeyMotion, Mods};

/// What an observer knows who sees only facts and effects.
#[derive(Default)]
pub(super) struct Observer {
    /// The last input, if it was a fresh `y` or `Y` that nothing has followed.
    lone_yes: Option<u64>,
    /// Calls that a frame has shown to their end.
    seen: HashSet<String>,
    /// Calls whose approval is written down.
    approved: HashSet<String>,
    /// Calls of the last reply that have no result in writing.
    pub(super) open: HashSet<String>,
    run: HashSet<String>,
    requests_written: HashSet<u64>,
    last_sent: u64,
    pub(super) ended: bool,
}

impl Observer {
    pub(super) fn see_fact(&mut self, fact: &Fact, at: u64) {
        match fact {
            Fact::KeyPressed(key) if key.motion == KeyMotion::Release => {}
            Fact::KeyPressed(key) => {
                let yes = matches!(key.code, KeyCode::Char('y' | 'Y')) && key.mods == Mods::NONE;
                self.lone_yes = (yes && key.motion == KeyMotion::Press).then_some(at);
            }
            Fact::Pasted(_)
            | Fact::Wheeled(_)
            | Fact::Clicked
            | Fact::Resized { .. }
            | Fact::FocusChanged(_) => self.lone_yes = None,
            Fact::Drawn(shown) => {
                let call = shown.gate.iter().filter(|call| call.end_visible);
                self.seen.extend(call.map(|call| call.call.to_string()));
            }
            _ => {}
        }
    }

    pub(super) fn see_effect(
        &mut self,
        effect: &Effect,
        of_hold: bool,
        at: u64,
    ) -> Result<(), TestCaseError> {
        prop_assert!(!self.ended, "{effect:?} after the end");
        match effect {
            Effect::CallTool(approved) => {
                let id = approved.tool_use().id.to_string();
                prop_assert!(of_hold, "a call runs only when a held key has stayed alone");
                let pressed = self.lone_yes;
                prop_assert!(
                    pressed.is_some_and(|pressed| at - pressed >= 30),
                    "{pressed:?} {at}"
                );
                prop_assert!(self.seen.contains(&id), "{id} was not on the screen");
                prop_assert!(
                    self.approved.contains(&id),
                    "{id} runs before it is written down"
                );
                prop_assert!(self.run.insert(id), "one approval, one run");
            }
            Effect::SendRequest { request, body } => {
                prop_assert!(request.0 > self.last_sent, "request {} twice", request.0);
                self.last_sent = request.0;
                prop_assert!(self.requests_written.contains(&request.0));
                prop_assert!(
                    self.open.is_empty(),
                    "{:?} have no result in writing",
                    self.open
                );
                check_history(
                    body.history
                        .messages()
                        .iter()
                        .map(|message| &message.blocks[..]),
                )?;
            }
            Effect::Append(record) => self.see_entry(entry_of(record)),
            Effect::Quit(_) => self.ended = true,
            _ => {}
        }
        Ok(())
    }

    fn see_entry(&mut self, entry: Option<&Entry>) {
        match entry {
            Some(Entry::Requested { request, .. }) => drop(self.requests_written.insert(request.0)),
            Some(Entry::Decided {
                call,
                decision: Verdict::Approved,
                ..
            }) => drop(self.approved.insert(call.to_string())),
            Some(Entry::Replied { blocks, .. }) => {
                let calls = blocks.iter().filter_map(ContentBlock::as_tool_use);
                self.open = calls.map(|tool_use| tool_use.id.to_string()).collect();
            }
            Some(Entry::Answered(result)) => drop(self.open.remove(result.id.as_str())),
            _ => {}
        }
    }
}

/// Every call has its one result in the next message, in order.
fn check_history<'a>(
    messages: impl Iterator<Item = &'a [ContentBlock]>,
) -> Result<(), TestCaseError> {
    let mut open: Vec<String> = Vec::new();
    for blocks in messages {
        let answers: Vec<String> = blocks
            .iter()
            .filter_map(|block| block.answers())
            .map(ToString::to_string)
            .collect();
        prop_assert_eq!(&answers, &open);
        let calls = blocks.iter().filter_map(ContentBlock::as_tool_use);
        open = calls.map(|tool_use| tool_use.id.to_string()).collect();
    }
    prop_assert!(open.is_empty());
    Ok(())
}
