//! Finds the constructs that the plain scheme cannot express, before anything is written.

use std::collections::BTreeSet;

use map_ir::{
    Body, ClauseId, Goto, Operand, PointId, PointKind, Program, Recipient as Address, Slot, Test, Value,
};
use map_semantics::{Bounds, Network, open_cells};

use crate::kinds::{Flow, Kinds};
use crate::refusal::{Plain, Reason, Refusal};

/// All refusals for a scene.
pub(super) fn refusals(program: &Program, bounds: &Bounds, flow: &Flow) -> Vec<Refusal> {
    let mut found = Vec::new();
    if bounds.counters() > 0 {
        found.push(Refusal { span: None, reason: Reason::Plain(Plain::Rounds) });
    }
    if bounds.network != Network::INSTANT {
        found.push(Refusal { span: None, reason: Reason::Plain(Plain::Network) });
    }
    if open_cells(program).next().is_some() {
        found.push(Refusal { span: None, reason: Reason::Plain(Plain::InitialValues) });
    }
    let checker = PlainChecker { program, flow };
    for index in 0..program.points.len() {
        let id = PointId::new(index);
        if program.part(program.clause(program.point(id).clause).part).agents.is_empty() {
            continue;
        }
        let span = Some(program.point(id).span);
        found.extend(checker.point(id).into_iter().map(|it| Refusal { span, reason: Reason::Plain(it) }));
    }
    found
}

struct PlainChecker<'a> {
    program: &'a Program,
    flow: &'a Flow,
}

