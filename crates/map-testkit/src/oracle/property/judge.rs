//! Judging claims about all runs, and about some.

use std::collections::VecDeque;

use map_syntax::ast::{Formula, FormulaKind};

use super::super::cast::Setting;
use super::claim::{Claim, claim, is_about_a_moment};
use super::graph::{Edge, Graph, Node};
use super::moment::{Environment, holds};
use super::{Evidence, Judgement, Rests};
use crate::temporal::Runs;

/// Formulas with more than this many parts that are possible only by open comparisons are not judged.
const MAX_OPEN: u32 = 5;

pub(super) struct Judge<'j, 'a> {
    pub(super) setting: &'j Setting<'a>,
    pub(super) graph: &'j Graph<'a>,
    pub(super) runs: Runs,
}

/// The cost of reaching a moment: the number of steps, and whether it takes open comparisons. Less is better.
pub(super) type Cost = (u32, bool);

/// For each node, the least cost of reaching it.
type Costs = Vec<Option<Cost>>;

impl Judge<'_, '_> {
    /// Judges a formula over all runs, or with `possible` over some. Each occurrence of something that is possible only
    /// by open comparisons may be true or false; a judgement that differs between these readings rests on them.
    pub(super) fn formula(&self, formula: &Formula) -> Judgement {
        let mut open = 0;
        let granted = self.read(formula, u32::MAX, &mut open);
        let mut readings = vec![granted];
        if open > MAX_OPEN {
            return Judgement::NotJudged;
        }
        for reading in 0..(1_u32 << open) - 1 {
            readings.push(self.read(formula, reading, &mut 0));
        }
        if readings.contains(&Judgement::NotJudged) {
            return Judgement::NotJudged;
        }
        let same = |it: &Judgement| std::mem::discriminant(it) == std::mem::discriminant(&granted);
        let rests_in = |it: &Judgement| match it {
            Judgement::Violated(evidence) => evidence.rests,
            _ => Rests::No,
        };
        let rests = match readings.iter().all(same) {
            true => readings.iter().map(rests_in).max().unwrap_or(Rests::No),
            false => Rests::Yes,
        };
        match (granted, self.alone(formula)) {
            (Judgement::Holds(_), Some((false, evidence))) => Judgement::Shown(evidence),
            (Judgement::Violated(_), Some((true, evidence))) => Judgement::Violated(evidence),
            (Judgement::Violated(evidence), _) => Judgement::Violated(Evidence { rests, ..evidence }),
            (Judgement::Holds(_), _) => Judgement::Holds(rests),
            (other, _) => other,
        }
    }

    /// The evidence for what is possible, if the whole formula is a `possible` formula or a negation of one; with
    /// whether it is negated.
    fn alone(&self, formula: &Formula) -> Option<(bool, Evidence)> {
        match &formula.kind {
            FormulaKind::Possible(_) | FormulaKind::Sequence(_) => {
                match self.possible(formula, &Environment::new()) {
                    Judgement::Shown(evidence) => Some((false, evidence)),
                    _ => None,
                }
            }
            FormulaKind::Not(inner) => self.alone(inner).map(|(denied, evidence)| (!denied, evidence)),
            _ => None,
        }
    }

    /// The judgement of one reading: the `n`th occurrence of something that is possible only by open comparisons is
    /// true if bit `n` of `reading` is set. Counts these occurrences in `open`.
    fn read(&self, formula: &Formula, reading: u32, open: &mut u32) -> Judgement {
        let read = claim(self.setting, formula, &Environment::new(), true, &mut |formula, environment| {
            Some(match self.possible(formula, environment) {
                Judgement::Shown(Evidence { rests: Rests::No, .. }) => true,
                Judgement::Shown(Evidence { rests: Rests::Mostly, .. }) | Judgement::NotJudged => {
                    return None;
                }
                Judgement::Shown(_) => {
                    *open += 1;
                    reading.checked_shr(*open - 1).unwrap_or(0) & 1 == 1
                }
                _ => false,
            })
        });
        read.map_or(Judgement::NotJudged, |claim| self.every_run_is(&claim))
    }

    fn possible(&self, formula: &Formula, environment: &Environment) -> Judgement {
        match &formula.kind {
            FormulaKind::Sequence(events) => self.sequence(events, environment),
            FormulaKind::Possible(inner) if is_about_a_moment(inner) => {
                self.shown(self.nearest(&|moment| holds(self.setting, inner, environment, moment)))
            }
            FormulaKind::Possible(inner) => {
                // "Else some run is such from its first moment on": it is not so that every run is not.
                let denied = claim(self.setting, inner, environment, false, &mut |_, _| None);
                match denied.map(|denied| self.every_run_is(&denied)) {
                    Some(Judgement::Violated(evidence)) => Judgement::Shown(evidence),
                    Some(Judgement::Holds(_)) => violated(None),
                    _ => Judgement::NotJudged,
                }
            }
            _ => unreachable!("what some run does"),
        }
    }

