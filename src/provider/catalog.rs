//! What is known about models: window, output, prices, thinking, effort.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde::Deserialize;

use crate::chat::stream::Usage;

/// The facts that come with the program, as data: `assets/models.json`.
const BUILTIN: &str = include_str!("../../assets/models.json");

/// What is known about models.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Catalog {
    models: Vec<ModelFacts>,
}

/// What is known about one model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ModelFacts {
    /// The id, without a date.
    pub id: String,
    /// How much fits in, reply included, in tokens.
    pub window: u64,
    /// The most tokens of a reply.
    pub max_output: u32,
    /// What tokens cost, if known.
    #[serde(default)]
    pub prices: Option<Prices>,
    /// What tokens cost in a request with a large prompt.
    #[serde(default)]
    pub above: Option<LargePrompt>,
    /// How thinking is asked for.
    pub thinking: Thinking,
    /// The levels of effort that it takes, least first.
    #[serde(default)]
    pub efforts: Vec<String>,
    /// The most images of a request.
    pub images: u32,
}

/// US dollars per million tokens, by class.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Prices {
    /// Input that is neither read from nor written to the cache.
    pub input: f64,
    /// Output, reasoning included.
    pub output: f64,
    /// Input written to the cache for five minutes.
    pub cache_write: f64,
    /// Input read from the cache.
    pub cache_read: f64,
}

/// Other prices for a whole request, when its prompt is large.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct LargePrompt {
    /// These prices hold when the prompt has more tokens than this.
    pub prompt: u64,
    /// The prices.
    pub prices: Prices,
}

/// How thinking is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// The model decides how much (`adaptive`).
    Adaptive,
    /// With a budget of tokens (`enabled`).
    Manual,
    /// Not at all.
    Unknown,
}

impl Catalog {
    /// Returns the facts that come with the program.
    pub fn builtin() -> &'static Self {
        // A test proves that the data can be read; an empty catalog would still be usable.
        static CATALOG: LazyLock<Catalog> =
            LazyLock::new(|| serde_json::from_str(BUILTIN).unwrap_or_default());
        &CATALOG
    }

    /// Returns all models, newest family first.
    pub fn models(&self) -> &[ModelFacts] {
        &self.models
    }

    /// Returns what is known of a model, also under a dated id or a platform's prefix.
    pub fn model(&self, id: &str) -> Option<&ModelFacts> {
        let id = without_platform(id);
        self.models
            .iter()
            .filter(|facts| {
                id.strip_prefix(facts.id.as_str())
                    .is_some_and(is_version_only)
            })
            .max_by_key(|facts| facts.id.len())
    }

    /// Returns what is known of a model, or what can be supposed of one that nobody knows.
    pub fn model_or_fallback(&self, id: &str) -> ModelFacts {
        self.model(id).cloned().unwrap_or_else(|| fallback(id))
    }

    /// Returns the known ids that look most like `id`, nearest first, at most three.
    pub fn near(&self, id: &str) -> Vec<&str> {
        let id = without_platform(id).to_lowercase();
        let mut near: Vec<(f64, &str)> = self
            .models
            .iter()
            .map(|facts| (strsim::jaro_winkler(&id, &facts.id), facts.id.as_str()))
            .filter(|(likeness, _)| *likeness > 0.8)
            .collect();
        near.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        near.into_iter().take(3).map(|(_, id)| id).collect()
    }
}

impl ModelFacts {
    /// Returns what a request has cost in US dollars, or nothing when the price is unknown.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let prices = match self.above {
            Some(above) if usage.prompt() > above.prompt => above.prices,
            Some(_) | None => self.prices?,
        };
        let millionths = tokens(usage.input) * prices.input
            + tokens(usage.output) * prices.output
            + tokens(usage.cache_write) * prices.cache_write
            + tokens(usage.cache_read) * prices.cache_read;
        Some(millionths / 1_000_000.0)
    }

    /// Tells whether the model takes this level of effort.
    pub fn takes_effort(&self, level: &str) -> bool {
        self.efforts.iter().any(|known| known == level)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a token count is far below 2^52"
)]
const fn tokens(count: u64) -> f64 {
    count as f64
}

/// Cuts off what platforms and gateways put in front: `us.anthropic.`, `anthropic/`.
fn without_platform(id: &str) -> &str {
    let id = id.rsplit_once('/').map_or(id, |(_, id)| id);
    id.rsplit_once("anthropic.").map_or(id, |(_, id)| id)
}

/// Tells whether the rest of an id names a version of the same model: a date, `-latest`, `-v1:0`,
/// `@date`, `[1m]`. A further number names another model, whose price nobody knows.
fn is_version_only(rest: &str) -> bool {
    let is_date = |rest: &str| {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        digits >= 6
    };
    match rest.strip_prefix('-') {
        Some(word) => word == "latest" || word.starts_with('v') || is_date(word),
        None => rest.is_empty() || rest.starts_with(['@', ':', '[']),
    }
}

/// Supposes what is usual: newer Claude models are alike, and of others nothing can be asked that
/// their server might refuse.
fn fallback(id: &str) -> ModelFacts {
    let claude = without_platform(id).starts_with("claude-");
    let efforts: &[&str] = if claude {
        &["low", "medium", "high", "xhigh", "max"]
    } else {
        &[]
    };
    ModelFacts {
        id: id.to_owned(),
        window: 200_000,
        max_output: 64_000,
        prices: None,
        above: None,
        thinking: if claude {
            Thinking::Adaptive
        } else {
            Thinking::Unknown
        },
        efforts: efforts.iter().map(|&level| level.to_owned()).collect(),
        images: 100,
    }
}
