//! Plans the searches: which properties share one, and with which reductions.

pub(crate) mod ceilings;
pub(crate) mod groups;
mod normal;
mod orbits;
mod restriction;
