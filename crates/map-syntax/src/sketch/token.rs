//! Tokens, for splitting a text into units and for explaining syntax errors.

use map_diagnostics::Span;

/// The kind of a token. The pest parser reads characters and does not use tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `agent`.
    Agent,
    /// `then`.
    Then,
    /// `or`.
    Or,
    /// `par`.
    Par,
    /// `waitfor`.
    Waitfor,
    /// `timeout`.
    Timeout,
    /// `skip` or `ε`.
    Skip,
    /// `fail`.
    Fail,
    /// Any other bare word, also one that has a meaning in items other than scenes.
    Name,
    /// `$x`.
    Variable,
    /// `!Name`.
    AgentName,
    /// `%role`.
    Role,
    /// `@cell`.
    Cell,
    /// `-12`.
    Integer,
    /// `"text"`.
    Text,
    /// `_`.
    Wildcard,
    /// `(`.
    OpenParen,
    /// `)`.
    CloseParen,
    /// `[`.
    OpenBracket,
    /// `]`.
    CloseBracket,
    /// `{`.
    OpenBrace,
    /// `}`.
    CloseBrace,
    /// `,`.
    Comma,
    /// `=`.
    Equals,
    /// `=>`.
    SendArrow,
    /// `<=`, also as a comparison.
    ReceiveArrow,
    /// `$`, `%`, `!` or `@` without a name after it.
    Sigil,
    /// Any other punctuation of MAP or of other languages.
    Symbol,
    /// Text about which an error has been reported.
    Bad,
    /// An operation with a mistake, which has been cut out. Not among the tokens of a text.
    Hole,
}

impl Kind {
    /// The kind of a bare word.
    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "agent" => Self::Agent,
            "then" => Self::Then,
            "or" => Self::Or,
            "par" => Self::Par,
            "waitfor" => Self::Waitfor,
            "timeout" => Self::Timeout,
            "skip" => Self::Skip,
            "fail" => Self::Fail,
            _ => Self::Name,
        }
    }

    /// Whether it is a reserved word.
    pub(crate) fn is_reserved(self) -> bool {
        use Kind::{Agent, Fail, Or, Par, Skip, Then, Timeout, Waitfor};
        matches!(self, Agent | Then | Or | Par | Waitfor | Timeout | Skip | Fail)
    }

    /// Whether it is a connective between operations.
    pub(crate) fn is_join(self) -> bool {
        matches!(self, Self::Then | Self::Or | Self::Par)
    }

    /// Whether it stands between a message and its address.
    pub(crate) fn is_arrow(self) -> bool {
        matches!(self, Self::SendArrow | Self::ReceiveArrow)
    }

    /// Whether it is a term by itself.
    pub(crate) fn is_term(self) -> bool {
        use Kind::{AgentName, Integer, Name, Role, Text, Variable, Wildcard};
        matches!(self, Variable | AgentName | Role | Name | Integer | Text | Wildcard)
    }

    /// Whether an operation can begin with it.
    pub(crate) fn starts_operation(self) -> bool {
        use Kind::{Agent, Fail, Hole, Name, OpenParen, Skip, Variable, Waitfor};
        matches!(self, OpenParen | Waitfor | Agent | Skip | Fail | Hole | Variable | Name)
    }

    /// Whether an operation can end with it.
    pub(crate) fn ends_operation(self) -> bool {
        matches!(self, Self::CloseParen | Self::Skip | Self::Fail | Self::Hole)
    }
}

/// A token with its position.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Whether it is the first token on its line.
    pub first_on_line: bool,
    /// Its place.
    pub span: Span,
}

impl Token {
    /// Its text, from the source that it is in.
    #[must_use]
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }
}
