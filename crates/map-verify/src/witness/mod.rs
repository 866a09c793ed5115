//! Runs to be shown: traces of reduced searches made runs of the scene, replayed, shortened, and what goes on for ever.

pub(crate) mod endless;
pub(crate) mod lift;
pub(crate) mod replay;
pub(crate) mod shorten;
