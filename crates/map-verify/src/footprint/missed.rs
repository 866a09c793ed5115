//! A static analysis of the messages whose absence an agent can observe other than by waiting for them.
//!
//! It observes that a message has not arrived by skipping a receive that would take it, on the way to another step:
//! an ask, a send or a move, which are always possible, or another receive, which is possible if a message for it may
//! be present. If the timeouts of any waiting agent may occur, a timeout counts as such a step too.

use std::collections::{BTreeSet, HashMap, HashSet};

use map_ir::{Goto, PointId, PointKind, Program};
use map_semantics::{AgentState, Timeouts};

use super::{Performatives, bit, for_each_circle, union_over_nodes};

/// The messages whose absence can be observed from some places on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Missed {
    /// Performatives skipped on the way to a step that is always possible.
    surely: Performatives,
    /// For other performatives, as bits: those whose messages can be taken instead.
    instead: Box<[(Performatives, Performatives)]>,
}

impl Missed {
    /// Whether the absence of a `missed` message can be observed, if `others` may still be sent to the agent.
    pub(crate) fn contains(&self, missed: Performatives, others: Performatives) -> bool {
        let observed = |&(performative, instead): &(_, _)| performative == missed && instead & others != 0;
        self.surely & missed != 0 || self.instead.iter().any(observed)
    }

    /// Bytes of its heap allocation.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.instead)
    }
}

/// Like [`Missed`], with a set of alternatives for every performative bit.
#[derive(Clone, PartialEq, Eq)]
struct Row {
    surely: Performatives,
    instead: Vec<Performatives>,
}

impl Row {
    fn new(bits: usize) -> Self {
        Self { surely: 0, instead: vec![0; bits] }
    }

    /// Adds another row.
    fn add(&mut self, other: &Self) {
        self.surely |= other.surely;
        self.instead.iter_mut().zip(&other.instead).for_each(|(own, other)| *own |= other);
    }
}

/// The observable absences from each point of a program on.
pub(super) struct MissedFrom {
    /// By point: until its activation ends, activations it opens included.
    rows: Vec<Row>,
}

impl MissedFrom {
    pub(super) fn new(program: &Program, timeouts: Timeouts) -> Self {
        let bits = program.performatives.len().min(Performatives::BITS as usize);
        let mut rows = vec![Row::new(bits); program.points.len()];
        for (index, row) in rows.iter_mut().enumerate() {
            if let PointKind::Wait { body, .. } = program.point(PointId::new(index)).kind {
                let act = Act { program, timeouts, waiting_at: Some(PointId::new(index)) };
                act.note_passed_over(body, row);
            }
        }
        for place in resting_places(program) {
            let act = Act { program, timeouts, waiting_at: None };
            act.note_passed_over(place, &mut rows[place.index()]);
        }
        close(program, &mut rows);
        Self { rows }
    }

    /// The absences that an agent can observe from a state on.
    pub(super) fn missed(&self, program: &Program, state: &AgentState) -> Missed {
        let bits = self.rows.first().map_or(0, |row| row.instead.len());
        let mut all = Row::new(bits);
        union_over_nodes(program, state, |point| all.add(&self.rows[point.index()]));
        let held = state.mailbox.iter().fold(0, |held, message| held | bit(message.performative));
        let (mut surely, mut others) = (all.surely, Vec::new());
        for (number, &instead) in all.instead.iter().enumerate() {
            let performative = 1 << number;
            if instead & held != 0 {
                surely |= performative;
            } else if instead != 0 && surely & performative == 0 {
                others.push((performative, instead));
            }
        }
        Missed { surely, instead: others.into() }
    }
}

/// Adds to the row of each point those of its successors and callees: a least fixed point.
fn close(program: &Program, rows: &mut [Row]) {
    for_each_circle(program, |circle, successors| {
        let mut all = rows[circle[0].index()].clone();
        for point in circle[1..].iter().chain(successors) {
            all.add(&rows[point.index()]);
        }
        for point in circle {
            rows[point.index()].clone_from(&all);
        }
    });
}

