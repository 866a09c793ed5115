//! Settings of tests from the environment: `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds
//! start, `MAP_TUNING=shipped` the tuning (see `engines::limits`); and others.

/// The number that a variable is set to; `None` if it is unset or not a number.
#[must_use]
pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
