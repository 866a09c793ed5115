//! Global states: short vectors of words, composed from the states of agents, and the visited set that they are stored in.

mod access;
mod compose;
mod lately;
mod nodes;
mod shape;
mod sort;
pub(crate) mod space;
pub(crate) mod store;

pub(crate) use compose::Scratch;
