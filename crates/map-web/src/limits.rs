//! How far a search may go: what the page asks for, which flags may lower.

use std::num::NonZeroUsize;
use std::time::Duration;

use map_flags::LimitArgs;
use map_session::{FixedLimits, SearchLimits, TimeLimit};
use map_verify::{Limits, Tuning};
use serde::Deserialize;

/// The memory of a search if nothing else is said: WebAssembly has at most 4 GiB for everything.
const MEMORY: u64 = 1 << 30;

/// The limits that the page asks for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedLimits {
    /// The most states of a search.
    states: Option<u64>,
    /// The most bytes of its tables.
    memory: Option<u64>,
    /// The longest time of all searches of the request together.
    seconds: Option<f64>,
}

impl AskedLimits {
    /// Those of a search whose flags ask for these: the lower ones are in force.
    pub(crate) fn of_search(self, flags: &LimitArgs) -> SearchLimits {
        let lower = |ours: Option<u64>, theirs: Option<u64>| ours.into_iter().chain(theirs).min();
        let states = lower(self.states, flags.max_states);
        let memory = lower(Some(self.memory.unwrap_or(MEMORY)), flags.max_memory).unwrap_or(MEMORY);
        let seconds = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = seconds.into_iter().chain(flags.time_limit).min();
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let limits = Limits {
            states: states.map_or(usize::MAX, size),
            memory: size(memory),
            threads: NonZeroUsize::MIN,
            tuning: Tuning::SHIPPED,
        };
        let time = time.map(|time| TimeLimit { search: time, whole: time, is_shared: false });
        let fixed = FixedLimits {
            states: states.is_some() && states == self.states,
            memory: flags.max_memory.is_none_or(|asked| asked > memory),
            time: seconds.is_some() && flags.time_limit.is_none_or(|asked| Some(asked) > seconds),
        };
        SearchLimits { limits, time, fixed }
    }
}
