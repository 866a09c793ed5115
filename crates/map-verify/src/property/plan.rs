//! Which properties are judged together in one search, and up to which reductions.

pub(crate) mod groups;
mod normal;
mod orbits;
#[cfg(test)]
mod orbits_tests;
mod restriction;
