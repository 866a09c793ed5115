//! "Other nestings are judged as LTL over all runs that are weakly fair to each agent": the graph with a letter for each
//! moment, and the formula over propositions, for the plain judge of temporal formulas.

use std::collections::BTreeSet;

use map_syntax::ast::{Formula, FormulaKind, Quantifier, TemporalOperator};

use super::moment::{Environment, holds};
use super::{Judge, Judgement, is_about_a_moment};
use crate::temporal::{self, Formula as Plain, Letter, Move, State, some_run_satisfies};

/// Larger graphs, and formulas with more parts, are not judged: it would take too long.
const MAX_NODES: usize = 150;
const MAX_SIZE: usize = 14;

/// Formulas about one moment that occur in a formula, with what their variables stand for there.
type Propositions = Vec<(Formula, Environment)>;

impl Judge<'_, '_> {
    /// Whether some fair run satisfies the formula; `None` if that is not judged.
    pub(super) fn some_run(&self, formula: &Formula, environment: &Environment) -> Option<bool> {
        let mut propositions = Propositions::new();
        let plain = self.plain(formula, environment, &mut propositions)?;
        if self.graph.nodes.len() > MAX_NODES || size(&plain) > MAX_SIZE {
            return None;
        }
        let found = some_run_satisfies(&self.labelled(&propositions), &plain, true);
        // A run that is cut short may be one of them, or show enough of itself.
        let cut = self.graph.nodes.iter().any(|node| node.cut);
        (found || !cut).then_some(found)
    }

    /// Whether every fair run satisfies the formula; `None` if that is not judged.
    pub(super) fn every_run(&self, formula: &Formula, environment: &Environment) -> Option<bool> {
        let denied = Formula { kind: FormulaKind::Not(Box::new(formula.clone())), span: formula.span };
        self.some_run(&denied, environment).map(|some| !some)
    }

    fn plain(
        &self,
        formula: &Formula,
        environment: &Environment,
        propositions: &mut Propositions,
    ) -> Option<Plain> {
        if is_about_a_moment(formula) {
            propositions.push((formula.clone(), environment.clone()));
            return Some(Plain::Atom(propositions.len() - 1));
        }
        let mut of = |formula: &Formula| self.plain(formula, environment, propositions);
        Some(match &formula.kind {
            FormulaKind::Not(inner) => of(inner)?.negated(),
            FormulaKind::And(parts) => joined(parts.iter().map(of).collect::<Option<_>>()?, Plain::and),
            FormulaKind::Or(parts) => joined(parts.iter().map(of).collect::<Option<_>>()?, Plain::or),
            FormulaKind::Implies(parts) => {
                let mut parts: Vec<Plain> = parts.iter().map(of).collect::<Option<_>>()?;
                let last = parts.pop()?;
                parts.into_iter().rev().fold(last, |behind, premise| premise.negated().or(behind))
            }
            FormulaKind::Temporal(operator, inner) => {
                let inner = of(inner)?;
                match operator {
                    TemporalOperator::Always => inner.always(),
                    TemporalOperator::Eventually => inner.eventually(),
                    TemporalOperator::Never => inner.negated().always(),
                    TemporalOperator::Next => inner.next(),
                }
            }
            FormulaKind::Until(left, right) => of(left)?.until(of(right)?),
            FormulaKind::LeadsTo(left, right) => of(left)?.negated().or(of(right)?.eventually()).always(),
            FormulaKind::Quantified(quantifier, range, body) => {
                let agents = (0..self.setting.cast.agents.len())
                    .filter(|&agent| self.setting.role(agent) == range.role.text);
                let mut all = Vec::new();
                for agent in agents {
                    let mut inner = environment.clone();
                    inner.insert(range.variable.text.clone(), agent);
                    all.push(self.plain(body, &inner, propositions)?);
                }
                match quantifier {
                    Quantifier::Forall => joined(all, Plain::and),
                    Quantifier::Exists if all.is_empty() => Plain::True.negated(),
                    Quantifier::Exists => joined(all, Plain::or),
                }
            }
            // Whether something is possible is the same in all runs.
            FormulaKind::Possible(_) | FormulaKind::Sequence(_) => match self.claim(formula, environment) {
                Judgement::Shown(_) | Judgement::Holds => Plain::True,
                Judgement::Violated(_) => Plain::True.negated(),
                Judgement::NotJudged => return None,
            },
            FormulaKind::Atom(_) => unreachable!("an atom is about a moment"),
        })
    }

    fn labelled(&self, propositions: &Propositions) -> temporal::Graph {
        let letter = |moment: &super::Edge<'_>| -> Letter {
            let holding = propositions
                .iter()
                .enumerate()
                .filter(|(_, (formula, environment))| holds(self.setting, formula, environment, moment));
            holding.map(|(index, _)| index).collect()
        };
        let states = self.graph.nodes.iter().map(|node| State {
            moves: node
                .edges
                .iter()
                .map(|edge| Move { agent: edge.agent, target: edge.target, letter: letter(edge) })
                .collect(),
            enabled: node.enabled.iter().copied().collect::<BTreeSet<usize>>(),
        });
        temporal::Graph {
            first: letter(&self.graph.first_moment()),
            states: states.collect(),
            agents: self.setting.cast.agents.len(),
        }
    }
}

/// A chain; of no formulas the one that is always true.
fn joined(parts: Vec<Plain>, join: fn(Plain, Plain) -> Plain) -> Plain {
    parts.into_iter().reduce(join).unwrap_or(Plain::True)
}

fn size(formula: &Plain) -> usize {
    match formula {
        Plain::True | Plain::Atom(_) => 1,
        Plain::Not(inner) | Plain::Next(inner) => 1 + size(inner),
        Plain::And(left, right) | Plain::Until(left, right) => 1 + size(left) + size(right),
    }
}
