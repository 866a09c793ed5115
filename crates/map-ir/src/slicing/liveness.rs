//! Live-variable analysis, restricted to the variables that matter: a backward data-flow fixed point over the control
//! points of each clause.

use super::Slicing;
use crate::{
    Body, Clause, ClauseId, Edge, Goto, Operand, Point, PointId, PointKind, Program, Recipient, Slot, Test,
};

/// For every point, the variables that matter and are live before it, in order.
pub(super) fn analyse(program: &Program, first_arguments: bool, slicing: &Slicing) -> Vec<Vec<Slot>> {
    let mut live = vec![Vec::new(); program.points.len()];
    for (index, clause) in program.clauses.iter().enumerate() {
        let id = ClauseId::new(index);
        let used: Vec<Vec<Slot>> = program.points[clause.points.clone()]
            .iter()
            .map(|point| uses(program, first_arguments, slicing, id, point))
            .collect();
        while one_pass(program, clause, &used, &mut live) {}
    }
    live
}

/// Recomputes every point of a clause; returns whether anything changed. Successors mostly have smaller ids, so few
/// passes are needed.
fn one_pass(program: &Program, clause: &Clause, used: &[Vec<Slot>], live: &mut [Vec<Slot>]) -> bool {
    let mut changed = false;
    for index in clause.points.clone() {
        let mut before = used[index - clause.points.start].clone();
        let mut add = |goto: Goto, without: &[Slot]| {
            if let Goto::Point(next) = goto {
                before.extend(live[next.index()].iter().filter(|slot| !without.contains(slot)));
            }
        };
        let unbound = |edge: &Edge| program.slot_set(edge.unbind);
        match &program.points[index].kind {
            PointKind::Skip { ok } => add(*ok, &[]),
            PointKind::Fail { err } => add(err.to, unbound(err)),
            PointKind::Ask { target, ok, err, .. } => {
                add(*ok, target.bound().as_slice());
                add(err.to, unbound(err));
            }
            PointKind::Receive { pattern, ok, err, .. } => {
                let bound: Vec<Slot> = pattern.bindings.iter().map(|&(_, slot)| slot).collect();
                add(*ok, &bound);
                add(err.to, unbound(err));
            }
            PointKind::Send { ok, err, .. } | PointKind::Call { ok, err, .. } => {
                add(*ok, &[]);
                add(err.to, unbound(err));
            }
            PointKind::Wait { body, timeout } => {
                [Some(*body), *timeout].into_iter().flatten().for_each(|next| add(Goto::Point(next), &[]));
            }
            PointKind::Par { sides, ok, err } => {
                sides.iter().for_each(|&side| add(Goto::Point(side), &[]));
                add(*ok, &[]);
                add(err.to, unbound(err));
            }
        }
        before.sort_unstable();
        before.dedup();
        if live[index] != before {
            live[index] = before;
            changed = true;
        }
    }
    changed
}

/// The variables that matter and are used by the point itself.
fn uses(
    program: &Program,
    first_arguments: bool,
    slicing: &Slicing,
    clause: ClauseId,
    point: &Point,
) -> Vec<Slot> {
    // Expressions are computed whether or not anybody needs the results.
    let mut used: Vec<Slot> = point.kind.expressions().flat_map(|it| program.variables_of(it)).collect();
    let mut need = |operand: &Operand| {
        if let Operand::Variable(slot) = operand {
            used.push(*slot);
        }
    };
    match &point.kind {
        PointKind::Skip { .. } | PointKind::Fail { .. } | PointKind::Wait { .. } | PointKind::Par { .. } => {}
        PointKind::Ask { procedure, arguments, target, .. } => {
            if matches!(program.procedure(*procedure).body, Body::Alternatives(_)) {
                arguments.iter().for_each(&mut need);
            }
            if let Some(variable) = target.compared() {
                need(&Operand::Variable(variable));
            }
        }
        PointKind::Send { performative, arguments, agent, role, .. } => {
            for recipient in [agent, role] {
                if let Recipient::Is(operand) = recipient {
                    need(operand);
                }
            }
            let passed = arguments.iter().enumerate();
            passed.filter(|&(place, _)| slicing.argument(*performative, place)).for_each(|(_, it)| need(it));
        }
        PointKind::Receive { pattern, .. } => {
            for test in &pattern.tests {
                if let Test::Operand(_, operand) = test {
                    need(operand);
                }
            }
        }
        PointKind::Call { arguments, candidates, .. } => {
            for (place, argument) in arguments.iter().enumerate() {
                let counted = first_arguments && place == 0;
                if counted || candidates.iter().any(|it| passes(program, slicing, it.clause, place)) {
                    need(argument);
                }
            }
        }
    }
    used.retain(|&slot| slicing.variable(clause, slot));
    used
}

/// Whether the argument at a place of a call matters to the callee.
fn passes(program: &Program, slicing: &Slicing, callee: ClauseId, place: usize) -> bool {
    let head = &program.clause(callee).head;
    let tested = |test: &Test| match *test {
        Test::Operand(at, _) => at as usize == place,
        Test::Same(first, second) => first as usize == place || second as usize == place,
    };
    slicing.is_pinned(callee)
        || head.tests.iter().any(tested)
        || head.bindings.iter().any(|&(at, slot)| at as usize == place && slicing.variable(callee, slot))
}

impl Slicing {
    /// The variables that matter and are live at the target of a jump.
    pub fn live_at(&self, goto: Goto) -> &[Slot] {
        match goto {
            Goto::Point(point) => self.live(point),
            Goto::Return(_) | Goto::SideEnd(_) => &[],
        }
    }

    /// The variables that matter and are live after a point, whether it succeeds or fails.
    pub fn live_after(&self, program: &Program, point: PointId) -> impl Iterator<Item = Slot> + '_ {
        let kind = &program.point(point).kind;
        let ok = kind.ok().map(|goto| self.live_at(goto)).unwrap_or_default();
        let err = kind.err().map(|edge| self.live_at(edge.to)).unwrap_or_default();
        ok.iter().chain(err).copied()
    }
}
