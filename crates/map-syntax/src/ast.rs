//! The syntax tree: types only. Every node carries the span of its source text.
//!
//! Chains of `then`, `or` and `par` are lists, so only parentheses, `waitfor` and `timeout` nest, at most
//! [`crate::MAX_NESTING`] levels deep; recursion over the tree is therefore bounded.

mod cost;
mod measure;
mod property;
mod truth;

use map_diagnostics::Span;

pub use cost::{Charge, Cost};
pub use measure::Measure;
pub use property::{
    Atom, Collectable, Event, Formula, FormulaKind, FormulaPart, MomentWord, Over, Property, Quantifier,
    Quantity, QuantityKind, RangeOver, StatusWord, TemporalOperator,
};
pub use truth::Truth;

/// A whole file: its items in the order they were written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    /// The items that could be parsed, those of its clauses that contain a mistake with holes.
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

    /// The memories, in order.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.items.iter().filter_map(|item| if let Item::Memory(it) = item { Some(it) } else { None })
    }

    /// The properties, in order.
    pub fn properties(&self) -> impl Iterator<Item = &Property> {
        self.items.iter().filter_map(|item| if let Item::Property(it) = item { Some(it) } else { None })
    }

    /// The costs, in order.
    pub fn costs(&self) -> impl Iterator<Item = &Cost> {
        self.items.iter().filter_map(|item| if let Item::Cost(it) = item { Some(it) } else { None })
    }

    /// The measures, in order.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> {
        self.items.iter().filter_map(|item| if let Item::Measure(it) = item { Some(it) } else { None })
    }

    /// The truths, in order.
    pub fn truths(&self) -> impl Iterator<Item = &Truth> {
        self.items.iter().filter_map(|item| if let Item::Truth(it) = item { Some(it) } else { None })
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
    /// `procedure p($a) ..` or `decision p($a) ..`.
    Procedure(Procedure),
    /// `memory %role { @cell = value, .. }`.
    Memory(Memory),
    /// `property NAME : formula`.
    Property(Property),
    /// `cost NAME { event = price, .. }`.
    Cost(Cost),
    /// `measure NAME = expression`.
    Measure(Measure),
    /// `truth p($a) | guard = answer ..`.
    Truth(Truth),
}

impl Item {
    /// The whole item.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Scene(Scene { span, .. })
            | Self::Cast(Cast { span, .. })
            | Self::Procedure(Procedure { span, .. })
            | Self::Memory(Memory { span, .. })
            | Self::Property(Property { span, .. })
            | Self::Cost(Cost { span, .. })
            | Self::Measure(Measure { span, .. }) => *span,
            Self::Truth(truth) => truth.span(),
        }
    }
}

/// A name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name without its sigil `$`, `%`, `!` or `@`.
    pub text: String,
    /// Its span, including the sigil.
    pub span: Span,
}

/// `NAME [ clause+ ]`: one dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The scene's name.
    pub name: Name,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
    /// From the name to the closing bracket.
    pub span: Span,
}

/// `cast %role = n`, `cast %role = n..any` or `cast !Agent = n`: a default for every scene of the file that has the
/// role or agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The role or agent that is counted.
    pub subject: CastSubject,
    /// The number as written, which may be negative or too large.
    pub count: i64,
    /// Whether there may be any number of them, and `count` is the least: `any` is `1..any`.
    pub any: bool,
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

/// `procedure p($a)` (never answers "no") or `decision p($a)` (may), with or without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The name.
    pub name: Name,
    /// The parameters, without `$`.
    pub parameters: Vec<Name>,
    /// Whether it was declared with `decision`.
    pub may_refuse: bool,
    /// `with probability 0.7`: how likely it does not say "no" in a run that chance decides.
    pub probability: Option<Decimal>,
    /// Its answers; `None` if they are abstract (any value).
    pub body: Option<Body>,
    /// The whole item.
    pub span: Span,
}

/// `memory %role { @cell = value, .. }`: cells private to each agent of the role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The role.
    pub role: Name,
    /// The cells with their initial values, in order.
    pub cells: Vec<InitialCell>,
    /// The whole item.
    pub span: Span,
}

/// `@cell = value` or `@cell in domain` in a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialCell {
    /// The cell, without `@`.
    pub cell: Name,
    /// Its initial value.
    pub value: InitialValue,
    /// The cell and its value.
    pub span: Span,
}

