//! Properties in compiled form: quantifiers are expanded over the cast, and what holds or happens at one moment is told
//! apart from what is said of several.

use crate::{AgentId, CellId, ClauseId, Comparison, PerformativeId, ProcedureId, SourceSpan, Value};

/// All properties that are judged together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// The properties, in order.
    pub list: Vec<Property>,
    /// What they say of single moments. None occurs twice.
    pub propositions: Vec<Proposition>,
    /// The events in the propositions. None occurs twice.
    pub events: Vec<EventAtom>,
    /// What the propositions say of single agents in a state. None occurs twice.
    pub states: Vec<StateAtom>,
    /// What is compared in the propositions. None occurs twice.
    pub quantities: Vec<StateQuantity>,
}

/// Index into [`Properties::propositions`].
pub type PropositionId = usize;

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, or its text if it was given on the command line.
    pub name: String,
    /// The text of its formula.
    pub span: SourceSpan,
    /// What is claimed of every run, at its first moment.
    pub formula: Temporal,
    /// The left sides of its `implies` and `leadsto`, each for all values of its variables: if none of them ever holds,
    /// the property says nothing.
    pub premises: Vec<Premise>,
}

/// A left side of `implies` or `leadsto`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// The instances.
    pub propositions: Vec<PropositionId>,
    /// Its text.
    pub span: SourceSpan,
}

/// What some run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// The proposition holds at some moment.
    Reach(PropositionId),
    /// The propositions hold in this order, each at a later moment than the one before.
    Sequence(Vec<PropositionId>),
    /// The formula holds at the first moment.
    Satisfy(Box<Temporal>),
}

/// A formula about one run, at its first moment. Nested at most as deep as its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// The proposition holds.
    Holds(PropositionId),
    /// Some run does; which run is looked at does not matter. Never inside an operator about other moments.
    Possible(Possibility),
    /// The formula does not hold.
    Not(Box<Temporal>),
    /// All hold.
    And(Vec<Temporal>),
    /// Some holds.
    Or(Vec<Temporal>),
    /// It holds at the next moment.
    Next(Box<Temporal>),
    /// It holds at this and every later moment.
    Always(Box<Temporal>),
    /// It holds at this or some later moment.
    Eventually(Box<Temporal>),
    /// The second holds at this or some later moment, and the first until then.
    Until(Box<Temporal>, Box<Temporal>),
    /// Whenever the first holds, the second holds then or later.
    LeadsTo(Box<Temporal>, Box<Temporal>),
}

/// What holds or happens at one moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proposition {
    /// The same at every moment.
    Constant(bool),
    /// The event of that index happens.
    Event(usize),
    /// The state atom of that index holds.
    State(usize),
    /// The proposition does not hold.
    Not(Box<Proposition>),
    /// All hold.
    And(Vec<Proposition>),
    /// Some holds.
    Or(Vec<Proposition>),
    /// Two quantities are in this relation.
    Compare(Quantity, Comparison, Quantity),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// What an agent has that the cast does not have.
    Nothing,
    /// Always this value.
    Value(Value),
    /// The quantity of that index.
    State(usize),
    /// How many of these hold.
    Count(Vec<Proposition>),
}

/// What an agent does in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventAtom {
    /// Who does it; `None` for anybody.
    pub agent: Option<AgentId>,
    /// What.
    pub kind: EventKind,
}

/// The kinds of event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Sends a message that has this agent (`None`: anybody) among its recipients.
    Sends(MessagePattern, Option<AgentId>),
    /// Receives a message of this agent (`None`: anybody).
    Receives(MessagePattern, Option<AgentId>),
    /// Asks the procedure, whatever the answer.
    Asks(ProcedureId),
    /// The procedure answers: true with a value, false with "no".
    Answers(ProcedureId, bool),
    /// Its time runs out.
    TimesOut,
}

/// Some messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MessagePattern {
    /// The performative.
    pub performative: PerformativeId,
    /// The arguments; `None` for any value.
    pub arguments: Vec<Option<Value>>,
}

/// What holds of an agent in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateAtom {
    /// All agents have ended.
    Ended,
    /// The agent's entry clause has succeeded.
    Done(AgentId),
    /// It has failed.
    Failed(AgentId),
    /// The agent has not ended, and all its threads wait.
    Waiting(AgentId),
    /// The innermost clause of one of the agent's threads is one of these.
    In(AgentId, Vec<ClauseId>),
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateQuantity {
    /// The content of an agent's cell.
    Cell(AgentId, CellId),
    /// How many messages are in an agent's mailbox.
    Mailbox(AgentId),
}
