//! Whether a configuration may stand still: none of its views shows a step that is sure, and they are views of one
//! configuration.

use std::collections::BTreeSet;

use map_semantics::{Status, Timeouts};

use crate::table::{Comes, NumberedThread, NumberedWay};
use crate::views::{View, Views};

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
    let all: Vec<View> = views.explored().collect();
    let mut by_class: Vec<Vec<Candidate>> = Vec::new();
    by_class.resize_with(views.classes.len(), Vec::new);
    for view in all {
        if let Some(candidate) = candidate(views, view, kind) {
            by_class[views.fixed[view.0 as usize].class as usize].push(candidate);
        }
    }
    by_class.into_iter().find_map(|class| remaining(views, class, kind))
}

/// A candidate of the class with an agent that has not ended, once those are gone that others rule out.
fn remaining(views: &Views<'_>, mut class: Vec<Candidate>, kind: Kind) -> Option<View> {
    loop {
        let before = class.len();
        let may_be_busy = kind == Kind::Deadlock && class.iter().any(|it| it.is_busy);
        class.retain(|it| may_be_busy || !it.ends_waiting);
        let alive: BTreeSet<u32> = class.iter().map(|it| it.view.0).collect();
        let supported: BTreeSet<u32> =
            alive.iter().copied().filter(|&it| views.is_supported(it, Some(&alive))).collect();
        class.retain(|it| supported.contains(&it.view.0));
        if class.len() == before {
            return class.iter().find(|it| it.runs).map(|it| it.view);
        }
    }
}

fn candidate(views: &mut Views<'_>, view: View, kind: Kind) -> Option<Candidate> {
    let agents: Vec<_> = views.agents(view).collect();
    let mut found = Candidate { view, runs: false, is_busy: false, ends_waiting: false };
    for (place, local) in agents {
        found.runs |= views.table.locals[local as usize].status == Status::Running;
        let threads = views.table.steps(local);
        for thread in threads.iter() {
            let stands_still = match kind {
                Kind::Deadlock => may_come_to_nothing(views, view, place, &thread.acts),
                Kind::Polls => views.may_wait(view.0, place, thread),
            };
            if !stands_still {
                return None;
            }
            found.is_busy |= !thread.is_waitfor;
            let times_out = surely_times_out(views, view, place, thread);
            if times_out && views.frame.bounds.timeouts == Timeouts::Any && thread.is_waitfor {
                return None;
            }
            found.ends_waiting |= times_out;
        }
    }
    Some(found)
}

fn surely_times_out(views: &Views<'_>, view: View, place: Option<usize>, thread: &NumberedThread) -> bool {
    !thread.timeouts.is_empty() && !may_come_to_nothing(views, view, place, &thread.timeouts)
}

/// Whether some outcomes of the comparisons leave no step, whatever the procedures answer.
fn may_come_to_nothing(views: &Views<'_>, view: View, place: Option<usize>, ways: &[NumberedWay]) -> bool {
    let feasible: Vec<&NumberedWay> =
        ways.iter().filter(|way| views.is_feasible(view.0, place, &way.constraints)).collect();
    feasible.is_empty() || below(&feasible, 0)
}

/// The same for ways that agree in their first `depth` options.
fn below(ways: &[&NumberedWay], depth: usize) -> bool {
    let Some(&(_, is_comparison)) = ways[0].log.get(depth) else {
        return match &ways[0].result {
            Comes::To(step) => step.unsure,
            Comes::ToNothing { .. } => true,
            Comes::Wrong(_) => false,
        };
    };
    let mut options = ways.chunk_by(|one, next| one.log[depth].0 == next.log[depth].0);
    match is_comparison {
        true => options.any(|ways| below(ways, depth + 1)),
        false => options.all(|ways| below(ways, depth + 1)),
    }
}
