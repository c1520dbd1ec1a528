//! The conversation on disk: one record a line, append-only.

pub mod record;
pub mod replay;
pub mod summary;
