//! Properties and their formulas.

use map_diagnostics::Span;

use super::{ComparisonOperator, Domain, DomainKind, Expression, Message, Name, Term, TermKind};

/// `property NAME : formula`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name.
    pub name: Name,
    /// What must hold in every run or, with `possible`, in some run.
    pub formula: Formula,
    /// The whole item.
    pub span: Span,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// Its kind and parts.
    pub kind: FormulaKind,
    /// Its span, without surrounding parentheses.
    pub span: Span,
}

/// The callback of [`Formula::visit`]: gets every part with its enclosing ranges, outermost first.
type Visitor<'v, 'f> = dyn FnMut(FormulaPart<'f>, &[&'f RangeOver]) + 'v;

/// A part of a formula that [`Formula::visit`] visits.
#[derive(Clone, Copy, Debug)]
pub enum FormulaPart<'f> {
    /// The range of a quantifier or a `count`; it comes before the formula it applies to.
    Range(&'f RangeOver),
    /// An atom; a comparison comes before the contents of its `count`s and `total`s.
    Atom(&'f Atom),
}

impl Formula {
    /// The formulas that it is made of, as they are written: operands, what a quantifier is about, what the quantities
    /// of a comparison count.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            FormulaKind::Temporal(_, operand)
            | FormulaKind::Possible(operand)
            | FormulaKind::Before(operand)
            | FormulaKind::Not(operand)
            | FormulaKind::Quantified(_, _, operand) => vec![operand],
            FormulaKind::Until(left, right)
            | FormulaKind::Unless(left, right)
            | FormulaKind::Precedes(left, right)
            | FormulaKind::LeadsTo(left, right) => vec![left, right],
            FormulaKind::Sequence(parts)
            | FormulaKind::Implies(parts)
            | FormulaKind::And(parts)
            | FormulaKind::Or(parts) => parts.iter().collect(),
            FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
                left.counted().into_iter().chain(right.counted()).collect()
            }
            FormulaKind::Atom(_) => Vec::new(),
        }
    }

    /// Visits the ranges and atoms of a formula from left to right, each with its enclosing ranges, outermost
    /// first.
    pub fn visit<'f>(&'f self, visitor: &mut Visitor<'_, 'f>) {
        self.visit_within(&mut Vec::new(), visitor);
    }

    fn visit_within<'f>(&'f self, around: &mut Vec<&'f RangeOver>, visitor: &mut Visitor<'_, 'f>) {
        match &self.kind {
            FormulaKind::Quantified(_, range, body) => range.visit_over(body, around, visitor),
            FormulaKind::Atom(atom) => {
                visitor(FormulaPart::Atom(atom), around);
                let Atom::Comparison(left, _, right) = atom else { return };
                for side in [left, right] {
                    match (&side.kind, side.counted()) {
                        (QuantityKind::Count(range, body), _) => range.visit_over(body, around, visitor),
                        (_, Some(body)) => body.visit_within(around, visitor),
                        (_, None) => {}
                    }
                }
            }
            _ => self.parts().into_iter().for_each(|part| part.visit_within(around, visitor)),
        }
    }
}

/// The kinds of formula. Chains are lists; only parentheses, `not`, `before`, `count`, `total` and the prefix operators
/// nest, at most [`crate::MAX_NESTING`] levels deep.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FormulaKind {
    /// A temporal operator with its operand, such as `always f`.
    Temporal(TemporalOperator, Box<Formula>),
    /// `possible f`: `f` holds in some run.
    Possible(Box<Formula>),
    /// `possible sequence e1 ; e2 ; ..`: in some run these events happen in this order; one or more.
    Sequence(Vec<Formula>),
    /// `f until g`.
    Until(Box<Formula>, Box<Formula>),
    /// `f unless g`: `f` holds as long as `g` has not held yet.
    Unless(Box<Formula>, Box<Formula>),
    /// `f precedes g`: `g` does not hold before `f` has.
    Precedes(Box<Formula>, Box<Formula>),
    /// `f leadsto g`.
    LeadsTo(Box<Formula>, Box<Formula>),
    /// `f implies g implies ..`: two or more, grouped to the right.
    Implies(Vec<Formula>),
    /// `f and g and ..`: two or more.
    And(Vec<Formula>),
    /// `f or g or ..`: two or more.
    Or(Vec<Formula>),
    /// `not f`.
    Not(Box<Formula>),
    /// `before f`: `f` held at an earlier moment.
    Before(Box<Formula>),
    /// `forall $x in %role : f` or `exists ..`.
    Quantified(Quantifier, RangeOver, Box<Formula>),
    /// What holds or happens at one moment.
    Atom(Atom),
}

/// The unary temporal operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalOperator {
    /// At this and every later moment.
    Always,
    /// At this or some later moment.
    Eventually,
    /// Neither at this nor at any later moment.
    Never,
    /// At the next moment.
    Next,
}

