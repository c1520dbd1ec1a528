//! The fields of each kind of line, as they stand in the file.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What every line begins with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) v: u32,
    pub(super) id: String,
    #[serde(default)]
    pub(super) parent: Option<String>,
    #[serde(default)]
    pub(super) at: String,
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) redacted: bool,
}

/// A whole line.
#[derive(Serialize)]
pub(super) struct Line<'a, T> {
    #[serde(flatten)]
    pub(super) head: &'a Head,
    #[serde(flatten)]
    pub(super) body: T,
}

/// `began`
#[derive(Serialize, Deserialize)]
pub(super) struct Began {
    pub(super) folder: String,
    pub(super) program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) forked_from: Option<String>,
}

/// `title`
#[derive(Serialize, Deserialize)]
pub(super) struct Title {
    pub(super) title: String,
}

/// `setup`: written before the first request that uses it.
#[derive(Serialize, Deserialize)]
pub(super) struct SetupBody {
    pub(super) hash: String,
    pub(super) system: Option<String>,
    pub(super) tools: Vec<Tool>,
}

/// A tool of a `setup`.
#[derive(Serialize, Deserialize)]
pub(super) struct Tool {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    pub(super) input_schema: Box<RawValue>,
}

/// `user`
#[derive(Serialize, Deserialize)]
pub(super) struct User {
    pub(super) blocks: Vec<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left_out: Vec<LeftOutLine>,
}

/// `request`
#[derive(Serialize, Deserialize)]
pub(super) struct Requested {
    pub(super) request: u64,
    pub(super) model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) effort: Option<String>,
    pub(super) max_tokens: u32,
    pub(super) setup: String,
}

/// `reply`
#[derive(Serialize, Deserialize)]
pub(super) struct Replied {
    pub(super) request: u64,
    #[serde(default)]
    pub(super) reply_id: Option<String>,
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) stop: Option<Stop>,
    #[serde(default)]
    pub(super) usage: UsageLine,
    pub(super) blocks: Vec<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left_out: Vec<LeftOutLine>,
}

/// A block that is missing.
#[derive(Serialize, Deserialize)]
pub(super) struct LeftOutLine {
    pub(super) index: usize,
    pub(super) why: String,
}

/// Why a reply stopped.
#[derive(Serialize, Deserialize, Default)]
pub(super) struct Stop {
    pub(super) reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sequence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) explanation: Option<String>,
}

/// Token counts.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
pub(super) struct UsageLine {
    pub(super) input: u64,
    pub(super) cache_read: u64,
    pub(super) cache_write: u64,
    pub(super) output: u64,
}

/// `cut`
#[derive(Serialize, Deserialize)]
pub(super) struct CutBody {
    pub(super) request: u64,
    pub(super) cut: String,
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) usage: UsageLine,
}

/// `refused`
#[derive(Serialize, Deserialize)]
pub(super) struct Refused {
    pub(super) request: u64,
    #[serde(default)]
    pub(super) category: Option<String>,
    #[serde(default)]
    pub(super) usage: UsageLine,
}

/// `decision`
#[derive(Serialize, Deserialize)]
pub(super) struct Decided {
    pub(super) call: String,
    #[serde(default)]
    pub(super) server: Option<String>,
    #[serde(default)]
    pub(super) tool: Option<String>,
    pub(super) decision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
}

/// `result`, and a result inside a block.
#[derive(Serialize, Deserialize)]
pub(super) struct ResultBody {
    pub(super) call: String,
    pub(super) outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit_ms: Option<u64>,
    pub(super) content: Vec<Box<RawValue>>,
}

/// A piece of a result.
#[derive(Serialize, Deserialize)]
pub(super) struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) audience: Option<String>,
    #[serde(flatten)]
    pub(super) body: PartLine,
}

/// What a piece of a result is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PartLine {
    Text(String),
    Image(MediaLine),
    Document(MediaLine),
}

/// Bytes: inside the line, or in a file of their own.
#[derive(Serialize, Deserialize)]
pub(super) struct MediaLine {
    pub(super) media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base64: Option<String>,
    /// SHA-256 of the bytes: the file's name in `blobs/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<String>,
}

/// A block of a message.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Block {
    /// Text written on this side.
    Text(String),
    /// A picture attached on this side.
    Image(MediaLine),
    /// The answer to a call.
    ToolResult(ResultBody),
    /// A block as the model sent it.
    Model(Box<RawValue>),
    /// A call whose arguments are no JSON object: the block, and what the model wrote.
    InvalidCall {
        model: Box<RawValue>,
        text: String,
        reason: String,
    },
}
