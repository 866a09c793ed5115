//! Settings of tests from the environment: `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds
//! start, `MAP_COMPARISON=NAME` which comparisons look at them, `MAP_TUNING=shipped` the tuning (see
//! `engines::limits`), `MAP_ALL_TEXTS` that slow tests go through all texts and not a part of them; and others.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The number that a variable is set to; `None` if it is unset or not a number.
#[must_use]
pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// The seeds of a comparison on random scenes, and whether they have to show variety.
#[derive(Debug, Clone, Copy)]
pub struct Seeds {
    /// The first seed.
    pub first: u64,
    /// How many seeds.
    pub count: u64,
    usual: u64,
}

/// Where seeds start if nothing else is said.
const FIRST: u64 = 1;

/// How many times as many scenes as usual have to show variety wherever the seeds start.
const MANY: u64 = 20;

impl Seeds {
    /// `MAP_SEED` says where they start, the variable with the name `count_from` how many there are instead of the
    /// `usual` number.
    #[must_use]
    pub fn new(count_from: &str, usual: u64) -> Self {
        Self {
            first: setting("MAP_SEED").unwrap_or(FIRST),
            count: setting(count_from).unwrap_or(usual),
            usual,
        }
    }

    /// Whether `share` of the scenes, of which there are usually `usual_share`, have to show variety.
    ///
    /// A few scenes need not, and neither need those that nobody has looked at before: what must not fail by chance
    /// is asked of known scenes, or of a great many.
    #[must_use]
    pub fn shows_variety(&self, share: u64, usual_share: u64) -> bool {
        share >= if self.first == FIRST { usual_share } else { MANY * usual_share }
    }

    /// Like [`Seeds::shows_variety`], of all scenes.
    #[must_use]
    pub fn has_variety(&self) -> bool {
        self.shows_variety(self.count, self.usual)
    }
}

/// One in so many: others for each seed of a commit (`MAP_SEED`), all of them if `MAP_ALL_TEXTS` is set.
#[must_use]
pub fn some_of<T>(all: Vec<T>, one_in: usize) -> Vec<T> {
    if std::env::var_os("MAP_ALL_TEXTS").is_some() {
        return all;
    }
    // The seeds of commits are a thousand apart.
    let first = setting("MAP_SEED").unwrap_or(FIRST) as usize / 1_000 % one_in;
    all.into_iter().skip(first).step_by(one_in).collect()
}

/// Whether something with this name is tried: everything if `MAP_ALL_TEXTS` is set, otherwise one in so many.
#[must_use]
pub fn is_tried(name: &str, one_in: u64) -> bool {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish().is_multiple_of(one_in) || std::env::var_os("MAP_ALL_TEXTS").is_some()
}
