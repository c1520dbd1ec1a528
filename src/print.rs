//! The front ends without a screen: one answer, and the linear conversation.
