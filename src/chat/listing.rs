//! A tool as its server lists it, before it has a public name.

use crate::chat::raw_json::RawJson;

/// One entry of a server's tool list (MCP `Tool`), with the schema as the server wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedTool {
    /// The server's own name of the tool; this is what goes back to the server.
    pub name: String,
    /// Name for people: `title`, else `annotations.title`.
    pub title: Option<String>,
    /// What the tool does, in the server's words: untrusted text.
    pub description: Option<String>,
    /// JSON Schema of the arguments, if the server gave one at all. Not checked yet.
    pub input_schema: Option<RawJson>,
    /// JSON Schema of the structured result.
    pub output_schema: Option<RawJson>,
    /// What the server claims about the tool.
    pub hints: ToolHints,
}

/// A server's claims about a tool (MCP `annotations`): they may make us stricter, never laxer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolHints {
    /// It only reads.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it twice does the same as once.
    pub idempotent: Option<bool>,
    /// It reaches outside of its server.
    pub open_world: Option<bool>,
}

/// How far a running call has come (MCP `notifications/progress`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// How much is done, in the server's own unit.
    pub done: f64,
    /// How much there is in all, if the server knows.
    pub total: Option<f64>,
    /// What it does right now: untrusted text.
    pub message: Option<String>,
}
