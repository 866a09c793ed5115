//! What can be said of a checked scene without running it: which clauses a call may enter, what can fail, and which
//! variables are known to hold an agent of a role.

mod calls;
mod can_fail;
mod fixed_point;
mod known_agents;

use map_syntax::ast::Op;

use crate::Checked;
use crate::analysis::calls::Calls;
use crate::analysis::known_agents::KnownAgents;

pub(crate) use calls::Call;
pub(crate) use fixed_point::settle;

/// A clause whose head a call may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Index of the clause.
    pub clause: usize,
    /// Whether the head matches whatever the values of the variables are. Then no later clause is a candidate.
    pub certain: bool,
}

/// The analyses of one scene under its cast. It takes time to make, so it is made once and asked often.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    checked: &'a Checked<'a>,
    calls: Calls<'a>,
    known: KnownAgents<'a>,
    can_fail: Vec<bool>,
}

impl<'a> Analysis<'a> {
    /// Analyses a scene.
    #[must_use]
    pub fn new(checked: &'a Checked<'a>) -> Self {
        let calls = Calls::new(checked);
        let known = KnownAgents::new(checked, &calls);
        let mut analysis = Self { checked, calls, known, can_fail: vec![false; checked.scene.clauses.len()] };
        analysis.find_what_can_fail();
        analysis
    }

    /// The scene.
    #[must_use]
    pub fn checked(&self) -> &'a Checked<'a> {
        self.checked
    }

    /// The clauses whose heads a call of the scene may match, in order, up to the first that is certain to. Empty for
    /// any other operation.
    #[must_use]
    pub fn candidates(&self, call: &Op) -> &[Candidate] {
        self.calls.candidates(call)
    }

    /// For every clause whether it can fail.
    #[must_use]
    pub fn clauses_that_can_fail(&self) -> &[bool] {
        &self.can_fail
    }

    /// All calls of the scene, clause by clause.
    pub(crate) fn calls(&self) -> &[Call<'a>] {
        self.calls.list()
    }

    /// For every clause the clauses that call it.
    pub(crate) fn callers(&self) -> &[Vec<usize>] {
        self.calls.callers()
    }
}

impl Checked<'_> {
    /// For every clause whether it can fail: a least fixed point over the calls.
    #[must_use]
    pub fn clauses_that_can_fail(&self) -> Vec<bool> {
        Analysis::new(self).can_fail
    }
}
