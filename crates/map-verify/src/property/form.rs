//! The normal form in which formulas are judged: negations are pushed inwards, conjunctions are split, and
//! possibilities are replaced by their truth values.

use map_ir::{Possibility, PropositionId, Temporal};

/// A formula about one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Constant(bool),
    /// A possibility whose truth is not known.
    Unknown,
    /// A proposition, or its negation.
    Literal(Literal),
    Not(Box<Form>),
    And(Vec<Form>),
    Or(Vec<Form>),
    Next(Box<Form>),
    Always(Box<Form>),
    Eventually(Box<Form>),
    Until(Box<Form>, Box<Form>),
    LeadsTo(Box<Form>, Box<Form>),
}

/// A proposition, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) proposition: PropositionId,
    pub(crate) positive: bool,
}

impl Form {
    /// `possible` evaluates a possibility; `None` if its truth is not known. Its second argument is whether the
    /// possibility occurs positively.
    pub(crate) fn new(
        formula: &Temporal,
        possible: &mut impl FnMut(&Possibility, bool) -> Option<bool>,
    ) -> Self {
        Self::signed(formula, true, possible)
    }

    /// The formula, or its negation.
    fn signed(
        formula: &Temporal,
        positive: bool,
        possible: &mut impl FnMut(&Possibility, bool) -> Option<bool>,
    ) -> Self {
        let mut of = |formula: &Temporal, positive: bool| Self::signed(formula, positive, possible);
        match formula {
            Temporal::Holds(proposition) => Self::Literal(Literal { proposition: *proposition, positive }),
            Temporal::Possible(possibility) => match possible(possibility, positive) {
                Some(holds) => Self::Constant(holds == positive),
                None => Self::Unknown,
            },
            Temporal::Not(inner) => of(inner, !positive),
            Temporal::And(parts) | Temporal::Or(parts) => {
                let conjunction = matches!(formula, Temporal::And(_)) == positive;
                let parts = parts.iter().map(|part| of(part, positive));
                if conjunction { all(parts) } else { any(parts) }
            }
            Temporal::Next(inner) => match of(inner, positive) {
                Self::Constant(value) => Self::Constant(value),
                inner => Self::Next(Box::new(inner)),
            },
            Temporal::Always(inner) if positive => always(of(inner, true)),
            Temporal::Always(inner) => eventually(of(inner, false)),
            Temporal::Eventually(inner) if positive => eventually(of(inner, true)),
            Temporal::Eventually(inner) => always(of(inner, false)),
            Temporal::Until(left, right) => {
                let until = Self::Until(Box::new(of(left, true)), Box::new(of(right, true)));
                if positive { until } else { Self::Not(Box::new(until)) }
            }
            Temporal::LeadsTo(left, right) => {
                let leads_to = Self::LeadsTo(Box::new(of(left, true)), Box::new(of(right, true)));
                if positive { leads_to } else { Self::Not(Box::new(leads_to)) }
            }
        }
    }

    /// The conjuncts of the formula.
    pub(crate) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => parts,
            other => vec![other],
        }
    }

    /// Whether the truth of some part is not known.
    pub(crate) fn has_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Constant(_) | Self::Literal(_) => false,
            Self::Not(inner) | Self::Next(inner) | Self::Always(inner) | Self::Eventually(inner) => {
                inner.has_unknown()
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::has_unknown),
            Self::Until(left, right) | Self::LeadsTo(left, right) => {
                left.has_unknown() || right.has_unknown()
            }
        }
    }
}

fn all(parts: impl Iterator<Item = Form>) -> Form {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Form::Constant(true) => {}
            Form::Constant(false) => return Form::Constant(false),
            Form::And(inner) => kept.extend(inner),
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Form::Constant(true),
        1 => kept.remove(0),
        _ => Form::And(kept),
    }
}

fn any(parts: impl Iterator<Item = Form>) -> Form {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Form::Constant(false) => {}
            Form::Constant(true) => return Form::Constant(true),
            Form::Or(inner) => kept.extend(inner),
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Form::Constant(false),
        1 => kept.remove(0),
        _ => weak_until(&kept).unwrap_or(Form::Or(kept)),
    }
}

/// Rewrites the weak until, `always f or (f until g)`, as `not (not g until (not f and not g))`, which a finite
/// prefix can refute.
fn weak_until(parts: &[Form]) -> Option<Form> {
    let ([Form::Always(always), Form::Until(left, goal)] | [Form::Until(left, goal), Form::Always(always)]) =
        parts
    else {
        return None;
    };
    let (Form::Literal(left), Form::Literal(goal), Form::Literal(always)) = (&**left, &**goal, &**always)
    else {
        return None;
    };
    let denied = |it: &Literal| Form::Literal(Literal { positive: !it.positive, ..*it });
    let both = Form::And(vec![denied(left), denied(goal)]);
    (left == always).then(|| Form::Not(Box::new(Form::Until(Box::new(denied(goal)), Box::new(both)))))
}

/// Distributes `always` over conjunctions.
fn always(inner: Form) -> Form {
    match inner {
        Form::And(parts) => all(parts.into_iter().map(always)),
        inner @ (Form::Constant(_) | Form::Always(_) | Form::LeadsTo(..) | Form::Unknown) => inner,
        inner => Form::Always(Box::new(inner)),
    }
}

fn eventually(inner: Form) -> Form {
    match inner {
        inner @ (Form::Constant(_) | Form::Eventually(_) | Form::Unknown) => inner,
        inner => Form::Eventually(Box::new(inner)),
    }
}
