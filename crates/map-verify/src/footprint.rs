//! What an agent's steps may read and write beside its own state, as far as the text and one agent state say: the input to
//! independence.

use std::collections::BTreeSet;

use map_ir::{Goto, Operand, PartId, PerformativeId, PointId, PointKind, Program, Recipient, Value};
use map_semantics::{AgentState, AgentSteps, Ending, Event, NodeKind, Status, StepKind};

use crate::abstraction::slicing::Slicer;

/// Performatives as bits; where there are more than 64 some share one.
pub(crate) type Performatives = u64;

pub(crate) fn bit(performative: PerformativeId) -> Performatives {
    1 << (performative.index() % 64)
}

/// What the text says of messages.
pub(crate) struct Messages {
    /// By point: what may be sent from there on, before the activation ends.
    sent_behind: Vec<Performatives>,
    /// By part: what some send may address to its agents.
    sent_to: Vec<Performatives>,
    /// By part: what its agents can tell not to have come yet, other than by waiting for it.
    missed_by: Vec<Performatives>,
    /// By part: what its agents receive.
    pub(crate) received_by: Vec<Performatives>,
    /// Performatives of which all messages are equal, as sliced.
    uniform: Vec<bool>,
    /// By part and performative: it makes no difference in which order messages that differ are sent to its agents.
    unordered: Vec<Vec<bool>>,
}

