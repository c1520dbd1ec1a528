//! The view: draws the state, changes nothing but its cache.