/// The asks, sends and receives at which a thread may come to rest: those reached silently from where an action, a
/// timeout, a call or a side of a `par` leads.
fn resting_places(program: &Program) -> BTreeSet<PointId> {
    let mut todo: Vec<Goto> = program.clauses.iter().map(|clause| Goto::Point(clause.body)).collect();
    for point in &program.points {
        match &point.kind {
            PointKind::Ask { ok, err, target, .. } => {
                todo.push(*ok);
                // An unexpected answer is an action too.
                todo.extend(target.compared().map(|_| err.to));
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

/// Acts that start from one place.
struct Act<'p> {
    program: &'p Program,
    timeouts: Timeouts,
    /// The `waitfor` that they start from, if any. Returning to it is no step.
    waiting_at: Option<PointId>,
}

/// What an act may still lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Possible {
    /// A step that needs no message.
    always: bool,
    /// A receive of one of these.
    taken: Performatives,
}

impl Act<'_> {
    /// Records the receives that an act starting at a point may skip, each with what it may then lead to.
    fn note_passed_over(&self, start: PointId, row: &mut Row) {
        let mut known = HashMap::new();
        let mut seen = HashSet::new();
        let mut todo = vec![start];
        while let Some(point) = todo.pop() {
            if !seen.insert(point) {
                continue;
            }
            let next = match &self.program.point(point).kind {
                PointKind::Skip { ok } => *ok,
                PointKind::Fail { err } | PointKind::Ask { err, .. } | PointKind::Send { err, .. } => err.to,
                PointKind::Receive { performative, err, .. } => {
                    let Possible { always, taken } = self.possible_from(err.to, &mut known);
                    if always {
                        row.surely |= bit(*performative);
                    }
                    row.instead[bit(*performative).trailing_zeros() as usize] |= taken;
                    err.to
                }
                // The callee is analysed from its own start; what follows the call, as if the act began there.
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
    }

    /// What an act may lead to that has just skipped a receive and continues at `from`. `known` has what was found from
    /// other points: they follow each other in a long `or`.
    fn possible_from(&self, from: Goto, known: &mut HashMap<PointId, Possible>) -> Possible {
        let mut path: Vec<PointId> = Vec::new();
        let mut on_path = HashSet::new();
        let mut goto = from;
        let mut possible = loop {
            let Goto::Point(point) = goto else { break Possible { always: true, taken: 0 } };
            if let Some(&possible) = known.get(&point) {
                break possible;
            }
            if !on_path.insert(point) {
                // Round in a circle, past all receives in it.
                let circle = path.iter().skip_while(|&&it| it != point);
                let taken = circle.fold(0, |taken, &it| taken | self.takes(it));
                break Possible { always: true, taken };
            }
            goto = match &self.program.point(point).kind {
                PointKind::Skip { ok } => *ok,
                PointKind::Fail { err } | PointKind::Receive { err, .. } => err.to,
                PointKind::Wait { timeout, .. } => {
                    let in_time = self.timeouts == Timeouts::Any && timeout.is_some();
                    break Possible { always: Some(point) != self.waiting_at || in_time, taken: 0 };
                }
                PointKind::Ask { .. }
                | PointKind::Send { .. }
                | PointKind::Call { .. }
                | PointKind::Par { .. } => break Possible { always: true, taken: 0 },
            };
            path.push(point);
        };
        for point in path.into_iter().rev() {
            possible.taken |= self.takes(point);
            known.insert(point, possible);
        }
        possible
    }

    /// What a point receives.
    fn takes(&self, point: PointId) -> Performatives {
        match &self.program.point(point).kind {
            PointKind::Receive { performative, .. } => bit(*performative),
            _ => 0,
        }
    }
}
