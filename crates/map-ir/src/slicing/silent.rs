//! Clauses that may be entered again, before the call that first entered them has returned, without any action.

use crate::{ClauseId, Goto, PointId, PointKind, Program};

/// For every clause whether it lies on a cycle of calls that one act can go round without an action. Over-approximated:
/// every failure may happen, and a `waitfor` is gone through as if the act had started at it.
pub(super) fn clauses_entered_again(program: &Program) -> Vec<bool> {
    let calls: Vec<Vec<usize>> =
        (0..program.clauses.len()).map(|clause| silent_calls(program, ClauseId::new(clause))).collect();
    (0..calls.len()).map(|clause| reaches_itself(&calls, clause)).collect()
}

/// The clauses that the clause may call between its start, or a `waitfor` of it, and the first action.
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
            PointKind::Call { candidates, ok, err, .. } => {
                called.extend(candidates.iter().map(|candidate| candidate.clause.index()));
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
