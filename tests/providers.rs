//! The dialects from the request to the next request, through a real socket and the validator.

mod anthropic;
mod talk;
