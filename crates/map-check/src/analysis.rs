//! Static analyses of a checked scene: which clauses a call may enter, what can fail, and which variables are known
//! to hold an agent of a role.

mod calls;
mod can_fail;
mod fixed_point;
mod known_agents;

use map_syntax::ast::Op;

use crate::CheckedScene;
use crate::analysis::calls::Calls;
use crate::analysis::known_agents::KnownAgents;

pub(crate) use calls::Call;
pub(crate) use fixed_point::run_to_fixed_point;

/// A clause whose head a call may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Index of the clause.
    pub clause: usize,
    /// Whether the head matches for all values of the variables. Later clauses are then not candidates.
    pub certain: bool,
}

/// The analyses of one scene under its cast. They run once, in [`Analysis::new`]; queries are cheap.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    checked: &'a CheckedScene<'a>,
    calls: Calls<'a>,
    known: KnownAgents<'a>,
    can_fail: Vec<bool>,
}

impl<'a> Analysis<'a> {
    /// Analyses a scene.
    #[must_use]
    pub fn new(checked: &'a CheckedScene<'a>) -> Self {
        let calls = Calls::new(checked);
        let known = KnownAgents::new(checked, &calls);
        let mut analysis = Self { checked, calls, known, can_fail: vec![false; checked.scene.clauses.len()] };
        analysis.find_what_can_fail();
        analysis
    }

    /// The scene.
    #[must_use]
    pub fn checked(&self) -> &'a CheckedScene<'a> {
        self.checked
    }

    /// The clauses whose heads a call of the scene may match, in order, up to and including the first that is
    /// certain to match. Empty for operations other than calls.
    #[must_use]
    pub fn candidates(&self, call: &Op) -> &[Candidate] {
        self.calls.candidates(call)
    }

    /// Whether each clause can fail, indexed by clause.
    #[must_use]
    pub fn clauses_that_can_fail(&self) -> &[bool] {
        &self.can_fail
    }

    /// All calls of the scene, clause by clause.
    pub(crate) fn calls(&self) -> &[Call<'a>] {
        self.calls.list()
    }

    /// The callers of each clause, indexed by clause.
    pub(crate) fn callers(&self) -> &[Vec<usize>] {
        self.calls.callers()
    }
}

impl CheckedScene<'_> {
    /// Whether each clause can fail, indexed by clause: a least fixed point over the calls.
    #[must_use]
    pub fn clauses_that_can_fail(&self) -> Vec<bool> {
        Analysis::new(self).can_fail
    }
}
