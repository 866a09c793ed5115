//! Global states: short vectors of words, composed from the states of agents, and the visited set that they are stored in.

mod access;
mod bag;
mod compose;
mod layout;
mod located;
mod next;
mod nodes;
mod shape;
pub(crate) mod space;
pub(crate) mod store;

pub(crate) use compose::Scratch;
pub(crate) use located::{Located, Slot};
