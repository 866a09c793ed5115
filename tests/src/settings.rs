//! Settings of tests from the environment: `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds
//! start, `MAP_COMPARISON=NAME` which comparisons look at them, `MAP_TUNING=shipped` the tuning (see
//! `engines::limits`), `MAP_ALL_TEXTS` that slow tests go through all texts and not a part of them; and others.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The number that a variable is set to; `None` if it is unset or not a number.
#[must_use]
pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Whether something with this name is tried: everything if `MAP_ALL_TEXTS` is set, otherwise one in so many.
#[must_use]
pub fn is_tried(name: &str, one_in: u64) -> bool {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish().is_multiple_of(one_in) || std::env::var_os("MAP_ALL_TEXTS").is_some()
}
