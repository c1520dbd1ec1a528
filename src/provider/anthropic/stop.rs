//! Why a model stopped.

use serde::Deserialize;

use crate::chat::stream::StopReason;

/// The `delta` of a `message_delta`; null means not yet.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StopReport {
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    stop_sequence: Option<String>,
    #[serde(default)]
    stop_details: Option<StopDetails>,
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
        let details = self.stop_details.unwrap_or_default();
        Some(match self.stop_reason?.as_str() {
            "end_turn" => StopReason::EndTurn,
            "tool_use" => StopReason::ToolUse,
            "max_tokens" => StopReason::MaxTokens,
            "stop_sequence" => StopReason::StopSequence(self.stop_sequence),
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
