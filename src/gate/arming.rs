//! When a key press counts as an answer to the gate.
