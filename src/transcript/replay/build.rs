//! Plays records in order and keeps the conversation valid at each step.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::chat::conversation::Conversation;
use crate::chat::entry::{Entry, Verdict};
use crate::chat::id::{RequestId, ToolUseId, TranscriptId};
use crate::chat::message::{ContentBlock, Message, ModelContent, Role};
use crate::chat::moment::Timestamp;
use crate::chat::raw_json::RawJson;
use crate::chat::raw_object::RawObject;
use crate::chat::request::Setup;
use crate::transcript::record::{Parsed, ParsedBody};
use crate::transcript::replay::Replay;
use crate::transcript::replay::open::OpenCalls;

/// A setup that was read, and whether redaction has changed it.
struct KnownSetup {
    setup: Setup,
    redacted: bool,
}

/// Builds a conversation from records.
pub(super) struct Builder {
    replay: Replay,
    open: OpenCalls,
    setups: HashMap<String, KnownSetup>,
    /// Redaction has changed something: signed reasoning from here on would not be accepted.
    redacted: bool,
    /// Reasoning was left out of the last reply.
    last_lost_thinking: bool,
    lost_thinking: usize,
    /// Where the turn of the last message of the person begins.
    turn_start: usize,
    /// The text of a cut reply, until it is known how the conversation goes on.
    cut_text: Option<String>,
    last_at: Timestamp,
    missing: HashSet<String>,
    made_up: usize,
}

impl Builder {
    pub(super) fn new(id: TranscriptId, notices: Vec<String>) -> Self {
        Self {
            replay: Replay {
                id,
                title: None,
                folder: String::new(),
                entries: Vec::new(),
                conversation: Conversation::default(),
                setup: None,
                notices,
            },
            open: OpenCalls::default(),
            setups: HashMap::new(),
            redacted: false,
            last_lost_thinking: false,
            lost_thinking: 0,
            turn_start: 0,
            cut_text: None,
            last_at: Timestamp::default(),
            missing: HashSet::new(),
            made_up: 0,
        }
    }

    pub(super) fn take(&mut self, record: Parsed) {
        self.last_at = record.at;
        match record.body {
            ParsedBody::Began { folder, .. } => self.replay.folder = folder,
            ParsedBody::Titled(title) => self.replay.title = Some(title),
            ParsedBody::Setup {
                hash,
                system,
                tools,
            } => {
                let setup = Setup {
                    model: String::new(),
                    system,
                    tools,
                    max_tokens: 0,
                    effort: None,
                };
                let redacted = record.redacted;
                self.redacted |= redacted;
                self.setups.insert(hash, KnownSetup { setup, redacted });
            }
            ParsedBody::Requested {
                request,
                model,
                effort,
                max_tokens,
                setup,
            } => self.take_request(request, model, effort, max_tokens, &setup),
            ParsedBody::Entry { entry, missing } => {
                self.missing.extend(missing);
                self.take_entry(entry, record.redacted);
            }
            ParsedBody::Unknown { .. } => {}
        }
    }

    pub(super) fn finish(mut self) -> Replay {
        self.close_open_calls();
        self.drop_round_without_thinking();
        self.keep_cut_text();
        self.say_what_was_done();
        self.replay
    }

    fn take_request(
        &mut self,
        request: RequestId,
        model: String,
        effort: Option<String>,
        max_tokens: u32,
        hash: &str,
    ) {
        let known = self.setups.get(hash);
        let tools = known.map_or_else(Default::default, |known| known.setup.tools.clone());
        let setup = Arc::new(Setup {
            model,
            system: known.and_then(|known| known.setup.system.clone()),
            tools,
            max_tokens,
            effort,
        });
        // A prompt that redaction has changed must not be sent again as if it were the same.
        self.replay.setup = known.filter(|known| !known.redacted).map(|_| setup.clone());
        self.show(Entry::Requested { request, setup });
    }

    fn take_entry(&mut self, entry: Entry, redacted: bool) {
        self.show(entry.clone());
        match entry {
            Entry::UserSaid(blocks) => self.user_said(blocks),
            Entry::Requested { .. } => {}
            Entry::Replied { blocks, .. } => self.replied(blocks, redacted),
            Entry::Cut { text, .. } => self.cut(text),
            Entry::Refused { .. } => self.refused(),
            Entry::Decided { call, decision, .. } => self.decided(&call, &decision),
            Entry::Answered(result) => self.open.answer(result),
        }
        self.redacted |= redacted;
    }

    fn show(&mut self, entry: Entry) {
        self.replay.entries.push((self.last_at, entry));
    }

    fn user_said(&mut self, blocks: Vec<ContentBlock>) {
        self.close_open_calls();
        self.keep_cut_text();
        self.turn_start = self.replay.conversation.messages().len();
        self.last_lost_thinking = false;
        // An empty message has nothing to say and no place in a conversation.
        let _unused = self.replay.conversation.push_user(blocks);
    }

