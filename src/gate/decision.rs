//! What can be decided about a call, and what becomes of it.

use crate::gate::Approved;
use crate::gate::call::PendingCall;

/// What the person decides with a key press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Run the call in front.
    Run,
    /// Don't run the call in front.
    Deny,
    /// Don't run the call in front, and tell the model why.
    DenyBecause(String),
    /// Run every call listed now.
    RunAll,
    /// Run none of the calls listed now.
    DenyAll,
}

/// What became of a call at the gate.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// It may run.
    Run(Approved),
    /// It may not.
    Denied {
        /// The call.
        call: PendingCall,
        /// What the model is told, beyond that it was denied.
        reason: Option<String>,
    },
}

/// Why a decision was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    /// Nothing waits.
    #[error("no call waits")]
    NothingWaits,
    /// The key was pressed for another call than the one in front now.
    #[error("the key was pressed for another call")]
    AnotherCall,
    /// The call was not seen to its end yet.
    #[error("the call was not seen to its end")]
    EndNotSeen,
}
