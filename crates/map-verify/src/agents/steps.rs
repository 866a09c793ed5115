//! Computes the steps of agent states, as patches.

use std::collections::BTreeSet;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Value};
use map_semantics::{
    Action, AgentState, AgentSteps, Control, Ending, Event, Message, Next, Outcome, ResolvedOutcome, Status,
    agent_steps,
};

use super::intern::Interned;
use super::local::{End, Following, Label, MemoEntry, Outline, SharedSteps, StepTemplate, StepsAt, Thread};
use super::{Agents, Places, Sent, StateId};
use crate::coverage::failures;
use crate::footprint::Footprint;

/// A step with its label and message interned.
pub(super) struct LabelledStep {
    pub(super) label: u32,
    pub(super) sent: Option<u32>,
    pub(super) ending: Ending,
    /// See [`Outcome::cut_off`].
    pub(super) cut_off: Option<Control>,
    /// Whether the agent asks, sends or receives.
    pub(super) acted: bool,
    /// The message it takes from its mailbox: performative and arrival.
    pub(super) taken: Option<(PerformativeId, u64)>,
}

impl Agents<'_> {
    /// Evaluates the step relation: the agent as whose the state is interned, the state with a distinct name for
    /// every value sliced from its control, and its steps.
    pub(crate) fn steps_of(&self, id: StateId) -> (AgentId, AgentState, AgentSteps) {
        let agent = self.states.owner(id);
        let mut before = self.state(id);
        if let Some(slicer) = &self.slicer {
            slicer.mark(&mut before.control);
        }
        let found = agent_steps(self.program, self.bounds, agent, &before);
        (agent, before, found)
    }

    pub(super) fn compute_locals(&mut self, id: StateId) -> StepsAt {
        let (shared, following) = self.steps_of_state(id);
        self.steps.add(shared, &following)
    }

    /// The outline of a state's steps.
    pub(super) fn outline(&self, before: &AgentState, found: &AgentSteps) -> Outline {
        let threads = found.threads.iter().map(|thread| Thread {
            sender: thread.sender,
            acts: thread.acts.len() as u32,
            timeouts: thread.timeouts.len() as u32,
            waiting: thread.waiting,
            waiting_compared: thread.waiting_compared,
            act_may_vanish: thread.act_may_vanish,
            timeout_may_vanish: thread.timeout_may_vanish,
        });
        Outline {
            threads: threads.collect(),
            all_waiting: found.all_waiting(),
            waiting_compared: found.threads.iter().any(|thread| thread.waiting_compared),
            crashes: found.crash.is_some(),
            footprint: Footprint::new(self.program, self.bounds, &self.messages_text, before, found),
            missed: self.messages_text.missed(self.program, before),
        }
    }

    /// The steps of a state: the number of their shared, and their successor states.
    fn steps_of_state(&mut self, id: StateId) -> (u32, Vec<Following>) {
        let (agent, before, found) = self.steps_of(id);
        let outline = self.outline(&before, &found);
        let (mut templates, mut following) = (Vec::new(), Vec::new());
        let mut happenings = Vec::new();
        for (thread, resolved) in numbered(found) {
            let happening = self.monitors.as_mut().map(|it| it.happening(agent, &resolved.outcome));
            templates.push(self.template(agent, thread, &before, resolved, &mut following));
            happenings.resize(following.len(), happening.unwrap_or_default());
        }
        if let Some(monitors) = &mut self.monitors {
            monitors.note_steps(&happenings);
        }
        (self.steps.shared.number(&SharedSteps::new(outline, templates)), following)
    }

    fn template(
        &mut self,
        agent: AgentId,
        thread: u32,
        before: &AgentState,
        found: ResolvedOutcome,
        following: &mut Vec<Following>,
    ) -> StepTemplate {
        let LabelledStep { label, sent, ending, cut_off, acted, taken } =
            self.label_step(agent, thread, found);
        if let Some(next) = cut_off {
            self.note_doubt(&before.control, &next);
        }
        let end = match ending {
            Ending::State(next) => {
                if !acted {
                    self.note_doubt(&before.control, &next.control);
                }
                let (after, ended) = (following.len() as u32, ended(next.status));
                let more = taken.filter(|_| self.counts_messages()).map(|(_, arrival)| arrival as u32);
                let stays = more.map(|_| self.after(agent, before, next.clone(), None));
                following.push(self.after(agent, before, next, taken));
                following.extend(stays);
                End::State { after, more, ended }
            }
            other => end_without_state(&other),
        };
        StepTemplate { label, sent, end }
    }

    /// Interns the label and the message of a step.
    pub(super) fn label_step(&mut self, agent: AgentId, thread: u32, found: ResolvedOutcome) -> LabelledStep {
        let ResolvedOutcome { outcome, options, compared } = found;
        let Outcome { ending, cut_off, action, events, ran, kind, .. } = outcome;
        let (acted, taken) = (action.is_some(), action.as_ref().and_then(Action::taken));
        let sent = match action {
            Some(Action::Send { message, to, .. }) => {
                let sent = self.sent(agent, Arc::unwrap_or_clone(message), &to);
                Some(self.steps.sent.number(&sent))
            }
            _ => None,
        };
        let entered = events
            .iter()
            .filter_map(|event| if let Event::Called(_, clause, _) = event { Some(*clause) } else { None })
            .collect();
        let failed = failures(&events).collect();
        let label =
            self.steps.labels.number(&Label { thread, kind, compared, options, ran, failed, entered });
        LabelledStep { label, sent, ending, cut_off, acted, taken }
    }

    fn after(
        &mut self,
        agent: AgentId,
        before: &AgentState,
        next: Next,
        taken: Option<(PerformativeId, u64)>,
    ) -> Following {
        let ends = ended(next.status).is_some();
        // `go_on` replaces everything except the messages.
        let (mailbox, under_way) = (before.mailbox.clone(), before.under_way.clone());
        let (control, memory, calls) = (Control::default(), Vec::new(), Vec::new());
        let mut after = AgentState { status: before.status, control, memory, mailbox, under_way, calls };
        let unread = after.go_on(self.bounds, next, taken);
        let left: BTreeSet<_> = unread.iter().filter(|_| ends).map(|message| message.performative).collect();
        let before_kinds = if self.counts_messages() { before.mailbox.len() as u32 } else { 0 };
        let gone = taken.map(|(_, arrival)| arrival as u32);
        let kinds = match after.mailbox.is_empty() {
            true => Vec::new(),
            false => (0..before_kinds).filter(|&kind| Some(kind) != gone).map(|kind| vec![kind]).collect(),
        };
        let Interned { id: next, symbols, names, kinds } = self.intern(agent, after, kinds);
        let kept = self.steps.kept.number(&MemoEntry {
            symbols: symbols.into(),
            names: names.into(),
            counts: Places::new(before_kinds as usize, &kinds),
            left: left.into_iter().collect(),
        });
        Following { next, kept }
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

    /// A move to a control that may differ only in values that were taken out, be it one that is cut: whether it is a
    /// step cannot be told. Nor can it be told where an abstract value took the place of one that was taken out: they
    /// may have been the same.
    fn note_doubt(&mut self, before: &Control, next: &Control) {
        let Some(slicer) = &self.slicer else { return };
        let (mut sliced_before, mut sliced_next) = (before.clone(), next.clone());
        slicer.take_out(&mut sliced_before);
        slicer.take_out(&mut sliced_next);
        let differences = |one: &Control, other: &Control| one.open_differences(other, Value::equals);
        let left = differences(&sliced_before, &sliced_next);
        if left.is_some() && differences(before, next) != left {
            self.doubtful.extend(slicer.doubtful_clauses(before, next));
        }
    }
}

