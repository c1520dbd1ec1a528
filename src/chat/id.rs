//! The names of things: one type per kind of id, so that two of them can't be swapped.

use std::fmt;

/// Counts the requests sent to a model within one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RequestId(pub u64);

impl RequestId {
    /// Returns the id that follows this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Takes the text as it is.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

text_id! {
    /// A model's name for one call (`toolu_…`), unique within a conversation.
    ToolUseId
}
text_id! {
    /// A tool's public name, as the model sees it (`server__tool`, at most 64 characters).
    ToolName
}
text_id! {
    /// The name under which an MCP server is configured; never what the server calls itself.
    ServerName
}
text_id! {
    /// A transcript's id: the stem of its file name.
    TranscriptId
}
text_id! {
    /// The id of one record inside a transcript.
    RecordId
}
