//! What the scripted model says and asks for in one reply.

use serde_json::Value;

/// One reply.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reply {
    /// A summary of its reasoning.
    pub(super) thinking: Option<String>,
    /// Markdown.
    pub(super) text: String,
    /// The calls that it asks for, all at once.
    pub(super) calls: Vec<Call>,
}

/// A call that it asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// The tool's full name.
    pub(super) name: String,
    /// The arguments.
    pub(super) input: Value,
}
