//! Keytide: a chat client for the terminal in which no tool runs without a keypress.
//!
//! A pure core takes facts and returns requests; a thin shell talks to the world. Read the modules
//! in the order below. A module imports only modules of lower rank; `tests/layers.rs` checks it.
//!
//! | rank | module | what it is |
//! |---|---|---|
//! | 0 | `chat` | the vocabulary: what a conversation is made of |
//! | 0 | `keymap` | keys, actions and what is bound to what |
//! | 1 | `gate` | the gate: the only maker of `Approved` |
//! | 1 | `redact` | redaction: the only maker of `Redacted` |
//! | 1 | `provider` | dialects: how requests are written and replies read |
//! | 2 | `agent` | the turn loop, without I/O |
//! | 2 | `transcript` | the conversation on disk: format, replay, repair |
//! | 2 | `audit` | the audit log |
//! | 3 | `config` | what a person can set |
//! | 4 | `app` | all state, and the one function that changes it |
//! | 5 | `world` | what a loop needs of everything outside |
//! | 5 | `cli` | flags and subcommands |
//! | 5 | `ui` | the view: reads the state, draws it |
//! | 5 | `io` | the world: network, servers, disk, terminal |
//! | 5 | `demo` | the scripted model and the demo server |
//! | 6 | `print` | the front ends without a screen |
//! | 7 | `run` | sessions, the event loop, from a command line to an exit code |

pub mod agent;
pub mod app;
pub mod audit;
pub mod chat;
pub mod cli;
pub mod config;
pub mod demo;
pub mod gate;
pub mod io;
pub mod keymap;
pub mod print;
pub mod provider;
pub mod redact;
pub mod run;
pub mod transcript;
pub mod ui;
pub mod world;
