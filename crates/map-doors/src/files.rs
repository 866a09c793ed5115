//! Files that are written as a whole or not at all, and what is left of those that were not.

mod stale;
mod write;

pub use write::{create, end_of_writing, put, replace};
