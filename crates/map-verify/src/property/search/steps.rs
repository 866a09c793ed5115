//! The events of agents' steps, computed once for each step of an interned agent state.
//!
//! With symmetry an agent's steps are those of the first agent of its class, which uses other names for the others;
//! events are computed with these names. Propositions must not distinguish the two ([`crate::property::plan`]).

use map_ir::{AgentId, Program, Properties};
use map_semantics::Happening;

use super::letters::{EventsId, Letters};
use crate::agents::{After, End, LocalStep, Locals, StateId, Thread};
use crate::state::space::Space;

/// The events of a step that leads to a state.
#[derive(Clone, Copy, Default)]
pub(super) struct StepEvents {
    pub(super) events: EventsId,
    /// Whether it is an answered poll.
    pub(super) poll: bool,
    /// Whose message arrives, if it is an arrival.
    pub(super) sender: Option<AgentId>,
}

/// Whether the acts of a thread are answered polls: it counts as waiting nevertheless.
pub(super) fn polls(thread: &Thread) -> bool {
    thread.waiting && !thread.waiting_compared
}

/// The events of all steps.
pub(super) struct StepEventsTable<'a> {
    program: &'a Program,
    properties: &'a Properties,
    /// By successor id ([`After::id`]).
    of: Vec<StepEvents>,
    /// Agent states below this number were examined.
    seen: usize,
    /// Those of them whose steps were not known then, in order.
    unknown: Vec<StateId>,
}

impl<'a> StepEventsTable<'a> {
    pub(super) fn new(program: &'a Program, properties: &'a Properties) -> Self {
        Self { program, properties, of: Vec::new(), seen: 0, unknown: Vec::new() }
    }

    /// The events of the step that leads an agent to a state. Lost copies make no difference, and a crash is no
    /// event.
    pub(super) fn events_of_step(&self, after: After<'_>) -> StepEvents {
        self.of[after.id as usize]
    }

    /// Examines the agent states whose steps have become known, and calls `learnt` for each, in order.
    pub(super) fn learn(
        &mut self,
        space: &Space<'_>,
        letters: &mut Letters<'_>,
        mut learnt: impl FnMut(StateId),
    ) {
        let agents = &space.agents;
        self.of.resize(agents.after_count(), StepEvents::default());
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.extend(self.seen as StateId..agents.count() as StateId);
        self.seen = agents.count();
        unknown.retain(|&id| {
            let Some(locals) = agents.locals(id) else { return true };
            self.note_threads(locals);
            if !self.properties.events.is_empty() || !self.properties.costs.is_empty() {
                self.note_events(space, letters, id, locals);
            }
            learnt(id);
            false
        });
        self.unknown = unknown;
    }

    fn note_threads(&mut self, locals: Locals<'_>) {
        for (thread, acts, _) in locals.threads() {
            let (poll, sender) = (polls(thread), thread.sender);
            for template in acts.iter().filter(|_| poll || sender.is_some()) {
                self.note(locals.step(template), |step| (step.poll, step.sender) = (poll, sender));
            }
        }
    }

    fn note_events(&mut self, space: &Space<'_>, letters: &mut Letters<'_>, id: StateId, locals: Locals<'_>) {
        let (agent, _, found) = space.agents.steps_of(id);
        let outcomes = found.threads.iter().flat_map(|thread| thread.acts.iter().chain(&thread.timeouts));
        // The crash, which comes last, is no event.
        for (resolved, step) in outcomes.zip(locals.all()) {
            debug_assert_eq!(
                resolved.options, step.label.options,
                "the same steps are found in the same order"
            );
            let events = Happening::of_step(self.program, self.properties, agent, &resolved.outcome);
            let events = letters.number_events(events);
            self.note(step, |it| it.events = events);
        }
    }

    /// Applies `change` to the entries of a step, if it leads to a state.
    fn note(&mut self, step: LocalStep<'_>, change: impl Fn(&mut StepEvents)) {
        let End::State { after, more, .. } = step.end() else { return };
        for place in [Some(after), more.map(|_| after + 1)].into_iter().flatten() {
            change(&mut self.of[step.after(place).id as usize]);
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<StepEvents>() + self.unknown.capacity() * size_of::<StateId>()
    }
}