impl PlainChecker<'_> {
    fn point(&self, id: PointId) -> Vec<Plain> {
        let program = self.program;
        let clause = program.point(id).clause;
        if program.point(id).kind.expressions().next().is_some() {
            return vec![Plain::Computed];
        }
        match &program.point(id).kind {
            PointKind::Par { .. } => vec![Plain::Par],
            PointKind::Ask { procedure, target, .. } => {
                let body = &program.procedure(*procedure).body;
                let defined = matches!(body, Body::Alternatives(_))
                    || matches!(body, Body::In(values) if values.is_empty());
                let mut found: Vec<Plain> = defined.then_some(Plain::Definition).into_iter().collect();
                found.extend(target.compared().map(|_| Plain::KnownAnswer));
                found
            }
            PointKind::Call { arguments, candidates, ok, err } => {
                let is_last = candidates.iter().all(|it| {
                    *ok == Goto::Return(true)
                        && (!program.clause(it.clause).can_fail || err.to == Goto::Return(false))
                });
                let mut found: Vec<Plain> = (!is_last).then_some(Plain::Call).into_iter().collect();
                let kinds = |place: u32| self.operand(clause, arguments[place as usize]);
                for candidate in candidates {
                    let tests = &program.clause(candidate.clause).head.tests;
                    let open = tests.iter().any(|test| match *test {
                        Test::Operand(place, operand) => open(kinds(place), self.operand(clause, operand)),
                        Test::Same(first, second) => open(kinds(first), kinds(second)),
                    });
                    found.extend(open.then_some(Plain::Comparison));
                }
                found.dedup();
                found
            }
            PointKind::Receive { performative, pattern, .. } => {
                let held = |place: u32| self.flow.message(*performative, place as usize);
                let open = pattern.tests.iter().any(|test| match *test {
                    Test::Operand(place, operand) => open(held(place), self.operand(clause, operand)),
                    Test::Same(first, second) => open(held(first), held(second)),
                });
                open.then_some(Plain::Comparison).into_iter().collect()
            }
            PointKind::Send { agent, role, .. } => {
                let is_open = |address: &Address| matches!(address, Address::Is(it) if self.operand(clause, *it).has(Kinds::ABSTRACT));
                (is_open(agent) || is_open(role)).then_some(Plain::Comparison).into_iter().collect()
            }
            PointKind::Wait { body, timeout } => {
                let mut found = Vec::new();
                if self.polls(*body) {
                    found.push(Plain::Poll);
                }
                let comes_back = |it| self.comes_back(it, id) && !changes_nothing(program, it, id);
                if timeout.is_some_and(comes_back) {
                    found.push(Plain::IdleTimeout);
                }
                found
            }
            PointKind::Skip { .. } | PointKind::Fail { .. } => Vec::new(),
        }
    }

    fn operand(&self, clause: ClauseId, operand: Operand) -> Kinds {
        match operand {
            Operand::Constant(value) => Kinds::of(value),
            Operand::Expression(_) => unreachable!("refused before"),
            Operand::Own => Kinds::of(Value::Agent(map_ir::AgentId::new(0))),
            Operand::Variable(slot) if self.program.clause(clause).own_name == Some(slot) => {
                Kinds::of(Value::Agent(map_ir::AgentId::new(0)))
            }
            Operand::Variable(slot) => self.flow.variable(clause, slot),
        }
    }

    /// Whether an act may reach a decision or a call before it has done anything, so that it polls more than the
    /// mailbox.
    fn polls(&self, body: PointId) -> bool {
        let mut todo = vec![Goto::Point(body)];
        let mut seen = BTreeSet::new();
        while let Some(goto) = todo.pop() {
            let Goto::Point(point) = goto else { continue };
            if !seen.insert(point) {
                continue;
            }
            match &self.program.point(point).kind {
                PointKind::Ask { procedure, .. } if self.program.procedure(*procedure).may_refuse => {
                    return true;
                }
                PointKind::Call { .. } => return true,
                PointKind::Skip { ok } => todo.push(*ok),
                PointKind::Ask { err, .. }
                | PointKind::Fail { err }
                | PointKind::Send { err, .. }
                | PointKind::Receive { err, .. } => todo.push(err.to),
                PointKind::Wait { .. } | PointKind::Par { .. } => {}
            }
        }
        false
    }

    /// Whether a timeout may lead back to its own `waitfor` without any action.
    fn comes_back(&self, timeout: PointId, wait: PointId) -> bool {
        let mut todo = vec![Goto::Point(timeout)];
        let mut seen = BTreeSet::new();
        while let Some(goto) = todo.pop() {
            let Goto::Point(point) = goto else { continue };
            if point == wait {
                return true;
            }
            if !seen.insert(point) {
                continue;
            }
            match &self.program.point(point).kind {
                PointKind::Skip { ok } => todo.push(*ok),
                PointKind::Fail { err } => todo.push(err.to),
                PointKind::Call { candidates, err, .. } => {
                    todo.push(err.to);
                    let bodies = candidates.iter().map(|it| self.program.clause(it.clause).body);
                    todo.extend(bodies.map(Goto::Point));
                }
                _ => {}
            }
        }
        false
    }
}

/// Whether all that happens from a point is a call of the clause that begins with this `waitfor`, with the values that
/// it has: the agent is where it was. Of a timeout, that is no step (language reference, "Waiting and time").
pub(super) fn changes_nothing(program: &Program, from: PointId, wait: PointId) -> bool {
    let mut point = from;
    let PointKind::Call { arguments, candidates, .. } = (loop {
        match &program.point(point).kind {
            PointKind::Skip { ok: Goto::Point(next) } => point = *next,
            kind => break kind,
        }
    }) else {
        return false;
    };
    let Some(first) = candidates.first() else { return false };
    let clause = program.clause(first.clause);
    let same = |&(place, slot): &(u32, Slot)| {
        arguments[place as usize] == Operand::Variable(slot)
            || (arguments[place as usize] == Operand::Own && clause.own_name == Some(slot))
    };
    let passes =
        |test: &Test| matches!(*test, Test::Operand(place, operand) if arguments[place as usize] == operand);
    clause.body == wait
        && program.point(point).clause == first.clause
        && clause.head.tests.iter().all(passes)
        && clause.head.bindings.iter().all(same)
}

/// Whether a comparison of values of these kinds may come out either way, or depends on the identity of fresh
/// values.
fn open(one: Kinds, other: Kinds) -> bool {
    one.has(Kinds::ABSTRACT)
        || other.has(Kinds::ABSTRACT)
        || (one.has(Kinds::FRESH) && other.has(Kinds::FRESH))
}