/// The initial value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialValue {
    /// A constant or `self`.
    Value(Expression),
    /// `in domain`: any value of the domain.
    Domain(Domain),
    /// `count(%role)`: the number of agents of the role.
    Count(Name),
}

/// `@cell := expression` after `with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellValue {
    /// The cell, without `@`.
    pub cell: Name,
    /// Its new value.
    pub value: Expression,
    /// The cell and its value.
    pub span: Span,
}

/// The body of a procedure: its possible answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `in domain`: any value of the domain.
    Domain(Domain),
    /// `fresh`: a value that differs from all others; the span of the keyword.
    Fresh(Span),
    /// The first alternative whose guard holds.
    Alternatives(Vec<Alternative>),
}

/// A set of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// Its kind and values.
    pub kind: DomainKind,
    /// How likely the values are where chance picks one; `None` if all are equally likely.
    pub weights: Option<Weights>,
    /// Values and weights.
    pub span: Span,
}

/// The kinds of domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DomainKind {
    /// `{a, b, ..}`: constants.
    Values(Vec<Term>),
    /// `first .. last`, both included.
    Range(i64, i64),
    /// `%role`: the agents of the role.
    Role(Name),
}

/// The weights of the values of a domain: a value is as likely as its share of their sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Weights {
    /// Of a set, `{a : 3, b}`: one for each value; `None` where nothing is written, which means 1.
    Each(Vec<Option<Weight>>),
    /// Of a range, `by expression`: in it, the name `value` is the integer whose weight it is.
    By(Expression),
    /// Of a range, `by geometric(p)` or `by binomial(p)`.
    Distribution(Distribution, Decimal),
}

/// A weight as written: any integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    /// The integer.
    pub value: i64,
    /// Its span.
    pub span: Span,
}

/// The distributions that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// The k-th value, from 0 on, has the weight p to the power of k.
    Geometric,
    /// The k-th value, from 0 on, is as likely as k successes in one trial less than there are values.
    Binomial,
}

impl Distribution {
    /// The word as written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Geometric => "geometric",
            Self::Binomial => "binomial",
        }
    }
}

/// A decimal number such as `0.75`, from 0 on, with any number of places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// As written.
    pub text: String,
    /// Its span.
    pub span: Span,
}

impl Decimal {
    /// The most places behind the point with which [`Decimal::billionths`] is exact.
    pub const MAX_PLACES: usize = 9;

    /// The number in billionths; `None` if it has more than nine places or is larger than 1.
    #[must_use]
    pub fn billionths(&self) -> Option<u32> {
        const ONE: u32 = 1_000_000_000;
        let (whole, places) = self.text.split_once('.')?;
        if places.len() > Self::MAX_PLACES {
            return None;
        }
        let fraction: u32 = format!("{places:0<9}").parse().ok()?;
        let all = whole.parse::<u32>().ok()?.checked_mul(ONE)?.checked_add(fraction)?;
        (all <= ONE).then_some(all)
    }
}

/// `| guard = answer with @cell := expression, ..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The condition; `None` if it always holds.
    pub guard: Option<Expression>,
    /// The answer.
    pub answer: Answer,
    /// The cells that change; all new values are computed from the old ones.
    pub updates: Vec<CellValue>,
    /// The whole alternative.
    pub span: Span,
}

/// The answer of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The value of an expression.
    Value(Expression),
    /// `in domain`: any value of the domain.
    Domain(Domain),
}

/// An expression: a value or a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    /// Its kind and parts.
    pub kind: ExpressionKind,
    /// Its span, without surrounding parentheses.
    pub span: Span,
}

