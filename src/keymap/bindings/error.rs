//! What can be wrong with a key binding.

/// A binding that can't be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// Nothing has this name.
    #[error("nothing is called `{name}`{}", did_you_mean(.nearest.as_deref()))]
    UnknownAction {
        /// The name.
        name: String,
        /// The name that looks most like it.
        nearest: Option<String>,
    },
    /// No terminal sends such a key.
    #[error("`{key}` for `{action}` is not a key (write `y`, `Ctrl+X`, `Alt+Enter` or `F5`)")]
    UnknownKey {
        /// What it was to be bound to.
        action: String,
        /// The key.
        key: String,
    },
    /// Terminals send the same bytes for two keys.
    #[error("`{key}` can't be bound to `{action}`: terminals can't tell it from {like}")]
    Ambiguous {
        /// What it was to be bound to.
        action: String,
        /// The key.
        key: String,
        /// The key that it can't be told from.
        like: &'static str,
    },
    /// A key that is pressed in passing must not answer the gate.
    #[error("`{key}` can't be bound to `{action}`: {reason}")]
    NeverDecides {
        /// What it was to be bound to.
        action: String,
        /// The key.
        key: String,
        /// Why not.
        reason: &'static str,
    },
    /// The character could no longer be typed.
    #[error("`{key}` can't be bound to `{action}`: it could no longer be typed")]
    IsText {
        /// What it was to be bound to.
        action: String,
        /// The key.
        key: String,
    },
    /// A key would mean two things in one place.
    #[error("`{key}` means both `{first}` and `{second}`")]
    Clash {
        /// The key.
        key: String,
        /// One of them.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
}

impl KeymapError {
    /// Returns the action's name that the error is about, as it was written.
    pub fn action(&self) -> &str {
        match self {
            Self::UnknownAction { name, .. } => name,
            Self::UnknownKey { action, .. }
            | Self::Ambiguous { action, .. }
            | Self::NeverDecides { action, .. }
            | Self::IsText { action, .. } => action,
            Self::Clash { second, .. } => second,
        }
    }
}

fn did_you_mean(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}
