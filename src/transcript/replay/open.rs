//! The calls of one reply, until each of them has a result.

use std::collections::HashSet;

use crate::chat::id::ToolUseId;
use crate::chat::tool::{ResultPart, ToolOutcome, ToolResult};

/// The calls of the last reply and what is known of them.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    calls: Vec<OpenCall>,
    started: HashSet<ToolUseId>,
}

#[derive(Debug)]
struct OpenCall {
    /// The id in the conversation.
    id: ToolUseId,
    /// The id in the file; it differs where a model had used one twice.
    recorded: ToolUseId,
    result: Option<ToolResult>,
}

impl OpenCalls {
    pub(super) fn add(&mut self, id: ToolUseId, recorded: ToolUseId) {
        self.calls.push(OpenCall {
            id,
            recorded,
            result: None,
        });
    }

    /// Remembers that a call was allowed to run.
    pub(super) fn start(&mut self, recorded: &ToolUseId) {
        self.started.insert(recorded.clone());
    }

    /// Takes in a result; the first of a call counts.
    pub(super) fn answer(&mut self, result: ToolResult) {
        let open = self
            .calls
            .iter_mut()
            .find(|call| call.recorded == result.id && call.result.is_none());
        if let Some(call) = open {
            call.result = Some(ToolResult {
                id: call.id.clone(),
                ..result
            });
        }
    }

    /// Returns the results in the order asked, and those of them that had to be made up.
    pub(super) fn close(&mut self) -> (Vec<ToolResult>, Vec<ToolResult>) {
        let mut made_up = Vec::new();
        let mut all = Vec::new();
        for call in self.calls.drain(..) {
            let started = self.started.contains(&call.recorded);
            all.push(call.result.unwrap_or_else(|| {
                made_up.push(missing(call.recorded, started));
                missing(call.id, started)
            }));
        }
        self.started.clear();
        (all, made_up)
    }
}

/// The answer to a call whose own was lost.
fn missing(id: ToolUseId, started: bool) -> ToolResult {
    let (outcome, text) = if started {
        (
            ToolOutcome::ServerGone,
            "The program ended before this call had a result. It is unknown whether it ran.",
        )
    } else {
        (
            ToolOutcome::NotRun,
            "The program ended before this call was decided. It did not run.",
        )
    };
    ToolResult {
        id,
        outcome,
        content: vec![ResultPart::text(text)],
    }
}
