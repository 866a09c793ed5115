//! What the environment says of tests: `MAP_SCENES=N` how many random scenes, `MAP_SEED=S` where the seeds start,
//! `MAP_TUNING=shipped` (see `engines::limits`), and others.

/// The number that a variable is set to; none if it is not set, or to no number.
#[must_use]
pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
