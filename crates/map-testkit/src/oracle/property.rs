//! Properties, judged by their definitions: every question searches the states anew, and formulas are evaluated as
//! written. Those that the reference treats as linear temporal logic go to the naive judge of temporal formulas.

mod begun;
mod claim;
mod costs;
mod graph;
mod judge;
mod moment;
mod past;
mod temporal;
mod vocabulary;
mod written_out;

pub use begun::{SeenAction, SeenAgent, SeenStep};
pub use costs::{NaiveCost, naive_built_in_costs, naive_costs};
pub use vocabulary::{RoleWords, Vocabulary, vocabulary};

use map_syntax::ast::{Atom, File, Formula, FormulaPart, QuantityKind, StatusWord};

use super::OracleOptions;
use super::cast::{Cast, Setting};
use super::state::State;
use crate::temporal::Runs;
use begun::node_after;
use graph::Graph;
use judge::Judge;
use past::{Memory, compares_openly, has_negative};
use written_out::written_out;

/// The judgement of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Holds(Rests),
    /// It is violated.
    Violated(Evidence),
    /// It says that something is possible, and some run shows it.
    Shown(Evidence),
    /// Not judged, because it would take too long.
    NotJudged,
}

/// The evidence for a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The minimum number of steps of a run that shows it, where that is determined. A run that stays where it is takes
    /// no further steps.
    pub steps: Option<u32>,
    /// Whether it rests on open comparisons; if `steps` is given, for runs of that length.
    pub rests: Rests,
}

/// Whether a judgement rests on open comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rests {
    /// It does not.
    No,
    /// It does, unless a prefix of some run that rests on none is sufficient, however the run continues.
    Mostly,
    /// It does.
    Yes,
}

/// Whether a formula reads costs or measures.
fn reads_costs(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part, _| {
        if let FormulaPart::Atom(Atom::Comparison(left, _, right)) = part {
            let is_read = |kind: &QuantityKind| {
                matches!(kind, QuantityKind::Cost(..) | QuantityKind::Measure(..) | QuantityKind::Sum(_))
            };
            found |= [left, right].into_iter().any(|it| is_read(&it.kind));
        }
    });
    found
}

fn asks_who_waits(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part, _| {
        found |= matches!(part, FormulaPart::Atom(Atom::Status(StatusWord::Waiting, _)));
    });
    found
}

/// Judges formulas that obey the static rules, over these runs; `None` if the scene has too many states, or
/// no first one.
#[must_use]
pub fn judge_formulas(
    file: &File,
    options: &OracleOptions,
    runs: Runs,
    formulas: &[Formula],
) -> Option<Vec<Judgement>> {
    judge_formulas_after(file, options, runs, formulas, &[])
}

/// Judges formulas like [`judge_formulas`], but over what follows on some steps: "a formula is read at the state that
/// they lead to". `None` also if several states are reached by steps that look like these.
///
/// # Panics
/// If none is.
#[must_use]
pub fn judge_formulas_after(
    file: &File,
    options: &OracleOptions,
    runs: Runs,
    formulas: &[Formula],
    steps: &[SeenStep],
) -> Option<Vec<Judgement>> {
    let cast = Cast::new(file, options);
    let setting = Setting::new(file, &cast, options);
    let after = |memory: Option<&Memory>| {
        let graph = Graph::new(&setting, memory)?;
        match steps {
            [] => Some(graph),
            _ => graph.beginning_at(&setting, memory, node_after(&setting, &graph, steps)?),
        }
    };
    let plain = after(None)?;
    let judged = formulas.iter().map(|formula| {
        let formula = written_out(formula, &[]);
        // [`naive_costs`] judges what is paid.
        if reads_costs(&formula) {
            return Judgement::NotJudged;
        }
        // "A property that asks for it is then violated only possibly, and never said to hold."
        if plain.waits_in_doubt && asks_who_waits(&formula) {
            return Judgement::NotJudged;
        }
        let Some(memory) = Memory::of(&formula) else {
            return Judge { setting: &setting, graph: &plain, runs }.formula(&formula);
        };
        if compares_openly(&formula) {
            return Judgement::NotJudged;
        }
        let Some(graph) = after(Some(&memory)) else { return Judgement::NotJudged };
        // A sum of which a part is negative may come back to what was cut off.
        if memory.sums && graph.nodes.iter().any(|node| node.edges.iter().any(has_negative)) {
            return Judgement::NotJudged;
        }
        Judge { setting: &setting, graph: &graph, runs }.formula(&formula)
    });
    Some(judged.collect())
}

/// The state to which steps lead that look like these; `None` if there are several, or the scene has too many.
pub(super) fn state_after<'a>(setting: &Setting<'a>, steps: &[SeenStep]) -> Option<State<'a>> {
    let graph = Graph::new(setting, None)?;
    let node = node_after(setting, &graph, steps)?;
    Some(graph.state(node).clone())
}
