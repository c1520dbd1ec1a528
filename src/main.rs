//! Keytide, the program.
fn main() {}
