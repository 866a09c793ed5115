//! The syntax tree: types only. Every node carries the span of the text it was read from.
//!
//! Chains of `then`, `or` and `par` are lists, so only parentheses, `waitfor` and `timeout` nest, at most
//! [`crate::MAX_NESTING`] levels deep; recursion over the tree is therefore bounded.

use map_diagnostics::Span;

/// A whole file: its items in the order they were written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    /// The items that could be read.
    pub items: Vec<Item>,
}

impl File {
    /// The scenes, in order.
    pub fn scenes(&self) -> impl Iterator<Item = &Scene> {
        self.items.iter().filter_map(|item| if let Item::Scene(scene) = item { Some(scene) } else { None })
    }

    /// The casts, in order.
    pub fn casts(&self) -> impl Iterator<Item = &Cast> {
        self.items.iter().filter_map(|item| if let Item::Cast(it) = item { Some(it) } else { None })
    }

    /// The `procedure` and `decision` declarations, in order.
    pub fn procedures(&self) -> impl Iterator<Item = &Procedure> {
        self.items.iter().filter_map(|item| if let Item::Procedure(it) = item { Some(it) } else { None })
    }
}

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `NAME [ clause+ ]`.
    Scene(Scene),
    /// `cast %role = n` or `cast !Agent = n`.
    Cast(Cast),
    /// `procedure p($a)` or `decision p($a)`.
    Procedure(Procedure),
}

/// A name as written, without its sigil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name without `$`, `%` or `!`.
    pub text: String,
    /// With the sigil.
    pub span: Span,
}

/// `NAME [ clause+ ]`: one dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The scene's name.
    pub name: Name,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
    /// Name, brackets and all between.
    pub span: Span,
}

/// `cast %role = n` or `cast !Agent = n`: a default for every scene of the file that has the role or agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// Whose number this is.
    pub subject: CastSubject,
    /// The number as written, which may be negative or absurd.
    pub count: i64,
    /// Span of the number.
    pub count_span: Span,
    /// The whole item.
    pub span: Span,
}

/// What a cast counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CastSubject {
    /// `%role`.
    Role(Name),
    /// `!Agent`.
    Agent(Name),
}

/// `procedure p($a)` (never answers "no") or `decision p($a)` (may).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The name.
    pub name: Name,
    /// The parameters, without `$`.
    pub parameters: Vec<Name>,
    /// Whether it was declared with `decision`.
    pub may_refuse: bool,
    /// The whole item.
    pub span: Span,
}

/// `agent(who, %role, params..) = body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Who follows the clause.
    pub who: Who,
    /// The role.
    pub role: Name,
    /// The further terms of the head; none for the entry clause.
    pub parameters: Vec<Term>,
    /// What the agent does.
    pub body: Op,
    /// `agent(..)` up to its closing parenthesis.
    pub head_span: Span,
    /// Head and body.
    pub span: Span,
}

/// The first term of a clause head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// `!Name`: this agent, or these agents, by name.
    Agent(Name),
    /// `$x`: any agent of the role; `$x` is bound to its own name.
    Variable(Name),
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// What it does.
    pub kind: OpKind,
    /// Its text, without surrounding parentheses.
    pub span: Span,
}

/// The kinds of operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// `A then B then ..`: two or more, in order.
    Then(Vec<Op>),
    /// `A or B or ..`: two or more, in order.
    Or(Vec<Op>),
    /// `A par B par ..`: two or more, in order.
    Par(Vec<Op>),
    /// `waitfor A timeout B`.
    Wait {
        /// The operation tried again and again.
        body: Box<Op>,
        /// What to do when time runs out; `None` waits for ever.
        timeout: Option<Box<Op>>,
    },
    /// `agent(t..)`.
    Call {
        /// The arguments.
        arguments: Vec<Term>,
    },
    /// `skip`.
    Skip,
    /// `fail`.
    Fail,
    /// `$v = p(t..)`.
    Ask {
        /// The variable the answer is unified with.
        variable: Name,
        /// The decision procedure.
        procedure: Name,
        /// Its arguments.
        arguments: Vec<Term>,
    },
    /// `m(t..) => agent(name, role)`.
    Send {
        /// What is sent.
        message: Message,
        /// To whom.
        to: Address,
    },
    /// `m(t..) <= agent(name, role)`.
    Receive {
        /// The pattern of the message.
        message: Message,
        /// The pattern of the sender.
        from: Address,
    },
}

/// `m(t..)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The performative.
    pub performative: Name,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// Performative and arguments.
    pub span: Span,
}

/// `agent(name, role)` behind an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The agent's name.
    pub agent: Term,
    /// The agent's role.
    pub role: Term,
    /// `agent(..)`.
    pub span: Span,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Which kind, and its content.
    pub kind: TermKind,
    /// With the sigil or quotes.
    pub span: Span,
}

/// The kinds of term. Names are without their sigils.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// `$x`.
    Variable(String),
    /// `!Name`.
    Agent(String),
    /// `%role`.
    Role(String),
    /// `bare`.
    Name(String),
    /// `-12`.
    Integer(i64),
    /// `"text"`, escapes resolved.
    Text(String),
    /// `_`.
    Wildcard,
}
