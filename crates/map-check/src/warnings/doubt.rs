//! Failures that an author easily overlooks.
//!
//! A `fail` was written to fail, a send without anybody to get it is a matter of the cast, and whether the heads for a
//! value are complete cannot be seen; so none of these is in doubt here. Nor is a call whose clause fails only after it
//! has done something: what came before the call has then been dealt with.

use map_syntax::ast::{Op, OpKind};

use super::Study;
use crate::analysis::settle;

/// For every clause whether it may fail in such a way.
pub(super) struct Doubt(Vec<bool>);

impl Doubt {
    pub(super) fn new(study: &Study<'_>) -> Self {
        let clauses = &study.checked.scene.clauses;
        let mut doubt = Self(vec![false; clauses.len()]);
        settle(study.analysis.callers(), |clause| {
            let found = !doubt.0[clause]
                && study.silent.fails(clause)
                && doubt.culprit(study, &clauses[clause].body).is_some();
            doubt.0[clause] |= found;
            found
        });
        doubt
    }

    /// The action by which an operation may fail in such a way.
    pub(super) fn culprit<'a>(&self, study: &Study<'_>, op: &'a Op) -> Option<&'a Op> {
        let analysis = &study.analysis;
        let in_doubt = match &op.kind {
            OpKind::Skip | OpKind::Fail | OpKind::Send { .. } => false,
            OpKind::Receive { .. } => true,
            OpKind::Ask { variable, procedure, .. } => {
                analysis.may_refuse(&procedure.text) || !analysis.checked().binds(variable.span)
            }
            OpKind::Call { .. } => analysis.candidates(op).iter().any(|candidate| self.0[candidate.clause]),
            OpKind::Then(parts) | OpKind::Par(parts) => {
                return parts.iter().find_map(|part| self.culprit(study, part));
            }
            OpKind::Or(parts) => {
                return parts
                    .iter()
                    .map(|part| self.culprit(study, part))
                    .reduce(|all, last| all.and(last))?;
            }
            OpKind::Wait { timeout, .. } => return self.culprit(study, timeout.as_deref()?),
        };
        in_doubt.then_some(op)
    }
}
