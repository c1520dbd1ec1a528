//! A turn from its user message to its end, and everything a person does to it in between.

use std::sync::Arc;

use crate::agent::Agent;
use crate::agent::effect::AgentEffect;
use crate::agent::phase::{Halt, Phase};
use crate::agent::retry::delay_before_retry;
use crate::chat::assemble::Draft;
use crate::chat::entry::Entry;
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::id::RequestId;
use crate::chat::message::{ContentBlock, Role};
use crate::chat::moment::Millis;
use crate::chat::request::{LEAST_MAX_TOKENS, ModelRequest, Setup};

/// What is said for the person who lets a cut reply go on.
const GO_ON: &str = "Go on from where you stopped.";

impl Agent {
    pub(in crate::agent) fn on_user_submitted(
        &mut self,
        blocks: Vec<ContentBlock>,
        out: &mut Vec<AgentEffect>,
    ) {
        if is_blank(&blocks) {
            return;
        }
        self.queue.push_back(blocks);
        if !self.is_busy() {
            self.begin_turn(out);
        }
    }

    /// Begins a turn with all that waits, as one message.
    pub(in crate::agent) fn begin_turn(&mut self, out: &mut Vec<AgentEffect>) {
        let blocks: Vec<ContentBlock> = self.queue.drain(..).flatten().collect();
        if blocks.is_empty() {
            self.phase = Phase::Idle;
            out.push(AgentEffect::TurnPaused);
            return;
        }
        if let Some(text) = self.leftover.take() {
            // The person goes on from what was read, so the model is told that it was said.
            let kept = self.conversation.push_reply(vec![ContentBlock::Text(text)]);
            debug_assert!(kept.is_ok(), "no call is open between turns");
        }
        self.turn_start = self.conversation.messages().len();
        self.say(blocks, out);
    }

    pub(in crate::agent) fn on_request_failed(
        &mut self,
        request: RequestId,
        error: TurnError,
        retry: RetryHint,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        let Phase::Streaming {
            request: current,
            attempt,
            ..
        } = &self.phase
        else {
            return;
        };
        if *current != request {
            return;
        }
        let attempt = *attempt;
        let jitter = self.random();
        match delay_before_retry(&error, retry, attempt, jitter) {
            Some(after) => {
                self.phase = Phase::Retrying {
                    request,
                    attempt: attempt + 1,
                    until: now + after,
                    error,
                };
                out.push(AgentEffect::WaitToRetry { request, after });
            }
            None => self.fail(error, out),
        }
    }

    pub(in crate::agent) fn on_retry_due(
        &mut self,
        request: RequestId,
        out: &mut Vec<AgentEffect>,
    ) {
        if let Phase::Retrying {
            request: failed,
            attempt,
            ..
        } = &self.phase
            && *failed == request
        {
            let attempt = *attempt;
            self.send(attempt, out);
        }
    }

    pub(in crate::agent) fn on_stream_stopped(&mut self, out: &mut Vec<AgentEffect>) {
        if matches!(self.phase, Phase::AtTools(_)) {
            return;
        }
        self.on_turn_stopped(out);
        if matches!(self.phase, Phase::Halted(_)) && !self.queue.is_empty() {
            self.begin_turn(out);
        }
    }