impl TemporalOperator {
    /// The keyword.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Eventually => "eventually",
            Self::Never => "never",
            Self::Next => "next",
        }
    }
}

/// `forall` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`.
    Forall,
    /// `exists`.
    Exists,
}

impl Quantifier {
    /// The keyword.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
        }
    }
}

/// `$x in %role :`, `$p in 1..10 :`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RangeOver {
    /// The variable, without `$`.
    pub variable: Name,
    /// The agents or values that it stands for.
    pub over: Over,
}

/// What a quantified variable ranges over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// `%role`, `{a, b}` or `1..10`.
    Domain(Domain),
    /// `p()`: the values of the procedure's domain.
    Answers(Name),
}

impl RangeOver {
    /// The role whose agents the variable stands for, if the text says so itself.
    #[must_use]
    pub const fn role(&self) -> Option<&Name> {
        match &self.over {
            Over::Domain(Domain { kind: DomainKind::Role(role), .. }) => Some(role),
            Over::Domain(_) | Over::Answers(_) => None,
        }
    }

    fn visit_over<'f>(
        &'f self,
        body: &'f Formula,
        around: &mut Vec<&'f Self>,
        visitor: &mut Visitor<'_, 'f>,
    ) {
        visitor(FormulaPart::Range(self), around);
        around.push(self);
        body.visit_within(around, visitor);
        around.pop();
    }
}

/// The atoms of formulas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `ended`: all agents have.
    Ended,
    /// `done(a)`, `failed(a)` or `waiting(a)`.
    Status(StatusWord, Term),
    /// `a in NAME`: the innermost clause of one of its threads has that constant as its first term.
    In(Term, Name),
    /// A comparison such as `a == b`.
    Comparison(Quantity, ComparisonOperator, Quantity),
    /// What an agent does in the step.
    Event(Term, Event),
}

/// The status of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatusWord {
    /// Its entry clause has succeeded.
    Done,
    /// Its entry clause has failed.
    Failed,
    /// It has not ended and all its threads wait.
    Waiting,
}

impl StatusWord {
    /// The keyword.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Waiting => "waiting",
        }
    }
}

/// What an agent may do in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// `sends m(t..) to b`.
    Sends(Message, Term),
    /// `receives m(t..) from b`.
    Receives(Message, Term),
    /// `asks p`.
    Asks(Name),
    /// `answers p yes` or `answers p no`.
    Answers(Name, bool),
    /// `times out`.
    TimesOut,
}

/// What is to be collected of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Collectable {
    /// A value at the end of a run: an expression as behind `measure NAME =`.
    Value(Expression),
    /// An event: the values that its variables had when it happened last.
    Event(Box<Formula>),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantity {
    /// Its kind and parts.
    pub kind: QuantityKind,
    /// Its span.
    pub span: Span,
}

impl Quantity {
    /// The formula of which it counts how often, or for how many, it holds; or the value is taken where it does.
    #[must_use]
    pub fn counted(&self) -> Option<&Formula> {
        match &self.kind {
            QuantityKind::Count(_, body)
            | QuantityKind::Times(body)
            | QuantityKind::Total(_, body)
            | QuantityKind::Moment(_, _, body) => Some(body),
            QuantityKind::Term(_)
            | QuantityKind::Cell(..)
            | QuantityKind::Mailbox(_)
            | QuantityKind::Cost(..)
            | QuantityKind::Measure(..)
            | QuantityKind::Sum(_) => None,
        }
    }
}

/// The kinds of [`Quantity`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QuantityKind {
    /// A constant, or a variable that stands for an agent or a value.
    Term(TermKind),
    /// `a@cell`.
    Cell(Term, Name),
    /// `mailbox(a)`: the number of messages in the mailbox.
    Mailbox(Term),
    /// `count($x in %role : f)`: the number of agents or values for which `f` holds.
    Count(RangeOver, Box<Formula>),
    /// `count(f)`: how often `f` has held so far.
    Times(Box<Formula>),
    /// `total($c : f)`: the sum of the values of `$c` over the moments so far at which `f` held.
    Total(Name, Box<Formula>),
    /// `cost(u)`, `cost(u, a)` or `cost(u, %role)`: what has been paid so far, by everybody, an agent or the agents of
    /// a role.
    Cost(Name, Option<Term>),
    /// `first($p : f)` or `last($p : f)`: the value of `$p` at the first or last moment at which `f` held; in measures
    /// only.
    Moment(MomentWord, Name, Box<Formula>),
    /// `measure(m)` or `measure(m, a)`: a measure, that of an agent if each has one.
    Measure(Name, Option<Term>),
    /// `sum(m)`: the sum of a measure over the agents that have one.
    Sum(Name),
}

/// Which of the moments at which a formula held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MomentWord {
    /// The first.
    First,
    /// The last.
    Last,
}

impl MomentWord {
    /// The keyword.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
        }
    }
}
