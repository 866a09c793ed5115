//! Expressions of Promela, which are simplified while they are built.

use std::fmt::{self, Display, Formatter};

use super::Operator;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) enum Expr {
    True,
    #[default]
    False,
    Number(i64),
    /// A variable, a constant defined in the preamble, or `timeout`.
    Name(String),
    /// An element of an array.
    Element(String, Box<Expr>),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// A comparison or an arithmetic operation.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// The conditional expression `(condition -> this : that)`.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether some message of the channel matches; the channel is not changed.
    Poll(Box<Expr>, Vec<Field>),
    /// The number of messages in a channel.
    Len(Box<Expr>),
    /// A macro of the preamble with its arguments.
    Macro(String, Vec<Expr>),
}

/// The requirement of a receive or poll on one field of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    /// Anything.
    Any,
    /// This value.
    Is(Expr),
    /// This symbolic constant.
    Constant(String),
    /// Anything, which is stored in this variable.
    Into(Expr),
}

impl Expr {
    pub(crate) fn name(text: impl Into<String>) -> Self {
        Self::Name(text.into())
    }

    pub(crate) fn element(array: impl Into<String>, index: Self) -> Self {
        Self::Element(array.into(), Box::new(index))
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(inner) => *inner,
            Self::Binary(operator, left, right) => match operator.opposite() {
                Some(opposite) => Self::Binary(opposite, left, right),
                None => Self::Not(Box::new(Self::Binary(operator, left, right))),
            },
            other => Self::Not(Box::new(other)),
        }
    }

    pub(crate) fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::chain(parts, &Self::True, &Self::False, Self::And)
    }

    /// What has to hold, if it is a conjunction; otherwise it alone.
    pub(crate) fn parts(&self) -> &[Self] {
        match self {
            Self::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    pub(crate) fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::chain(parts, &Self::False, &Self::True, Self::Or)
    }

    fn chain(
        parts: impl IntoIterator<Item = Self>,
        neutral: &Self,
        absorbing: &Self,
        make: fn(Vec<Self>) -> Self,
    ) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            let parts = match part {
                Self::And(parts) if *neutral == Self::True => parts,
                Self::Or(parts) if *neutral == Self::False => parts,
                part => vec![part],
            };
            if kept.is_empty() && parts.len() > 1 {
                // It was made here, and is simple already.
                kept = parts;
                continue;
            }
            for part in parts {
                if part == *absorbing || kept.contains(&part.clone().not()) {
                    return absorbing.clone();
                }
                if part != *neutral && !kept.contains(&part) {
                    kept.push(part);
                }
            }
        }
        match kept.len() {
            0 => neutral.clone(),
            1 => kept.swap_remove(0),
            _ => make(kept),
        }
    }

    pub(crate) fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `left == right`, evaluated at once where possible.
    pub(crate) fn equal(left: Self, right: Self) -> Self {
        match (&left, &right) {
            _ if left == right => Self::True,
            (Self::Number(_), Self::Number(_)) => Self::False,
            _ => Self::binary(Operator::Equal, left, right),
        }
    }

    /// `condition -> this : that`, evaluated at once where possible.
    pub(crate) fn choose(condition: Self, this: Self, that: Self) -> Self {
        match condition {
            Self::True => this,
            Self::False => that,
            _ => Self::Choose(Box::new(condition), Box::new(this), Box::new(that)),
        }
    }

    /// Whether it needs no parentheses as an operand.
    fn is_simple(&self) -> bool {
        !matches!(self, Self::And(_) | Self::Or(_) | Self::Binary(..))
    }
}

/// An operand, in parentheses if it needs them.
struct Operand<'a>(&'a Expr);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            simple if simple.is_simple() => simple.fmt(f),
            other => write!(f, "({other})"),
        }
    }
}

fn joined<T: Display>(
    f: &mut Formatter<'_>,
    parts: impl IntoIterator<Item = T>,
    between: &str,
) -> fmt::Result {
    for (index, part) in parts.into_iter().enumerate() {
        f.write_str(if index == 0 { "" } else { between })?;
        part.fmt(f)?;
    }
    Ok(())
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => f.write_str(name),
            Self::Element(array, index) => write!(f, "{array}[{index}]"),
            Self::Not(inner) if matches!(**inner, Self::Name(_) | Self::Element(..)) => write!(f, "!{inner}"),
            Self::Not(inner) => write!(f, "!({inner})"),
            Self::And(parts) => joined(f, parts.iter().map(Operand), " && "),
            Self::Or(parts) => joined(f, parts.iter().map(Operand), " || "),
            Self::Binary(operator, left, right) => {
                write!(f, "{} {operator} {}", Operand(left), Operand(right))
            }
            Self::Choose(condition, this, that) => {
                write!(f, "({} -> {} : {})", Operand(condition), Operand(this), Operand(that))
            }
            Self::Poll(channel, fields) => {
                write!(f, "{channel} ?? [")?;
                joined(f, fields, ", ")?;
                f.write_str("]")
            }
            Self::Len(channel) => write!(f, "len({channel})"),
            Self::Macro(name, arguments) => {
                write!(f, "{name}(")?;
                joined(f, arguments, ", ")?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("_"),
            Self::Is(value @ Expr::Number(_)) | Self::Into(value) => value.fmt(f),
            Self::Constant(name) => f.write_str(name),
            Self::Is(value) => write!(f, "eval({value})"),
        }
    }
}
