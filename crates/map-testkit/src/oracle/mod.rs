//! The naive oracle: a breadth-first model checker that follows the language reference sentence by sentence.
//!
//! A state is a plain value that is cloned and compared; nothing is interned, memoised or reduced. Quotations in the
//! comments are from the language reference.

mod act;
mod action;
mod bag;
mod call;
mod can_fail;
mod cast;
mod choice;
mod expression;
mod flow;
mod memory;
mod procedure;
mod property;
mod run;
mod search;
mod state;
mod unify;
mod verdict;
mod weight;

#[cfg(test)]
mod tests;

pub use property::{
    Evidence, Judgement, NaiveCost, Rests, RoleWords, SeenAction, SeenAgent, SeenStep, Vocabulary,
    judge_formulas, judge_formulas_after, naive_built_in_costs, naive_costs, vocabulary,
};

use std::collections::BTreeSet;

use map_diagnostics::Span;
use map_syntax::ast;

/// Which scene to explore, with which cast and bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleOptions {
    /// `--scene`: the scene's name; `None` for the first.
    pub scene: Option<String>,
    /// `--agents`: "a role, else an agent name", without sigil, and how many.
    pub agents: Vec<(String, u32)>,
    /// `--set`: another first value of a cell, for all agents of the role.
    pub set: Vec<FirstValue>,
    /// `--depth`: "the most activations one thread may hold open". The tool's default is 50.
    pub depth: u32,
    /// `--rounds N`: "the most calls each agent makes in all".
    pub rounds: Option<u32>,
    /// `--rounds bidloop=N`: "calls whose first argument is that constant".
    pub rounds_of: Vec<(String, u32)>,
    /// `--mailbox`: "a send that would make a mailbox longer is a *mailbox overflow*". The tool's default is 50.
    pub mailbox: u32,
    /// `--timeouts any` instead of `quiescent`.
    pub any_time: bool,
    /// `--network unordered`: "mailboxes are bags, a receive may take any message that matches".
    pub unordered: bool,
    /// `--network delayed`: "messages are under way for a while".
    pub delayed: bool,
    /// `--network lossy:K`: "up to K copies of messages are lost in a run".
    pub losses: u32,
    /// `--network crash:K`: "up to K agents stop for ever".
    pub crashes: u32,
    /// The number of states after which the search gives up.
    pub max_states: usize,
}

/// Another first value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstValue {
    /// The role, without sigil.
    pub role: String,
    /// The cell, without sigil.
    pub cell: String,
    /// The value as it is written.
    pub text: String,
    /// The value.
    pub value: ast::TermKind,
}

impl OracleOptions {
    /// The tool's defaults with a limit on the number of states.
    #[must_use]
    pub fn new(max_states: usize) -> Self {
        Self {
            scene: None,
            agents: Vec::new(),
            set: Vec::new(),
            depth: 50,
            rounds: None,
            rounds_of: Vec::new(),
            mailbox: 50,
            any_time: false,
            unordered: false,
            delayed: false,
            losses: 0,
            crashes: 0,
            max_states,
        }
    }
}

/// What the oracle found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleReport {
    /// The termination verdict in the words of the reference: `terminates`, `terminates if fair`, the kind of the
    /// violation with the shortest trace, or `inconclusive`.
    pub verdict: String,
    /// Whether every reachable state was visited.
    pub complete: bool,
    /// Whether some step was cut: "with cuts a verdict holds within these bounds".
    pub cut: bool,
    /// Whether the verdict is a violation that rests on an open comparison.
    pub possible: bool,
    /// The length of the shortest trace to the violation that is the verdict.
    pub steps: Option<u32>,
    /// The number of reachable states.
    pub states: usize,
    /// The number of distinct (state, thread, kind of step, next state).
    pub transitions: usize,
    /// One entry for each kind that occurs: the kind, the length of a shortest trace, and whether it is only possible.
    /// Sorted by length, then in the order of the reference.
    pub violations: Vec<(String, u32, bool)>,
    /// The actions, calls, `skip`s and `fail`s that ran in a step that was taken or on the way to the first places.
    pub operations_run: BTreeSet<Span>,
    /// The clauses entered likewise, as indices into the clauses of the scene.
    pub clauses_entered: BTreeSet<usize>,
    /// The agents that took a step, including one that went wrong; crashes do not count.
    pub agents_acted: BTreeSet<String>,
    /// The messages left unread in some run: performative, arity, recipient.
    pub unread: BTreeSet<(String, usize, String)>,
}

/// Explores every state of a scene of a file that obeys the static rules.
///
/// # Panics
///
/// If the file breaks a static rule in a way that leaves a value undefined.
#[must_use]
pub fn explore(file: &ast::File, options: &OracleOptions) -> OracleReport {
    let cast = cast::Cast::new(file, options);
    let setting = cast::Setting::new(file, &cast, options);
    let mut found = search::Found::beginning();
    let first = search::initial_states(&setting, &mut found);
    verdict::judge(search::search(&setting, first, found))
}

/// Explores what follows on some steps. Lengths are counted from there. `None` if several states are reached by steps
/// that look like these, or the scene has too many.
///
/// # Panics
/// If no steps look like these.
#[must_use]
pub fn explore_after(file: &ast::File, options: &OracleOptions, steps: &[SeenStep]) -> Option<OracleReport> {
    let cast = cast::Cast::new(file, options);
    let setting = cast::Setting::new(file, &cast, options);
    let first = property::state_after(&setting, steps)?;
    Some(verdict::judge(search::search(&setting, vec![first], search::Found::beginning())))
}
