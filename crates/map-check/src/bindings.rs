//! Which variables are bound where: a flow analysis over one clause at a time.
//!
//! At every point the analysis knows for each variable whether it is bound on all paths to that point, on some, or
//! on none. Changes since the start of an alternative are recorded on a trail and undone before the next one, so
//! the work grows with the number of changes and not of variables: chains of alternatives may be long.

mod diagnose;
mod sides;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use map_diagnostics::{Diagnostic, Span};
use map_syntax::ast::{Clause, Op, OpKind, Term, TermKind, Who};

use crate::{Occurrence, walk};

/// The number of variables of a clause examined for a suggestion.
const MAX_SEARCHED: usize = 1000;

/// Checks clauses, each by itself. Returns what every occurrence of a variable does, keyed by the start of its span.
pub(crate) fn check<'a>(
    clauses: impl IntoIterator<Item = &'a Clause>,
    errors: &mut Vec<Diagnostic>,
) -> IndexMap<u32, Occurrence> {
    let mut occurrences = IndexMap::new();
    for clause in clauses {
        let mut flow = Flow::new(&mut occurrences);
        flow.clause(clause);
        errors.extend(flow.finish());
    }
    occurrences
}

/// What is known about a variable at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// Bound on no path.
    Never,
    /// Bound on some paths, on one of them at this place.
    Sometimes(Span, Gap),
    /// Bound on all paths, on one of them at this place.
    Always(Span),
    /// An error about it was reported on some path to here; further errors are suppressed.
    Reported,
}

/// Why a variable is bound on only some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    OneAlternative,
    SomeAlternatives,
    NotInTimeout,
    OnlyInTimeout,
}

/// The construct whose branches are alternatives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Or,
    Timeout,
}

/// What the value of a term is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Sent,
    Address,
    Asked,
    Called,
}

/// Where a variable is compared or bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Head,
    Received,
    Answer,
}

/// An occurrence of a variable.
#[derive(Clone, Copy)]
struct Place {
    slot: usize,
    span: Span,
}

/// The state of a variable after a branch (an alternative or a side of a `par`) that changed it.
#[derive(Clone, Copy)]
struct Change {
    slot: usize,
    /// Index of the branch.
    branch: usize,
    bound: Bound,
}

struct Flow<'a, 'o> {
    slots: HashMap<&'a str, usize>,
    names: Vec<&'a str>,
    state: Vec<Bound>,
    /// The slots that changed, with their previous states.
    trail: Vec<(usize, Bound)>,
    /// Whether any path leads here. Nothing is reported about code behind a `fail`.
    reachable: bool,
    /// Where variables were bound, in order; `par` uses it to find conflicts between its sides.
    bindings: Vec<Place>,
    /// For each slot, the first pattern or answer in which it occurs, to explain errors.
    first_patterns: Vec<Option<Span>>,
    /// Uses of unbound variables. An enclosing `par` takes out those that another side binds, which get an error of
    /// their own.
    unbound: Vec<Option<Place>>,
    /// Where the variables begin that stand in a send with which a `waitfor` begins: perhaps it should be a receive.
    awaited: HashSet<u32>,
    errors: Vec<Diagnostic>,
    occurrences: &'o mut IndexMap<u32, Occurrence>,
}

impl<'a, 'o> Flow<'a, 'o> {
    fn new(occurrences: &'o mut IndexMap<u32, Occurrence>) -> Self {
        Self {
            slots: HashMap::new(),
            names: Vec::new(),
            state: Vec::new(),
            trail: Vec::new(),
            reachable: true,
            bindings: Vec::new(),
            first_patterns: Vec::new(),
            unbound: Vec::new(),
            awaited: HashSet::new(),
            errors: Vec::new(),
            occurrences,
        }
    }

    fn clause(&mut self, clause: &'a Clause) {
        if let Who::Variable(name) = &clause.who {
            self.pattern(&name.text, name.span, Pattern::Head);
        }
        self.patterns(&clause.parameters, Pattern::Head);
        self.op(&clause.body);
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.report_unbound();
        self.errors
    }

