//! Programs that are started, with the processes that they start.

mod group;
mod lines;

pub use group::{End, Group, kill_all};
pub use lines::{Process, Silence};
