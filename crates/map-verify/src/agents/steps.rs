//! The steps of agent states, as patches.

use std::collections::BTreeSet;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{
    Action, AgentState, AgentSteps, Control, Ending, Event, Message, Next, Outcome, Resolved, agent_steps,
};

use super::intern::Interned;
use super::local::{Kept, Label, Outline, Place, Thread};
use super::queues::ended;
use super::{After, Agents, LocalEnding, LocalStep, Places, Sent, StateId};
use crate::reduced::ample::Firmness;

/// What is told of a step, and how it ends.
pub(super) struct Told {
    pub(super) label: Arc<Label>,
    pub(super) sent: Option<Arc<Sent>>,
    pub(super) ending: Ending,
    /// Whether the agent asks, sends or receives.
    pub(super) acted: bool,
    /// What it takes out of its mailbox: performative and arrival.
    pub(super) taken: Option<(PerformativeId, u64)>,
}

impl Agents<'_> {
    /// What `map-semantics` says of a state: the agent as whose it is interned, the state with a name for every value
    /// that was taken out of its control, and its steps.
    pub(crate) fn steps_of(&self, id: StateId) -> (AgentId, AgentState, AgentSteps) {
        let agent = self.states.owner(id);
        let mut before = self.state(id);
        if let Some(slicer) = &self.slicer {
            slicer.mark(&mut before.control);
        }
        let found = agent_steps(self.program, self.bounds, agent, &before);
        (agent, before, found)
    }

    pub(super) fn compute_locals(&mut self, id: StateId) -> Place {
        let (outline, steps) = match self.has_queues() {
            true => self.steps_by_numbers(id),
            false => self.steps_of_state(id),
        };
        if cfg!(debug_assertions) && self.has_queues() {
            self.compare_steps(id, &outline, &steps);
        }
        self.steps.add(outline, steps)
    }

    /// What is known of the threads of a state.
    pub(super) fn outline(&mut self, before: &AgentState, found: &AgentSteps) -> Arc<Outline> {
        let threads = found.threads.iter().map(|thread| Thread {
            acts: thread.acts.len() as u32,
            timeouts: thread.timeouts.len() as u32,
            waiting: thread.waiting,
            waiting_compared: thread.waiting_compared,
            act_may_vanish: thread.act_may_vanish,
            timeout_may_vanish: thread.timeout_may_vanish,
        });
        let outline = Outline {
            threads: threads.collect(),
            all_waiting: found.all_waiting(),
            waiting_compared: found.threads.iter().any(|thread| thread.waiting_compared),
            crashes: found.crash.is_some(),
            firmness: Firmness::new(self.program, &self.messages_text, before, found),
        };
        self.steps.outlines.share(outline)
    }

    /// The steps of a state, each made of the states themselves.
    pub(super) fn steps_of_state(&mut self, id: StateId) -> (Arc<Outline>, Vec<LocalStep>) {
        let (agent, before, found) = self.steps_of(id);
        let outline = self.outline(&before, &found);
        // The crash comes last, but its state is the first to be interned.
        let crash = found.crash.map(|outcome| {
            let crash = Resolved { outcome, options: Vec::new(), compared: false };
            self.patch(agent, 0, &before, crash)
        });
        let mut steps = Vec::new();
        for (index, thread) in found.threads.into_iter().enumerate() {
            for resolved in thread.acts.into_iter().chain(thread.timeouts) {
                steps.push(self.patch(agent, index as u32, &before, resolved));
            }
        }
        steps.extend(crash);
        (outline, steps)
    }

    fn patch(&mut self, agent: AgentId, thread: u32, before: &AgentState, found: Resolved) -> LocalStep {
        let Told { label, sent, ending, acted, taken } = self.told(agent, thread, found);
        let ending = match ending {
            Ending::State(next) => self.ending(agent, before, next, acted, taken),
            Ending::Cut(bound) => LocalEnding::Cut(bound),
            Ending::Runaway(_) => LocalEnding::Runaway,
            Ending::TooLong(_) => LocalEnding::TooLong,
            Ending::RunError(_) => LocalEnding::RunError,
            Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
        };
        LocalStep { label, sent, ending }
    }

    /// What is told of a step, whatever becomes of the agent.
    pub(super) fn told(&mut self, agent: AgentId, thread: u32, found: Resolved) -> Told {
        let Resolved { outcome, options, compared } = found;
        let Outcome { ending, action, events, ran, kind, .. } = outcome;
        let (acted, taken) = (action.is_some(), action.as_ref().and_then(Action::taken));
        let sent = match action {
            Some(Action::Send { message, to, .. }) => {
                let sent = self.sent(agent, Arc::unwrap_or_clone(message), &to);
                Some(self.steps.sent.share(sent))
            }
            _ => None,
        };
        let entered = events
            .iter()
            .filter_map(|event| if let Event::Called(_, clause, _) = event { Some(*clause) } else { None })
            .collect();
        let label = self.steps.labels.share(Label { thread, kind, compared, options, ran, entered });
        Told { label, sent, ending, acted, taken }
    }

    fn ending(
        &mut self,
        agent: AgentId,
        before: &AgentState,
        next: Next,
        acted: bool,
        taken: Option<(PerformativeId, u64)>,
    ) -> LocalEnding {
        if !acted {
            self.note_doubt(&before.control, &next.control);
        }
        let ended = ended(next.status);
        let more = taken.filter(|_| self.counts_messages()).map(|(_, arrival)| {
            let stays = self.after(agent, before, next.clone(), None);
            Box::new((arrival as u32, stays))
        });
        LocalEnding::State { after: self.after(agent, before, next, taken), more, ended }
    }

    fn after(
        &mut self,
        agent: AgentId,
        before: &AgentState,
        next: Next,
        taken: Option<(PerformativeId, u64)>,
    ) -> After {
        let ends = ended(next.status).is_some();
        // All but the mailbox is what comes next.
        let mailbox = before.mailbox.clone();
        let (control, memory, calls) = (Control::default(), Vec::new(), Vec::new());
        let mut after = AgentState { status: before.status, control, memory, mailbox, calls };
        let unread = after.go_on(next, taken);
        let left: BTreeSet<_> = unread.iter().filter(|_| ends).map(|message| message.performative).collect();
        let before_kinds = if self.counts_messages() { before.mailbox.len() as u32 } else { 0 };
        let gone = taken.map(|(_, arrival)| arrival as u32);
        let kinds = match after.mailbox.is_empty() {
            true => Vec::new(),
            false => (0..before_kinds).filter(|&kind| Some(kind) != gone).map(|kind| vec![kind]).collect(),
        };
        let Interned { id: next, symbols, names, kinds } = self.intern(agent, after, kinds);
        self.afters += 1;
        let kept = self.steps.kept.share(Kept {
            symbols: symbols.into(),
            names: names.into(),
            counts: Places::new(before_kinds as usize, &kinds),
            left: left.into_iter().collect(),
        });
        After { id: self.afters - 1, next, kept }
    }

    fn sent(&mut self, agent: AgentId, message: Message, to: &[AgentId]) -> Sent {
        let performative = message.performative;
        let (message, symbols, names) = self.intern_message(message);
        let (mut classes, mut named) = (Vec::new(), Vec::new());
        for (index, class) in self.symmetry.classes().iter().enumerate() {
            let all = class.len() - usize::from(class.contains(&agent));
            let some = to.iter().copied().filter(|it| class.contains(it));
            if all > 0 && some.clone().count() == all {
                classes.push(index);
            } else {
                named.extend(some);
            }
        }
        let alone = to.iter().copied().filter(|&it| self.symmetry.class_of(it).is_none());
        Sent {
            message,
            performative,
            symbols: symbols.into(),
            names: names.into(),
            classes: classes.into(),
            to: alone.collect(),
            named: named.into(),
        }
    }

    /// A move to a control that differs only in values that were taken out: whether it is a step cannot be told.
    fn note_doubt(&mut self, before: &Control, next: &Control) {
        let Some(slicer) = &self.slicer else { return };
        let (mut sliced_before, mut sliced_next) = (before.clone(), next.clone());
        slicer.take_out(&mut sliced_before);
        slicer.take_out(&mut sliced_next);
        if sliced_before == sliced_next {
            self.doubtful.extend(slicer.doubtful_clauses(before, next));
        }
    }
}
