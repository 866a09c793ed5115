//! Whether runs end: what is done for ever lies on cycles of agents, and what is taken for ever is sent for ever
//! (as in
//! P. Ganty and R. Majumdar, "Algorithmic verification of asynchronous programs", 2012). And whether every agent
//! can always
//! end: whether runs end that keep to some answers.

use std::collections::BTreeSet;

use map_graph::strong_components;
use map_ir::{Body, PerformativeId, ProcedureId};
use map_semantics::Timeouts;

use crate::steps::Others;
use crate::table::{Numbered, NumberedStep, NumberedWay, StepResult};
use crate::views::{View, Views};

/// An answer to a decision, whenever it is asked: whether it is other than "no".
pub type Habit = (ProcedureId, bool);

/// The most ways to combine answers that are tried.
const MAX_POLICIES: usize = 2_000;

/// Who receives a message: the place of a fixed agent, or some member.
type Recipient = Option<usize>;

/// A step of an agent that some view shows.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Edge {
    from: u32,
    to: u32,
    taken: Option<(Recipient, PerformativeId)>,
    sent: Vec<(Recipient, PerformativeId)>,
    asked: Option<ProcedureId>,
    refused: Vec<ProcedureId>,
}

/// The steps of all agents.
pub(crate) struct Edges {
    edges: Numbered<Edge>,
    nodes: usize,
    /// The decisions that are asked.
    decisions: BTreeSet<ProcedureId>,
    /// Those that say "no" in some act that comes to nothing, or may.
    in_vain: BTreeSet<ProcedureId>,
}

impl Edges {
    pub(crate) fn new(views: &mut Views<'_>) -> Self {
        let mut edges = Self {
            edges: Numbered::default(),
            nodes: 0,
            decisions: BTreeSet::new(),
            in_vain: BTreeSet::new(),
        };
        let all: Vec<View> = views.explored().collect();
        for view in all {
            edges.add(views, view);
        }
        edges.nodes = edges.edges.iter().map(|it| it.from.max(it.to) as usize + 1).max().unwrap_or(0);
        edges
    }

    fn add(&mut self, views: &mut Views<'_>, view: View) {
        let agents = views.shown(view);
        let steps: Vec<_> = agents.iter().map(|&local| views.table.steps(local)).collect();
        let waits = |place, thread| views.may_wait(view.0, place, thread);
        let quiet = steps.iter().enumerate().all(|(place, it)| it.iter().all(|it| waits(place, it)));
        let times_out = quiet && views.may_time_out(view.0);
        let mut found: Vec<(usize, u32, NumberedWay)> = Vec::new();
        for (place, (&local, threads)) in agents.iter().zip(&steps).enumerate() {
            for thread in threads.iter() {
                let may_time_out = match views.frame.bounds.timeouts {
                    Timeouts::Quiescent => times_out,
                    Timeouts::Any => waits(place, thread),
                };
                let timeouts = if may_time_out { thread.timeouts.as_slice() } else { &[] };
                let ways = thread.acts.iter().chain(timeouts);
                let feasible = ways.filter(|way| views.is_feasible(view.0, place, &way.constraints));
                found.extend(feasible.map(|way| (place, local, way.clone())));
            }
        }
        for (place, local, way) in found {
            self.way(views, place, local, way);
        }
    }

    fn way(&mut self, views: &mut Views<'_>, place: usize, local: u32, way: NumberedWay) {
        let fixed = views.frame.fixed().len();
        let recipient = |place| Some(place).filter(|&place| place < fixed);
        let from = views.table.facts(local).place;
        self.decisions.extend(&way.refused);
        match way.result {
            StepResult::To(step) => {
                let to = views.table.facts(step.next[0]).place;
                let NumberedStep { taken, sent, asked, .. } = step;
                self.decisions.extend(asked);
                let sent = sent.map_or_else(Vec::new, |sent| {
                    let to_others = (sent.others != Others::Nobody).then_some(None);
                    let mut all: Vec<Recipient> =
                        sent.to.iter().map(|&it| recipient(it)).chain(to_others).collect();
                    all.dedup();
                    all.into_iter().map(|to| (to, sent.performative)).collect()
                });
                let performative = |message| views.table.messages[message as usize].performative;
                let taken = taken.map(|message| (recipient(place), performative(message)));
                self.edges.insert(Edge { from, to, taken, sent, asked, refused: way.refused });
            }
            StepResult::ToNothing { perhaps_step } => {
                self.in_vain.extend(&way.refused);
                if perhaps_step {
                    let (taken, sent, asked) = (None, Vec::new(), None);
                    self.edges.insert(Edge { from, to: from, taken, sent, asked, refused: way.refused });
                }
            }
            StepResult::Wrong(_) => {}
        }
    }

    /// Whether every run ends that keeps to these answers.
    pub(crate) fn end(&self, habits: &[Habit]) -> bool {
        let keeps = |edge: &&Edge| {
            habits.iter().all(|&(decision, answers)| match answers {
                true => !edge.refused.contains(&decision),
                false => edge.asked != Some(decision),
            })
        };
        let mut left: Vec<&Edge> = self.edges.iter().filter(keeps).collect();
        loop {
            let before = left.len();
            let component = self.components(&left);
            left.retain(|edge| component[edge.from as usize] == component[edge.to as usize]);
            let sent: BTreeSet<_> = left.iter().flat_map(|edge| &edge.sent).copied().collect();
            left.retain(|edge| edge.taken.is_none_or(|taken| sent.contains(&taken)));
            if left.is_empty() {
                return true;
            }
            if left.len() == before {
                return false;
            }
        }
    }

    /// The number of each node's strong component.
    fn components(&self, edges: &[&Edge]) -> Vec<u32> {
        let mut next = vec![Vec::new(); self.nodes];
        for edge in edges {
            next[edge.from as usize].push(edge.to);
        }
        let mut numbers = vec![0; self.nodes];
        let mut number = 0;
        strong_components(
            self.nodes,
            0..self.nodes as u32,
            |node, cursor: &mut usize| {
                *cursor += 1;
                next[node as usize].get(*cursor - 1).copied()
            },
            |nodes| {
                number += 1;
                nodes.iter().for_each(|&node| numbers[node as usize] = number);
            },
        );
        numbers
    }

    /// Answers to as few decisions as possible with which every run ends, and that leave a step wherever there is
    /// one.
    pub(crate) fn policy(&self, views: &Views<'_>) -> Option<Vec<Habit>> {
        let program = views.frame.program;
        let is_free = |decision: &ProcedureId| {
            let procedure = program.procedure(*decision);
            procedure.may_refuse && !matches!(procedure.body, Body::Alternatives(_))
        };
        let habits: Vec<Habit> = self
            .decisions
            .iter()
            .copied()
            .filter(is_free)
            .flat_map(|it| [(it, false), (it, true)])
            .filter(|&(decision, answers)| answers || !self.in_vain.contains(&decision))
            .collect();
        let mut tried = 0;
        let mut level: Vec<Vec<Habit>> = vec![Vec::new()];
        while !level.is_empty() {
            let mut longer = Vec::new();
            for policy in &level {
                let last = policy.last().map(|&(decision, _)| decision);
                for &habit in habits.iter().filter(|&&(decision, _)| last.is_none_or(|it| it < decision)) {
                    let policy: Vec<Habit> = policy.iter().copied().chain([habit]).collect();
                    tried += 1;
                    if tried > MAX_POLICIES {
                        return None;
                    }
                    if self.end(&policy) {
                        return Some(policy);
                    }
                    longer.push(policy);
                }
            }
            level = longer;
        }
        None
    }
}
