//! What a thread can get past silently: without an answer, a message sent or received, or a timeout.
//!
//! Sends are assumed to have a receiver and calls a matching head, so that no warning relies on the contrary.

use map_diagnostics::Span;
use map_graph::strong_component_numbers;
use map_syntax::ast::{Op, OpKind};

use super::words;
use crate::Analysis;
use crate::analysis::run_to_fixed_point;

/// How an operation can end silently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outcomes {
    succeeds: bool,
    fails: bool,
}

/// What a clause can reach silently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Leads {
    /// A `waitfor`.
    pub(super) wait: Option<Span>,
    /// A `par`.
    pub(super) par: Option<Span>,
}

/// The silent behaviour of all clauses.
pub(super) struct Silent {
    outcomes: Vec<Outcomes>,
    leads: Vec<Leads>,
    component: Vec<usize>,
}

impl Silent {
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let clauses = &analysis.checked().scene.clauses;
        let mut silent = Self {
            outcomes: vec![Outcomes::default(); clauses.len()],
            leads: vec![Leads::default(); clauses.len()],
            component: Vec::new(),
        };
        run_to_fixed_point(analysis.callers(), |clause| {
            let outcomes = silent.outcomes_of(analysis, &clauses[clause].body);
            std::mem::replace(&mut silent.outcomes[clause], outcomes) != outcomes
        });
        run_to_fixed_point(analysis.callers(), |clause| {
            let leads = silent.leads_of(analysis, &clauses[clause].body);
            let before = silent.leads[clause];
            // Keep the first places found, so that the iteration terminates.
            let leads = Leads { wait: before.wait.or(leads.wait), par: before.par.or(leads.par) };
            silent.leads[clause] = leads;
            before != leads
        });
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); clauses.len()];
        for (clause, edges) in clauses.iter().zip(&mut edges) {
            silent.reach(analysis, &clause.body, &mut |op| {
                edges.extend(analysis.candidates(op).iter().map(|candidate| candidate.clause));
                true
            });
        }
        silent.component = strong_component_numbers(&edges);
        silent
    }

    /// Whether a silent call of `callee` by `caller` lies on a cycle of silent calls. There must be such a call.
    pub(super) fn on_silent_cycle(&self, caller: usize, callee: usize) -> bool {
        self.component[caller] == self.component[callee]
    }

    /// Whether a clause can fail silently.
    pub(super) fn fails(&self, clause: usize) -> bool {
        self.outcomes[clause].fails
    }

    /// What a clause can reach silently.
    pub(super) fn leads(&self, clause: usize) -> Leads {
        self.leads[clause]
    }

    /// Whether an operation can silently reach a `waitfor` or a `par`.
    pub(super) fn reaches_wait_or_par(&self, analysis: &Analysis<'_>, op: &Op) -> bool {
        self.leads_of(analysis, op) != Leads::default()
    }

    fn leads_of(&self, analysis: &Analysis<'_>, op: &Op) -> Leads {
        let mut found = Leads::default();
        self.reach(analysis, op, &mut |op| {
            match &op.kind {
                OpKind::Wait { .. } => found.wait = found.wait.or(Some(words::waitfor(op))),
                OpKind::Par(_) => found.par = found.par.or(Some(words::lead(op))),
                _ => {
                    for candidate in analysis.candidates(op) {
                        let leads = self.leads[candidate.clause];
                        found = Leads { wait: found.wait.or(leads.wait), par: found.par.or(leads.par) };
                    }
                }
            }
            false
        });
        found
    }

    /// Visits the `waitfor`s, `par`s and calls that can be reached silently from the start of an operation. The
    /// visitor returns whether to descend into a `waitfor` or `par`; calls are never followed.
    pub(super) fn reach<'a>(
        &self,
        analysis: &Analysis<'_>,
        op: &'a Op,
        visitor: &mut dyn FnMut(&'a Op) -> bool,
    ) {
        match &op.kind {
            OpKind::Then(steps) => {
                for step in steps {
                    self.reach(analysis, step, visitor);
                    if !self.outcomes_of(analysis, step).succeeds {
                        break;
                    }
                }
            }
            OpKind::Or(alternatives) => {
                for alternative in alternatives {
                    self.reach(analysis, alternative, visitor);
                    if !self.outcomes_of(analysis, alternative).fails {
                        break;
                    }
                }
            }
            OpKind::Par(sides) => {
                if visitor(op) {
                    sides.iter().for_each(|side| self.reach(analysis, side, visitor));
                }
            }
            OpKind::Wait { body, .. } => {
                if visitor(op) {
                    self.reach(analysis, body, visitor);
                }
            }
            OpKind::Call { .. } => {
                visitor(op);
            }
            OpKind::Skip
            | OpKind::Fail
            | OpKind::Hole
            | OpKind::Ask { .. }
            | OpKind::Send { .. }
            | OpKind::Receive { .. } => {}
        }
    }

    fn outcomes_of(&self, analysis: &Analysis<'_>, op: &Op) -> Outcomes {
        let (succeeds, fails) = (true, true);
        match &op.kind {
            OpKind::Skip => Outcomes { succeeds, fails: false },
            OpKind::Fail | OpKind::Hole | OpKind::Receive { .. } => Outcomes { succeeds: false, fails },
            OpKind::Send { .. } => Outcomes::default(),
            OpKind::Ask { procedure, .. } => {
                Outcomes { succeeds: false, fails: analysis.may_say_no(&procedure.text) }
            }
            OpKind::Then(steps) => {
                let mut fails = false;
                for step in steps {
                    let outcomes = self.outcomes_of(analysis, step);
                    fails |= outcomes.fails;
                    if !outcomes.succeeds {
                        return Outcomes { succeeds: false, fails };
                    }
                }
                Outcomes { succeeds, fails }
            }
            OpKind::Or(alternatives) => {
                let mut succeeds = false;
                for alternative in alternatives {
                    let outcomes = self.outcomes_of(analysis, alternative);
                    succeeds |= outcomes.succeeds;
                    if !outcomes.fails {
                        return Outcomes { succeeds, fails: false };
                    }
                }
                Outcomes { succeeds, fails }
            }
            OpKind::Par(sides) => {
                let sides: Vec<Outcomes> =
                    sides.iter().map(|side| self.outcomes_of(analysis, side)).collect();
                let all_end = sides.iter().all(|side| side.succeeds || side.fails);
                Outcomes {
                    succeeds: sides.iter().all(|side| side.succeeds),
                    fails: all_end && sides.iter().any(|side| side.fails),
                }
            }
            OpKind::Wait { body, .. } => {
                Outcomes { succeeds: self.outcomes_of(analysis, body).succeeds, fails: false }
            }
            OpKind::Call { .. } => {
                analysis.candidates(op).iter().fold(Outcomes::default(), |outcomes, candidate| {
                    let called = self.outcomes[candidate.clause];
                    Outcomes {
                        succeeds: outcomes.succeeds || called.succeeds,
                        fails: outcomes.fails || called.fails,
                    }
                })
            }
        }
    }
}
