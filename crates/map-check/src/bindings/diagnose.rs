//! The wording of errors about variables.

use map_diagnostics::{Code, Diagnostic, Span};

use super::{Gap, Need, Pattern};
use crate::suggest;

impl Need {
    fn phrase(self) -> &'static str {
        match self {
            Self::Sent => "its value is sent here",
            Self::Address => "its value is the address here",
            Self::Asked => "its value is passed to the procedure here",
            Self::Called => "its value is passed on here",
        }
    }
}

impl Gap {
    fn explanation(self) -> &'static str {
        match self {
            Self::OneAlternative => "only one alternative of the `or` binds it",
            Self::SomeAlternatives => "not every alternative of the `or` binds it",
            Self::NotInTimeout => "the `waitfor` binds it, but not its `timeout`",
            Self::OnlyInTimeout => "only the `timeout` of the `waitfor` binds it",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::OneAlternative => "bound in this alternative",
            Self::SomeAlternatives => "bound in this alternative, but not in all",
            Self::NotInTimeout => "bound here, but not if time runs out",
            Self::OnlyInTimeout => "bound here, but only if time runs out",
        }
    }

    fn advice(self, name: &str) -> String {
        match self {
            Self::OneAlternative | Self::SomeAlternatives => {
                format!(
                    "Bind `${name}` in every alternative, or move what uses it into the alternative that binds it"
                )
            }
            Self::NotInTimeout | Self::OnlyInTimeout => format!(
                "Bind `${name}` in the `waitfor` and in its `timeout`, or move what uses it to where it is bound"
            ),
        }
    }
}

pub(super) fn unbound<'n>(
    name: &str,
    span: Span,
    elsewhere: Option<Span>,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let error =
        Diagnostic::new(Code::Unbound, span, format!("`${name}` is not bound here"), "it has no value yet");
    match elsewhere {
        Some(at) if at.start > span.start => error
            .with_label(at, "bound only here, later")
            .with_help(format!("Bind `${name}` before its value is needed")),
        Some(at) => error
            .with_label(at, "bound here, but not on the way to the use")
            .with_help(format!("What an alternative binds is unbound in the next: bind `${name}` in this one too")),
        None => match suggest::nearest(name, known) {
            Some(near) => error.with_help(format!("Did you mean `${near}`?")).replaced_by(format!("${near}")),
            None => error.with_help(format!(
                "Bind `${name}` before: as a term of the clause head, in a receive, or as the answer of a procedure"
            )),
        },
    }
}

/// The error about an unbound variable in a send with which a `waitfor` begins.
pub(super) fn reversed(unbound: Diagnostic) -> Diagnostic {
    unbound
        .with_note("`=>` sends, with values that are known; a `waitfor` mostly begins with a receive")
        .with_help("Did you mean `<=`? It receives, and binds the variables of the message and its sender")
}

pub(super) fn maybe_unbound(name: &str, span: Span, need: Need, at: Span, gap: Gap) -> Diagnostic {
    let text = format!("`${name}` may not be bound here: {}", gap.explanation());
    Diagnostic::new(Code::MaybeUnbound, span, text, need.phrase())
        .with_label(at, gap.label())
        .with_help(gap.advice(name))
}

pub(super) fn maybe_bound_pattern(
    name: &str,
    span: Span,
    pattern: Pattern,
    at: Span,
    gap: Gap,
) -> Diagnostic {
    let text = format!("`${name}` may or may not be bound here: {}", gap.explanation());
    let label = match pattern {
        Pattern::Head | Pattern::Received => "does this pattern compare it or bind it?",
        Pattern::Answer => "does this compare the answer with it or bind it?",
    };
    Diagnostic::new(Code::MaybeBoundPattern, span, text, label)
        .with_label(at, gap.label())
        .with_help(format!("Use another variable here, or bind `${name}` on every path to here"))
}

pub(super) fn wildcard(span: Span, need: Need) -> Diagnostic {
    let what = match need {
        Need::Sent | Need::Address => "a message is sent with values only",
        Need::Asked => "a procedure is asked with values only",
        Need::Called => "a call passes on values only",
    };
    let text = format!("`_` is not a value, and {what}");
    Diagnostic::new(Code::WildcardValue, span, text, "a value is needed here")
        .with_note("`_` stands for anything in a receive, in a clause head and in the address of a send")
        .with_help("Write a value or a bound variable")
}

pub(super) fn bound_in_both_sides(name: &str, span: Span, first: Span) -> Diagnostic {
    let text = format!("`${name}` is bound on both sides of a `par`");
    Diagnostic::new(Code::BoundInBothSides, span, text, "bound here too")
        .with_label(first, "bound here, on another side")
        .with_note("The sides run interleaved and share their variables, so either could come first")
        .with_help("Use two variables, or bind it before the `par`")
}

pub(super) fn bound_in_other_side(name: &str, span: Span, at: Span) -> Diagnostic {
    let text = format!("`${name}` is used on one side of a `par`, but bound on another");
    Diagnostic::new(Code::BoundInOtherSide, span, text, "used here, perhaps before it is bound")
        .with_label(at, "bound here, on another side")
        .with_help(format!(
            "Bind `${name}` before the `par`, or use it after the `par` or on the side that binds it"
        ))
}
