//! The search that is made for some properties: the labelled graph of the states that it comes to.

pub(crate) mod explored;
mod letters;
mod notes;
mod observer;
mod rows;
mod steps;
