//! Footprints: what an agent's steps may read and write beyond its own state, by static analysis and from a single
//! agent state. Independence is decided from these.

use std::collections::BTreeSet;

use map_graph::strong_components;
use map_ir::{Goto, PartId, PerformativeId, PointId, PointKind, Program};
use map_semantics::{
    AgentState, AgentSteps, Bounds, Ending, Network, NodeKind, ResolvedOutcome, Status, StepKind,
    ThreadSteps, Timeouts,
};

use crate::abstraction::slicing::Slicer;
use crate::abstraction::words::may_address;
use missed::MissedFrom;

mod missed;

pub(crate) use missed::Missed;

/// A set of performatives as bits. With more than 64 performatives some share a bit.
pub(crate) type Performatives = u64;

pub(crate) fn bit(performative: PerformativeId) -> Performatives {
    1 << (performative.index() % 64)
}

/// Static facts about messages.
pub(crate) struct Messages {
    /// By point: what may be sent from there until the activation ends.
    sent_from: Vec<Performatives>,
    /// By part: what may be addressed to its agents.
    sent_to: Vec<Performatives>,
    /// By point: the messages whose absence can be observed from there on.
    missed_from: MissedFrom,
    /// By performative: whether all its messages are equal after slicing.
    uniform: Vec<bool>,
    /// By part and performative: whether the order in which different messages are sent to its agents is irrelevant.
    unordered: Vec<Vec<bool>>,
}

impl Messages {
    /// `slicer` removes irrelevant values from messages, if slicing is on.
    pub(crate) fn new(program: &Program, timeouts: Timeouts, slicer: Option<&Slicer<'_>>) -> Self {
        let mut sent_to = vec![0; program.parts.len()];
        let mut senders = vec![BTreeSet::new(); program.performatives.len()];
        for point in &program.points {
            let part = program.clause(point.clause).part;
            if let PointKind::Send { performative, agent, role, .. } = &point.kind {
                senders[performative.index()].insert(program.part(part).role);
                for (index, to) in sent_to.iter_mut().enumerate() {
                    if may_address(program, PartId::new(index), agent, role) {
                        *to |= bit(*performative);
                    }
                }
            }
        }
        let performatives = || (0..program.performatives.len()).map(PerformativeId::new);
        let matters = |performative| slicer.is_none_or(|it| it.message_matters(performative));
        let uniform = performatives().map(|it| !matters(it) && senders[it.index()].len() < 2).collect();
        let of_part = |part| {
            let is_unordered =
                |it: PerformativeId| slicer.is_some_and(|slicer| slicer.is_unordered(part, it));
            performatives().map(is_unordered).collect()
        };
        let unordered = (0..program.parts.len()).map(PartId::new).map(of_part).collect();
        Self {
            sent_from: sent_from(program),
            sent_to,
            missed_from: MissedFrom::new(program, timeouts),
            uniform,
            unordered,
        }
    }

    /// What may be addressed to agents of the part.
    pub(crate) fn sent_to(&self, part: PartId) -> Performatives {
        self.sent_to[part.index()]
    }

    /// Whether all messages with this performative are equal.
    pub(crate) fn is_uniform(&self, performative: PerformativeId) -> bool {
        self.uniform[performative.index()]
    }

    /// Whether the order in which different messages are sent to agents of the part is irrelevant.
    pub(crate) fn is_unordered(&self, part: PartId, performative: PerformativeId) -> bool {
        self.unordered[part.index()][performative.index()]
    }

    /// What an agent may send from a state on.
    pub(crate) fn may_send(&self, program: &Program, state: &AgentState) -> Performatives {
        let mut all = 0;
        union_over_nodes(program, state, |point| all |= self.sent_from[point.index()]);
        all
    }

    /// The messages whose absence an agent can observe from a state on.
    pub(crate) fn missed(&self, program: &Program, state: &AgentState) -> Missed {
        self.missed_from.missed(program, state)
    }
}

/// Calls `see` for the points at which the threads of an agent, and the activations and forks below them, continue.
fn union_over_nodes(program: &Program, state: &AgentState, mut see: impl FnMut(PointId)) {
    for node in &state.control.nodes {
        match node.kind {
            NodeKind::Thread(point) => see(point),
            NodeKind::Activation { call: Some(point), .. } | NodeKind::Fork { point, .. } => {
                let kind = &program.point(point).kind;
                for goto in [kind.ok(), kind.err().map(|edge| edge.to)].into_iter().flatten() {
                    if let Goto::Point(next) = goto {
                        see(next);
                    }
                }
            }
            NodeKind::Activation { call: None, .. } | NodeKind::SideOf(_) => {}
        }
    }
}

/// All possible successors of a point in its clause.
pub(crate) fn successors(kind: &PointKind) -> Vec<PointId> {
    let mut next = Vec::new();
    let gotos = [kind.ok(), kind.err().map(|edge| edge.to)];
    next.extend(gotos.into_iter().flatten().filter_map(|goto| match goto {
        Goto::Point(point) => Some(point),
        Goto::Return(_) | Goto::SideEnd(_) => None,
    }));
    match kind {
        PointKind::Wait { body, timeout } => next.extend([Some(*body), *timeout].into_iter().flatten()),
        PointKind::Par { sides, .. } => next.extend(sides),
        _ => {}
    }
    next
}

