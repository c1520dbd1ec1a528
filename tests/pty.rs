//! Promises about the real terminal that no case asks for.

mod idle;
mod job_control;
mod typing;
