//! MAP317: a `waitfor` without timeout that takes in alternatives probably meant for the operation around it. A
//! `waitfor` extends as far as possible, whereas `then` binds tighter than `or`.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Address, Clause, Message, Op, OpKind, Term, TermKind, Who};

use super::{LintContext, brief, words};
use crate::walk;

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses() {
        let mut seen = HashSet::new();
        let mut report = |wait: &Op, warning: Diagnostic| {
            if seen.insert(wait.span.start) {
                found.push(warning);
            }
        };
        walk::operations(&clause.body, &mut |op| match &op.kind {
            OpKind::Wait { body, .. } => {
                if let Some((wait, warning)) = out_of_reach(clause, body) {
                    report(wait, warning);
                }
            }
            OpKind::Then(steps) => {
                let Some((last, before)) = steps.split_last() else { return };
                if let Some(alternatives) = bare_alternatives(op, last)
                    && before.iter().any(|step| cx.analysis.can_fail(index, step))
                {
                    report(last, ambiguous(before, last, alternatives));
                }
            }
            _ => {}
        });
    }
}

/// The alternatives of a `waitfor` without timeout whose body is an `or`.
fn alternatives(wait: &Op) -> Option<&[Op]> {
    match &wait.kind {
        OpKind::Wait { body, timeout: None } => match &body.kind {
            OpKind::Or(alternatives) => Some(alternatives),
            _ => None,
        },
        _ => None,
    }
}

/// The same for the last step of a chain, provided that neither they nor the `waitfor` are in parentheses: then it ends
/// where these do.
fn bare_alternatives<'a>(chain: &Op, wait: &'a Op) -> Option<&'a [Op]> {
    let OpKind::Wait { body, .. } = &wait.kind else { return None };
    alternatives(wait).filter(|_| body.span.end == wait.span.end && wait.span.end == chain.span.end)
}

/// `A then waitfor B or C`: is `C` an alternative to `B`, or to `A` and what follows it?
fn ambiguous(before: &[Op], wait: &Op, alternatives: &[Op]) -> Diagnostic {
    let text = "this `waitfor` takes in the alternatives behind it, though it follows a `then`";
    let steps = brief::chain(before, "then");
    let (all, first) = (brief::group(alternatives, "or"), brief::group(&alternatives[..1], "or"));
    let others = brief::chain(&alternatives[1..], "or");
    Diagnostic::new(Code::WaitTakesIn, words::waitfor(wait), text, "reaches as far as it can")
        .with_label(words::lead(&alternatives[1]), "this is waited for here, too")
        .with_help(format!("Write `{steps} then (waitfor {all})` if that is meant"))
        .with_help(format!(
            "Or `({steps} then (waitfor {first})) or {others}` if it is an alternative to all that stands before"
        ))
        .with_fix("Put the whole `waitfor` in parentheses", inserted(&[(wait.span.start, "("), (wait.span.end, ")")]))
        .with_fix("End the `waitfor` before the first `or`", ended(before, wait, &alternatives[0]))
}

/// `waitfor (m($me) <= .. then waitfor (A or m(_) <= ..))`: the inner `waitfor` takes all messages `m`, but only
/// after the outer one, which takes only some of them, has received one.
fn out_of_reach<'a>(clause: &Clause, outer: &'a Op) -> Option<(&'a Op, Diagnostic)> {
    let around = match &outer.kind {
        OpKind::Or(alternatives) => alternatives.as_slice(),
        _ => std::slice::from_ref(outer),
    };
    let (chain, others) = around.split_last()?;
    let OpKind::Then(steps) = &chain.kind else { return None };
    let (wait, before) = steps.split_last()?;
    let narrow = Received::at(before.first()?)?;
    let bound = BoundVariables::new(clause, before);
    let inner = alternatives(wait)?;
    let is_wide = |op: &Op| {
        let heard = |other: &Op, wide: &Received<'_>| {
            Received::at(first_of(other)).is_some_and(|it| it.covers(wide, &bound).is_some())
        };
        Received::at(first_of(op)).is_some_and(|wide| {
            wide.covers(&narrow, &bound) == Some(Covers::More) && !others.iter().any(|it| heard(it, &wide))
        })
    };
    let (rest, behind) = inner.split_at(1 + inner.iter().skip(1).position(is_wide)?);
    let wide = Received::at(first_of(behind.first()?))?;
    let signature = words::signature(wide.message);
    let text =
        format!("this `waitfor` takes in a `{signature}` that was probably meant for the one around it");
    let warning = Diagnostic::new(Code::WaitTakesIn, words::waitfor(wait), text, "waits for it only now")
        .with_label(narrow.message.span, "after this has come, which takes only some of them")
        .with_label(wide.message.span, "this takes them all")
        .with_help(format!(
            "End the `waitfor` before it with a parenthesis: `({} then (waitfor {})) or {}`",
            brief::chain(before, "then"),
            brief::group(rest, "or"),
            brief::chain(behind, "or")
        ));
    // In parentheses of its own it is not enough to insert some.
    let warning = match (bare_alternatives(chain, wait), rest.last()) {
        (Some(_), Some(last)) => warning.with_fix("End the `waitfor` before it", ended(before, wait, last)),
        _ => warning,
    };
    Some((wait, warning))
}

