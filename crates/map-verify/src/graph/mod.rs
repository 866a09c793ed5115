//! The packed transitions of a finished search, and algorithms on them.

pub(crate) mod cycles;
pub(crate) mod edges;
pub(crate) mod reach;
#[cfg(test)]
mod tests;
mod visit;
