//! The steps of agent states, as patches.

use std::collections::BTreeSet;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::{
    Action, AgentState, AgentSteps, Control, Ending, Event, Message, Next, Outcome, Resolved, Status,
    agent_steps,
};

use super::intern::Interned;
use super::local::{Kept, Label, Outline, Place, Thread};
use super::{After, Agents, LocalEnding, LocalStep, Places, Sent, StateId};
use crate::reduced::ample::Firmness;

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
        let (agent, before, found) = self.steps_of(id);
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
            firmness: Firmness::new(self.program, &self.messages_text, &before, &found),
        };
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
        self.steps.add(outline, steps)
    }

    fn patch(&mut self, agent: AgentId, thread: u32, before: &AgentState, found: Resolved) -> LocalStep {
        let Resolved { outcome, options, compared } = found;
        let Outcome { ending, action, events, ran, kind, .. } = outcome;
        let ending = match ending {
            Ending::State(next) => self.ending(agent, before, next, action.as_ref()),
            Ending::Cut(bound) => LocalEnding::Cut(bound),
            Ending::Runaway(_) => LocalEnding::Runaway,
            Ending::TooLong(_) => LocalEnding::TooLong,
            Ending::RunError(_) => LocalEnding::RunError,
            Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
        };
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
        LocalStep { label, sent, ending }
    }

    fn ending(
        &mut self,
        agent: AgentId,
        before: &AgentState,
        next: Next,
        action: Option<&Action>,
    ) -> LocalEnding {
        if action.is_none() {
            self.note_doubt(&before.control, &next.control);
        }
        let ended = match next.status {
            Status::Running | Status::Crashed => None,
            Status::Done => Some(true),
            Status::Failed => Some(false),
        };
        let taken = action.and_then(Action::taken);
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
        taken: Option<(map_ir::PerformativeId, u64)>,
    ) -> After {
        let ends = matches!(next.status, Status::Done | Status::Failed);
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
