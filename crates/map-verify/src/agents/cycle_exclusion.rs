//! Excludes cycles of the scene by looking only at the steps of single agents.
//!
//! On a cycle of the scene each agent runs through a cycle of its own states, by its steps and by deliveries, and
//! every delivered message is sent by a step on the cycle. So steps and deliveries on no cycle of agent states are
//! removed, together with deliveries of messages that no remaining step sends, until nothing changes. If no step
//! remains, the scene has no cycle; otherwise it may or may not have one.
//!
//! States of interchangeable agents are shared by the class. This loses no cycle: a path back to a permutation of its
//! first state leads back to that state itself if it is repeated often enough.

use map_graph::strong_components as components;

use super::local::End;
use super::{Agents, StateId};
use crate::budget::Budget;
use crate::budget::Limit;

/// Maximum number of rounds. Usually a fixed point is reached much earlier.
const MOST_ROUNDS: usize = 64;

impl Agents<'_> {
    /// Whether some run may return to a state. All reachable states must have been expanded.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(crate) fn may_cycle(&self, budget: &mut Budget<'_>) -> Result<bool, Limit> {
        let moves = self.after_count() + self.deliveries.all().len();
        // The tables do not record how ordering tied bags rewrites mailboxes.
        if self.any_ties
            || u32::try_from(moves).is_err()
            || budget.afford(self.bytes_for_cycle_exclusion()).is_err()
        {
            return Ok(true);
        }
        let mut exclusion = CycleExclusion::new(self);
        for _ in 0..MOST_ROUNDS {
            budget.check()?;
            match exclusion.remove() {
                Remaining::Nothing => return Ok(false),
                Remaining::Unchanged => return Ok(true),
                Remaining::Fewer => {}
            }
        }
        Ok(true)
    }

    /// Bytes needed for the analysis.
    fn bytes_for_cycle_exclusion(&self) -> usize {
        let (steps, deliveries) = (self.after_count(), self.deliveries.all().len());
        // Finding the components takes up to six numbers per state.
        (4 + 6) * size_of::<u32>() * (self.rows.len() + 1)
            + size_of::<u32>() * (steps + deliveries)
            + size_of::<(u32, StateId)>() * deliveries
            + self.states.message_count()
    }
}

/// The steps that remain after a round of removal.
enum Remaining {
    Nothing,
    Fewer,
    Unchanged,
}

/// The remaining steps and deliveries: those within one component, and of these deliveries only the ones whose
/// message is sent.
struct CycleExclusion<'t> {
    agents: &'t Agents<'t>,
    /// By state: the number of its component.
    of: Vec<u32>,
    components: u32,
    /// By message: whether a remaining step sends it.
    sent: Vec<bool>,
    /// Delivered messages with the recipient's next state, grouped by recipient; then the start of each group.
    deliveries: Vec<(u32, StateId)>,
    starts: Vec<u32>,
}

impl<'t> CycleExclusion<'t> {
    /// Nothing removed yet.
    fn new(agents: &'t Agents<'t>) -> Self {
        let states = agents.rows.len();
        let known = agents.deliveries.all();
        let mut starts = vec![0; states + 1];
        known.iter().for_each(|it| starts[it.recipient as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut deliveries = vec![(0, 0); known.len()];
        for it in known {
            let start = &mut starts[it.recipient as usize];
            *start -= 1;
            deliveries[*start as usize] = (it.message, it.next);
        }
        let sent = vec![true; agents.states.message_count()];
        Self { agents, of: vec![0; states], components: 1, sent, deliveries, starts }
    }

    /// Removes what lies on no remaining cycle, and deliveries of what is not sent.
    fn remove(&mut self) -> Remaining {
        let before = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if !self.note_sent() {
            return Remaining::Nothing;
        }
        self.split();
        let after = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if before == after { Remaining::Unchanged } else { Remaining::Fewer }
    }

    /// Calls `see` for each remaining step of a state, with its message and the state after it.
    fn steps(&self, state: StateId, mut see: impl FnMut(Option<u32>, StateId)) {
        let Some(locals) = self.agents.locals(state) else { return };
        let component = self.of[state as usize];
        for step in locals.all() {
            let End::State { after, more, .. } = step.end() else { continue };
            let nexts = [Some(step.after(after).next), more.map(|_| step.after(after + 1).next)];
            for next in nexts.into_iter().flatten().filter(|&next| self.of[next as usize] == component) {
                see(step.sent().map(|sent| sent.message), next);
            }
        }
    }

    /// Recomputes which messages the remaining steps send; whether any step remains.
    fn note_sent(&mut self) -> bool {
        let mut left = false;
        let mut sent = vec![false; self.sent.len()];
        for state in 0..self.of.len() {
            self.steps(state as StateId, |message, _| {
                left = true;
                if let Some(message) = message {
                    sent[message as usize] = true;
                }
            });
        }
        self.sent = sent;
        left
    }

    /// Splits the components into those of the remaining graph.
    fn split(&mut self) {
        let states = self.of.len();
        let (mut targets, mut ends) = (Vec::new(), Vec::with_capacity(states));
        for state in 0..states {
            self.steps(state as StateId, |_, next| targets.push(next));
            let received = &self.deliveries[self.starts[state] as usize..self.starts[state + 1] as usize];
            let remains = |&&(message, next): &&(u32, StateId)| {
                self.sent[message as usize] && self.of[next as usize] == self.of[state]
            };
            targets.extend(received.iter().filter(remains).map(|&(_, next)| next));
            ends.push(targets.len() as u32);
        }
        let next = |state: u32, seen: &mut u32| {
            let start = if state == 0 { 0 } else { ends[state as usize - 1] };
            let place = start + *seen;
            *seen += 1;
            (place < ends[state as usize]).then(|| targets[place as usize])
        };
        let (of, mut count) = (&mut self.of, 0);
        components(states, 0..states as u32, next, |members| {
            members.iter().for_each(|&member| of[member as usize] = count);
            count += 1;
        });
        self.components = count;
    }
}
