//! Global states as short vectors of words, the composition of steps, and the visited set.

mod access;
mod compose;
mod joining;
mod layout;
mod located;
mod next;
mod scratch;
pub(crate) mod space;
mod steps;
pub(crate) mod store;

pub(crate) use located::{Located, Slot};
pub(crate) use scratch::Scratch;
pub(crate) use steps::{Next, Successor};
