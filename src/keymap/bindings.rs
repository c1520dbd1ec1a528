//! Which key means what where.
