//! One line to the person.

/// A line that says what happened, what it means and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How bad it is.
    pub level: Level,
    /// A full sentence, redacted by whoever made it.
    pub text: String,
    /// Further lines, shown when unfolded (a server's last words).
    pub details: Vec<String>,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Good to know.
    Info,
    /// Something is not as it should be; work goes on.
    Warning,
    /// Something failed.
    Failure,
}

impl Notice {
    /// Makes a notice of one line.
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Self {
            level,
            text: text.into(),
            details: Vec::new(),
        }
    }
}
