//! "What can fail is decided statically, as a least fixed point."

use std::collections::{BTreeMap, BTreeSet};

use map_syntax::ast::{Address, Op, OpKind, Term, TermKind, Who};

use super::cast::Cast;
use super::flow::{self, Known, variable_of};
use super::unify::Match;

/// For every clause of the scene, whether it can fail.
pub(super) fn can_fail(cast: &Cast<'_>, total: &BTreeSet<&str>) -> Vec<bool> {
    let mut analysis = Analysis::new(cast, total);
    analysis.settle_heads();
    analysis.settle_failures();
    analysis.can_fail
}

struct Analysis<'a> {
    cast: &'a Cast<'a>,
    total: &'a BTreeSet<&'a str>,
    /// For every clause, what is known of its head variables: "a head variable to which every call passes such a one".
    /// A greatest fixed point, so that recursion which only passes a variable on keeps it known.
    heads: Vec<Known<'a>>,
    can_fail: Vec<bool>,
}

/// Whether an operation can fail, and what is known after it has succeeded.
type Fate<'a> = (bool, Option<Known<'a>>);

/// Calls that were found: the clause that may be called, and what is known of each argument.
type Calls<'a> = Vec<(usize, Vec<BTreeSet<&'a str>>)>;

impl<'a> Analysis<'a> {
    fn new(cast: &'a Cast<'a>, total: &'a BTreeSet<&'a str>) -> Self {
        let roles: BTreeSet<&str> = cast.parts.iter().map(|part| part.role).collect();
        let heads = cast.scene.clauses.iter().map(|clause| {
            let mut known: Known<'a> =
                clause.parameters.iter().filter_map(variable_of).map(|name| (name, roles.clone())).collect();
            if let Who::Variable(name) = &clause.who {
                known.insert(&name.text, BTreeSet::new());
            }
            known
        });
        Self { cast, total, heads: heads.collect(), can_fail: vec![false; cast.scene.clauses.len()] }
    }

    fn settle_heads(&mut self) {
        loop {
            let mut heads = self.heads.clone();
            for (clause, part) in self.clauses() {
                let mut calls = Vec::new();
                let body = &self.cast.scene.clauses[clause].body;
                self.fate(part, body, &self.heads[clause], &mut calls);
                for (callee, passed) in calls {
                    // Only the first occurrence of a head variable binds it.
                    let mut seen = BTreeSet::new();
                    for (parameter, roles) in self.cast.scene.clauses[callee].parameters.iter().zip(passed) {
                        if let Some(name) = variable_of(parameter)
                            && seen.insert(name)
                            && let Some(known) = heads[callee].get_mut(name)
                        {
                            known.retain(|role| roles.contains(role));
                        }
                    }
                }
            }
            if heads == self.heads {
                return;
            }
            self.heads = heads;
        }
    }

    fn settle_failures(&mut self) {
        loop {
            let mut can_fail = self.can_fail.clone();
            for (clause, part) in self.clauses() {
                let body = &self.cast.scene.clauses[clause].body;
                can_fail[clause] = self.fate(part, body, &self.heads[clause], &mut Vec::new()).0;
            }
            if can_fail == self.can_fail {
                return;
            }
            self.can_fail = can_fail;
        }
    }

    /// Every clause with its part.
    fn clauses(&self) -> Vec<(usize, usize)> {
        let parts = self.cast.parts.iter().enumerate();
        parts.flat_map(|(part, it)| it.clauses.iter().map(move |&clause| (clause, part))).collect()
    }

