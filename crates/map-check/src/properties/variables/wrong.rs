//! The diagnostics about variables of formulas.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::Name;

use crate::properties::remembered::Back;
use crate::suggest;

/// Why a variable that an event binds is not visible further on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The event is one of another moment.
    Moment,
    /// It is one of earlier moments.
    Earlier,
    Denied,
    Alternative,
    Implication,
    Quantifier,
}

impl Why {
    const fn label(self) -> &'static str {
        match self {
            Self::Moment => "bound here, at another moment",
            Self::Earlier => "bound here, at earlier moments",
            Self::Denied => "bound here, inside `not`",
            Self::Alternative => "bound here, in one alternative of `or`",
            Self::Implication => "bound here, inside `implies`",
            Self::Quantifier => "bound here, inside a quantifier or `count`",
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Moment | Self::Earlier => {
                "An event binds a variable at its own moment only; at another one the message may be another"
            }
            Self::Denied => "Where the event does not happen, it binds nothing",
            Self::Alternative => {
                "Where another alternative holds, the event need not happen, and binds nothing"
            }
            Self::Implication => {
                "The implication also holds where the event does not happen and binds nothing"
            }
            Self::Quantifier => "For each agent or value the event may bind it to another value",
        }
    }
}

pub(super) fn out_of_reach(name: &str, span: Span, bound: Span, why: Why) -> Diagnostic {
    let text = match why {
        Why::Moment | Why::Earlier => format!("`${name}` has its value at another moment"),
        _ => format!("`${name}` is not bound here"),
    };
    let error = Diagnostic::new(Code::OutOfReach, span, text, "out of reach of the event")
        .with_label(bound, why.label())
        .with_note(why.reason());
    match why {
        Why::Moment => error
            .with_help(format!(
                "Quantify it around the whole, `forall ${name} in 1..10 : ..`: then it is the same value at all moments"
            ))
            .with_help(format!(
                "Or look back from the later event: `!B sends accept(${name}) to _ implies before !S sends propose(${name}) to _`"
            )),
        Why::Earlier => error
            .with_help("Move the comparison to the event, with `and`")
            .with_help(format!("Or, to compare it with a value of this moment, quantify it: `forall ${name} in 1..10 : ..`")),
        Why::Denied | Why::Alternative | Why::Implication | Why::Quantifier => {
            error.with_help("Move the comparison to the event, with `and`, or to the right of `implies`")
        }
    }
}

/// A variable that an event of this moment binds, in what looks back at others.
pub(super) fn of_this_moment_only(name: &str, span: Span, bound: Span, back: Back) -> Diagnostic {
    let word = back.word();
    let text = format!("`${name}` is bound outside of `{word}`, by an event of a later moment");
    let error = Diagnostic::new(Code::OutOfReach, span, text, "not known at earlier moments")
        .with_label(bound, "bound here");
    match back {
        Back::Before | Back::Precedes => error
            .with_note(format!(
                "In `{word}` it may only be an argument of a message: then that message was sent or received with this value"
            ))
            .with_help(format!("Move the comparison out of `{word}`"))
            .with_help(format!("Or quantify it: `forall ${name} in 1..10 : ..`")),
        Back::Count | Back::Total | Back::Moment(_) => error
            .with_note(format!("`{word}` runs along from the first moment, when this value was not known yet"))
            .with_help(format!("Write `forall ${name} in 1..10 : ..` around the whole")),
    }
}

/// `near` is the variable of a quantifier.
pub(super) fn misspelt(name: &str, span: Span, near: &str) -> Diagnostic {
    let text = format!("`${name}` occurs only here, so it stands for any value");
    Diagnostic::new(Code::NotQuantified, span, text, "bound and never used")
        .with_help(format!("Did you mean `${near}`?"))
        .replaced_by(format!("${near}"))
        .with_help("Or write `_` for any value")
}

pub(super) fn bound_again(variable: &Name, outer: Span) -> Diagnostic {
    let text = format!("`${}` stands for something already", variable.text);
    Diagnostic::new(Code::NotQuantified, variable.span, text, "bound again")
        .with_label(outer, "first bound here")
        .with_help("Choose another name for one of the two")
}

pub(super) fn nothing_to_take(variable: &Name, back: Back, hidden: Option<(Span, Why)>) -> Diagnostic {
    let (name, word) = (&variable.text, back.word());
    let text = match back {
        Back::Total => format!("nothing says which values of `${name}` are added up"),
        _ => format!("nothing says which values `${name}` has"),
    };
    let error = Diagnostic::new(Code::NotQuantified, variable.span, text, "bound by no event");
    let error = match hidden {
        Some((span, why)) => error.with_label(span, why.label()).with_note(why.reason()),
        None => error,
    };
    error.with_help(format!("Let an event bind it: `{word}(${name} : !Name sends m(${name}) to _)`"))
}

pub(super) fn value_of_event(name: &str, span: Span, bound: Span) -> Diagnostic {
    value_as_agent(name, span).with_label(bound, "bound to the value in a message")
}

pub(super) fn value_over_range(name: &str, span: Span, bound: Span) -> Diagnostic {
    value_as_agent(name, span).with_label(bound, "ranges over values")
}

fn value_as_agent(name: &str, span: Span) -> Diagnostic {
    let text = format!("`${name}` stands for a value, not for an agent");
    Diagnostic::new(Code::ValueAsAgent, span, text, "expected an agent").with_help(format!(
        "Quantify it over a role, `forall ${name} in %role : ..`; then it is an agent, in messages too"
    ))
}

pub(super) fn unbound_agent<'k>(name: &str, span: Span, known: impl Iterator<Item = &'k str>) -> Diagnostic {
    let error = Diagnostic::new(
        Code::NotQuantified,
        span,
        format!("nothing says which agents `${name}` stands for"),
        "not quantified",
    );
    match suggest::nearest(name, known) {
        Some(near) => error.with_help(format!("Did you mean `${near}`?")).replaced_by(format!("${near}")),
        None => error
            .with_help(format!(
                "Write `forall ${name} in %role : ..` or `exists ${name} in %role : ..` around it"
            ))
            .with_note("The variables of clauses are not known in properties"),
    }
}

/// `later` is where an event further right binds it.
pub(super) fn unbound_value<'k>(
    name: &str,
    span: Span,
    later: Option<Span>,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let text = format!("nothing says which value `${name}` stands for");
    let error = Diagnostic::new(Code::NotQuantified, span, text, "not bound");
    if let Some(later) = later {
        return error
            .with_label(later, "bound here, further right")
            .with_help("Write the event first: an event binds variables to the right of it");
    }
    match suggest::nearest(name, known) {
        Some(near) => error.with_help(format!("Did you mean `${near}`?")).replaced_by(format!("${near}")),
        None => error
            .with_help(format!(
                "Let an event to the left bind it, `!Name sends m(${name}) to _ implies ..`, or write `forall ${name} in 1..10 : ..` around it"
            ))
            .with_note("The variables of clauses are not known in properties"),
    }
}
