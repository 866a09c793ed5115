//! What happens in the steps of agents, worked out once for each step of an interned agent state.
//!
//! With symmetry an agent's steps are those of the first agent of its class, which has other names for the others; what
//! happens is worked out in its words. Propositions must not tell the two apart ([`crate::property::plan`]).

use map_ir::{Program, Properties};
use map_semantics::events_of;

use super::letters::{EventsId, Letters};
use crate::agents::{After, End, LocalStep, Locals, StateId, Thread};
use crate::state::space::Space;

/// What is known of a step that is made.
#[derive(Clone, Copy, Default)]
pub(super) struct Happening {
    pub(super) events: EventsId,
    /// It is a poll that was answered.
    pub(super) poll: bool,
}

/// Whether what a thread does, unless its time runs out, is a poll that is answered: it counts as waiting all the same.
pub(super) fn polls(thread: &Thread) -> bool {
    thread.waiting && !thread.waiting_compared
}

/// What is known of all steps.
pub(super) struct Steps<'a> {
    program: &'a Program,
    properties: &'a Properties,
    /// By the numbers of the agent's states after them ([`After::id`]).
    of: Vec<Happening>,
    /// Agent states below this number have been looked at.
    seen: usize,
    /// Those of them whose steps were not known then, in order.
    unknown: Vec<StateId>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(program: &'a Program, properties: &'a Properties) -> Self {
        Self { program, properties, of: Vec::new(), seen: 0, unknown: Vec::new() }
    }

    /// What happens in a step that leads an agent there. Which copies of a message are lost makes no difference, and a
    /// crash is no event.
    pub(super) fn happening(&self, after: After<'_>) -> Happening {
        self.of[after.id as usize]
    }

    /// Looks at the agent states whose steps have become known, and calls `learnt` for each, in order.
    pub(super) fn learn(
        &mut self,
        space: &Space<'_>,
        letters: &mut Letters<'_>,
        mut learnt: impl FnMut(StateId),
    ) {
        let agents = &space.agents;
        self.of.resize(agents.after_count(), Happening::default());
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.extend(self.seen as StateId..agents.count() as StateId);
        self.seen = agents.count();
        unknown.retain(|&id| {
            let Some(locals) = agents.locals(id) else { return true };
            self.note_polls(locals);
            if !self.properties.events.is_empty() {
                self.note_events(space, letters, id, locals);
            }
            learnt(id);
            false
        });
        self.unknown = unknown;
    }

    fn note_polls(&mut self, locals: Locals<'_>) {
        for (thread, acts, _) in locals.threads() {
            for template in acts.iter().filter(|_| polls(thread)) {
                self.note(locals.step(template), |it| it.poll = true);
            }
        }
    }

    fn note_events(&mut self, space: &Space<'_>, letters: &mut Letters<'_>, id: StateId, locals: Locals<'_>) {
        let (agent, _, found) = space.agents.steps_of(id);
        let outcomes = found.threads.iter().flat_map(|thread| thread.acts.iter().chain(&thread.timeouts));
        // Behind them comes the crash, which is no event.
        for (resolved, step) in outcomes.zip(locals.all()) {
            debug_assert_eq!(
                resolved.options, step.label.options,
                "the same steps are found in the same order"
            );
            let events = events_of(self.program, self.properties, agent, &resolved.outcome);
            let events = letters.number_events(events);
            self.note(step, |it| it.events = events);
        }
    }

    /// Notes something of a step, if it is made.
    fn note(&mut self, step: LocalStep<'_>, change: impl Fn(&mut Happening)) {
        let End::State { after, more, .. } = step.end() else { return };
        for place in [Some(after), more.map(|_| after + 1)].into_iter().flatten() {
            change(&mut self.of[step.after(place).id as usize]);
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<Happening>() + self.unknown.capacity() * size_of::<StateId>()
    }
}
