//! Keys, what they mean, and which key means what where.

pub mod action;
pub mod bindings;
pub mod key;
pub mod spelling;
pub mod table;
