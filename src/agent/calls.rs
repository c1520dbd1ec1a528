//! A round of calls: from the reply that asks for them to the message that answers them all.

use crate::agent::Agent;
use crate::agent::effect::AgentEffect;
use crate::agent::phase::{Halt, Phase, ToolCall, ToolState};
use crate::agent::schema;
use crate::agent::tools::RegisteredTool;
use crate::chat::entry::{Entry, Verdict};
use crate::chat::id::ToolUseId;
use crate::chat::listing::Progress;
use crate::chat::moment::Millis;
use crate::chat::tool::{Arguments, ResultPart, ToolOutcome, ToolResult, ToolUse};
use crate::gate::Approved;
use crate::gate::arming::ArmedPress;
use crate::gate::call::PendingCall;
use crate::gate::decision::{Decision, Outcome};

const NOBODY_TO_ASK: &str = "Nobody was there to approve this call.";

/// What is to be done with a call before anybody is asked.
enum Sorted {
    /// It can be asked about.
    Pending(Box<PendingCall>),
    /// It can't run, for this reason.
    Unusable(String),
}

impl Agent {
    /// Puts the calls of the last reply before the gate, or answers those that can't run.
    pub(in crate::agent) fn begin_round(&mut self, now: Millis, out: &mut Vec<AgentEffect>) {
        let Some(message) = self.conversation.messages().last().cloned() else {
            return;
        };
        let mut calls = Vec::new();
        let mut pending = Vec::new();
        let mut unusable = Vec::new();
        for tool_use in message.tool_uses() {
            let tool = self.toolbox.resolve(&tool_use.name);
            calls.push(ToolCall {
                id: tool_use.id.clone(),
                server: tool.map(|tool| tool.server.clone()),
                tool: tool.map_or_else(
                    || tool_use.name.to_string(),
                    |tool| tool.listed.name.clone(),
                ),
                state: ToolState::Waiting,
            });
            match sort(tool_use, tool, now) {
                Sorted::Pending(call) => pending.push(*call),
                Sorted::Unusable(why) => unusable.push((tool_use.id.clone(), why)),
            }
        }
        self.phase = Phase::AtTools(calls);
        for (id, why) in unusable {
            self.record(not_run(id, why), out);
        }
        if self.gate.is_headless() {
            self.admit_by_rule(pending, now, out);
        } else {
            self.gate.open(pending);
        }
        self.settle_round(out);
    }

    pub(in crate::agent) fn on_decided(
        &mut self,
        press: &ArmedPress,
        decision: Decision,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        for outcome in self.gate.decide(press, decision).unwrap_or_default() {
            match outcome {
                Outcome::Run(approved) => self.run(approved, Verdict::Approved, now, out),
                Outcome::Denied { call, reason } => self.deny(call, reason, out),
            }
        }
        self.settle_round(out);
    }

    pub(in crate::agent) fn on_progress(&mut self, call: &ToolUseId, news: Progress) {
        if let Some(ToolState::Running { progress, .. }) = self.state_of(call) {
            *progress = Some(news);
        }
    }

    pub(in crate::agent) fn on_tool_finished(
        &mut self,
        result: ToolResult,
        out: &mut Vec<AgentEffect>,
    ) {
        // An answer to a call that was stopped meanwhile comes too late and is dropped here.
        if self.is_running(&result.id) {
            self.record(result, out);
            self.settle_round(out);
        }
    }

    pub(in crate::agent) fn on_call_stopped(
        &mut self,
        call: &ToolUseId,
        out: &mut Vec<AgentEffect>,
    ) {
        if self.is_running(call) {
            self.cancel(call.clone(), out);
            self.settle_round(out);
        }
    }

    /// Stops every call of the round and answers them all; the model is not asked again.
    pub(in crate::agent) fn stop_calls(&mut self, out: &mut Vec<AgentEffect>) {
        for call in self.gate.withdraw_all() {
            Self::note_decision(&call, Verdict::Stopped, out);
            let why = "The person stopped the turn; this call was not run.";
            let content = vec![ResultPart::text(why)];
            let id = call.tool_use.id;
            self.record(
                ToolResult {
                    id,
                    outcome: ToolOutcome::Denied,
                    content,
                },
                out,
            );
        }
        let running: Vec<ToolUseId> = self.running().cloned().collect();
        for call in running {
            self.cancel(call, out);
        }
        self.close_round();
    }

