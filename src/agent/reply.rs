//! A reply from its first event to what follows from it.

use crate::agent::Agent;
use crate::agent::distinct::make_ids_distinct;
use crate::agent::effect::AgentEffect;
use crate::agent::phase::{Halt, Phase};
use crate::chat::assemble::Draft;
use crate::chat::entry::Entry;
use crate::chat::failure::{FailureKind, TurnError};
use crate::chat::id::RequestId;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Millis;
use crate::chat::stream::{StopReason, StreamEvent};

impl Agent {
    pub(in crate::agent) fn on_streamed(
        &mut self,
        request: RequestId,
        events: Vec<StreamEvent>,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        for event in events {
            let Phase::Streaming {
                request: current,
                draft,
                ..
            } = &mut self.phase
            else {
                return;
            };
            if *current != request {
                return;
            }
            match event {
                StreamEvent::Finished => {
                    let draft = std::mem::take(draft);
                    self.finish_reply(request, draft, now, out);
                }
                StreamEvent::Failed(error) => {
                    // The request still runs for the world; nothing more is heard of it.
                    out.push(AgentEffect::AbortRequest(request));
                    self.fail(error, out);
                }
                StreamEvent::Started { .. }
                | StreamEvent::BlockStarted { .. }
                | StreamEvent::TextGrew { .. }
                | StreamEvent::ThinkingGrew { .. }
                | StreamEvent::ArgumentsGrew { .. }
                | StreamEvent::BlockFinished { .. }
                | StreamEvent::UsageReported(_)
                | StreamEvent::Stopping(_) => draft.apply(event),
            }
        }
    }

    /// The stop reason is read before the content: a refusal may have none, and under an output
    /// limit nothing of the content may run.
    fn finish_reply(
        &mut self,
        request: RequestId,
        draft: Draft,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        match draft.stop.clone() {
            Some(StopReason::Refusal {
                category,
                explanation,
            }) => {
                self.take_refusal(request, &draft, category, explanation, out);
            }
            Some(StopReason::MaxTokens) => {
                self.take_unusable_reply(request, draft, Halt::MaxTokens, out);
            }
            Some(StopReason::ContextWindowExceeded) => {
                self.take_unusable_reply(request, draft, Halt::ContextFull, out);
            }
            Some(StopReason::PauseTurn) => self.take_reply(request, draft, true, now, out),
            Some(
                StopReason::EndTurn
                | StopReason::ToolUse
                | StopReason::StopSequence(_)
                | StopReason::Other(_),
            )
            | None => self.take_reply(request, draft, false, now, out),
        }
    }

    fn take_reply(
        &mut self,
        request: RequestId,
        draft: Draft,
        paused: bool,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        if !self.keep_reply(request, draft, out) {
            return;
        }
        if !self.conversation.open_calls().is_empty() {
            self.begin_round(now, out);
        } else if paused {
            self.next_round(out);
        } else {
            self.begin_turn(out);
        }
    }

    /// Keeps a reply that was cut by a limit: its calls are answered, and none of them runs.
    fn take_unusable_reply(
        &mut self,
        request: RequestId,
        draft: Draft,
        halt: Halt,
        out: &mut Vec<AgentEffect>,
    ) {
        if self.keep_reply(request, draft, out) {
            self.answer_open_calls_as_cut(out);
            self.halt(halt, out);
        }
    }

    fn keep_reply(&mut self, request: RequestId, draft: Draft, out: &mut Vec<AgentEffect>) -> bool {
        let (reply_id, model, stop, usage) = (
            draft.reply_id.clone(),
            draft.model.clone(),
            draft.stop.clone(),
            draft.usage,
        );
        let mut whole = draft.into_whole_blocks();
        make_ids_distinct(&mut whole, &self.conversation);
        let blocks: Vec<ContentBlock> = whole.into_iter().map(ContentBlock::Model).collect();
        if blocks.iter().all(says_nothing) {
            let reason = "empty".to_owned();
            out.push(AgentEffect::Remember(Entry::Cut {
                request,
                text: None,
                reason,
                usage,
            }));
            self.halt(Halt::EmptyReply, out);
            return false;
        }
        if let Err(error) = self.conversation.push_reply(blocks.clone()) {
            self.halt(
                Halt::Failed(TurnError::new(FailureKind::BadRequest, error.to_string())),
                out,
            );
            return false;
        }
        let entry = Entry::Replied {
            request,
            reply_id,
            model,
            blocks,
            stop,
            usage,
        };
        out.push(AgentEffect::Remember(entry));
        true
    }

    /// A refused turn is taken out of what is sent: with it in place the refusals would go on.
    fn take_refusal(
        &mut self,
        request: RequestId,
        draft: &Draft,
        category: Option<String>,
        explanation: Option<String>,
        out: &mut Vec<AgentEffect>,
    ) {
        self.conversation.truncate(self.turn_start);
        let remembered = Entry::Refused {
            request,
            category: category.clone(),
            usage: draft.usage,
        };
        out.push(AgentEffect::Remember(remembered));
        self.halt(
            Halt::Refused {
                category,
                explanation,
            },
            out,
        );
    }
}

/// A reply of blanks alone could not be sent back, and shows nothing.
fn says_nothing(block: &ContentBlock) -> bool {
    block.as_text().is_some_and(|text| text.trim().is_empty())
}