    fn op(&mut self, op: &'a Op) {
        if let OpKind::Wait { body, .. } = &op.kind {
            awaited(body, &mut self.awaited);
        }
        match &op.kind {
            OpKind::Then(ops) => ops.iter().for_each(|op| self.op(op)),
            OpKind::Or(ops) => self.alternatives(ops, Choice::Or),
            OpKind::Par(ops) => self.sides(ops),
            OpKind::Wait { body, timeout: None } => self.op(body),
            OpKind::Wait { body, timeout: Some(timeout) } => {
                self.alternatives([&**body, &**timeout], Choice::Timeout);
            }
            OpKind::Skip => {}
            // A hole may bind anything.
            OpKind::Fail | OpKind::Hole => self.reachable = false,
            OpKind::Call { arguments } => self.values(arguments, Need::Called),
            OpKind::Ask { variable, arguments, .. } => {
                self.values(arguments, Need::Asked);
                if let Some(variable) = variable {
                    self.pattern(&variable.text, variable.span, Pattern::Answer);
                }
            }
            OpKind::Send { message, to } => {
                self.values(&message.arguments, Need::Sent);
                for term in [&to.agent, &to.role] {
                    walk::variables(term, &mut |name, span| self.value(name, span, Need::Address));
                }
            }
            OpKind::Receive { message, from } => {
                self.patterns(&message.arguments, Pattern::Received);
                self.patterns([&from.agent, &from.role], Pattern::Received);
            }
        }
    }

    /// Analyses each branch from the current state and joins the results of those that can succeed.
    fn alternatives(&mut self, branches: impl IntoIterator<Item = &'a Op>, choice: Choice) {
        let (start, reachable) = (self.trail.len(), self.reachable);
        let mut changes = Vec::new();
        let mut succeeding = 0;
        for (branch, op) in branches.into_iter().enumerate() {
            self.reachable = reachable;
            self.op(op);
            if self.reachable {
                succeeding += 1;
                self.collect_changes(start, branch, &mut changes);
            }
            self.undo(start);
        }
        self.reachable = succeeding > 0;
        changes.sort_by_key(|change| (change.slot, change.branch));
        for of_slot in changes.chunk_by(|a, b| a.slot == b.slot) {
            self.set(of_slot[0].slot, join(of_slot, succeeding, choice));
        }
    }

    fn patterns(&mut self, terms: impl IntoIterator<Item = &'a Term>, pattern: Pattern) {
        for term in terms {
            if let TermKind::Variable(name) = &term.kind {
                self.pattern(name, term.span, pattern);
            }
        }
    }

    fn pattern(&mut self, name: &'a str, span: Span, pattern: Pattern) {
        let slot = self.slot(name);
        self.first_patterns[slot].get_or_insert(span);
        let mut occurrence = Occurrence::Compares;
        match self.state[slot] {
            Bound::Never => {
                occurrence = Occurrence::Binds;
                self.set(slot, Bound::Always(span));
                if self.reachable {
                    self.bindings.push(Place { slot, span });
                }
            }
            Bound::Sometimes(at, gap) => {
                if self.reachable {
                    self.errors.push(diagnose::maybe_bound_pattern(name, span, pattern, at, gap));
                }
                self.set(slot, Bound::Reported);
            }
            Bound::Always(_) | Bound::Reported => {}
        }
        self.occurrences.insert(span.start, occurrence);
    }

    fn values(&mut self, terms: &'a [Term], need: Need) {
        for term in terms {
            if term.kind == TermKind::Wildcard {
                self.errors.push(diagnose::wildcard(term.span, need));
            }
            walk::variables(term, &mut |name, span| self.value(name, span, need));
        }
    }

