//! The gate's own way to make the proof is closed to everybody else.

use keytide::gate::Approved;
use keytide::gate::call::PendingCall;

pub fn make(call: PendingCall) -> Approved {
    Approved::new(call) //~ E0624
}
