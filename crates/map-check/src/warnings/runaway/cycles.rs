//! Which silent calls can recur with the same arguments.
//!
//! Without an action no new value appears, so silent calls pass on only constants of the text and the unknown
//! arguments of the clause they start from. The calls are executed with such symbolic values, which distinguishes a
//! recursion that counts through written constants from one that never ends.

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;
use map_graph::strong_component_numbers;
use map_syntax::ast::{Op, OpKind, Term, TermKind, Who};

use crate::warnings::LintContext;

/// The number of activations explored from one clause; longer cycles are not found.
const MAX_FOLLOWED: usize = 500;

/// A symbolic value that is passed to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value<'a> {
    Constant(&'a TermKind),
    /// The agent itself.
    This,
    /// An unknown value, by number.
    Some(usize),
}

/// A clause with the values of its parameters.
type Activation<'a> = (usize, Vec<Value<'a>>);

/// The calls of a clause that lie on a cycle of activations, by the starts of their spans.
pub(super) fn recurring_calls(cx: &LintContext<'_>, clause: usize) -> HashSet<u32> {
    let arity = cx.clause(clause).parameters.len();
    let anything = (0..arity).map(Value::Some).collect::<Vec<_>>();
    let mut activations: IndexSet<Activation<'_>> = IndexSet::new();
    activations.extend(entered(cx, clause, &anything).map(|(values, _)| (clause, values)));
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut labelled = Vec::new();
    while edges.len() < activations.len() {
        let from = edges.len();
        let (caller, values) = activations[from].clone();
        let mut targets = Vec::new();
        follow(cx, caller, &values, &mut |call, callee, passed| {
            if activations.len() < MAX_FOLLOWED {
                let (to, _) = activations.insert_full((callee, passed));
                targets.push(to);
                if caller == clause {
                    labelled.push((from, to, call.span.start));
                }
            }
        });
        edges.push(targets);
    }
    let component = strong_component_numbers(&edges);
    labelled
        .into_iter()
        .filter(|&(from, to, _)| component[from] == component[to])
        .map(|(.., call)| call)
        .collect()
}

/// Reports the calls that a clause can reach silently, each with the clause it enters and the values it passes.
fn follow<'a>(
    cx: &LintContext<'a>,
    clause: usize,
    values: &[Value<'a>],
    found: &mut impl FnMut(&'a Op, usize, Vec<Value<'a>>),
) {
    let head = cx.clause(clause);
    let mut known: HashMap<&str, Value<'a>> = HashMap::new();
    if let Who::Variable(name) = &head.who {
        known.insert(&name.text, Value::This);
    }
    for (parameter, value) in head.parameters.iter().zip(values) {
        if let TermKind::Variable(name) = &parameter.kind {
            known.insert(name, *value);
        }
    }
    cx.silent.reach(&cx.analysis, &head.body, &mut |op| {
        if let OpKind::Call { arguments } = &op.kind {
            let passed = arguments.iter().map(|argument| match &argument.kind {
                TermKind::Variable(name) => known.get(name.as_str()).copied(),
                // What is computed may be new at every call.
                TermKind::Expression(_) => None,
                _ => Some(constant(cx, clause, argument)),
            });
            if let Some(passed) = passed.collect::<Option<Vec<_>>>() {
                for candidate in cx.analysis.candidates(op) {
                    let Some((values, certain)) = entered(cx, candidate.clause, &passed) else { continue };
                    found(op, candidate.clause, values);
                    if certain {
                        break;
                    }
                }
            }
        }
        true
    });
}

/// The values of a clause's parameters if its head can match `values`, and whether it is certain to.
fn entered<'a>(cx: &LintContext<'a>, clause: usize, values: &[Value<'a>]) -> Option<(Vec<Value<'a>>, bool)> {
    let head = cx.clause(clause);
    let mut matching = Matching::default();
    let mut bound: HashMap<&str, Value<'a>> = HashMap::new();
    if let Who::Variable(name) = &head.who {
        bound.insert(&name.text, Value::This);
    }
    let takes = head.parameters.iter().zip(values).all(|(parameter, &value)| match &parameter.kind {
        TermKind::Wildcard => true,
        TermKind::Variable(name) => match bound.get(name.as_str()) {
            Some(&before) => matching.unify(before, value),
            None => bound.insert(name, value).is_none(),
        },
        _ => matching.unify(constant(cx, clause, parameter), value),
    });
    let resolved = values.iter().map(|&value| matching.resolve(value)).collect();
    takes.then_some((resolved, matching.certain()))
}

fn constant<'a>(cx: &LintContext<'_>, clause: usize, term: &'a Term) -> Value<'a> {
    let literal = cx.checked.parts[cx.checked.clauses[clause].part].literal.as_ref();
    match &term.kind {
        TermKind::Agent(name) if Some(name) == literal => Value::This,
        constant => Value::Constant(constant),
    }
}

/// A substitution for unknown values under which a head matches: unification (Robinson 1965) of terms without
/// function symbols.
#[derive(Default)]
struct Matching<'a> {
    assumed: HashMap<usize, Value<'a>>,
    doubtful: bool,
}

impl<'a> Matching<'a> {
    fn resolve(&self, mut value: Value<'a>) -> Value<'a> {
        while let Value::Some(number) = value
            && let Some(&assumed) = self.assumed.get(&number)
        {
            value = assumed;
        }
        value
    }

    fn unify(&mut self, a: Value<'a>, b: Value<'a>) -> bool {
        match (self.resolve(a), self.resolve(b)) {
            (a, b) if a == b => true,
            (Value::Some(number), value) | (value, Value::Some(number)) => {
                self.assumed.insert(number, value);
                true
            }
            // The agent may have this name.
            (Value::This, Value::Constant(TermKind::Agent(_)))
            | (Value::Constant(TermKind::Agent(_)), Value::This) => {
                self.doubtful = true;
                true
            }
            _ => false,
        }
    }

    fn certain(&self) -> bool {
        self.assumed.is_empty() && !self.doubtful
    }
}
