//! The exploration by several processes together.
//!
//! Every state belongs to one process, told by a hash of its vector. The tables of agents are the same in all
//! processes, so a vector means the same everywhere (`level`). Who has a state does not know its number to others:
//! transitions are kept in two halves, which are in the same order (`transitions`). What else is kept of states and
//! steps is up to the [`Records`].

mod level;
mod levels;
mod link;
mod made;
mod records;
pub(crate) mod shard;
pub(crate) mod told;
pub(crate) mod transitions;
pub(crate) mod wire;

pub(crate) use level::Explorer;
pub(crate) use levels::{Levels, run};
pub(crate) use link::{ClusterLost, Link};
pub(crate) use records::Records;

/// An initial state: its words, and its options of [`map_semantics::open_cells`].
pub(crate) struct Initial {
    pub(crate) words: Vec<u32>,
    pub(crate) options: Vec<u32>,
}
