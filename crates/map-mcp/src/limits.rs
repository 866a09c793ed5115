//! How far a request may go: what the server was started with, which requests may lower.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use map_flags::LimitArgs;
use map_session::{FixedLimits, SearchLimits, TimeLimit};
use map_verify::{Limits as SearchBudget, Tuning};

/// The longest text that is taken, and the longest file, in bytes.
pub(crate) const MAX_TEXT: usize = 4 << 20;

/// The most that a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states of a search, if there is a limit.
    pub states: Option<u64>,
    /// The most memory, in bytes.
    pub memory: u64,
    /// The longest time of all searches of a request together.
    pub time: Duration,
}

impl Limits {
    /// The limits of a search for which a request asks for these.
    ///
    /// # Errors
    /// If it asks for more than the server allows.
    pub(crate) fn of_search(&self, asked: &LimitArgs) -> Result<SearchLimits, String> {
        let too_much = |flag: &str, most: String| Err(format!("{flag}: this server allows at most {most}"));
        if let (Some(asked), Some(most)) = (asked.max_states, self.states)
            && asked > most
        {
            return too_much("--max-states", most.to_string());
        }
        if asked.max_memory.is_some_and(|asked| asked > self.memory) {
            return too_much("--max-memory", format!("{} bytes", self.memory));
        }
        if asked.time_limit.is_some_and(|asked| asked > self.time) {
            return too_much("--time-limit", format!("{}ms", self.time.as_millis()));
        }
        let (states, memory) = (asked.max_states.or(self.states), asked.max_memory.unwrap_or(self.memory));
        let time = asked.time_limit.unwrap_or(self.time);
        let cores = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let limits = SearchBudget {
            states: states.map_or(usize::MAX, size),
            memory: size(memory),
            threads: asked.threads.map_or(cores, |asked| asked.min(cores)),
            tuning: Tuning::SHIPPED,
        };
        let time_limit = TimeLimit { search: time, whole: time, is_shared: false };
        let fixed = FixedLimits {
            states: states == self.states,
            memory: memory == self.memory,
            time: time == self.time,
        };
        Ok(SearchLimits { limits, time: Some(time_limit), fixed })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use map_flags::SearchArgs;

    use super::Limits;

    #[test]
    fn a_request_may_ask_for_less_but_not_for_more() {
        let limits = Limits { states: Some(100), memory: 1 << 20, time: Duration::from_secs(5) };
        let asking = |flags| limits.of_search(&SearchArgs::read(flags).unwrap().limits);
        let all = asking("").unwrap();
        assert_eq!((all.limits.states, all.limits.memory), (100, 1 << 20));
        assert!(all.fixed.states && all.fixed.memory && all.fixed.time);
        let less = asking("--time-limit 1s --max-states 9").unwrap();
        assert_eq!((less.limits.states, less.time.unwrap().search), (9, Duration::from_secs(1)));
        assert!(!less.fixed.states && less.fixed.memory && !less.fixed.time);
        for more in ["--max-states 101", "--max-memory 2MiB", "--time-limit 6s"] {
            assert!(asking(more).unwrap_err().contains("at most"), "{more}");
        }
    }
}
