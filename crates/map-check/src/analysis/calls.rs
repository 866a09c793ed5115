//! The call graph of a scene: every call with the clauses it may enter.

use indexmap::IndexMap;
use map_syntax::ast::{Op, OpKind, Term};

use super::Candidate;
use crate::heads::HeadIndex;
use crate::{CheckedScene, HeadMatch, walk};

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    /// Index of the clause that contains it.
    pub(crate) caller: usize,
    /// Its arguments.
    pub(crate) arguments: &'a [Term],
    /// The clauses it may enter.
    pub(crate) candidates: Vec<Candidate>,
}

/// The calls of a scene, indexed by the start of their spans.
#[derive(Clone, Debug)]
pub(crate) struct Calls<'a> {
    list: Vec<Call<'a>>,
    by_start: IndexMap<u32, usize>,
    callers: Vec<Vec<usize>>,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(checked: &'a CheckedScene<'a>) -> Self {
        let heads = HeadIndex::new(checked.scene, checked.clauses.iter().map(|clause| clause.part));
        let mut calls = Self {
            list: Vec::new(),
            by_start: IndexMap::new(),
            callers: vec![Vec::new(); checked.clauses.len()],
        };
        for (caller, clause) in checked.scene.clauses.iter().enumerate() {
            walk::operations(&clause.body, &mut |op| {
                if let OpKind::Call { arguments } = &op.kind {
                    let mut alike: Vec<usize> = heads.of(checked.clauses[caller].part, arguments).collect();
                    alike.sort_unstable();
                    let candidates = candidates(checked, &alike, arguments);
                    for candidate in &candidates {
                        let callers = &mut calls.callers[candidate.clause];
                        if callers.last() != Some(&caller) {
                            callers.push(caller);
                        }
                    }
                    calls.by_start.insert(op.span.start, calls.list.len());
                    calls.list.push(Call { caller, arguments, candidates });
                }
            });
        }
        calls
    }

    pub(crate) fn list(&self) -> &[Call<'a>] {
        &self.list
    }

    pub(crate) fn callers(&self) -> &[Vec<usize>] {
        &self.callers
    }

    pub(crate) fn candidates(&self, call: &Op) -> &[Candidate] {
        match (&call.kind, self.by_start.get(&call.span.start)) {
            (OpKind::Call { .. }, Some(&index)) => &self.list[index].candidates,
            _ => &[],
        }
    }
}

/// The clauses that may match the call, out of `clauses` (in order), up to and including the first that is certain
/// to.
fn candidates(checked: &CheckedScene<'_>, clauses: &[usize], arguments: &[Term]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for &clause in clauses {
        match checked.match_clause(clause, arguments) {
            HeadMatch::Never => {}
            HeadMatch::Maybe => candidates.push(Candidate { clause, certain: false }),
            HeadMatch::Certain => {
                candidates.push(Candidate { clause, certain: true });
                break;
            }
        }
    }
    candidates
}