    fn replied(&mut self, blocks: Vec<ContentBlock>, redacted: bool) {
        self.close_open_calls();
        self.cut_text = None;
        let before = blocks.len();
        let kept: Vec<ContentBlock> = if self.redacted || redacted {
            blocks
                .into_iter()
                .filter(|block| !is_thinking(block))
                .collect()
        } else {
            blocks
        };
        self.last_lost_thinking = kept.len() < before;
        self.lost_thinking += before - kept.len();
        let kept = self.with_fresh_ids(kept);
        if self.replay.conversation.push_reply(kept).is_err() {
            self.open = OpenCalls::default();
        }
    }

    /// Gives each call an id of its own, and opens it.
    fn with_fresh_ids(&mut self, blocks: Vec<ContentBlock>) -> Vec<ContentBlock> {
        let mut used: HashSet<ToolUseId> = HashSet::new();
        let mut out = Vec::new();
        for block in blocks {
            let Some(recorded) = block.as_tool_use().map(|tool_use| tool_use.id.clone()) else {
                out.push(block);
                continue;
            };
            let fresh = (1..=u32::MAX)
                .map(|number| match number {
                    1 => recorded.clone(),
                    _ => ToolUseId::new(format!("{recorded}_{number}")),
                })
                .find(|id| !self.replay.conversation.knows(id) && !used.contains(id))
                .unwrap_or_else(|| recorded.clone());
            used.insert(fresh.clone());
            self.open.add(fresh.clone(), recorded.clone());
            out.push(if fresh == recorded {
                block
            } else {
                renamed(block, &fresh)
            });
        }
        out
    }

    fn cut(&mut self, text: Option<String>) {
        self.close_open_calls();
        self.cut_text = text.filter(|text| !text.trim().is_empty());
    }

    fn refused(&mut self) {
        self.close_open_calls();
        self.cut_text = None;
        self.replay.conversation.truncate(self.turn_start);
    }

    fn decided(&mut self, call: &ToolUseId, decision: &Verdict) {
        match decision {
            Verdict::Approved | Verdict::AllowedByFlag(_) => self.open.start(call),
            Verdict::Denied | Verdict::DeniedWithReason(_) | Verdict::Stopped => {}
        }
    }

    fn close_open_calls(&mut self) {
        if self.replay.conversation.open_calls().is_empty() {
            return;
        }
        let (results, made_up) = self.open.close();
        self.made_up += made_up.len();
        for result in made_up {
            self.show(Entry::Answered(result));
        }
        // The results were made from the same list as the open calls, so they fit.
        let _unused = self.replay.conversation.answer(results);
    }

    /// What the model had said before it was cut counts once the person goes on.
    fn keep_cut_text(&mut self) {
        let Some(text) = self.cut_text.take() else {
            return;
        };
        let after_person = self
            .replay
            .conversation
            .messages()
            .last()
            .is_some_and(|message| message.role == Role::User);
        if after_person {
            let said = vec![ContentBlock::Text(text.trim_end().to_owned())];
            let _unused = self.replay.conversation.push_reply(said);
        }
    }

    /// A round whose results wait to be sent is refused without the reasoning that asked for it.
    fn drop_round_without_thinking(&mut self) {
        let messages = self.replay.conversation.messages();
        let results_wait = messages.last().is_some_and(|message| is_results(message));
        if !self.last_lost_thinking || !results_wait {
            return;
        }
        let reply_at = messages.len().saturating_sub(2);
        let said: Vec<ContentBlock> = messages
            .get(reply_at)
            .map(|message| message.blocks.clone())
            .unwrap_or_default()
            .into_iter()
            .filter(|block| block.as_text().is_some_and(|text| !text.trim().is_empty()))
            .collect();
        self.replay.conversation.truncate(reply_at);
        let _unused = self.replay.conversation.push_reply(said);
        self.replay.notices.push(
            "The last calls could not be sent to the model any more, because what was redacted \
             changed the conversation before them. They count as not run; ask again if you need them."
                .to_owned(),
        );
    }

    fn say_what_was_done(&mut self) {
        let mut missing: Vec<&String> = self.missing.iter().collect();
        missing.sort();
        let mut notices: Vec<String> = missing
            .into_iter()
            .map(|what| format!("This transcript lacks something: {what}."))
            .collect();
        if self.made_up > 0 {
            let count = self.made_up;
            notices.push(format!(
                "{count} calls had no result when the program ended; the model is told so."
            ));
        }
        if self.lost_thinking > 0 {
            let count = self.lost_thinking;
            notices.push(format!(
                "{count} reasoning blocks are left out of what is sent from now on, because they \
                 belong to text that was redacted."
            ));
        }
        self.replay.notices.append(&mut notices);
    }
}

fn is_thinking(block: &ContentBlock) -> bool {
    matches!(block, ContentBlock::Model(block) if block.is_thinking())
}

fn is_results(message: &Message) -> bool {
    message.role == Role::User && message.blocks.iter().any(|block| block.answers().is_some())
}

/// Returns the block with another call id, in its JSON too.
fn renamed(block: ContentBlock, id: &ToolUseId) -> ContentBlock {
    let ContentBlock::Model(mut block) = block else {
        return block;
    };
    if let Some(mut object) = RawObject::parse(block.raw.text()) {
        object.set("id", &RawJson::from_value(&id.as_str().into()));
        block.raw = object.to_raw();
    }
    if let ModelContent::ToolUse(tool_use) = &mut block.content {
        tool_use.id = id.clone();
    }
    ContentBlock::Model(block)
}
