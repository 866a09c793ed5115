//! The limits of a search, and what reaching one means, in words.

use std::cell::Cell;
use std::time::{Duration, Instant};

use map_ir::Program;
use map_semantics::{BoundHit, Bounds};
use map_verify::{Limit, Limits};

use crate::json::LimitsOutput;
use crate::numbers::{bytes, counted, seconds};

/// The time limit of a command, which its searches share.
pub(in crate::commands) struct SharedTime {
    limit: Option<Duration>,
    started: Instant,
    searches: usize,
    /// How many of them have not begun.
    to_come: Cell<usize>,
}

impl SharedTime {
    pub(in crate::commands) fn new(limit: Option<Duration>, searches: usize) -> Self {
        Self { limit, started: Instant::now(), searches, to_come: Cell::new(searches) }
    }

    /// The time for one search that may take no longer than `own`, nor than what is left.
    pub(super) fn within(&self, own: Option<Duration>) -> Self {
        let left = self.limit.map(|limit| limit.saturating_sub(self.started.elapsed()));
        let limit = own.zip(left).map(|(own, left)| own.min(left)).or(own).or(left);
        Self::new(limit, 1)
    }

    /// The time for the next search: an equal share of what is left for all that have not begun. A search that needs
    /// less leaves more for the others.
    fn next_share(&self) -> Option<Duration> {
        let to_come = self.to_come.get().max(1);
        self.to_come.set(to_come - 1);
        let left = self.limit?.saturating_sub(self.started.elapsed());
        Some(left / u32::try_from(to_come).unwrap_or(u32::MAX))
    }
}

/// The limits of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    pub(super) limits: Limits,
    /// How long it may take.
    pub(super) time: Option<Duration>,
    /// The time limit of the command, and whether other searches have a share in it.
    whole: Option<Duration>,
    is_shared: bool,
}

impl SearchLimits {
    /// The limits of the next search.
    pub(super) fn next(limits: Limits, shared: &SharedTime) -> Self {
        Self { limits, time: shared.next_share(), whole: shared.limit, is_shared: shared.searches > 1 }
    }

    /// The same with nine tenths of the time: the rest is left for something else.
    pub(super) fn leaving_a_tenth(self) -> Self {
        Self { time: self.time.map(|time| time * 9 / 10), ..self }
    }

    /// The most states, if there is a limit.
    fn states(&self) -> Option<u64> {
        (self.limits.states != usize::MAX).then_some(self.limits.states as u64)
    }

    /// Which limit ended the search, and how to raise it.
    pub(super) fn reached(&self, limit: Limit, cut_by: &[BoundHit]) -> String {
        let raise = |flag: &str| format!("raise {flag} to go on");
        match limit {
            Limit::States => {
                let most = counted(self.limits.states as u64, "state");
                format!("the limit of {most} was reached; {}", raise("--max-states"))
            }
            Limit::Memory => {
                let most = bytes(self.limits.memory as u64);
                format!("the memory limit of {most} was reached; {}", raise("--max-memory"))
            }
            Limit::NoRoom => "a table has no room to grow: the system has no memory for it, or it is as large as tables can be"
                .to_owned(),
            Limit::Time => {
                let [time, whole] = [self.time, self.whole].map(|time| time.map(seconds).unwrap_or_default());
                let what = match self.is_shared {
                    true => format!("the time of this search was up, {time} of {whole} for all"),
                    false => format!("the time limit of {whole} was reached"),
                };
                format!("{what}; {}", raise("--time-limit"))
            }
            Limit::Interrupted => "it was interrupted".to_owned(),
            Limit::Calls => {
                "an act makes more than 10,000 calls, or can come out in more than 65,536 ways; clauses that count \
                 with their arguments do that"
                    .to_owned()
            }
            Limit::NoFirstState => {
                let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
                format!("an agent cannot come to its first place within the bounds; raise {}", flags.join(" and "))
            }
        }
    }

    /// Those that there are, in words.
    pub(super) fn words(&self) -> String {
        let states = self.states().map(|states| counted(states, "state"));
        let memory = format!("{} of memory", bytes(self.limits.memory as u64));
        let time = self.whole.map(|whole| match self.is_shared {
            true => format!("{} for all searches together", seconds(whole)),
            false => seconds(whole),
        });
        let all: Vec<String> = states.into_iter().chain([memory]).chain(time).collect();
        all.join(", ")
    }

    pub(super) fn output(&self) -> LimitsOutput {
        LimitsOutput {
            states: self.states(),
            memory_bytes: self.limits.memory as u64,
            seconds: self.time.filter(|_| self.is_shared).or(self.whole).map(|time| time.as_secs_f64()),
        }
    }
}

/// What is not judged because bounds cut it; `None` if they cut nothing.
pub(super) fn cuts_in_words(cut_by: &[BoundHit]) -> Option<String> {
    let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
    let verb = if flags.len() == 1 { "allows" } else { "allow" };
    let text =
        format!("cut: some steps need more than {} {verb}; runs beyond are not judged", flags.join(" and "));
    if flags.is_empty() { None } else { Some(text) }
}

/// What would make fewer states than a scene has within these bounds, if there is anything.
pub(super) fn fewer_states(program: &Program, bounds: &Bounds) -> Option<String> {
    let mut ways = Vec::new();
    let largest = program.parts.iter().max_by_key(|part| part.agents.len());
    if let Some(part) = largest.filter(|part| part.agents.len() > 1) {
        let fewer = part.agents.len() - 1;
        ways.push(format!("fewer agents (--agents {}={fewer})", program.role_name(part.role)));
    }
    if bounds.rounds.is_none() && bounds.rounds_of.is_empty() {
        ways.push("a bound on rounds (--rounds 3)".to_owned());
    }
    (!ways.is_empty()).then(|| ways.join(", or "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::SharedTime;

    #[test]
    fn searches_have_equal_shares_of_what_is_left() {
        let shared = SharedTime::new(Some(Duration::from_secs(3000)), 3);
        let share = |of: u64| Duration::from_secs(of)..=Duration::from_secs(of + 1);
        let around = |seconds: u64| share(seconds - 1);
        assert!(around(1000).contains(&shared.next_share().expect("there is a limit")));
        // Hardly anything was used of the first share.
        assert!(around(1500).contains(&shared.next_share().expect("there is a limit")));
        assert!(around(3000).contains(&shared.next_share().expect("there is a limit")));
        assert_eq!(SharedTime::new(None, 2).next_share(), None);
        let over = SharedTime::new(Some(Duration::ZERO), 2);
        assert_eq!(over.next_share(), Some(Duration::ZERO));
    }
}
