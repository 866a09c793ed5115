//! What may happen next in a view: a step of an agent that is shown, or of a member that is not seen. Each run of the
//! scene is such a way through the views, for each of its members, or for each two or three of them: a step of the
//! fixed agents or of those that are seen is one of the view, and a step of another disturbs it, or changes nothing in
//! it.

use map_semantics::Timeouts;

use crate::prices::Paid;
use crate::table::{NumberedThread, NumberedWay, StepResult};
use crate::truth::Act;
use crate::views::{View, Views};

/// Something that may happen next.
#[derive(Clone, Copy)]
pub(crate) struct Move<'m> {
    /// The view that it leads to.
    pub(crate) to: View,
    /// What happens.
    pub(crate) act: Act<'m>,
    /// By cost what the agents pay that are shown; nothing where that is empty.
    pub(crate) paid: &'m [Paid],
}

/// Calls `see` with all that may happen next in a view. What leads to no view of a state is left out.
pub(crate) fn for_each_move(views: &mut Views<'_>, view: View, see: &mut dyn FnMut(&Views<'_>, Move<'_>)) {
    let (number, _) = view;
    let frame = views.frame;
    let steps: Vec<_> = views.shown(view).iter().map(|&local| views.table.steps(local)).collect();
    let waits = |views: &Views<'_>, place, thread: &NumberedThread| views.may_wait(number, place, thread);
    let all_wait = steps
        .iter()
        .enumerate()
        .all(|(place, threads)| threads.iter().all(|thread| waits(views, place, thread)));
    let times_out = all_wait && views.may_time_out(number);
    for (place, threads) in steps.iter().enumerate() {
        let agent = frame.shown[place];
        for thread in threads.iter() {
            let may_time_out = match frame.bounds.timeouts {
                Timeouts::Quiescent => times_out,
                Timeouts::Any => waits(views, place, thread),
            };
            let timeouts: &[NumberedWay] = if may_time_out { &thread.timeouts } else { &[] };
            let ways =
                thread.acts.iter().map(|way| (way, false)).chain(timeouts.iter().map(|way| (way, true)));
            for (way, timeout) in ways {
                if !views.is_feasible(number, place, &way.constraints) {
                    continue;
                }
                let (refused, paid) = (way.refused.as_slice(), &*way.paid);
                match &way.result {
                    StepResult::To(step) => {
                        let act = Act::Step { agent, timeout, step, refused };
                        for shown in views.after(view, place, step) {
                            see_if_explored(views, &shown, (act, paid), see);
                        }
                    }
                    StepResult::ToNothing { .. } => {
                        let act = Act::Refusal { agent, timeout, refused };
                        see(views, Move { to: view, act, paid });
                    }
                    StepResult::Wrong(_) => {}
                }
            }
        }
    }
    see(views, Move { to: view, act: Act::Unseen, paid: &[] });
    for record in 0..views.records(number) {
        for shown in views.disturbed(view, record) {
            see_if_explored(views, &shown, (Act::Unseen, &[]), see);
        }
    }
}

fn see_if_explored(
    views: &Views<'_>,
    shown: &[u32],
    (act, paid): (Act<'_>, &[Paid]),
    see: &mut dyn FnMut(&Views<'_>, Move<'_>),
) {
    // What is not explored is no view of a state.
    if let Some(to) = views.view_of(shown).filter(|&it| views.explored_view(it)) {
        see(views, Move { to, act, paid });
    }
}
