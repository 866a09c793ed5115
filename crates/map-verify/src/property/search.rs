//! The search for a group of properties: builds the labelled graph.

pub(crate) mod explored;
mod letters;
mod notes;
mod observer;
mod rows;
mod steps;