    /// Unreachable code is judged too, from what was known at the last place before it.
    fn fate(&self, part: usize, op: &'a Op, before: &Known<'a>, calls: &mut Calls<'a>) -> Fate<'a> {
        match &op.kind {
            OpKind::Skip => (false, Some(before.clone())),
            OpKind::Fail | OpKind::Hole => (true, None),
            // "`A then B`, `A par B` if either can."
            OpKind::Then(ops) => {
                let (mut fails, mut reached, mut known) = (false, true, before.clone());
                for op in ops {
                    let (this, after) = self.fate(part, op, &known, calls);
                    fails |= this;
                    reached &= after.is_some();
                    known = after.unwrap_or(known);
                }
                (fails, reached.then_some(known))
            }
            OpKind::Par(ops) => {
                let fates = ops.iter().map(|op| self.fate(part, op, before, calls));
                fates.reduce(|a, b| (a.0 || b.0, flow::join(a.1, b.1))).expect("two or more")
            }
            // "`A or B` if both can."
            OpKind::Or(ops) => {
                let fates = ops.iter().map(|op| self.fate(part, op, before, calls));
                fates.reduce(|a, b| (a.0 && b.0, flow::meet(a.1, b.1))).expect("two or more")
            }
            // "`waitfor A timeout B` if B can."
            OpKind::Wait { body, timeout } => {
                let (_, after) = self.fate(part, body, before, calls);
                match timeout {
                    None => (false, after),
                    Some(timeout) => {
                        let (fails, other) = self.fate(part, timeout, before, calls);
                        (fails, flow::meet(after, other))
                    }
                }
            }
            OpKind::Call { arguments } => (self.call(part, arguments, before, calls), Some(before.clone())),
            // "Asks of decisions and asks whose variable is bound."
            OpKind::Ask { variable, procedure, .. } => {
                let refuses = !self.total.contains(procedure.text.as_str());
                let variable = variable.as_ref().map(|it| it.text.as_str());
                let compared = variable.is_some_and(|it| before.contains_key(it));
                (refuses || compared, Some(flow::after_ask(before, variable)))
            }
            OpKind::Send { to, .. } => (self.send_can_fail(part, to, before), Some(before.clone())),
            OpKind::Receive { message, from } => (true, Some(flow::after_receive(before, message, from))),
        }
    }

    /// "Calls to a clause that can fail or where no head is certain to match."
    fn call(&self, part: usize, arguments: &'a [Term], known: &Known<'a>, calls: &mut Calls<'a>) -> bool {
        let passed = |term| variable_of(term).and_then(|name| known.get(name)).cloned().unwrap_or_default();
        let passed: Vec<BTreeSet<&str>> = arguments.iter().map(passed).collect();
        let mut fails = false;
        for &clause in &self.cast.parts[part].clauses {
            let certainty = self.head_match(part, clause, arguments);
            if certainty != Match::No {
                fails |= self.can_fail[clause];
                calls.push((clause, passed.clone()));
            }
            if certainty == Match::Yes {
                return fails;
            }
        }
        true
    }

    /// "Judged from constants and repeated variables alone."
    fn head_match(&self, part: usize, clause: usize, arguments: &'a [Term]) -> Match {
        let head = &self.cast.scene.clauses[clause];
        if head.parameters.len() != arguments.len() {
            return Match::No;
        }
        let own = match &head.who {
            Who::Variable(name) => Some(name.text.as_str()),
            Who::Agent(_) => None,
        };
        let mut bound: BTreeMap<&str, &Term> = BTreeMap::new();
        let mut result = Match::Yes;
        for (parameter, argument) in head.parameters.iter().zip(arguments) {
            let this = match &parameter.kind {
                TermKind::Wildcard => Match::Yes,
                TermKind::Variable(name) if own == Some(name) => match argument.kind {
                    TermKind::Variable(_) | TermKind::Agent(_) | TermKind::Expression(_) => Match::Open,
                    _ => Match::No,
                },
                TermKind::Variable(name) => match bound.get(name.as_str()) {
                    Some(first) => self.same(part, first, argument),
                    None => {
                        bound.insert(name, argument);
                        Match::Yes
                    }
                },
                _ => self.same(part, parameter, argument),
            };
            result = result.min(this);
        }
        result
    }

    /// Whether two terms without wildcards have the same value in clauses of the part.
    fn same(&self, part: usize, a: &Term, b: &Term) -> Match {
        match (&a.kind, &b.kind) {
            (TermKind::Agent(a), TermKind::Agent(b)) => {
                let names = |name| self.agents_of(part).map(move |agent| self.named(part, agent, name));
                let equal: BTreeSet<bool> = names(a).zip(names(b)).map(|(a, b)| a == b).collect();
                match (equal.contains(&true), equal.contains(&false)) {
                    (true, true) => Match::Open,
                    (true, false) => Match::Yes,
                    _ => Match::No,
                }
            }
            (TermKind::Expression(_), _) | (_, TermKind::Expression(_)) => Match::Open,
            (a, b) if a == b => Match::Yes,
            (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => Match::Open,
            _ => Match::No,
        }
    }

    fn agents_of(&self, part: usize) -> impl Iterator<Item = usize> {
        (0..self.cast.agents.len()).filter(move |&agent| self.cast.agents[agent].part == part)
    }

    /// The agent that a literal name refers to in clauses followed by an agent of the part.
    fn named(&'a self, part: usize, agent: usize, name: &'a str) -> &'a str {
        if self.cast.parts[part].literal == Some(name) { &self.cast.agents[agent].name } else { name }
    }

    /// "Sends unless some other agent matches for every agent of the part and the address has no variable but one
    /// known to hold an agent of that role."
    fn send_can_fail(&self, part: usize, to: &Address, known: &Known<'_>) -> bool {
        if let Some(name) = variable_of(&to.agent) {
            let TermKind::Role(role) = &to.role.kind else { return true };
            if !known.get(name).is_some_and(|roles| roles.contains(role.as_str())) {
                return true;
            }
        }
        let matches = |agent: usize, other: usize| {
            let name = match &to.agent.kind {
                TermKind::Wildcard | TermKind::Variable(_) => true,
                TermKind::Agent(name) => self.named(part, agent, name) == self.cast.agents[other].name,
                _ => false,
            };
            let role = match &to.role.kind {
                TermKind::Wildcard => true,
                TermKind::Role(role) => self.cast.role_of(other) == role,
                _ => false,
            };
            other != agent && name && role
        };
        !self.agents_of(part).all(|agent| (0..self.cast.agents.len()).any(|other| matches(agent, other)))
    }
}
