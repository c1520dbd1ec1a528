//! The conversation on disk: one record a line, append-only.
//!
//! [`record`] is the format, [`read`] finds the records in a file in whatever state it is,
//! [`replay`] makes a conversation of them that can go on.

pub mod read;
pub mod record;
pub mod replay;
pub mod report;
pub mod summary;
