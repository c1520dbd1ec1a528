//! The words that stand in a line for what happened.

use crate::chat::entry::Verdict;
use crate::chat::stream::{StopReason, Usage};
use crate::chat::tool::{Audience, TimeLimit, ToolOutcome};
use crate::transcript::record::LeftOut;
use crate::transcript::record::line::{LeftOutLine, Stop, UsageLine};

pub(super) fn outcome_words(outcome: &ToolOutcome) -> (&'static str, Option<String>, Option<u64>) {
    match outcome {
        ToolOutcome::Succeeded => ("succeeded", None, None),
        ToolOutcome::Failed => ("failed", None, None),
        ToolOutcome::Denied => ("denied", None, None),
        ToolOutcome::DeniedWithReason(reason) => ("denied", Some(reason.clone()), None),
        ToolOutcome::Cancelled => ("cancelled", None, None),
        ToolOutcome::TimedOut(TimeLimit::Idle(limit)) => ("timed_out_idle", None, Some(limit.0)),
        ToolOutcome::TimedOut(TimeLimit::Total(limit)) => ("timed_out_total", None, Some(limit.0)),
        ToolOutcome::ServerGone => ("server_gone", None, None),
        ToolOutcome::NotRun => ("not_run", None, None),
    }
}

pub(super) const fn audience_word(audience: Audience) -> Option<&'static str> {
    match audience {
        Audience::Everybody => None,
        Audience::Person => Some("person"),
        Audience::Model => Some("model"),
    }
}

pub(super) fn verdict_words(verdict: &Verdict) -> (&'static str, Option<String>) {
    match verdict {
        Verdict::Approved => ("approved", None),
        Verdict::AllowedByFlag(pattern) => ("allowed_by_flag", Some(pattern.clone())),
        Verdict::Denied => ("denied", None),
        Verdict::DeniedWithReason(reason) => ("denied", Some(reason.clone())),
        Verdict::Stopped => ("stopped", None),
    }
}

pub(super) fn stop_line(stop: &StopReason) -> Stop {
    let plain = |reason: &str| Stop {
        reason: reason.to_owned(),
        ..Stop::default()
    };
    match stop {
        StopReason::EndTurn => plain("end_turn"),
        StopReason::ToolUse => plain("tool_use"),
        StopReason::MaxTokens => plain("max_tokens"),
        StopReason::StopSequence(sequence) => Stop {
            sequence: sequence.clone(),
            ..plain("stop_sequence")
        },
        StopReason::PauseTurn => plain("pause_turn"),
        StopReason::Refusal {
            category,
            explanation,
        } => Stop {
            category: category.clone(),
            explanation: explanation.clone(),
            ..plain("refusal")
        },
        StopReason::ContextWindowExceeded => plain("context_window_exceeded"),
        StopReason::Other(reason) => plain(reason),
    }
}

pub(super) const fn usage_line(usage: &Usage) -> UsageLine {
    UsageLine {
        input: usage.input,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
        output: usage.output,
    }
}

pub(super) fn left_out_lines(left_out: &[LeftOut]) -> Vec<LeftOutLine> {
    let line = |left_out: &LeftOut| LeftOutLine {
        index: left_out.index,
        why: left_out.why.clone(),
    };
    left_out.iter().map(line).collect()
}
