//! The turn loop: a state machine without I/O.
