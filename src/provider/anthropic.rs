//! Anthropic's Messages API: how a request is written and its reply read.