    fn shown(&self, nearest: Option<Cost>) -> Judgement {
        nearest.map_or_else(|| violated(None), |cost| Judgement::Shown(evidence(Some(cost))))
    }

    /// Whether every run is as claimed: "what is joined by `and` or `forall` outside of all other operators is judged
    /// part by part".
    fn every_run_is(&self, claim: &Claim) -> Judgement {
        match claim {
            Claim::Known(true) => Judgement::Holds(Rests::No),
            Claim::Known(false) => violated(None),
            Claim::And(parts) => self.all(parts),
            Claim::Moment(..) if self.graph.first_moments().all(|first| self.is_at(claim, &first)) => {
                Judgement::Holds(Rests::No)
            }
            Claim::Moment(..) => violated(Some((0, false))),
            Claim::Always(inner) if is_moment(inner) => {
                self.unless(self.nearest(&|moment| !self.is_at(inner, moment)))
            }
            Claim::Eventually(goal) if self.runs == Runs::Drawn && is_moment(goal) => {
                self.unless(self.never_after_all(&|moment| self.is_at(goal, moment)))
            }
            Claim::LeadsTo(premise, goal)
                if self.runs == Runs::Drawn && is_moment(premise) && is_moment(goal) =>
            {
                let (premise, goal) = (
                    |moment: &Edge<'_>| self.is_at(premise, moment),
                    |moment: &Edge<'_>| self.is_at(goal, moment),
                );
                self.unless(self.unanswered(&premise, &goal))
            }
            Claim::Until(left, goal) if self.runs == Runs::Drawn && is_moment(left) && is_moment(goal) => {
                let (left, goal) = (
                    |moment: &Edge<'_>| self.is_at(left, moment),
                    |moment: &Edge<'_>| self.is_at(goal, moment),
                );
                self.unless(self.broken_off(&left, &goal))
            }
            claim => self.as_temporal(claim),
        }
    }

    fn unless(&self, nearest: Option<Cost>) -> Judgement {
        nearest.map_or(Judgement::Holds(Rests::No), |cost| violated(Some(cost)))
    }

    fn all(&self, parts: &[Claim]) -> Judgement {
        let parts: Vec<Judgement> = parts.iter().map(|part| self.every_run_is(part)).collect();
        let violating = parts.iter().filter_map(|part| match part {
            Judgement::Violated(evidence) => Some(evidence.rests),
            _ => None,
        });
        match violating.min() {
            // A part that was not judged may be violated without resting on comparisons.
            Some(rests) if rests == Rests::No || !parts.contains(&Judgement::NotJudged) => {
                Judgement::Violated(Evidence { steps: None, rests })
            }
            None if !parts.contains(&Judgement::NotJudged) => Judgement::Holds(Rests::No),
            _ => Judgement::NotJudged,
        }
    }

    pub(super) fn is_at(&self, claim: &Claim, moment: &Edge<'_>) -> bool {
        let Claim::Moment(formula, environment, wanted) = claim else { unreachable!("about a moment") };
        holds(self.setting, formula, environment, moment) == *wanted
    }

