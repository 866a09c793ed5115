//! Comparisons whose operands are certainly of the wrong kind.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Atom, ComparisonOperator, Formula, FormulaKind, Quantity, QuantityKind, TermKind};

pub(super) fn check(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    match &formula.kind {
        FormulaKind::Temporal(_, operand)
        | FormulaKind::Possible(operand)
        | FormulaKind::Not(operand)
        | FormulaKind::Quantified(_, _, operand) => check(operand, errors),
        FormulaKind::Until(left, right) | FormulaKind::LeadsTo(left, right) => {
            check(left, errors);
            check(right, errors);
        }
        FormulaKind::Sequence(parts)
        | FormulaKind::Implies(parts)
        | FormulaKind::And(parts)
        | FormulaKind::Or(parts) => parts.iter().for_each(|part| check(part, errors)),
        FormulaKind::Atom(Atom::Comparison(left, operator, right)) => {
            for quantity in [left, right] {
                if let QuantityKind::Count(_, body) = &quantity.kind {
                    check(body, errors);
                }
            }
            comparison(left, *operator, right, errors);
        }
        FormulaKind::Atom(_) => {}
    }
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
    /// `None` if the kind is known only at run time.
    fn of(quantity: &Quantity) -> Option<Self> {
        match &quantity.kind {
            QuantityKind::Mailbox(_) | QuantityKind::Count(..) => Some(Self::Integer),
            QuantityKind::Cell(..) => None,
            QuantityKind::Term(term) => match term {
                TermKind::Integer(_) => Some(Self::Integer),
                TermKind::Agent(_) | TermKind::Variable(_) => Some(Self::Agent),
                TermKind::Role(_) => Some(Self::Role),
                TermKind::Name(_) => Some(Self::Name),
                TermKind::Text(_) => Some(Self::Text),
                TermKind::Wildcard | TermKind::Expression(_) => None,
            },
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

fn comparison(left: &Quantity, operator: ComparisonOperator, right: &Quantity, errors: &mut Vec<Diagnostic>) {
    let ordered = !matches!(operator, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
    let (kind_of_left, kind_of_right) = (Kind::of(left), Kind::of(right));
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
