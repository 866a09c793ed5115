//! Graphs whose nodes are the numbers from 0 on, and sets of such numbers.
//!
//! A graph is whatever answers for the successors of a node: [`strong_components`] takes a function, since those who need
//! it keep their edges in very different tables. [`BitSet`] takes one bit for each number below a bound.

mod bit_set;
mod components;

pub use bit_set::BitSet;
pub use components::{strong_component_numbers, strong_components};
