//! The search for a group of properties: builds the labelled graph.

mod exceeded;
pub(crate) mod explored;
mod gathering;
mod letters;
mod notes;
mod observer;
mod of_group;
mod part;
mod rows;
mod shared;
mod steps;
