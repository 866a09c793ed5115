//! Whether some run may come back to a state, as far as the steps of single agents tell.
//!
//! On a cycle of the scene each agent goes round a cycle of its own states, by its steps and by what is delivered to it; and
//! what is delivered was sent by a step on the cycle. So steps and deliveries that lie on no cycle of agent states are
//! taken out, and so are deliveries of messages that no step sends that is left, again and again. If at last no step is
//! left the scene has no cycle. If some are, nothing is said.
//!
//! A state of one of several interchangeable agents is a state of any of them: a way that leads back to a state but for
//! which agent is which leads back to that state itself when it is gone often enough.

use map_graph::strong_components as components;

use super::local::End;
use super::{Agents, StateId};
use crate::budget::Budget;
use crate::budget::Limit;

/// The most rounds of taking out. Mostly one in which nothing can be taken out any more comes much sooner.
const MOST_ROUNDS: usize = 64;

impl Agents<'_> {
    /// Whether some run may come back to a state, if all states that runs come to were expanded.
    ///
    /// # Errors
    /// The limit that came first.
    pub(crate) fn may_go_round(&self, budget: &mut Budget<'_>) -> Result<bool, Limit> {
        let moves = self.after_count() + self.deliveries.all().len();
        // What the order of ties makes of mailboxes is in no table.
        if self.any_ties || u32::try_from(moves).is_err() || budget.afford(self.bytes_for_circles()).is_err()
        {
            return Ok(true);
        }
        let mut circles = Circles::new(self);
        for _ in 0..MOST_ROUNDS {
            budget.check()?;
            match circles.take_out() {
                Left::Nothing => return Ok(false),
                Left::AllThatWas => return Ok(true),
                Left::Some => {}
            }
        }
        Ok(true)
    }

    /// Bytes that are needed to find that out.
    fn bytes_for_circles(&self) -> usize {
        let (steps, deliveries) = (self.after_count(), self.deliveries.all().len());
        // The components are found with up to six numbers for each state.
        (4 + 6) * size_of::<u32>() * (self.rows.len() + 1)
            + size_of::<u32>() * (steps + deliveries)
            + size_of::<(u32, StateId)>() * deliveries
            + self.states.message_count()
    }
}

/// What taking out has left of the steps.
enum Left {
    Nothing,
    Some,
    AllThatWas,
}

/// The steps and deliveries that are left are those from one state to another of the same component; and of the
/// deliveries those of messages that are sent.
struct Circles<'t> {
    agents: &'t Agents<'t>,
    /// For every state the number of its component.
    of: Vec<u32>,
    components: u32,
    /// For every message whether a step that is left sends it.
    sent: Vec<bool>,
    /// Messages that are delivered and what becomes of their recipients, by recipient; and where those of each start.
    deliveries: Vec<(u32, StateId)>,
    starts: Vec<u32>,
}

impl<'t> Circles<'t> {
    /// All is left.
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

    /// Takes out what lies on no cycle of what is left, and what is not sent.
    fn take_out(&mut self) -> Left {
        let before = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if !self.note_sent() {
            return Left::Nothing;
        }
        self.split();
        let after = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if before == after { Left::AllThatWas } else { Left::Some }
    }

    /// Calls `see` for each step that is left of a state: what it sends, and the state after it.
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

    /// Notes what is sent by the steps that are left; whether there are any.
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

    /// Splits the components into those of what is left.
    fn split(&mut self) {
        let states = self.of.len();
        let (mut targets, mut ends) = (Vec::new(), Vec::with_capacity(states));
        for state in 0..states {
            self.steps(state as StateId, |_, next| targets.push(next));
            let received = &self.deliveries[self.starts[state] as usize..self.starts[state + 1] as usize];
            let is_left = |&&(message, next): &&(u32, StateId)| {
                self.sent[message as usize] && self.of[next as usize] == self.of[state]
            };
            targets.extend(received.iter().filter(is_left).map(|&(_, next)| next));
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
