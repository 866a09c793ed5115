//! Algorithms on graphs whose nodes are dense numbers, and sets of such numbers.
//!
//! [`strong_components`] takes the successors of a node as a function, because its callers store their edges in very
//! different forms. [`BitSet`] takes one bit for each number below a bound.

mod bit_set;
mod components;

pub use bit_set::BitSet;
pub use components::{strong_component_numbers, strong_components};