    /// The cost of the nearest such moment.
    fn nearest(&self, wanted: &dyn Fn(&Edge<'_>) -> bool) -> Option<Cost> {
        if self.graph.first_moments().any(|first| wanted(&first)) {
            return Some((0, false));
        }
        self.moments(&self.costs(self.at_the_first(), &|_| true), wanted).map(|(_, cost)| cost).min()
    }

    /// "Violated if and only if a state can be reached, without f before, from which f cannot be reached any more."
    fn never_after_all(&self, goal: &dyn Fn(&Edge<'_>) -> bool) -> Option<Cost> {
        let starts = self.at_first_moments(&|first| !goal(first));
        self.nearest_hopeless(starts, &|moment| !goal(moment), goal)
    }

    /// "Likewise after an f."
    fn unanswered(
        &self,
        premise: &dyn Fn(&Edge<'_>) -> bool,
        goal: &dyn Fn(&Edge<'_>) -> bool,
    ) -> Option<Cost> {
        let opens = |moment: &Edge<'_>| premise(moment) && !goal(moment);
        let mut starts = self.at_first_moments(&opens);
        let everywhere = self.costs(self.at_the_first(), &|_| true);
        for (node, cost) in self.moments(&everywhere, &opens) {
            improve(&mut starts[node], cost);
        }
        self.nearest_hopeless(starts, &|moment| !goal(moment), goal)
    }

    /// "Likewise, or if a moment can be reached at which neither holds, without g before."
    fn broken_off(&self, left: &dyn Fn(&Edge<'_>) -> bool, goal: &dyn Fn(&Edge<'_>) -> bool) -> Option<Cost> {
        if self.graph.first_moments().any(|first| !goal(&first) && !left(&first)) {
            return Some((0, false));
        }
        let goes_on = |moment: &Edge<'_>| left(moment) && !goal(moment);
        let costs = self.costs(self.at_first_moments(&goes_on), &goes_on);
        let is_neither = |moment: &Edge<'_>| !left(moment) && !goal(moment);
        let neither = self.moments(&costs, &is_neither).map(|(_, cost)| cost).min();
        [neither, self.nearest_hopeless(self.at_first_moments(&goes_on), &goes_on, goal)]
            .into_iter()
            .flatten()
            .min()
    }

    /// The cost of the nearest state, from the starts through such moments, from which the goal can no longer be
    /// reached.
    fn nearest_hopeless(
        &self,
        starts: Costs,
        through: &dyn Fn(&Edge<'_>) -> bool,
        goal: &dyn Fn(&Edge<'_>) -> bool,
    ) -> Option<Cost> {
        let reaches = self.graph.can_reach(goal);
        let costs = self.costs(starts, through);
        let reached = costs.iter().enumerate().filter_map(|(node, cost)| Some((node, (*cost)?)));
        reached.filter(|&(node, _)| !reaches[node]).map(|(_, cost)| cost).min()
    }

    /// "In some run these events occur in this order, each at a later moment than the one before."
    fn sequence(&self, events: &[Formula], environment: &Environment) -> Judgement {
        let happens = |event: &Formula, moment: &Edge<'_>| holds(self.setting, event, environment, moment);
        // The first event may hold at the first moment.
        let at_once = match events {
            [first, rest @ ..] => {
                self.in_order(self.at_first_moments(&|moment| happens(first, moment)), rest, &happens)
            }
            [] => None,
        };
        self.shown(
            [at_once, self.in_order(self.at_the_first(), events, &happens)].into_iter().flatten().min(),
        )
    }

    /// The least cost at which the events happen in order from these places on.
    fn in_order(
        &self,
        mut places: Costs,
        events: &[Formula],
        happens: &dyn Fn(&Formula, &Edge<'_>) -> bool,
    ) -> Option<Cost> {
        for event in events {
            let before = self.costs(places, &|_| true);
            places = self.nowhere();
            for (node, cost) in self.moments(&before, &|moment| happens(event, moment)) {
                improve(&mut places[node], cost);
            }
        }
        places.into_iter().flatten().min()
    }

    fn nowhere(&self) -> Costs {
        vec![None; self.graph.nodes.len()]
    }

    fn at_the_first(&self) -> Costs {
        self.at_first_moments(&|_| true)
    }

    /// At the first moments that are wanted.
    fn at_first_moments(&self, wanted: &dyn Fn(&Edge<'_>) -> bool) -> Costs {
        let mut costs = self.nowhere();
        for first in self.graph.first_moments().filter(|first| wanted(first)) {
            costs[first.target] = Some((0, false));
        }
        costs
    }

    /// The least cost of reaching each node through such moments.
    fn costs(&self, mut costs: Costs, through: &dyn Fn(&Edge<'_>) -> bool) -> Costs {
        let mut todo: VecDeque<usize> = (0..costs.len()).filter(|&node| costs[node].is_some()).collect();
        while let Some(node) = todo.pop_front() {
            let Some(cost) = costs[node] else { continue };
            for edge in self.edges(&self.graph.nodes[node]).filter(|edge| through(edge)) {
                if improve(&mut costs[edge.target], by(cost, edge)) {
                    todo.push_back(edge.target);
                }
            }
        }
        costs
    }

    /// The reachable moments that satisfy `wanted`: the node each leads to, and its cost.
    fn moments<'m>(
        &'m self,
        costs: &'m Costs,
        wanted: &'m dyn Fn(&Edge<'_>) -> bool,
    ) -> impl Iterator<Item = (usize, Cost)> + 'm {
        let reached = self.graph.nodes.iter().zip(costs).filter_map(|(node, cost)| Some((node, (*cost)?)));
        reached.flat_map(move |(node, cost)| {
            self.edges(node).filter(|edge| wanted(edge)).map(move |edge| (edge.target, by(cost, edge)))
        })
    }

    /// The edges of a node that belong to runs that count.
    pub(super) fn edges<'n>(&'n self, node: &'n Node<'n>) -> Box<dyn Iterator<Item = &'n Edge<'n>> + 'n> {
        match self.runs {
            Runs::Drawn => Box::new(self.graph.drawn(node)),
            Runs::Fair | Runs::All => Box::new(node.edges.iter()),
        }
    }
}

pub(super) fn is_moment(claim: &Claim) -> bool {
    matches!(claim, Claim::Moment(..))
}

fn by((steps, open): Cost, edge: &Edge<'_>) -> Cost {
    (steps + u32::from(edge.agent.is_some()), open || edge.open)
}

/// Lowers a cost; returns whether it was lowered.
fn improve(known: &mut Option<Cost>, cost: Cost) -> bool {
    let lower = known.is_none_or(|known| cost < known);
    if lower {
        *known = Some(cost);
    }
    lower
}

fn evidence(cost: Option<Cost>) -> Evidence {
    let rests = if cost.is_some_and(|(_, open)| open) { Rests::Yes } else { Rests::No };
    Evidence { steps: cost.map(|(steps, _)| steps), rests }
}

pub(super) fn violated(cost: Option<Cost>) -> Judgement {
    Judgement::Violated(evidence(cost))
}
