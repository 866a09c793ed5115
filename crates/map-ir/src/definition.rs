//! Memories, and the definitions of procedures (language reference, "Procedures").

use crate::{CellId, Domain, ExpressionId, ProcedureId, Slot, SourceSpan, Value};

/// The memory of a role: cells private to each of its agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The cells with their initial values.
    pub cells: Vec<(CellId, Initial)>,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A constant.
    Constant(Value),
    /// The agent's own name.
    Own,
    /// Any of these values; each agent has one of its own at the beginning of a run.
    In(Domain),
}

/// A decision procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Whether it may answer "no".
    pub may_refuse: bool,
    /// How likely it does not, where that is left to chance; `None` if that is up to whoever runs the scene.
    pub probability: Option<Probability>,
    /// How it answers.
    pub body: Body,
}

/// A probability, as an exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    /// The number of billionths, at most 1,000,000,000.
    pub billionths: u32,
}

impl Probability {
    /// The nearest number with a binary fraction: that which the decimal number means elsewhere, too.
    #[must_use]
    pub fn nearest(self) -> f64 {
        f64::from(self.billionths) / 1e9
    }
}

/// How a procedure answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// It has no body: an abstract value.
    Abstract,
    /// Any of these values.
    In(Domain),
    /// A new value that differs from all others.
    Fresh,
    /// The first alternative whose guard holds.
    Alternatives(Vec<Alternative>),
}

/// An alternative of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The condition; `None` always holds.
    pub guard: Option<ExpressionId>,
    /// The answer.
    pub answer: Answer,
    /// The cells to update, all computed from the previous contents.
    pub updates: Vec<(CellId, ExpressionId)>,
    /// The alternative in the source.
    pub span: SourceSpan,
}

/// The answer of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The value of an expression.
    Value(ExpressionId),
    /// Any of these values.
    In(Domain),
}

/// What an honest agent answers where a procedure leaves it open. It is no part of the dialogue: nothing that can
/// happen depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The first whose guard holds has the answer, "no" if there is none. They update nothing.
    pub alternatives: Vec<Alternative>,
    /// The expressions of the alternatives, which have ids of their own.
    pub expressions: Vec<Expression>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The kind, with its operands.
    pub kind: ExpressionKind,
    /// The expression in the source.
    pub span: SourceSpan,
}

/// What an [`Expression`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A constant.
    Constant(Value),
    /// The argument with this index; in bodies only.
    Argument(usize),
    /// A variable of the clause; outside of bodies only.
    Variable(Slot),
    /// The content of a cell.
    Cell(CellId),
    /// The asking agent's name.
    Own,
    /// Operators of one precedence, applied from left to right.
    Arithmetic(ExpressionId, Vec<(Arithmetic, ExpressionId)>),
    /// A comparison of two values.
    Comparison(ExpressionId, Comparison, ExpressionId),
    /// All conditions hold.
    And(Vec<ExpressionId>),
    /// Some condition holds.
    Or(Vec<ExpressionId>),
    /// The condition does not hold.
    Not(ExpressionId),
    /// The smaller integer.
    Min(ExpressionId, ExpressionId),
    /// The larger integer.
    Max(ExpressionId, ExpressionId),
    /// The second if the first holds, else the third.
    If(ExpressionId, ExpressionId, ExpressionId),
}

impl ExpressionKind {
    /// The expressions that it is made of, as they are written.
    #[must_use]
    pub fn parts(&self) -> Vec<ExpressionId> {
        match self {
            Self::Constant(_) | Self::Argument(_) | Self::Variable(_) | Self::Cell(_) | Self::Own => {
                Vec::new()
            }
            Self::Arithmetic(first, rest) => {
                std::iter::once(*first).chain(rest.iter().map(|&(_, operand)| operand)).collect()
            }
            Self::Comparison(left, _, right) | Self::Min(left, right) | Self::Max(left, right) => {
                vec![*left, *right]
            }
            Self::And(parts) | Self::Or(parts) => parts.clone(),
            Self::Not(part) => vec![*part],
            Self::If(condition, this, that) => vec![*condition, *this, *that],
        }
    }
}

/// Operators on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arithmetic {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, truncating.
    Divide,
    /// `mod`: the remainder of `/`.
    Remainder,
}

/// Comparison operators, which yield conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
}

impl Arithmetic {
    /// The operator as written.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "mod",
        }
    }
}

impl Comparison {
    /// The one that holds of two values in the other order.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// The operator as written.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}
