//! Server-sent events from bytes that may be cut anywhere.
