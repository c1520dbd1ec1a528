//! The vocabulary: what a conversation is made of.
//!
//! Everything here is plain data. Nothing in this module knows a wire format, a file format, a
//! screen or a clock; every other module speaks in these words. Read [`message`] first, then
//! [`conversation`] for the one invariant that the whole product stands on.

pub mod assemble;
pub mod block_json;
pub mod conversation;
pub mod entry;
pub mod failure;
pub mod id;
pub mod listing;
pub mod message;
pub mod moment;
pub mod raw_json;
pub mod raw_object;
pub mod request;
pub mod stream;
pub mod tool;
