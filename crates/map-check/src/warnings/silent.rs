//! What a thread can pass without doing anything: without an answer, a message sent or taken, or a timeout.
//!
//! Sends are taken to find somebody, and calls to find a head: warnings do not rest on the contrary.

use map_diagnostics::Span;
use map_graph::strong_component_numbers;
use map_syntax::ast::{Op, OpKind};

use super::words;
use crate::Analysis;
use crate::analysis::settle;

/// How an operation can end without having done anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pass {
    succeeds: bool,
    fails: bool,
}

/// What a clause can come to before it has done anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Leads {
    /// A `waitfor`.
    pub(super) wait: Option<Span>,
    /// A `par`.
    pub(super) par: Option<Span>,
}

/// What is passed silently, for all clauses.
pub(super) struct Silent {
    passes: Vec<Pass>,
    leads: Vec<Leads>,
    component: Vec<usize>,
}

impl Silent {
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let clauses = &analysis.checked().scene.clauses;
        let mut silent = Self {
            passes: vec![Pass::default(); clauses.len()],
            leads: vec![Leads::default(); clauses.len()],
            component: Vec::new(),
        };
        settle(analysis.callers(), |clause| {
            let pass = silent.pass(analysis, &clauses[clause].body);
            std::mem::replace(&mut silent.passes[clause], pass) != pass
        });
        settle(analysis.callers(), |clause| {
            let leads = silent.leads_of(analysis, &clauses[clause].body);
            let before = silent.leads[clause];
            // The first that was found stays, so that this comes to an end.
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

    /// Whether two clauses call each other, or one itself, perhaps by way of others, without doing anything; given
    /// that one calls the other so.
    pub(super) fn comes_back(&self, caller: usize, callee: usize) -> bool {
        self.component[caller] == self.component[callee]
    }

    /// Whether a clause can fail before it has done anything.
    pub(super) fn fails(&self, clause: usize) -> bool {
        self.passes[clause].fails
    }

    /// What a clause can come to before it has done anything.
    pub(super) fn leads(&self, clause: usize) -> Leads {
        self.leads[clause]
    }

    /// Whether an operation comes to a `waitfor` or a `par` before it has done anything.
    pub(super) fn comes_to_rest(&self, analysis: &Analysis<'_>, op: &Op) -> bool {
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

    /// Visits the `waitfor`s, `par`s and calls that are reached from the start of an operation before anything is
    /// done. The visitor says whether to look into a `waitfor` or `par`; into calls this does not look.
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
                    if !self.pass(analysis, step).succeeds {
                        break;
                    }
                }
            }
            OpKind::Or(alternatives) => {
                for alternative in alternatives {
                    self.reach(analysis, alternative, visitor);
                    if !self.pass(analysis, alternative).fails {
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
            | OpKind::Ask { .. }
            | OpKind::Send { .. }
            | OpKind::Receive { .. } => {}
        }
    }

    fn pass(&self, analysis: &Analysis<'_>, op: &Op) -> Pass {
        let (succeeds, fails) = (true, true);
        match &op.kind {
            OpKind::Skip => Pass { succeeds, fails: false },
            OpKind::Fail | OpKind::Receive { .. } => Pass { succeeds: false, fails },
            OpKind::Send { .. } => Pass::default(),
            OpKind::Ask { procedure, .. } => {
                Pass { succeeds: false, fails: analysis.may_refuse(&procedure.text) }
            }
            OpKind::Then(steps) => {
                let mut fails = false;
                for step in steps {
                    let pass = self.pass(analysis, step);
                    fails |= pass.fails;
                    if !pass.succeeds {
                        return Pass { succeeds: false, fails };
                    }
                }
                Pass { succeeds, fails }
            }
            OpKind::Or(alternatives) => {
                let mut succeeds = false;
                for alternative in alternatives {
                    let pass = self.pass(analysis, alternative);
                    succeeds |= pass.succeeds;
                    if !pass.fails {
                        return Pass { succeeds, fails: false };
                    }
                }
                Pass { succeeds, fails }
            }
            OpKind::Par(sides) => {
                let sides: Vec<Pass> = sides.iter().map(|side| self.pass(analysis, side)).collect();
                let all_end = sides.iter().all(|side| side.succeeds || side.fails);
                Pass {
                    succeeds: sides.iter().all(|side| side.succeeds),
                    fails: all_end && sides.iter().any(|side| side.fails),
                }
            }
            OpKind::Wait { body, .. } => Pass { succeeds: self.pass(analysis, body).succeeds, fails: false },
            OpKind::Call { .. } => analysis.candidates(op).iter().fold(Pass::default(), |pass, candidate| {
                let called = self.passes[candidate.clause];
                Pass { succeeds: pass.succeeds || called.succeeds, fails: pass.fails || called.fails }
            }),
        }
    }
}
