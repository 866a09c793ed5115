//! The binary operators of Promela on numbers.

use std::fmt::{self, Display, Formatter};

use map_ir::{Arithmetic, Comparison};

/// A binary operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
}

impl Operator {
    /// The complementary comparison, which holds exactly if this one does not; `None` for arithmetic operators.
    pub(super) fn opposite(self) -> Option<Self> {
        match self {
            Self::Equal => Some(Self::NotEqual),
            Self::NotEqual => Some(Self::Equal),
            Self::Less => Some(Self::GreaterOrEqual),
            Self::GreaterOrEqual => Some(Self::Less),
            Self::Greater => Some(Self::LessOrEqual),
            Self::LessOrEqual => Some(Self::Greater),
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder | Self::BitAnd => {
                None
            }
        }
    }
}

impl From<Comparison> for Operator {
    fn from(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Equal => Self::Equal,
            Comparison::NotEqual => Self::NotEqual,
            Comparison::Less => Self::Less,
            Comparison::LessOrEqual => Self::LessOrEqual,
            Comparison::Greater => Self::Greater,
            Comparison::GreaterOrEqual => Self::GreaterOrEqual,
        }
    }
}

impl From<Arithmetic> for Operator {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Add => Self::Add,
            Arithmetic::Subtract => Self::Subtract,
            Arithmetic::Multiply => Self::Multiply,
            Arithmetic::Divide => Self::Divide,
            Arithmetic::Remainder => Self::Remainder,
        }
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::BitAnd => "&",
        })
    }
}
