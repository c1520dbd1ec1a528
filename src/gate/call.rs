//! A call that waits at the gate.
