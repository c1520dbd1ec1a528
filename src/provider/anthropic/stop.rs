//! Why a model stopped.

use serde::Deserialize;

use crate::chat::stream::StopReason;

/// The `delta` of a `message_delta`; null means not yet.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StopReport {
    #[serde(default, rename = "stop_reason")]
    reason: Option<String>,
    #[serde(default, rename = "stop_sequence")]
    sequence: Option<String>,
    #[serde(default, rename = "stop_details")]
    details: Option<StopDetails>,
}

#[derive(Debug, Default, Deserialize)]
struct StopDetails {
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    explanation: Option<String>,
}

impl StopReport {
    /// Returns the reason, once there is one.
    pub(super) fn reason(self) -> Option<StopReason> {
        let details = self.details.unwrap_or_default();
        Some(match self.reason?.as_str() {
            "end_turn" => StopReason::EndTurn,
            "tool_use" => StopReason::ToolUse,
            "max_tokens" => StopReason::MaxTokens,
            "stop_sequence" => StopReason::StopSequence(self.sequence),
            "pause_turn" => StopReason::PauseTurn,
            "refusal" => StopReason::Refusal {
                category: details.category,
                explanation: details.explanation,
            },
            "model_context_window_exceeded" => StopReason::ContextWindowExceeded,
            other => StopReason::Other(other.to_owned()),
        })
    }
}