/// `(A then (waitfor B))`: the changes that end a `waitfor` behind `last`, together with the steps before it.
fn ended(before: &[Op], wait: &Op, last: &Op) -> Vec<(Span, String)> {
    let start = before.first().map_or(wait.span.start, |step| step.span.start);
    inserted(&[(start, "("), (wait.span.start, "("), (last.span.end, "))")])
}

fn inserted(texts: &[(u32, &str)]) -> Vec<(Span, String)> {
    texts.iter().map(|&(at, text)| (Span::new(at, at), text.to_owned())).collect()
}

fn first_of(op: &Op) -> &Op {
    match &op.kind {
        OpKind::Then(steps) => steps.first().map_or(op, first_of),
        _ => op,
    }
}

/// The message and the senders that a receive accepts.
struct Received<'a> {
    message: &'a Message,
    from: &'a Address,
}

/// How a receive compares with another one all of whose messages it accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covers {
    /// It accepts the same messages.
    Same,
    /// It accepts further messages.
    More,
}

impl<'a> Received<'a> {
    fn at(op: &'a Op) -> Option<Self> {
        match &op.kind {
            OpKind::Receive { message, from } => Some(Self { message, from }),
            _ => None,
        }
    }

    fn terms(&self) -> impl Iterator<Item = &'a Term> {
        self.message.arguments.iter().chain([&self.from.agent, &self.from.role])
    }

    /// Whether it accepts every message that `other` accepts; `None` if it may not.
    fn covers(&self, other: &Self, bound: &BoundVariables<'_>) -> Option<Covers> {
        let one_kind = self.message.performative.text == other.message.performative.text
            && self.message.arguments.len() == other.message.arguments.len();
        if !one_kind {
            return None;
        }
        self.terms().zip(other.terms()).try_fold(Covers::Same, |so_far, (own, theirs)| {
            match (bound.is_open(own), bound.is_open(theirs)) {
                (true, true) => Some(so_far),
                (true, false) => Some(Covers::More),
                (false, true) => None,
                (false, false) => (own.kind == theirs.kind).then_some(so_far),
            }
        })
    }
}

/// The variables that may be bound at the inner `waitfor`.
struct BoundVariables<'a>(HashSet<&'a str>);

impl<'a> BoundVariables<'a> {
    /// The variables of the head and of the preceding steps, except the first step: what it binds is open in its
    /// own pattern.
    fn new(clause: &'a Clause, before: &'a [Op]) -> Self {
        let mut bound = HashSet::new();
        if let Who::Variable(name) = &clause.who {
            bound.insert(&*name.text);
        }
        let variable = |term: &'a Term| match &term.kind {
            TermKind::Variable(name) => Some(&**name),
            _ => None,
        };
        bound.extend(clause.parameters.iter().filter_map(variable));
        for step in before.iter().skip(1) {
            walk::operations(step, &mut |op| match &op.kind {
                OpKind::Receive { message, from } => {
                    bound.extend(Received { message, from }.terms().filter_map(variable));
                }
                OpKind::Ask { variable, .. } => {
                    bound.extend(variable.as_ref().map(|it| &*it.text));
                }
                _ => {}
            });
        }
        Self(bound)
    }

    fn is_open(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Wildcard => true,
            TermKind::Variable(name) => !self.0.contains(&**name),
            _ => false,
        }
    }
}
