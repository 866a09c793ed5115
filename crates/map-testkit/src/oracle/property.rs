//! Properties, judged by their definitions: sets of states are searched again for every question, and formulas are
//! evaluated as they are written. What the reference judges as linear temporal logic goes to the plain judge of it.

mod claim;
mod graph;
mod judge;
mod moment;
mod temporal;
mod vocabulary;

pub use vocabulary::{RoleWords, Vocabulary, vocabulary};

use map_syntax::ast::{File, Formula};

use super::OracleOptions;
use super::cast::{Cast, Setting};
use graph::Graph;
use judge::Judge;

/// The answer about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Holds(Rests),
    /// It is violated.
    Violated(Evidence),
    /// Some run does what it says is possible.
    Shown(Evidence),
    /// It would take too long.
    NotJudged,
}

/// What shows something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// How many steps it takes at least, where that can be said. To stay where it is takes a run none.
    pub steps: Option<u32>,
    /// Whether it takes open comparisons; of that many steps, if their number is said.
    pub rests: Rests,
}

/// Whether an answer rests on open comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rests {
    /// It does not.
    No,
    /// It does, unless the beginning of some run is enough that does not rest on any, however it goes on.
    Mostly,
    /// It does.
    Yes,
}

/// Judges formulas that the static rules allow, in fair runs or in all; `None` if the scene has too many states, or no
/// first one.
#[must_use]
pub fn judge_formulas(
    file: &File,
    options: &OracleOptions,
    fair: bool,
    formulas: &[Formula],
) -> Option<Vec<Judgement>> {
    let cast = Cast::new(file, options);
    let setting = Setting::new(file, &cast, options);
    let graph = Graph::new(&setting)?;
    let judge = Judge { setting: &setting, graph: &graph, fair };
    Some(formulas.iter().map(|formula| judge.formula(formula)).collect())
}
