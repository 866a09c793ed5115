//! The transitions of a finished search, packed, and what graph algorithms find out from them.

pub(crate) mod cycles;
pub(crate) mod edges;
pub(crate) mod reach;
#[cfg(test)]
mod tests;
mod visit;
