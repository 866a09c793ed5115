//! Runs to be shown: lifting traces of reduced searches to the scene, replay, shortening, and endless runs.

pub(crate) mod endless;
pub(crate) mod growth;
pub(crate) mod lift;
pub(crate) mod replay;
pub(crate) mod shorten;
