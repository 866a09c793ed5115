//! Clauses that may be re-entered, before the call that first entered them has returned, without any action.

use crate::{Candidate, ClauseId, Goto, Operand, PointId, PointKind, Program, Test};

/// For every clause, whether it lies on a cycle of calls that one act can traverse without an action. An
/// over-approximation: every failure may happen, and a `waitfor` is passed as if the act had started at it.
pub(super) fn clauses_entered_again(program: &Program) -> Vec<bool> {
    let calls: Vec<Vec<usize>> =
        (0..program.clauses.len()).map(|clause| silent_calls(program, ClauseId::new(clause))).collect();
    (0..calls.len()).map(|clause| reaches_itself(&calls, clause)).collect()
}

/// The clauses that a clause may call between its start, or one of its `waitfor`s, and the first action.
fn silent_calls(program: &Program, clause: ClauseId) -> Vec<usize> {
    let mut called = Vec::new();
    let mut seen = vec![false; program.clause(clause).points.len()];
    let first = program.clause(clause).points.start;
    let waits = program.clause(clause).points.clone().map(PointId::new);
    let waits = waits.filter(|&point| matches!(program.point(point).kind, PointKind::Wait { .. }));
    let mut todo: Vec<PointId> = waits.chain([program.clause(clause).body]).collect();
    while let Some(point) = todo.pop() {
        if std::mem::replace(&mut seen[point.index() - first], true) {
            continue;
        }
        let kind = &program.point(point).kind;
        let mut go = |goto: Goto| {
            if let Goto::Point(next) = goto {
                todo.push(next);
            }
        };
        match kind {
            PointKind::Skip { ok } => go(*ok),
            PointKind::Fail { err }
            | PointKind::Ask { err, .. }
            | PointKind::Send { err, .. }
            | PointKind::Receive { err, .. } => go(err.to),
            PointKind::Wait { body, .. } => todo.push(*body),
            PointKind::Call { arguments, candidates, ok, err } => {
                called.extend(possible_callees(program, clause, arguments, candidates));
                go(*ok);
                go(err.to);
            }
            PointKind::Par { sides, ok, err } => {
                go(*ok);
                go(err.to);
                todo.extend(sides);
            }
        }
    }
    called.sort_unstable();
    called.dedup();
    called
}

/// The clauses that a call may reach with arguments equal to earlier ones: its candidates, and clauses that are no
/// candidates only because the call names one variable twice; another call may pass the same values from different
/// variables.
fn possible_callees(
    program: &Program,
    caller: ClauseId,
    arguments: &[Operand],
    candidates: &[Candidate],
) -> impl Iterator<Item = usize> {
    let last = candidates.last().filter(|it| it.certain).map(|it| it.clause);
    let clauses = &program.part(program.clause(caller).part).clauses;
    let before = clauses.iter().take_while(move |&&clause| Some(clause) != last);
    let may_match = move |clause: &&ClauseId| {
        let head = program.clause(**clause);
        head.arity == arguments.len()
            && head.head.tests.iter().all(|test| match test {
                Test::Operand(place, Operand::Constant(wanted)) => match arguments.get(*place as usize) {
                    Some(Operand::Constant(given)) => given == wanted,
                    _ => true,
                },
                _ => true,
            })
    };
    before.filter(may_match).copied().chain(last).map(ClauseId::index)
}

fn reaches_itself(calls: &[Vec<usize>], clause: usize) -> bool {
    let mut seen = vec![false; calls.len()];
    let mut todo = calls[clause].clone();
    while let Some(next) = todo.pop() {
        if next == clause {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            todo.extend(&calls[next]);
        }
    }
    false
}