    pub(in crate::agent) fn on_turn_stopped(&mut self, out: &mut Vec<AgentEffect>) {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Streaming { request, draft, .. } => {
                out.push(AgentEffect::AbortRequest(request));
                self.keep_cut(request, &draft, "stopped", out);
                self.halt(Halt::Stopped, out);
            }
            Phase::Retrying { error, .. } => self.fail(error, out),
            Phase::AtTools(calls) => {
                self.phase = Phase::AtTools(calls);
                self.stop_calls(out);
                self.halt(Halt::Stopped, out);
            }
            phase @ (Phase::Idle | Phase::Halted(_)) => self.phase = phase,
        }
    }

    pub(in crate::agent) fn on_asked_again(&mut self, out: &mut Vec<AgentEffect>) {
        let Phase::Halted(halt) = &self.phase else {
            return;
        };
        match halt {
            Halt::Failed(_) | Halt::Stopped | Halt::EmptyReply | Halt::TurnLimit(_) => {
                self.leftover = None;
                self.ask_anew(out);
            }
            Halt::MaxTokens => {
                if self.last_speaker() == Some(Role::Assistant) {
                    self.say(vec![ContentBlock::Text(GO_ON.to_owned())], out);
                } else {
                    self.ask_anew(out);
                }
            }
            Halt::ContextFull | Halt::Refused { .. } | Halt::NeedsApproval(_) => {}
        }
    }

    pub(in crate::agent) fn on_queue_taken_back(&mut self, out: &mut Vec<AgentEffect>) {
        out.extend(self.queue.pop_back().map(AgentEffect::GiveBack));
    }

    /// Ends the turn with a failure that the person can answer with F5.
    pub(in crate::agent) fn fail(&mut self, error: TurnError, out: &mut Vec<AgentEffect>) {
        if let Phase::Streaming { request, draft, .. } =
            std::mem::replace(&mut self.phase, Phase::Idle)
        {
            self.keep_cut(request, &draft, reason_word(error.kind), out);
        }
        self.halt(Halt::Failed(error), out);
    }

    /// Makes the next request of the turn.
    pub(in crate::agent) fn next_round(&mut self, out: &mut Vec<AgentEffect>) {
        if self.rounds >= self.options.max_turns {
            self.halt(Halt::TurnLimit(self.rounds), out);
        } else {
            self.rounds += 1;
            self.send(1, out);
        }
    }

    fn say(&mut self, blocks: Vec<ContentBlock>, out: &mut Vec<AgentEffect>) {
        if self.conversation.push_user(blocks.clone()).is_err() {
            debug_assert!(false, "no call is open between turns");
            return;
        }
        out.push(AgentEffect::Remember(Entry::UserSaid(blocks)));
        self.rounds = 0;
        self.next_round(out);
    }

    /// Asks with the conversation as it stands.
    fn ask_anew(&mut self, out: &mut Vec<AgentEffect>) {
        if self.last_speaker() == Some(Role::User) {
            self.rounds = 0;
            self.next_round(out);
        }
    }

    fn send(&mut self, attempt: u32, out: &mut Vec<AgentEffect>) {
        self.toolbox.freeze();
        let history = match self.conversation.history() {
            Ok(history) => history,
            Err(error) => {
                let error = TurnError::new(FailureKind::BadRequest, error.to_string());
                return self.halt(Halt::Failed(error), out);
            }
        };
        let setup = self.setup();
        let request = self.last_request.next();
        self.last_request = request;
        self.phase = Phase::Streaming {
            request,
            attempt,
            draft: Draft::default(),
        };
        let remembered = Entry::Requested {
            request,
            setup: Arc::new(setup.clone()),
        };
        out.push(AgentEffect::Remember(remembered));
        let body = Box::new(ModelRequest { setup, history });
        out.push(AgentEffect::SendRequest { request, body });
    }

    fn setup(&self) -> Setup {
        Setup {
            model: self.options.model.clone(),
            system: self.options.system.clone(),
            tools: self.toolbox.specs(),
            max_tokens: self.options.max_tokens.max(LEAST_MAX_TOKENS),
            effort: self.options.effort.clone(),
        }
    }

    fn keep_cut(
        &mut self,
        request: RequestId,
        draft: &Draft,
        reason: &str,
        out: &mut Vec<AgentEffect>,
    ) {
        let text = draft.text_so_far();
        self.leftover.clone_from(&text);
        out.push(AgentEffect::Remember(Entry::Cut {
            request,
            text,
            reason: reason.to_owned(),
            usage: draft.usage,
        }));
    }

    fn last_speaker(&self) -> Option<Role> {
        self.conversation
            .messages()
            .last()
            .map(|message| message.role)
    }
}

fn is_blank(blocks: &[ContentBlock]) -> bool {
    blocks
        .iter()
        .all(|block| block.as_text().is_some_and(|text| text.trim().is_empty()))
}

/// The word for a failure in a transcript's `cut`.
const fn reason_word(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::NoCredentials => "no_credentials",
        FailureKind::Unauthorized => "unauthorized",
        FailureKind::Billing => "billing",
        FailureKind::Forbidden => "forbidden",
        FailureKind::NotFound => "not_found",
        FailureKind::TooLarge => "too_large",
        FailureKind::BadRequest => "bad_request",
        FailureKind::RateLimited => "rate_limited",
        FailureKind::Overloaded => "overloaded",
        FailureKind::ServerError => "server_error",
        FailureKind::Network => "network",
        FailureKind::Silent(_) => "silent",
        FailureKind::StreamCut => "stream_cut",
        FailureKind::NotAStream => "not_a_stream",
        FailureKind::BadConfiguration => "bad_configuration",
    }
}
