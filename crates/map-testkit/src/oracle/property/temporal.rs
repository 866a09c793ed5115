//! Formulas that are judged as linear temporal logic: the graph with a letter for each moment, and the formula over
//! propositions, for the plain judges of temporal formulas.

use super::claim::Claim;
use super::graph::Edge;
use super::judge::{Judge, is_moment};
use super::{Evidence, Judgement, Rests};
use crate::temporal::{
    self, Formula as Plain, Letter, Move, Runs, State, drawn_run_satisfies, some_run_satisfies,
};

/// Larger graphs, and larger formulas, are not judged: it would take too long.
const MAX_NODES: usize = 150;
const MAX_SIZE: usize = 14;

impl Judge<'_, '_> {
    /// Whether every run is as claimed.
    pub(super) fn as_temporal(&self, claim: &Claim) -> Judgement {
        let mut propositions = Vec::new();
        let denied = plain(claim, &mut propositions).negated();
        if self.graph.nodes.len() > MAX_NODES || size(&denied) > MAX_SIZE {
            return Judgement::NotJudged;
        }
        let cut = self.graph.nodes.iter().any(|node| node.cut);
        if cut && self.runs == Runs::Drawn {
            return Judgement::NotJudged;
        }
        let found = |certain| {
            self.graph.first_moments().any(|first| match self.runs {
                Runs::Drawn => {
                    drawn_run_satisfies(&self.labelled(&propositions, false, &first), &denied, certain)
                }
                runs => {
                    let graph = self.labelled(&propositions, certain, &first);
                    some_run_satisfies(&graph, &denied, runs == Runs::Fair)
                }
            })
        };
        if !found(false) {
            // A run that is cut may be one of them, or may show enough before the cut.
            return if cut { Judgement::NotJudged } else { Judgement::Holds(Rests::No) };
        }
        let rests = match () {
            () if !self.graph.has_doubts() || found(true) => Rests::No,
            () => Rests::Mostly,
        };
        Judgement::Violated(Evidence { steps: None, rests })
    }

    /// The labelled graph of the runs that begin like this. If `certain`, only the part that does not rest on open
    /// comparisons, where every agent that might be owed a turn is enabled.
    fn labelled(&self, propositions: &[Claim], certain: bool, first: &Edge<'_>) -> temporal::Graph {
        let letter = |moment: &Edge<'_>| -> Letter {
            let holding = propositions.iter().enumerate().filter(|(_, claim)| self.is_at(claim, moment));
            holding.map(|(index, _)| index).collect()
        };
        // Its initial state has to be 0.
        let number = |node: usize| match node {
            0 => first.target,
            node if node == first.target => 0,
            node => node,
        };
        let nodes = (0..self.graph.nodes.len()).map(|state| &self.graph.nodes[number(state)]);
        let states = nodes.map(|node| State {
            moves: self
                .edges(node)
                .filter(|edge| !(certain && edge.open))
                .map(|edge| Move {
                    agent: edge.turn,
                    target: number(edge.target),
                    letter: letter(edge),
                    poll: edge.poll,
                    fault: edge.fault,
                    open: edge.open,
                })
                .collect(),
            enabled: if certain { &node.enabled_at_most } else { &node.enabled }.clone(),
        });
        // The ways, too.
        let agents = self.setting.cast.agents.len();
        temporal::Graph { first: letter(first), states: states.collect(), agents: agents + agents * agents }
    }
}

/// The claim as a formula over propositions, which stand for its parts about single moments.
fn plain(claim: &Claim, propositions: &mut Vec<Claim>) -> Plain {
    if is_moment(claim) {
        propositions.push(claim.clone());
        return Plain::Atom(propositions.len() - 1);
    }
    let mut of = |claim: &Claim| plain(claim, propositions);
    match claim {
        Claim::Known(true) => Plain::True,
        Claim::Known(false) => Plain::True.negated(),
        Claim::Not(inner) => of(inner).negated(),
        Claim::And(parts) => joined(parts.iter().map(of), Plain::and),
        Claim::Or(parts) => joined(parts.iter().map(of), Plain::or),
        Claim::Next(inner) => of(inner).next(),
        Claim::Always(inner) => of(inner).always(),
        Claim::Eventually(inner) => of(inner).eventually(),
        Claim::Until(left, right) => {
            let left = of(left);
            left.until(of(right))
        }
        Claim::LeadsTo(left, right) => {
            let left = of(left);
            left.negated().or(of(right).eventually()).always()
        }
        Claim::Moment(..) => unreachable!("a proposition"),
    }
}

fn joined(parts: impl Iterator<Item = Plain>, join: fn(Plain, Plain) -> Plain) -> Plain {
    parts.reduce(join).expect("at least two parts")
}

fn size(formula: &Plain) -> usize {
    match formula {
        Plain::True | Plain::Atom(_) => 1,
        Plain::Not(inner) | Plain::Next(inner) => 1 + size(inner),
        Plain::And(left, right) | Plain::Until(left, right) => 1 + size(left) + size(right),
    }
}