    pub(in crate::agent) fn answer_open_calls_as_cut(&mut self, out: &mut Vec<AgentEffect>) {
        let open = self.conversation.open_calls().to_vec();
        let why = "The reply was cut before it was whole; this call was not run.";
        let results: Vec<ToolResult> = open
            .into_iter()
            .map(|id| not_run(id, why.to_owned()))
            .collect();
        for result in &results {
            out.push(AgentEffect::Remember(Entry::Answered(result.clone())));
        }
        if !results.is_empty() {
            let answered = self.conversation.answer(results);
            debug_assert!(answered.is_ok(), "every open call has its result");
        }
    }

    /// Returns the calls that run.
    pub(in crate::agent) fn running(&self) -> impl Iterator<Item = &ToolUseId> {
        self.round()
            .iter()
            .filter(|call| matches!(call.state, ToolState::Running { .. }))
            .map(|call| &call.id)
    }

    fn admit_by_rule(
        &mut self,
        pending: Vec<PendingCall>,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        for call in pending {
            let rule = self.gate.rule_for(&call).map(str::to_owned);
            match (self.gate.admit(call), rule) {
                (Ok(approved), rule) => {
                    let verdict = Verdict::AllowedByFlag(rule.unwrap_or_default());
                    self.run(approved, verdict, now, out);
                }
                (Err(call), _) => self.deny(*call, Some(NOBODY_TO_ASK.to_owned()), out),
            }
        }
    }

    fn run(
        &mut self,
        approved: Approved,
        verdict: Verdict,
        now: Millis,
        out: &mut Vec<AgentEffect>,
    ) {
        let id = approved.tool_use().id.clone();
        out.push(AgentEffect::Remember(Entry::Decided {
            call: id.clone(),
            server: Some(approved.server().clone()),
            tool: Some(approved.tool().to_owned()),
            decision: verdict,
        }));
        if self.orphans.remove(&id) {
            let why = format!(
                "The server `{}` ended while the call waited to be approved; it was not run.",
                approved.server()
            );
            let content = vec![ResultPart::text(why)];
            let outcome = ToolOutcome::ServerGone;
            self.record(
                ToolResult {
                    id,
                    outcome,
                    content,
                },
                out,
            );
            return;
        }
        if let Some(state) = self.state_of(&id) {
            *state = ToolState::Running {
                since: now,
                progress: None,
            };
        }
        out.push(AgentEffect::CallTool(approved));
    }

    fn deny(&mut self, call: PendingCall, reason: Option<String>, out: &mut Vec<AgentEffect>) {
        let verdict = reason
            .clone()
            .map_or(Verdict::Denied, Verdict::DeniedWithReason);
        Self::note_decision(&call, verdict, out);
        let outcome = reason.map_or(ToolOutcome::Denied, ToolOutcome::DeniedWithReason);
        let id = call.tool_use.id;
        self.record(
            ToolResult {
                id,
                outcome,
                content: Vec::new(),
            },
            out,
        );
    }

    fn cancel(&mut self, call: ToolUseId, out: &mut Vec<AgentEffect>) {
        out.push(AgentEffect::CancelTool(call.clone()));
        let outcome = ToolOutcome::Cancelled;
        self.record(
            ToolResult {
                id: call,
                outcome,
                content: Vec::new(),
            },
            out,
        );
    }

    fn note_decision(call: &PendingCall, decision: Verdict, out: &mut Vec<AgentEffect>) {
        out.push(AgentEffect::Remember(Entry::Decided {
            call: call.id().clone(),
            server: Some(call.server.clone()),
            tool: Some(call.tool.clone()),
            decision,
        }));
    }

