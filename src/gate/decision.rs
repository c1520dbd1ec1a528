//! What can be decided about a call.
