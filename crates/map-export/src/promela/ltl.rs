//! Formulas of linear temporal logic in negation normal form, in the syntax of SPIN's `ltl`.

use std::fmt::{self, Display, Formatter};

use super::Expr;

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ltl {
    /// The condition holds now.
    Now(Expr),
    And(Vec<Ltl>),
    Or(Vec<Ltl>),
    Always(Box<Ltl>),
    Eventually(Box<Ltl>),
    Until(Box<Ltl>, Box<Ltl>),
    /// Like `Until`, but the second formula need not ever hold.
    WeakUntil(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// Whether it needs no parentheses as an operand.
    fn is_simple(&self) -> bool {
        match self {
            Self::Now(condition) => {
                matches!(condition, Expr::True | Expr::False | Expr::Name(_))
                    || matches!(condition, Expr::Not(inner) if matches!(**inner, Expr::Name(_)))
            }
            _ => false,
        }
    }
}

/// An operand, in parentheses if it needs them.
struct Operand<'a>(&'a Ltl);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_simple() { self.0.fmt(f) } else { write!(f, "({})", self.0) }
    }
}

impl Display for Ltl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (parts, operator) = match self {
            Self::Now(condition) => return condition.fmt(f),
            Self::Always(inner) => return write!(f, "[] {}", Operand(inner)),
            Self::Eventually(inner) => return write!(f, "<> {}", Operand(inner)),
            Self::Until(left, right) => return write!(f, "{} U {}", Operand(left), Operand(right)),
            Self::WeakUntil(left, right) => return write!(f, "{} W {}", Operand(left), Operand(right)),
            Self::And(parts) => (parts, "&&"),
            Self::Or(parts) => (parts, "||"),
        };
        // `&&` and `||` are binary in SPIN's grammar, but chains without parentheses are accepted.
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                write!(f, " {operator} ")?;
            }
            Operand(part).fmt(f)?;
        }
        Ok(())
    }
}