/// Calls `found` for the points that can reach each other, successors and callees included, with all to which they lead
/// directly. Those to which they lead come first, so a least fixed point over what points lead to is found in one pass.
fn for_each_circle(program: &Program, mut found: impl FnMut(&[PointId], &[PointId])) {
    let led_to: Vec<Vec<PointId>> = program.points.iter().map(|point| led_to(program, &point.kind)).collect();
    let next = |point: u32, cursor: &mut usize| {
        let target = led_to[point as usize].get(*cursor)?;
        *cursor += 1;
        Some(target.index() as u32)
    };
    strong_components(led_to.len(), 0..led_to.len() as u32, next, |members| {
        let circle: Vec<PointId> = members.iter().map(|&point| PointId::new(point as usize)).collect();
        let targets: Vec<PointId> =
            circle.iter().flat_map(|point| led_to[point.index()].iter().copied()).collect();
        found(&circle, &targets);
    });
}

/// The successors of a point and the bodies that it calls.
fn led_to(program: &Program, kind: &PointKind) -> Vec<PointId> {
    let mut targets = successors(kind);
    if let PointKind::Call { candidates, .. } = kind {
        targets.extend(candidates.iter().map(|candidate| program.clause(candidate.clause).body));
    }
    targets
}

/// For every point what may be sent from there on, activations it opens included: a least fixed point.
fn sent_from(program: &Program) -> Vec<Performatives> {
    let mut sent = vec![0; program.points.len()];
    for_each_circle(program, |circle, targets| {
        let own = circle.iter().fold(0, |all, &point| match &program.point(point).kind {
            PointKind::Send { performative, .. } => all | bit(*performative),
            _ => all,
        });
        let all = targets.iter().fold(own, |all: Performatives, target| all | sent[target.index()]);
        circle.iter().for_each(|point| sent[point.index()] = all);
    });
    sent
}

/// The footprint of an agent state's steps, independent of the other agents. Its steps are its acts and, if the
/// timeouts of any waiting agent may occur, the timeouts of its waiting threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Footprint {
    /// Whether the steps may be an ample set at all: each leads to a state, and as long as none of them is taken the
    /// scene is not deadlocked, not even possibly, polls are not all that can happen, and no timeout becomes possible
    /// by quiescence.
    pub(crate) eligible: bool,
    /// Messages whose arrival may change the steps.
    pub(crate) changed_by: Performatives,
    /// Whether some step takes a message from the mailbox, or ends the agent and with it the mailbox.
    pub(crate) takes: bool,
    /// Whether some step sends.
    pub(crate) sends: bool,
    /// What the agent may send from here on.
    pub(crate) may_send: Performatives,
}

impl Footprint {
    pub(crate) fn new(
        program: &Program,
        bounds: &Bounds,
        messages: &Messages,
        state: &AgentState,
        steps: &AgentSteps,
    ) -> Self {
        let any_time = bounds.timeouts == Timeouts::Any;
        let in_time = |thread: &&ThreadSteps| any_time && thread.waiting;
        let acts = || steps.threads.iter().flat_map(|thread| &thread.acts);
        let timeouts = steps.threads.iter().filter(in_time).flat_map(|thread| &thread.timeouts);
        let all: Vec<&ResolvedOutcome> = acts().chain(timeouts).collect();
        let made = |step: &&ResolvedOutcome| matches!(step.outcome.ending, Ending::State(_));
        let ends = |step: &&ResolvedOutcome| matches!(&step.outcome.ending, Ending::State(next) if next.status != Status::Running);
        let holds = |thread: &ThreadSteps| {
            let acts = !thread.waiting && !thread.act_may_vanish && !thread.acts.is_empty();
            acts || in_time(&thread) && !thread.timeout_may_vanish && !thread.timeouts.is_empty()
        };
        Self {
            eligible: steps.threads.iter().any(holds) && all.iter().all(made),
            changed_by: changed_by(bounds, messages, state, steps),
            takes: acts().any(|act| act.outcome.kind == StepKind::Receive) || all.iter().any(ends),
            sends: acts().any(|act| act.outcome.kind == StepKind::Send),
            may_send: messages.may_send(program, state),
        }
    }
}

/// Messages whose arrival may change an agent's acts: those for which some receive has searched all messages of the
/// performative. If mailboxes are queues, it found none to take, and a new one could fit. If they are bags, it may
/// take the new one as well, unless that equals one already found.
fn changed_by(bounds: &Bounds, messages: &Messages, state: &AgentState, steps: &AgentSteps) -> Performatives {
    // By name: whoever adds a fault decides what else it lets change.
    let Network { unordered, delayed: _, losses: _, crashes: _ } = bounds.network;
    let is_there = |it: PerformativeId| state.mailbox.iter().any(|message| message.performative == it);
    let is_found = |it: PerformativeId| unordered && messages.is_uniform(it) && is_there(it);
    let looked_through = steps.looks.iter().filter(|look| look.last.is_none());
    looked_through.map(|look| look.performative).filter(|&it| !is_found(it)).fold(0, |all, it| all | bit(it))
}
