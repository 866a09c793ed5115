//! The `map` command.
fn main() {}
