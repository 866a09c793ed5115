//! Failures that an author easily overlooks.
//!
//! Not counted are `fail`, which is deliberate; a send without receivers, which depends on the cast; and a call
//! that no head matches, since completeness of heads cannot be decided here. Nor is a call counted whose clause
//! fails only after doing something: whatever preceded the call counts as dealt with.

use map_syntax::ast::{Op, OpKind};

use super::LintContext;
use crate::analysis::run_to_fixed_point;

/// Whether each clause may fail in such a way, indexed by clause.
pub(super) struct OverlookedFailures(Vec<bool>);

impl OverlookedFailures {
    pub(super) fn new(cx: &LintContext<'_>) -> Self {
        let clauses = &cx.checked.scene.clauses;
        let mut overlooked = Self(vec![false; clauses.len()]);
        run_to_fixed_point(cx.analysis.callers(), |clause| {
            let found = !overlooked.0[clause]
                && cx.silent.fails(clause)
                && overlooked.culprit(cx, &clauses[clause].body).is_some();
            overlooked.0[clause] |= found;
            found
        });
        overlooked
    }

    /// The action through which an operation may fail in such a way.
    pub(super) fn culprit<'a>(&self, cx: &LintContext<'_>, op: &'a Op) -> Option<&'a Op> {
        let analysis = &cx.analysis;
        let counts = match &op.kind {
            OpKind::Skip | OpKind::Fail | OpKind::Hole | OpKind::Send { .. } => false,
            OpKind::Receive { .. } => true,
            OpKind::Ask { variable, procedure, .. } => {
                analysis.may_say_no(&procedure.text) || analysis.checked().compares(variable.as_ref())
            }
            OpKind::Call { .. } => analysis.candidates(op).iter().any(|candidate| self.0[candidate.clause]),
            OpKind::Then(parts) | OpKind::Par(parts) => {
                return parts.iter().find_map(|part| self.culprit(cx, part));
            }
            OpKind::Or(parts) => {
                return parts.iter().map(|part| self.culprit(cx, part)).reduce(|all, last| all.and(last))?;
            }
            OpKind::Wait { timeout, .. } => return self.culprit(cx, timeout.as_deref()?),
        };
        counts.then_some(op)
    }
}
