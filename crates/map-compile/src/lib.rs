//! Lowering of a checked MAP scene to a Program.