impl Messages {
    /// `slicer` is what takes out of messages what cannot matter, if anything does.
    pub(crate) fn new(program: &Program, slicer: Option<&Slicer<'_>>) -> Self {
        let mut received_by = vec![0; program.parts.len()];
        let mut sent_to = vec![0; program.parts.len()];
        let mut senders = vec![BTreeSet::new(); program.performatives.len()];
        for point in &program.points {
            let part = program.clause(point.clause).part;
            match &point.kind {
                PointKind::Receive { performative, .. } => received_by[part.index()] |= bit(*performative),
                PointKind::Send { performative, agent, role, .. } => {
                    senders[performative.index()].insert(program.part(part).role);
                    for (index, to) in sent_to.iter_mut().enumerate() {
                        if may_address(program, PartId::new(index), agent, role) {
                            *to |= bit(*performative);
                        }
                    }
                }
                _ => {}
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
            sent_behind: sent_behind(program),
            sent_to,
            missed_by: missed_by(program),
            received_by,
            uniform,
            unordered,
        }
    }

    /// What some send may address to the part.
    pub(crate) fn sent_to(&self, part: PartId) -> Performatives {
        self.sent_to[part.index()]
    }

    /// Whether the part's agents can tell that a message has not come yet, other than by waiting for it.
    pub(crate) fn is_missed(&self, part: PartId, performative: PerformativeId) -> bool {
        self.missed_by[part.index()] & bit(performative) != 0
    }

    /// Whether all messages with that performative are equal.
    pub(crate) fn is_uniform(&self, performative: PerformativeId) -> bool {
        self.uniform[performative.index()]
    }

    /// Whether it makes no difference to agents of the part in which order messages that differ are sent to them.
    pub(crate) fn is_unordered(&self, part: PartId, performative: PerformativeId) -> bool {
        self.unordered[part.index()][performative.index()]
    }

    /// What an agent may send from a state on.
    pub(crate) fn may_send(&self, program: &Program, state: &AgentState) -> Performatives {
        let behind = |goto: Option<Goto>| match goto {
            Some(Goto::Point(point)) => self.sent_behind[point.index()],
            _ => 0,
        };
        let nodes = state.control.nodes.iter().map(|node| match node.kind {
            NodeKind::Thread(point) => self.sent_behind[point.index()],
            NodeKind::Activation { call: Some(point), .. } | NodeKind::Fork { point, .. } => {
                let kind = &program.point(point).kind;
                behind(kind.ok()) | behind(kind.err().map(|edge| edge.to))
            }
            NodeKind::Activation { call: None, .. } | NodeKind::SideOf(_) => 0,
        });
        nodes.fold(0, |all, sent| all | sent)
    }
}

/// Whether a send's address may mean an agent of the part.
fn may_address(program: &Program, part: PartId, agent: &Recipient, role: &Recipient) -> bool {
    let role_fits = match role {
        Recipient::Is(Operand::Constant(value)) => *value == Value::Role(program.part(part).role),
        _ => true,
    };
    let agent_fits = match agent {
        Recipient::Is(Operand::Constant(Value::Agent(agent))) => program.part(part).agents.contains(agent),
        _ => true,
    };
    role_fits && agent_fits
}

/// The points that may come next in the same clause, whatever happens.
fn successors(kind: &PointKind) -> Vec<PointId> {
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

/// For every point what may be sent from there on by its activation and those it opens: a least fixed point.
fn sent_behind(program: &Program) -> Vec<Performatives> {
    let mut sent = vec![0; program.points.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, point) in program.points.iter().enumerate() {
            let mut all: Performatives = match &point.kind {
                PointKind::Send { performative, .. } => bit(*performative),
                PointKind::Call { candidates, .. } => {
                    let bodies = candidates.iter().map(|it| program.clause(it.clause).body);
                    bodies.fold(0, |all, body| all | sent[body.index()])
                }
                _ => 0,
            };
            for next in successors(&point.kind) {
                all |= sent[next.index()];
            }
            changed |= sent[index] != all;
            sent[index] = all;
        }
    }
    sent
}

/// For every part the performatives of receives that an act may pass over because nothing is there, and then still come
/// to a step.
fn missed_by(program: &Program) -> Vec<Performatives> {
    let mut missed = vec![0; program.parts.len()];
    let part_of = |point: PointId| program.clause(program.point(point).clause).part.index();
    for (index, point) in program.points.iter().enumerate() {
        if let PointKind::Wait { body, .. } = point.kind {
            let place = PointId::new(index);
            missed[part_of(place)] |= passed_over(program, body, Some(place));
        }
    }
    for place in resting_places(program) {
        missed[part_of(place)] |= passed_over(program, place, None);
    }
    // Any clause may be called while an act looks for something to do.
    for clause in &program.clauses {
        missed[clause.part.index()] |= passed_over(program, clause.body, None);
    }
    missed
}

/// The asks, sends and receives at which a thread may come to rest: those reached silently from where an action, a
/// timeout, a call or a side of a `par` leads.
fn resting_places(program: &Program) -> BTreeSet<PointId> {
    let mut todo: Vec<Goto> = program.clauses.iter().map(|clause| Goto::Point(clause.body)).collect();
    for point in &program.points {
        match &point.kind {
            PointKind::Ask { ok, err, binds, .. } => {
                todo.push(*ok);
                // An answer that is not the one expected is an action, too.
                todo.extend((!binds).then_some(err.to));
            }
            PointKind::Send { ok, .. } | PointKind::Receive { ok, .. } => todo.push(*ok),
            PointKind::Call { ok, err, .. } => todo.extend([*ok, err.to]),
            PointKind::Par { sides, ok, err } => {
                todo.extend(sides.iter().map(|&side| Goto::Point(side)).chain([*ok, err.to]));
            }
            PointKind::Wait { timeout, .. } => todo.extend(timeout.map(Goto::Point)),
            PointKind::Skip { .. } | PointKind::Fail { .. } => {}
        }
    }
    let mut places = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(goto) = todo.pop() {
        let Goto::Point(point) = goto else { continue };
        if !seen.insert(point) {
            continue;
        }
        match &program.point(point).kind {
            PointKind::Skip { ok } => todo.push(*ok),
            PointKind::Fail { err } => todo.push(err.to),
            PointKind::Ask { .. } | PointKind::Send { .. } | PointKind::Receive { .. } => {
                places.insert(point);
            }
            PointKind::Wait { .. } | PointKind::Call { .. } | PointKind::Par { .. } => {}
        }
    }
    places
}

/// The receives that an act may pass over on a way from `start` that goes on to a step. Coming back to the `waitfor`
/// it started from is none.
fn passed_over(program: &Program, start: PointId, waiting_at: Option<PointId>) -> Performatives {
    let mut missed = 0;
    let mut seen = BTreeSet::new();
    let mut todo = vec![start];
    while let Some(point) = todo.pop() {
        if !seen.insert(point) {
            continue;
        }
        let next = match &program.point(point).kind {
            PointKind::Skip { ok } => *ok,
            PointKind::Fail { err } | PointKind::Ask { err, .. } | PointKind::Send { err, .. } => err.to,
            PointKind::Receive { performative, err, .. } => {
                if comes_to_a_step(program, err.to, waiting_at) {
                    missed |= bit(*performative);
                }
                err.to
            }
            // What is called is judged from its own start; what follows the call as if the act began there.
            PointKind::Call { ok, err, .. } => {
                for goto in [*ok, err.to] {
                    if let Goto::Point(next) = goto {
                        todo.push(next);
                    }
                }
                continue;
            }
            PointKind::Wait { .. } | PointKind::Par { .. } => continue,
        };
        if let Goto::Point(next) = next {
            todo.push(next);
        }
    }
    missed
}

fn comes_to_a_step(program: &Program, from: Goto, waiting_at: Option<PointId>) -> bool {
    let mut goto = from;
    for _ in 0..=program.points.len() {
        let Goto::Point(point) = goto else { return true };
        goto = match &program.point(point).kind {
            PointKind::Skip { ok } => *ok,
            PointKind::Fail { err } => err.to,
            PointKind::Wait { .. } => return Some(point) != waiting_at,
            _ => return true,
        };
    }
    true
}

/// What one agent state says of its steps, whatever the others are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Firmness {
    /// All steps are made by the agent itself, and some thread of it neither waits nor may lose its steps by an open
    /// comparison. As long as the agent rests nobody's time runs out, and the scene is no deadlock.
    pub(crate) firm: bool,
    /// Messages whose arrival may change the steps.
    pub(crate) changed_by: Performatives,
    /// Some step takes a message out of the mailbox, or ends the agent and with it the mailbox.
    pub(crate) takes: bool,
    /// Some step sends.
    pub(crate) sends: bool,
    /// What may be sent from here on.
    pub(crate) may_send: Performatives,
}