/// The steps with their thread numbers: thread by thread, acts before timeouts; then the crash.
pub(super) fn numbered(found: AgentSteps) -> impl Iterator<Item = (u32, ResolvedOutcome)> {
    let AgentSteps { threads, crash, .. } = found;
    let of_threads = threads.into_iter().enumerate().flat_map(|(index, thread)| {
        thread.acts.into_iter().chain(thread.timeouts).map(move |resolved| (index as u32, resolved))
    });
    let crash = crash.map(|outcome| ResolvedOutcome { outcome, options: Vec::new(), compared: false });
    of_threads.chain(crash.map(|crash| (0, crash)))
}

/// Whether an agent succeeded; `None` if it is running or has crashed.
pub(super) fn ended(status: Status) -> Option<bool> {
    match status {
        Status::Running | Status::Crashed => None,
        Status::Done => Some(true),
        Status::Failed => Some(false),
    }
}

/// The end of a step that leads to no state.
pub(super) fn end_without_state(ending: &Ending) -> End {
    match ending {
        Ending::Cut(bound) => End::Cut(*bound),
        Ending::Runaway(_) => End::Runaway,
        Ending::TooLong(_) => End::TooLong,
        Ending::RunError(_) => End::RunError,
        Ending::State(_) | Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
    }
}
