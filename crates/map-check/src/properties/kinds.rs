//! Comparisons whose operands are certainly of the wrong kind.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{
    Atom, ComparisonOperator, DomainKind, File, Formula, FormulaPart, Quantity, QuantityKind, RangeOver,
    TermKind,
};

use super::ranges;

pub(super) fn check(file: &File, formula: &Formula, errors: &mut Vec<Diagnostic>) {
    formula.visit(&mut |part, around| {
        if let FormulaPart::Atom(Atom::Comparison(left, operator, right)) = part {
            let kinds = [left, right].map(|quantity| Kind::of(file, quantity, around));
            comparison((left, kinds[0]), *operator, (right, kinds[1]), errors);
        }
    });
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integer,
    Agent,
    Role,
    Name,
    Text,
}

impl Kind {
    /// `None` if the kind is known only at run time; `around` are the enclosing ranges, outermost first.
    fn of(file: &File, quantity: &Quantity, around: &[&RangeOver]) -> Option<Self> {
        match &quantity.kind {
            QuantityKind::Mailbox(_)
            | QuantityKind::Count(..)
            | QuantityKind::Times(_)
            | QuantityKind::Total(..)
            | QuantityKind::Cost(..)
            | QuantityKind::Sum(_) => Some(Self::Integer),
            QuantityKind::Cell(..) | QuantityKind::Moment(..) | QuantityKind::Measure(..) => None,
            QuantityKind::Term(TermKind::Variable(name)) => {
                // A variable without a range is bound by an event, to a value of any kind.
                let range = around.iter().rev().find(|range| range.variable.text == *name)?;
                Self::of_range(file, range)
            }
            QuantityKind::Term(term) => Self::of_constant(term),
        }
    }

    fn of_range(file: &File, range: &RangeOver) -> Option<Self> {
        match &ranges::domain_of(file, range)?.kind {
            DomainKind::Role(_) => Some(Self::Agent),
            DomainKind::Range(..) => Some(Self::Integer),
            DomainKind::Values(values) => {
                let mut kinds = values.iter().map(|value| Self::of_constant(&value.kind));
                let first = kinds.next()?;
                kinds.all(|kind| kind == first).then_some(first)?
            }
        }
    }

    const fn of_constant(term: &TermKind) -> Option<Self> {
        match term {
            TermKind::Integer(_) => Some(Self::Integer),
            TermKind::Agent(_) => Some(Self::Agent),
            TermKind::Role(_) => Some(Self::Role),
            TermKind::Name(_) => Some(Self::Name),
            TermKind::Text(_) => Some(Self::Text),
            TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => None,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Integer => "an integer",
            Self::Agent => "an agent",
            Self::Role => "a role",
            Self::Name => "a constant",
            Self::Text => "a string",
        }
    }
}

/// A side of a comparison with its kind, if it is known.
type Side<'q> = (&'q Quantity, Option<Kind>);

fn comparison(left: Side<'_>, operator: ComparisonOperator, right: Side<'_>, errors: &mut Vec<Diagnostic>) {
    let ((left, kind_of_left), (right, kind_of_right)) = (left, right);
    let ordered = !matches!(operator, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
    if ordered {
        for (quantity, kind) in [(left, kind_of_left), (right, kind_of_right)] {
            if let Some(kind) = kind.filter(|&kind| kind != Kind::Integer) {
                errors.push(
                    Diagnostic::new(
                        Code::WrongKind,
                        quantity.span,
                        "only integers are smaller or larger than others",
                        format!("this is {}", kind.words()),
                    )
                    .with_help("Compare with `==` or `!=`"),
                );
            }
        }
    } else if let (Some(one), Some(other)) = (kind_of_left, kind_of_right)
        && one != other
    {
        let text = format!("{} is never equal to {}", one.words(), other.words());
        errors.push(
            Diagnostic::new(
                Code::WrongKind,
                left.span.to(right.span),
                text,
                "values of different kinds differ",
            )
            .with_label(left.span, format!("this is {}", one.words()))
            .with_label(right.span, format!("this is {}", other.words())),
        );
    }
}
