//! Statements and declarations of Promela.

use super::{Expr, Field, Ltl};

/// A place in the model that a trail may be followed to.
pub(crate) type Mark = usize;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// An expression, which blocks while it does not hold; `else` and `timeout` are names.
    Guard(Expr),
    Assign(Expr, Expr),
    /// `sorted`: not at the end of the channel but in the order of the messages.
    Send {
        channel: Expr,
        fields: Vec<Expr>,
        sorted: bool,
    },
    /// The first message that matches; it stays in the channel if `keep`.
    Receive {
        channel: Expr,
        fields: Vec<Field>,
        keep: bool,
    },
    /// The oldest message.
    Take(Expr, Vec<Field>),
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Break,
    Atomic(Vec<Stmt>),
    Goto(String),
    Label(String),
    Assert(Expr),
    Run(String, Vec<Expr>),
    /// The statements of an inline definition.
    Inline(&'static str),
    /// A comment on a line of its own.
    Comment(String),
    /// Marks the line that follows.
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
    /// One that is no array, and zero at first.
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
    /// The same for a constant that may be set from outside.
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
        /// The process makes no step while this does not hold.
        provided: Expr,
        variables: Vec<Variable>,
        body: Vec<Stmt>,
    },
    /// Statements that stand for a name.
    Inline(&'static str, Vec<Stmt>),
    /// A claim about all runs, with its name.
    Claim(String, Ltl),
    Init(Vec<Stmt>),
    Blank,
}
