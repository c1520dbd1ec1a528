//! Which model of which provider: `PROVIDER/MODEL`.

use crate::config::ModelChoice;

/// The providers that Keytide knows, by the names that people write.
pub const PROVIDERS: &[&str] = &[
    "anthropic",
    "openai",
    "openai-chat",
    "gemini",
    "gemini-interactions",
    "mistral",
    "bedrock",
    "demo",
];

/// A model that can't be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Nothing is before or behind the slash.
    #[error("`{0}` is not a model: write PROVIDER/MODEL, such as anthropic/claude-opus-5")]
    Incomplete(String),
    /// Nobody knows the provider.
    #[error("there is no provider `{name}`{}", did_you_mean(.similar.as_deref()))]
    UnknownProvider {
        /// The name.
        name: String,
        /// The known name that looks most like it.
        similar: Option<String>,
    },
}

impl ModelChoice {
    /// Reads `PROVIDER/MODEL`, or `MODEL` of the provider that is used anyway. `own` are the names
    /// of the configured endpoints. A model's id may hold slashes itself.
    pub fn parse(text: &str, provider: &str, own: &[&str]) -> Result<Self, ModelError> {
        let text = text.trim();
        let (provider, model) = text.split_once('/').unwrap_or((provider, text));
        if provider.is_empty() || model.is_empty() {
            return Err(ModelError::Incomplete(text.to_owned()));
        }
        if !PROVIDERS.contains(&provider) && !own.contains(&provider) {
            return Err(ModelError::UnknownProvider {
                name: provider.to_owned(),
                similar: nearest(provider, PROVIDERS.iter().chain(own).copied()),
            });
        }
        Ok(Self {
            provider: provider.to_owned(),
            model: model.to_owned(),
        })
    }
}

/// Returns the known word that looks most like a misspelt one, if one does.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let allowed = (word.chars().count() / 2).max(2);
    known
        .map(|known| (strsim::damerau_levenshtein(known, word), known))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, known)| known.to_owned())
}

/// Ends a message with the nearest word, if there is one.
pub fn did_you_mean(similar: Option<&str>) -> String {
    similar
        .map(|word| format!("; did you mean `{word}`?"))
        .unwrap_or_default()
}
