//! The trace along a path of stored states.

use map_semantics::Step;

use super::notes::Notes;
use super::site::Site;
use crate::budget::Budget;
use crate::explore::Source;
use crate::report::{Trace, ViolationKind};
use crate::state::Next;
use crate::system::{Buffers, System};
use crate::witness::lift::lift;
use crate::witness::replay::{KEPT_MESSAGE, NoTrace, confirm};

/// A path of stored states, the last one of which violates.
pub(super) struct Path {
    /// The options of [`map_semantics::open_cells`] in the initial state.
    pub(super) initial: Vec<u32>,
    /// The words of its states.
    pub(super) states: Vec<Vec<u32>>,
    /// The violating step of the last one, unless the state itself is the violation.
    pub(super) last: Option<Step>,
}

impl Path {
    /// The trace along the path, replayed.
    ///
    /// # Errors
    /// If there is none, or a limit was reached.
    pub(super) fn trace(
        self,
        system: &mut System<'_>,
        kind: ViolationKind,
        site: &Site,
        budget: &mut Budget<'_>,
    ) -> Result<Trace, NoTrace> {
        if self.states.is_empty() {
            let trace = Trace { initial: self.initial, steps: Vec::new() };
            confirm_trace(system, kind, site, &trace, budget)?;
            return Ok(trace);
        }
        let kept: usize = self.states.iter().map(|words| system.space.messages(words)).sum();
        budget.afford(kept * KEPT_MESSAGE)?;
        let trace = if system.is_plain() {
            let pairs = self.states.windows(2);
            let mut steps: Vec<Step> = pairs.map(|pair| step_between(system, &pair[0], &pair[1])).collect();
            steps.extend(self.last);
            Trace { initial: self.initial, steps }
        } else {
            lift(system, self.initial, &self.states, self.last.map(|_| kind), budget)?
        };
        confirm_trace(system, kind, site, &trace, budget)?;
        Ok(trace)
    }
}

/// Replays a trace to a violation.
pub(super) fn confirm_trace(
    system: &System<'_>,
    kind: ViolationKind,
    site: &Site,
    trace: &Trace,
    budget: &mut Budget<'_>,
) -> Result<(), NoTrace> {
    confirm(system.program(), system.space.bounds, kind, !site.clean, trace, budget)
}

/// The step from one state to another; if possible one that depends on no open comparison.
fn step_between(system: &System<'_>, from: &[u32], to: &[u32]) -> Step {
    let mut best: Option<(bool, Step)> = None;
    // The tables have had every entry for these steps since they were found.
    system.expand(&mut Buffers::default(), from, &mut |successor| {
        let is_better = best.as_ref().is_none_or(|(compared, _)| *compared && !successor.compared);
        if successor.result == Next::State(to) && is_better {
            best = Some((successor.compared, successor.as_step()));
        }
    });
    best.expect("a path consists of steps").1
}

/// What a state violates, in `notes` that are otherwise empty. `source` is the state, and whether some shortest trace
/// to it depends on no open comparison.
pub(super) fn note_violations(system: &System<'_>, notes: &mut Notes, source: (Source, bool), words: &[u32]) {
    let known = Default::default();
    notes.make_room(system.space.agents.after_count());
    notes.open();
    let judgement = system.expand(&mut Buffers::default(), words, &mut |successor| {
        notes.step(system.program(), source, &known, successor);
    });
    if let Some(judgement) = judgement {
        notes.close(source, &known, judgement, || system.unread(words));
    }
}