    fn value(&mut self, name: &'a str, span: Span, need: Need) {
        let slot = self.slot(name);
        match self.state[slot] {
            Bound::Never => {
                if self.reachable {
                    self.unbound.push(Some(Place { slot, span }));
                }
                self.set(slot, Bound::Reported);
            }
            Bound::Sometimes(at, gap) => {
                if self.reachable {
                    self.errors.push(diagnose::maybe_unbound(name, span, need, at, gap));
                }
                self.set(slot, Bound::Reported);
            }
            Bound::Always(_) | Bound::Reported => {}
        }
        self.occurrences.insert(span.start, Occurrence::Value);
    }

    fn slot(&mut self, name: &'a str) -> usize {
        let next = self.names.len();
        let slot = *self.slots.entry(name).or_insert(next);
        if slot == next {
            self.names.push(name);
            self.state.push(Bound::Never);
            self.first_patterns.push(None);
        }
        slot
    }

    fn set(&mut self, slot: usize, bound: Bound) {
        let before = std::mem::replace(&mut self.state[slot], bound);
        self.trail.push((slot, before));
    }

    fn undo(&mut self, start: usize) {
        for (slot, before) in self.trail.drain(start..).rev() {
            self.state[slot] = before;
        }
    }

    /// Appends the current state of every slot that changed since the trail had length `start`.
    fn collect_changes(&self, start: usize, branch: usize, changes: &mut Vec<Change>) {
        let mut slots: Vec<usize> = self.trail[start..].iter().map(|&(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        changes.extend(slots.into_iter().map(|slot| Change { slot, branch, bound: self.state[slot] }));
    }

    fn report_unbound(&mut self) {
        for place in std::mem::take(&mut self.unbound).into_iter().flatten() {
            let bound_at = self.first_patterns[place.slot];
            let bound = self
                .names
                .iter()
                .zip(&self.first_patterns)
                .take(MAX_SEARCHED)
                .filter(|(_, pattern)| pattern.is_some());
            let known = bound.map(|(name, _)| *name);
            let error = diagnose::unbound(self.names[place.slot], place.span, bound_at, known);
            self.errors.push(match bound_at {
                None if self.awaited.contains(&place.span.start) => diagnose::reversed(error),
                _ => error,
            });
        }
    }
}

/// Collects where the variables begin in the sends that the body of a `waitfor` begins with.
fn awaited(body: &Op, starts: &mut HashSet<u32>) {
    match &body.kind {
        OpKind::Then(ops) => ops.iter().take(1).for_each(|op| awaited(op, starts)),
        OpKind::Or(ops) | OpKind::Par(ops) => ops.iter().for_each(|op| awaited(op, starts)),
        OpKind::Send { message, to } => {
            for term in message.arguments.iter().chain([&to.agent, &to.role]) {
                walk::variables(term, &mut |_, span| {
                    starts.insert(span.start);
                });
            }
        }
        _ => {}
    }
}

/// The state of a variable after a choice with `succeeding` branches, given its states after those that changed it.
fn join(changed: &[Change], succeeding: usize, choice: Choice) -> Bound {
    let mut place = None;
    let mut inner_gap = None;
    for change in changed {
        match change.bound {
            Bound::Reported => return Bound::Reported,
            Bound::Sometimes(at, gap) => {
                inner_gap = inner_gap.or(Some(gap));
                place = place.or(Some(at));
            }
            Bound::Always(at) => place = place.or(Some(at)),
            Bound::Never => {}
        }
    }
    let Some(place) = place else { return Bound::Never };
    let gap = match choice {
        _ if changed.len() == succeeding => inner_gap,
        Choice::Timeout if changed[0].branch == 0 => Some(Gap::NotInTimeout),
        Choice::Timeout => Some(Gap::OnlyInTimeout),
        Choice::Or if changed.len() == 1 => Some(Gap::OneAlternative),
        Choice::Or => Some(Gap::SomeAlternatives),
    };
    gap.map_or(Bound::Always(place), |gap| Bound::Sometimes(place, gap))
}
