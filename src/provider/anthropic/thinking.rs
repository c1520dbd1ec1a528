//! How thinking is asked for.

use serde::Serialize;

use crate::provider::catalog::{ModelFacts, Thinking};

/// The least budget that the service takes, in tokens.
const LEAST_BUDGET: u32 = 1_024;
/// More than this is of little use to a chat, in tokens.
const LARGEST_BUDGET: u32 = 16_000;

/// The field `thinking` of a request.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ThinkingConfig {
    /// The model decides how much; what it thinks comes as a summary. The service's own default
    /// is to send nothing readable, and then a person sees nothing during long rounds of tools.
    Adaptive { display: &'static str },
    /// With a budget, for models that know no other way.
    Enabled { budget_tokens: u32 },
}

impl ThinkingConfig {
    /// Returns what a model takes; nothing, where a server might not know the field.
    pub(super) fn of(facts: &ModelFacts, max_tokens: u32) -> Option<Self> {
        match facts.thinking {
            Thinking::Adaptive => Some(Self::Adaptive {
                display: "summarized",
            }),
            Thinking::Manual => {
                budget(max_tokens).map(|budget_tokens| Self::Enabled { budget_tokens })
            }
            Thinking::Unknown => None,
        }
    }
}

/// Half of the reply at most, so that there is room for the answer.
fn budget(max_tokens: u32) -> Option<u32> {
    let budget = (max_tokens / 2).min(LARGEST_BUDGET);
    (budget >= LEAST_BUDGET).then_some(budget)
}
