//! Statements and declarations of Promela.

use super::{Expr, Field, Ltl};

/// The number of a marked statement (see `Stmt::Mark`).
pub(crate) type Mark = usize;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// An expression as a statement, which blocks while it does not hold; `else` and `timeout` are names.
    Guard(Expr),
    Assign(Expr, Expr),
    /// Sends a message; if `sorted`, it is inserted in order instead of at the end of the channel.
    Send {
        channel: Expr,
        fields: Vec<Expr>,
        sorted: bool,
    },
    /// Receives the first message that matches; it stays in the channel if `keep`.
    Receive {
        channel: Expr,
        fields: Vec<Field>,
        keep: bool,
    },
    /// Receives the oldest message.
    Take(Expr, Vec<Field>),
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Break,
    Atomic(Vec<Stmt>),
    Goto(String),
    Label(String),
    Assert(Expr),
    Run(String, Vec<Expr>),
    /// A call of an inline definition.
    Inline(&'static str),
    /// A comment on a line of its own.
    Comment(String),
    /// Marks the following line; prints nothing.
    Mark(Mark),
}

/// The declaration of a variable or an array.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// The number of elements, if it is an array.
    pub(crate) length: Option<usize>,
    pub(crate) initial: Option<Expr>,
    pub(crate) comment: String,
}

impl Variable {
    /// A variable that is not an array and is initially zero.
    pub(crate) fn new(kind: &'static str, name: impl Into<String>, comment: impl Into<String>) -> Self {
        Self { kind, name: name.into(), length: None, initial: None, comment: comment.into() }
    }
}

/// A parameter of a process.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Comment(Vec<String>),
    Define {
        name: String,
        parameters: Vec<&'static str>,
        value: Expr,
    },
    /// A macro definition that can be overridden on the command line.
    Default {
        name: &'static str,
        value: Expr,
    },
    Mtype {
        kind: Option<&'static str>,
        names: Vec<String>,
    },
    Channels {
        name: &'static str,
        count: usize,
        capacity: usize,
        fields: Vec<&'static str>,
    },
    Variable(Variable),
    Process {
        name: String,
        parameters: Vec<Parameter>,
        /// The process is blocked while this does not hold.
        provided: Expr,
        variables: Vec<Variable>,
        body: Vec<Stmt>,
    },
    /// An inline definition.
    Inline(&'static str, Vec<Stmt>),
    /// An `ltl` claim with its name.
    Claim(String, Ltl),
    Init(Vec<Stmt>),
    Blank,
}