impl Firmness {
    pub(crate) fn new(
        program: &Program,
        messages: &Messages,
        state: &AgentState,
        steps: &AgentSteps,
    ) -> Self {
        let acts = || steps.threads.iter().flat_map(|thread| &thread.acts);
        let made = |ending: &Ending| matches!(ending, Ending::State(_));
        let ends = |ending: &Ending| matches!(ending, Ending::State(next) if next.status != Status::Running);
        let holds = |thread: &map_semantics::ThreadSteps| {
            !thread.waiting && !thread.act_may_vanish && !thread.acts.is_empty()
        };
        let mut changed_by = 0;
        for event in acts().flat_map(|act| &act.outcome.events) {
            if let Event::NothingThere(point) = event
                && let PointKind::Receive { performative, .. } = program.point(*point).kind
            {
                changed_by |= bit(performative);
            }
        }
        // What a thread looks for in vain, at a `waitfor` or while it polls, stands in no step.
        if steps.threads.iter().any(|thread| thread.in_vain) {
            changed_by = Performatives::MAX;
        }
        Self {
            firm: steps.threads.iter().any(holds) && acts().all(|act| made(&act.outcome.ending)),
            changed_by,
            takes: acts().any(|act| act.outcome.kind == StepKind::Receive || ends(&act.outcome.ending)),
            sends: acts().any(|act| act.outcome.kind == StepKind::Send),
            may_send: messages.may_send(program, state),
        }
    }
}
