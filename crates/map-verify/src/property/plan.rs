//! Which properties are judged together in one search, and up to which reductions.

pub(crate) mod groups;
mod normal;
mod orbits;
mod restriction;
