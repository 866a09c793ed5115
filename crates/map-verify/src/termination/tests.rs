//! Interrupted searches.

use std::num::NonZeroUsize;

use map_testkit::oracle::OracleOptions;

use super::alone::Alone;
use super::searched::{Search, Searched};
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::fixture::{bounds, program};
use crate::report::Verdict;
use crate::state::space::Space;
use crate::system::{Layers, System};
use crate::tuning::Tuning;

const LIMITS: Limits =
    Limits { states: 10_000, memory: 1 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };

/// A scene whose namer sends this many abstract values, which nobody reads.
fn telling(values: usize) -> String {
    let each =
        |value| format!("$v{value} = getValue() then tell($v{value}) => agent(!Hearer, %hearer) then ");
    let all: String = (0..values).map(each).collect();
    format!(
        "procedure getValue()
         telling[ agent(!Teller, %namer) = {all} done() => agent(!Hearer, %hearer)
                  agent(!Hearer, %hearer) = done() <= agent(!Teller, %namer) ]"
    )
}

/// Interrupts after this many ticks.
struct Hurried(usize);

impl Progress for Hurried {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        let rest = self.0.checked_sub(1);
        self.0 = rest.unwrap_or(0);
        if rest.is_some() { None } else { Some(Limit::Time) }
    }
}

#[test]
fn a_search_may_be_stopped_between_any_two_rounds() {
    let program = program(&telling(3));
    let bounds = bounds(&program, &OracleOptions { mailbox: 100, ..OracleOptions::new(0) });
    let explore = |looks| {
        let system = System::new(Space::new(&program, &bounds), Layers::default());
        let search = Alone::explore(system, &LIMITS, true, &mut Hurried(looks));
        search.unwrap_or_else(|_| panic!("nothing was kept"))
    };
    let (mut looks, mut states) = (0, 1);
    let complete = loop {
        let search = explore(looks);
        assert!(
            search.statistics().states >= states,
            "{} states after {looks} looks",
            search.statistics().states
        );
        states = search.statistics().states;
        if search.is_complete() {
            break search;
        }
        assert_eq!(search.limit(), Some(Limit::Time));
        let Ok(report) = Search::new(search).report(&LIMITS, &mut Hurried(0)) else {
            panic!("a trace that is none")
        };
        // What is found by then is shown if that takes no time.
        assert!(matches!(report.verdict, Verdict::Inconclusive | Verdict::Violated(_)));
        assert!(!report.complete);
        looks += 1;
    };
    // Every level is one batch; missing table entries split it into several rounds.
    let levels = complete.explorer.snapshot().depth + 1;
    assert!(looks > 2 * levels, "{looks} looks at {levels} levels");
}