/// The kinds of expression. Chains are lists, so only parentheses, `if`, `min`, `max` and `not` nest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExpressionKind {
    /// A constant: a term that is neither a variable nor the wildcard.
    Constant(TermKind),
    /// `$x`: a parameter of the procedure or, outside of bodies, a variable of the clause.
    Parameter(String),
    /// `@cell`.
    Cell(String),
    /// `self`: the asking agent's name.
    Own,
    /// What is read off a run; in measures only.
    Reading(Box<Quantity>),
    /// `done(a)`, `failed(a)` or `waiting(a)`, an atom; in measures only.
    Holds(Box<Formula>),
    /// `a + b - c ..` or `a * b / c mod d ..`: two or more operands of one precedence, left-associative.
    Arithmetic {
        /// The first operand.
        first: Box<Expression>,
        /// The operators with their right operands.
        rest: Vec<(ArithmeticOperator, Expression)>,
    },
    /// A comparison such as `a < b`; comparisons do not chain.
    Comparison {
        /// The left operand.
        left: Box<Expression>,
        /// The operator.
        operator: ComparisonOperator,
        /// The right operand.
        right: Box<Expression>,
    },
    /// `a and b and ..`: two or more.
    And(Vec<Expression>),
    /// `a or b or ..`: two or more.
    Or(Vec<Expression>),
    /// `not a`.
    Not(Box<Expression>),
    /// `min(a, b)`.
    Min(Box<Expression>, Box<Expression>),
    /// `max(a, b)`.
    Max(Box<Expression>, Box<Expression>),
    /// `if a then b else c`.
    If {
        /// The condition.
        condition: Box<Expression>,
        /// The value if it holds.
        then: Box<Expression>,
        /// The value if it does not.
        otherwise: Box<Expression>,
    },
}

impl Expression {
    /// The expressions that it is made of, as they are written.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExpressionKind::Constant(_)
            | ExpressionKind::Parameter(_)
            | ExpressionKind::Cell(_)
            | ExpressionKind::Own
            | ExpressionKind::Reading(_)
            | ExpressionKind::Holds(_) => Vec::new(),
            ExpressionKind::Arithmetic { first, rest } => {
                std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect()
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => parts.iter().collect(),
            ExpressionKind::Not(part) => vec![part],
            ExpressionKind::Comparison { left, right, .. }
            | ExpressionKind::Min(left, right)
            | ExpressionKind::Max(left, right) => vec![left, right],
            ExpressionKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        }
    }
}

/// Operators on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, truncating towards zero.
    Divide,
    /// `mod`: the remainder of `/`.
    Remainder,
}

impl ArithmeticOperator {
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

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `==`, of any two values.
    Equal,
    /// `!=`, of any two values.
    NotEqual,
    /// `<`, of integers.
    Less,
    /// `<=`, of integers.
    LessOrEqual,
    /// `>`, of integers.
    Greater,
    /// `>=`, of integers.
    GreaterOrEqual,
}

impl ComparisonOperator {
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

/// `agent(who, %role, params..) = body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The agents that follow the clause.
    pub who: Who,
    /// The role.
    pub role: Name,
    /// The further terms of the head; empty for the entry clause.
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
    /// Its span, without surrounding parentheses.
    pub span: Span,
}

impl Op {
    /// The operations that it is made of, as they are written.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => ops.iter().collect(),
            OpKind::Wait { body, timeout } => std::iter::once(&**body).chain(timeout.as_deref()).collect(),
            OpKind::Call { .. }
            | OpKind::Skip
            | OpKind::Fail
            | OpKind::Hole
            | OpKind::Ask { .. }
            | OpKind::Send { .. }
            | OpKind::Receive { .. } => Vec::new(),
        }
    }
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
        /// The operation that is retried until it succeeds.
        body: Box<Op>,
        /// What to do when time runs out; `None` to wait for ever.
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
    /// What stands here could not be read, which the diagnostics say: only in a text with errors. Nothing is known of
    /// what follows: to those who do not care, it is like `fail`.
    Hole,
    /// `$v = p(t..)`, or `p(t..)` alone.
    Ask {
        /// The variable the answer is unified with; `None` if the answer does not matter.
        variable: Option<Name>,
        /// The decision procedure.
        procedure: Name,
        /// Its arguments.
        arguments: Vec<Term>,
    },
    /// `m(t..) => agent(name, role)`.
    Send {
        /// What is sent.
        message: Message,
        /// The addressees.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The performative.
    pub performative: Name,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// Performative and arguments.
    pub span: Span,
}

/// `agent(name, role)` after an arrow.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Its kind and content.
    pub kind: TermKind,
    /// Its span, including sigil or quotes.
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
    /// An expression that is no single term. Its variables are those of the clause.
    Expression(Box<Expression>),
}