    /// Takes in a call's result; the first one counts.
    fn record(&mut self, result: ToolResult, out: &mut Vec<AgentEffect>) {
        match self.state_of(&result.id) {
            Some(ToolState::Answered(_)) | None => {}
            Some(state @ (ToolState::Waiting | ToolState::Running { .. })) => {
                out.push(AgentEffect::Remember(Entry::Answered(result.clone())));
                *state = ToolState::Answered(result);
            }
        }
    }

    /// Goes on when every call of the round has its result.
    fn settle_round(&mut self, out: &mut Vec<AgentEffect>) {
        if !matches!(self.phase, Phase::AtTools(_)) {
            return;
        }
        let unapproved = self.unapproved();
        if !self.close_round() {
            return;
        }
        if self.gate.is_headless() && !unapproved.is_empty() {
            self.halt(Halt::NeedsApproval(unapproved), out);
        } else {
            self.next_round(out);
        }
    }

    /// Puts all results into the conversation, once there is one for every call.
    fn close_round(&mut self) -> bool {
        let results: Option<Vec<ToolResult>> = self
            .round()
            .iter()
            .map(|call| match &call.state {
                ToolState::Answered(result) => Some(result.clone()),
                ToolState::Waiting | ToolState::Running { .. } => None,
            })
            .collect();
        results.is_some_and(|results| self.conversation.answer(results).is_ok())
    }

    /// Returns the tools of the round that somebody would have had to approve.
    fn unapproved(&self) -> Vec<String> {
        let needed = |call: &&ToolCall| match &call.state {
            ToolState::Answered(result) => {
                matches!(
                    result.outcome,
                    ToolOutcome::DeniedWithReason(_) | ToolOutcome::Denied
                )
            }
            ToolState::Waiting | ToolState::Running { .. } => false,
        };
        let name = |call: &ToolCall| {
            let server = call.server.as_ref().map_or("?", |server| server.as_str());
            format!("{server}__{}", call.tool)
        };
        self.round().iter().filter(needed).map(name).collect()
    }

    fn round(&self) -> &[ToolCall] {
        match &self.phase {
            Phase::AtTools(calls) => calls,
            Phase::Idle | Phase::Streaming { .. } | Phase::Retrying { .. } | Phase::Halted(_) => {
                &[]
            }
        }
    }

    fn state_of(&mut self, id: &ToolUseId) -> Option<&mut ToolState> {
        match &mut self.phase {
            Phase::AtTools(calls) => calls
                .iter_mut()
                .find(|call| call.id == *id)
                .map(|call| &mut call.state),
            Phase::Idle | Phase::Streaming { .. } | Phase::Retrying { .. } | Phase::Halted(_) => {
                None
            }
        }
    }
}

/// Checks what can be checked before anybody is asked.
fn sort(tool_use: &ToolUse, tool: Option<&RegisteredTool>, now: Millis) -> Sorted {
    let map = match &tool_use.arguments {
        Arguments::Object { map, .. } => map,
        Arguments::Invalid { reason, .. } => {
            let why = format!("The arguments are not valid JSON for a tool call: {reason}.");
            return Sorted::Unusable(format!("{why} The call was not run."));
        }
    };
    let Some(tool) = tool else {
        return Sorted::Unusable(format!(
            "There is no tool named `{}`. The call was not run.",
            tool_use.name
        ));
    };
    if !tool.available {
        return Sorted::Unusable(format!(
            "The server `{}` does not offer `{}` at the moment. The call was not run.",
            tool.server, tool.listed.name
        ));
    }
    let problems = match &tool.listed.input_schema {
        Some(schema) => schema::check(schema, map).err().unwrap_or_default(),
        None => Vec::new(),
    };
    let raised = problems
        .iter()
        .map(|problem| format!("The arguments don't fit the tool's schema: {problem}."))
        .collect();
    Sorted::Pending(Box::new(PendingCall {
        tool_use: tool_use.clone(),
        server: tool.server.clone(),
        tool: tool.listed.name.clone(),
        title: tool.listed.title.clone(),
        hints: tool.listed.hints,
        raised,
        since: now,
    }))
}

fn not_run(id: ToolUseId, why: String) -> ToolResult {
    ToolResult {
        id,
        outcome: ToolOutcome::NotRun,
        content: vec![ResultPart::text(why)],
    }
}
