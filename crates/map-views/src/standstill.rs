//! Whether a configuration may stand still: none of its views shows a step that is sure, and they are views of one
//! configuration.

use std::collections::BTreeSet;

use map_semantics::{Status, Timeouts};

use crate::table::{NumberedWay, StepResult};
use crate::views::{Contributions, View, Views};

/// What may stand still.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no step, although some agent has not ended.
    Deadlock,
    /// All wait, and may go on waiting for ever, because procedures say "no" or there is no step.
    Polls,
}

/// A view that may be one of such a configuration.
struct Candidate {
    view: View,
    /// Whether some agent of it has not ended.
    runs: bool,
    /// Whether some thread of it stands still elsewhere than at a `waitfor`: then time cannot run out.
    is_busy: bool,
    /// Whether time runs out for some thread of it, if all wait.
    ends_waiting: bool,
}

/// A view with an agent that has not ended, of a configuration that may stand still; `None` if there is none.
pub(crate) fn standing_still(views: &mut Views<'_>, kind: Kind) -> Option<View> {
    let mut by_class: Vec<Vec<View>> = vec![Vec::new(); views.classes.len()];
    for view in views.explored() {
        by_class[views.fixed[view.0 as usize].class as usize].push(view);
    }
    by_class.into_iter().find_map(|class| remaining(views, class, kind))
}

/// A view of the class with an agent that has not ended, once those are gone that others rule out: a configuration
/// that
/// stands still does so in all of its views.
fn remaining(views: &mut Views<'_>, mut class: Vec<View>, kind: Kind) -> Option<View> {
    loop {
        let before = class.len();
        let mut contributions: Contributions = vec![Default::default(); views.frame.fixed().len()];
        for &(number, _) in &class {
            views.contribute(number, &mut contributions);
        }
        let mut found: Vec<Candidate> =
            class.iter().filter_map(|&view| candidate(views, &contributions, view, kind)).collect();
        let may_be_busy = kind == Kind::Deadlock && found.iter().any(|it| it.is_busy);
        found.retain(|it| may_be_busy || !it.ends_waiting);
        let alive: BTreeSet<u32> = found.iter().map(|it| it.view.0).collect();
        let supported: BTreeSet<u32> =
            alive.iter().copied().filter(|&it| views.is_supported(it, Some(&alive))).collect();
        found.retain(|it| supported.contains(&it.view.0));
        if found.len() == before {
            return found.iter().find(|it| it.runs).map(|it| it.view);
        }
        class = found.into_iter().map(|it| it.view).collect();
    }
}

fn candidate(
    views: &mut Views<'_>,
    contributions: &Contributions,
    view: View,
    kind: Kind,
) -> Option<Candidate> {
    let mut found = Candidate { view, runs: false, is_busy: false, ends_waiting: false };
    for (place, local) in views.shown(view).into_iter().enumerate() {
        found.runs |= views.table.locals[local as usize].status == Status::Running;
        let threads = views.table.steps(local);
        let feasible = |ways: &'_ [NumberedWay]| -> Vec<NumberedWay> {
            let feasible = ways
                .iter()
                .filter(|way| views.is_feasible_given(contributions, view.0, place, &way.constraints));
            feasible.cloned().collect()
        };
        for thread in threads.iter() {
            let acts = feasible(&thread.acts);
            let stands_still = match kind {
                Kind::Deadlock => may_come_to_nothing(&acts),
                Kind::Polls => {
                    thread.is_waitfor
                        && acts.iter().any(|it| matches!(it.result, StepResult::ToNothing { .. }))
                }
            };
            if !stands_still {
                return None;
            }
            found.is_busy |= !thread.is_waitfor;
            let times_out = !thread.timeouts.is_empty() && !may_come_to_nothing(&feasible(&thread.timeouts));
            if times_out && views.frame.bounds.timeouts == Timeouts::Any && thread.is_waitfor {
                return None;
            }
            found.ends_waiting |= times_out;
        }
    }
    Some(found)
}

/// Whether some outcomes of the comparisons leave no step, whatever the procedures answer.
fn may_come_to_nothing(feasible: &[NumberedWay]) -> bool {
    let feasible: Vec<&NumberedWay> = feasible.iter().collect();
    feasible.is_empty() || below(&feasible, 0)
}

/// The same for ways that agree in their first `depth` options.
fn below(ways: &[&NumberedWay], depth: usize) -> bool {
    let Some(&(_, is_comparison)) = ways[0].log.get(depth) else {
        return match &ways[0].result {
            StepResult::To(step) => step.unsure,
            StepResult::ToNothing { .. } => true,
            StepResult::Wrong(_) => false,
        };
    };
    let mut options = ways.chunk_by(|one, next| one.log[depth].0 == next.log[depth].0);
    match is_comparison {
        true => options.any(|ways| below(ways, depth + 1)),
        false => options.all(|ways| below(ways, depth + 1)),
    }
}
