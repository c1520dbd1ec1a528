//! A request to a model, before any dialect has written it down.

use std::sync::Arc;

use crate::chat::conversation::History;
use crate::chat::tool::ToolSpec;

/// Everything that a model is asked with.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// What stays the same from request to request.
    pub setup: Setup,
    /// The conversation; every call in it is answered.
    pub history: History,
}

/// The part of a request that comes before the conversation. Changing it loses the prompt cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The model's id, without a provider prefix.
    pub model: String,
    /// The system prompt.
    pub system: Option<Arc<str>>,
    /// The tools, in an order that only grows at the end.
    pub tools: Arc<[ToolSpec]>,
    /// The most tokens that a reply may have, reasoning included.
    pub max_tokens: u32,
    /// How much effort the model puts in, in its provider's word.
    pub effort: Option<String>,
}

/// The least `max_tokens` ever sent: reasoning and text share it.
pub const LEAST_MAX_TOKENS: u32 = 16_000;
