//! Formulas judged as linear temporal logic: the negation is translated to an automaton, and a run that it accepts is
//! a counterexample.

use std::borrow::Borrow;

use map_ir::Temporal;
use map_ltl::{Effort, FormulaId, Formulas, Polarity, Word, translate};
use map_semantics::Letter;

use super::drawn::drawn_lasso;
use super::graphs::Graphs;
use super::lasso::{Lasso, accepting_lasso};
use super::product::{Move, Product};
use super::run::Run;
use crate::budget::{Budget, Limit};
use crate::property::form::Form;
use crate::property::graph::{LabelledGraph, LetterId};
use crate::property::verdict::RunEnding;
use crate::report::InternalError;

/// Why a formula could not be judged.
pub(super) enum Unjudged {
    /// A limit was reached.
    Limit(Limit),
    /// Its automaton would be too large.
    TooLarge,
    /// The run found does not violate it: a defect of the engine.
    Contradiction(InternalError),
}

/// The runs that count.
#[derive(Clone, Copy)]
pub(super) enum Runs {
    /// Those that are drawn by lot.
    Drawn,
    /// Those that are weakly fair to the movers `0..` this number.
    FairTo(usize),
}

/// A run that violates the formula: a path whose transitions from some index on are repeated for ever, or a finite
/// prefix that refutes it. It depends on open comparisons only if every such run does.
pub(super) fn violating_run(
    graphs: &Graphs<'_>,
    form: &Form,
    among: Runs,
    budget: &mut Budget<'_>,
) -> Result<Option<Run>, Unjudged> {
    let mut formulas = Formulas::default();
    let id = formula(&mut formulas, form);
    let automaton =
        translate(&formulas, id, Polarity::Negated, Effort::default()).map_err(|_| Unjudged::TooLarge)?;
    let mut accepted_in = |graph, certain| {
        let lasso = match among {
            Runs::FairTo(agents) => accepting_lasso(graph, &automaton, agents, budget),
            Runs::Drawn => Product::new(graph, &automaton, 0, budget)
                .and_then(|product| drawn_lasso(&product, graphs.all, certain, budget)),
        };
        lasso.map_err(Unjudged::Limit)
    };
    let mut open = false;
    let mut lasso = None;
    if let Some(certain) = graphs.certain() {
        lasso = accepted_in(certain, true)?;
        open = lasso.is_none();
    }
    if lasso.is_none() {
        lasso = accepted_in(graphs.all, false)?;
    }
    let Some(lasso) = lasso else { return Ok(None) };
    confirm(graphs.all, &formulas, id, &lasso).map_err(Unjudged::Contradiction)?;
    let Lasso { first, prefix, cycle } = lasso;
    let ending = if cycle.is_empty() { RunEnding::Shown } else { RunEnding::Loop(prefix.len()) };
    let path = prefix.into_iter().chain(cycle).map(|it| (it.source, it.transition)).collect();
    Ok(Some(Run { first, path, ending, open }))
}

/// Whether a run violates a formula, given the letters of `prefix` and then of `cycle` for ever. If the cycle is
/// empty, the prefix has to refute the formula by itself, which is approximated by appending each of its letters for
/// ever.
#[must_use]
pub fn run_violates<L: Borrow<Letter>>(formula: &Temporal, prefix: &[L], cycle: &[L]) -> bool {
    let prefix: Vec<&Letter> = prefix.iter().map(L::borrow).collect();
    let cycle: Vec<&Letter> = cycle.iter().map(L::borrow).collect();
    violates(formula, prefix, cycle)
}

/// The same, compiled once.
fn violates(formula: &Temporal, prefix: Vec<&Letter>, cycle: Vec<&Letter>) -> bool {
    let form = Form::new(formula, &mut |_, _| None);
    if form.has_unknown() {
        return false;
    }
    let mut formulas = Formulas::default();
    let id = self::formula(&mut formulas, &form);
    let holds = |letter: &&Letter, proposition: u32| letter.contains(proposition as usize);
    if !cycle.is_empty() {
        return !formulas.holds_on(id, &Word { prefix, cycle }, holds);
    }
    prefix.iter().all(|&letter| {
        let word = Word { prefix: prefix.clone(), cycle: vec![letter] };
        !formulas.holds_on(id, &word, holds)
    })
}

/// Evaluates the formula on the run itself, without an automaton. A finite prefix is checked with each of its letters
/// repeated for ever after it.
fn confirm(
    graph: &LabelledGraph,
    formulas: &Formulas,
    id: FormulaId,
    lasso: &Lasso,
) -> Result<(), InternalError> {
    let letters = |moves: &[Move]| moves.iter().map(|made| made.transition.letter).collect::<Vec<_>>();
    let prefix = [vec![graph.initial_letter(lasso.first)], letters(&lasso.prefix)].concat();
    let cycles = match letters(&lasso.cycle) {
        none if none.is_empty() => prefix.iter().map(|&letter| vec![letter]).collect(),
        cycle => vec![cycle],
    };
    let holds = |letter: &LetterId, proposition: u32| graph.holds(*letter, proposition as usize);
    for cycle in cycles {
        if formulas.holds_on(id, &Word { prefix: prefix.clone(), cycle }, holds) {
            return Err(InternalError("a run that is to violate a formula satisfies it".to_owned()));
        }
    }
    Ok(())
}

fn formula(formulas: &mut Formulas, form: &Form) -> FormulaId {
    match form {
        Form::Constant(true) => formulas.truth(),
        Form::Constant(false) => formulas.falsity(),
        Form::Unknown => unreachable!("formulas with unknown parts are not judged"),
        Form::Literal(literal) => {
            let atom = formulas.atom(literal.proposition as u32);
            if literal.positive { atom } else { formulas.not(atom) }
        }
        Form::Not(inner) => {
            let inner = formula(formulas, inner);
            formulas.not(inner)
        }
        Form::And(parts) => joined(formulas, parts, Formulas::and),
        Form::Or(parts) => joined(formulas, parts, Formulas::or),
        Form::Next(inner) => {
            let inner = formula(formulas, inner);
            formulas.next(inner)
        }
        Form::Always(inner) => {
            let inner = formula(formulas, inner);
            formulas.always(inner)
        }
        Form::Eventually(inner) => {
            let inner = formula(formulas, inner);
            formulas.eventually(inner)
        }
        Form::Until(left, right) => {
            let (left, right) = (formula(formulas, left), formula(formulas, right));
            formulas.until(left, right)
        }
        Form::LeadsTo(left, right) => {
            let (left, right) = (formula(formulas, left), formula(formulas, right));
            let answered = formulas.eventually(right);
            let each = formulas.implies(left, answered);
            formulas.always(each)
        }
    }
}

/// Joins parts as a balanced tree.
fn joined(
    formulas: &mut Formulas,
    parts: &[Form],
    join: fn(&mut Formulas, FormulaId, FormulaId) -> FormulaId,
) -> FormulaId {
    match parts {
        [only] => formula(formulas, only),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let (left, right) = (joined(formulas, left, join), joined(formulas, right, join));
            join(formulas, left, right)
        }
    }
}
