//! Control flow after an operation, within its clause and out of a clause that has failed.

use map_syntax::ast::{Op, OpKind};

use crate::Analysis;
use crate::analysis::run_to_fixed_point;

/// What a failure leads to, within the clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnFailure<'a> {
    /// This `waitfor` tries again.
    Retry(&'a Op),
    /// This alternative is next.
    Next(&'a Op),
    /// The clause fails.
    Clause,
}

/// What follows a success, within the clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum After<'a> {
    /// Nothing: the clause succeeds.
    Nothing,
    /// This step.
    Step(&'a Op),
    /// Waiting for the other sides of a `par`.
    Join,
}

/// The continuations of an operation in its clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing<'a> {
    pub(super) on_failure: OnFailure<'a>,
    pub(super) after: After<'a>,
}

/// Visits the operations of a clause that can run, in pre-order. Alternatives after one that cannot fail, and steps
/// after a `fail`, cannot run.
pub(super) fn visit<'a>(
    analysis: &Analysis<'a>,
    clause: usize,
    visitor: &mut dyn FnMut(&'a Op, Standing<'a>),
) {
    let body = &analysis.checked().scene.clauses[clause].body;
    let outside = Standing { on_failure: OnFailure::Clause, after: After::Nothing };
    Visit { analysis, clause, visitor }.op(body, outside);
}

struct Visit<'v, 'a> {
    analysis: &'v Analysis<'a>,
    clause: usize,
    visitor: &'v mut dyn FnMut(&'a Op, Standing<'a>),
}

impl<'a> Visit<'_, 'a> {
    fn op(&mut self, op: &'a Op, standing: Standing<'a>) {
        (self.visitor)(op, standing);
        match &op.kind {
            OpKind::Then(steps) => {
                for (index, step) in steps.iter().enumerate() {
                    let after = steps.get(index + 1).map_or(standing.after, After::Step);
                    self.op(step, Standing { after, ..standing });
                    if matches!(step.kind, OpKind::Fail) {
                        break;
                    }
                }
            }
            OpKind::Or(alternatives) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    let on_failure = alternatives.get(index + 1).map_or(standing.on_failure, OnFailure::Next);
                    self.op(alternative, Standing { on_failure, ..standing });
                    if !self.analysis.can_fail(self.clause, alternative) {
                        break;
                    }
                }
            }
            OpKind::Par(sides) => {
                for side in sides {
                    self.op(side, Standing { after: After::Join, ..standing });
                }
            }
            OpKind::Wait { body, timeout } => {
                self.op(body, Standing { on_failure: OnFailure::Retry(op), ..standing });
                if let Some(timeout) = timeout {
                    self.op(timeout, standing);
                }
            }
            OpKind::Call { .. }
            | OpKind::Skip
            | OpKind::Fail
            | OpKind::Hole
            | OpKind::Ask { .. }
            | OpKind::Send { .. }
            | OpKind::Receive { .. } => {}
        }
    }
}

/// What a failure of a clause can lead to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate<'a> {
    /// It can make the agent fail.
    pub(super) ends_agent: bool,
    /// A call through which it can make the agent fail; `None` for an entry clause.
    pub(super) called_at: Option<&'a Op>,
    /// A `waitfor` or alternative around a call that can catch it.
    pub(super) caught: Option<OnFailure<'a>>,
}

/// The fates of all clauses.
pub(super) struct Fates<'a>(Vec<Fate<'a>>);

impl<'a> Fates<'a> {
    pub(super) fn new(analysis: &Analysis<'a>, reached: &[bool]) -> Self {
        let checked = analysis.checked();
        let count = checked.clauses.len();
        let mut fates = vec![Fate::default(); count];
        for part in &checked.parts {
            fates[part.entry].ends_agent = true;
        }
        let mut calls: Vec<Vec<(&'a Op, OnFailure<'a>)>> = vec![Vec::new(); count];
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); count];
        for clause in (0..count).filter(|&clause| reached[clause]) {
            visit(analysis, clause, &mut |op, standing| {
                if let OpKind::Call { .. } = &op.kind {
                    calls[clause].push((op, standing.on_failure));
                    callees[clause].extend(analysis.candidates(op).iter().map(|candidate| candidate.clause));
                }
            });
        }
        run_to_fixed_point(&callees, |caller| {
            let mut changed = false;
            let outside = fates[caller];
            for &(op, on_failure) in &calls[caller] {
                let (ends_agent, caught) = match on_failure {
                    OnFailure::Clause => (outside.ends_agent, outside.caught),
                    caught => (false, Some(caught)),
                };
                for candidate in analysis.candidates(op) {
                    let fate = &mut fates[candidate.clause];
                    if ends_agent && !fate.ends_agent {
                        (fate.ends_agent, fate.called_at, changed) = (true, Some(op), true);
                    }
                    if caught.is_some() && fate.caught.is_none() {
                        (fate.caught, changed) = (caught, true);
                    }
                }
            }
            changed
        });
        Self(fates)
    }

    /// What a failure of a clause can lead to.
    pub(super) fn of(&self, clause: usize) -> Fate<'a> {
        self.0[clause]
    }
}
