//! The audit log: hash-chained records.
