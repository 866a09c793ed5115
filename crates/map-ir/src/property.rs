//! Properties in compiled form: quantifiers are expanded over the cast, and parts about a single moment are separated,
//! as propositions, from the temporal structure.

use crate::{
    AgentId, CellId, ClauseId, Comparison, Cost, MessagePattern, ProcedureId, RoleId, SourceSpan, Value,
};

/// All properties that are checked together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// The properties, in order.
    pub list: Vec<Property>,
    /// The propositions about single moments, without duplicates.
    pub propositions: Vec<Proposition>,
    /// The events in the propositions, without duplicates.
    pub events: Vec<EventAtom>,
    /// The state atoms in the propositions, without duplicates.
    pub states: Vec<StateAtom>,
    /// The quantities compared in the propositions, without duplicates.
    pub quantities: Vec<StateQuantity>,
    /// The values in messages that the propositions compare, without duplicates.
    pub arguments: Vec<EventArgument>,
    /// What the propositions need to know of earlier steps, without duplicates.
    pub monitors: Vec<Monitor>,
    /// What events cost, without duplicates.
    pub costs: Vec<Cost>,
}

/// The costs that a text declares, as far as they concern a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// In order.
    pub list: Vec<DeclaredCost>,
    /// The table that they refer to; there are no properties in it.
    pub tables: Properties,
}

/// A cost that a text declares. The numbers are indices into [`Properties::costs`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredCost {
    /// Its name, which is its unit.
    pub name: String,
    /// What all agents pay together.
    pub total: usize,
    /// What the agents of each role pay that may have to, if there are several such roles.
    pub by_role: Vec<(RoleId, usize)>,
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
    /// The formula claimed to hold at the first moment of every run.
    pub formula: Temporal,
    /// The left sides of its `implies` and `leadsto`, each for all values of its variables: if none of them ever holds,
    /// the property holds vacuously.
    pub premises: Vec<Premise>,
    /// If its formula is the conjunction of the instances of the `forall`s that it begins with: for each part the
    /// values of the variables, as in `$b = !Bidder2`. Otherwise empty.
    pub instances: Vec<String>,
    /// Its truth, if that does not depend on what the dialogue does.
    pub constant: Option<bool>,
}

/// A left side of `implies` or `leadsto`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Its instances, one for each assignment to its variables.
    pub propositions: Vec<PropositionId>,
    /// Its text.
    pub span: SourceSpan,
}

/// A claim about some run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// The proposition holds at some moment.
    Reach(PropositionId),
    /// The propositions hold in this order, each at a later moment than the one before.
    Sequence(Vec<PropositionId>),
    /// The formula holds at the first moment.
    Satisfy(Box<Temporal>),
}

/// A formula about one run, at its first moment. Its nesting is at most as deep as that of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// The proposition holds.
    Holds(PropositionId),
    /// Some run does this; independent of the run under consideration. Never inside a temporal operator.
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

impl Temporal {
    /// Whether its truth depends on all runs together, not on one (`possible`).
    #[must_use]
    pub fn is_about_all_runs(&self) -> bool {
        match self {
            Self::Possible(_) => true,
            Self::Holds(_) => false,
            Self::Not(part) | Self::Next(part) | Self::Always(part) | Self::Eventually(part) => {
                part.is_about_all_runs()
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::is_about_all_runs),
            Self::Until(one, other) | Self::LeadsTo(one, other) => {
                one.is_about_all_runs() || other.is_about_all_runs()
            }
        }
    }
}

/// What holds or happens at one moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proposition {
    /// The same at every moment.
    Constant(bool),
    /// The event with this index happens.
    Event(usize),
    /// The state atom with this index holds.
    State(usize),
    /// The proposition does not hold.
    Not(Box<Proposition>),
    /// All hold.
    And(Vec<Proposition>),
    /// Some holds.
    Or(Vec<Proposition>),
    /// Two quantities compare like this.
    Compare(Quantity, Comparison, Quantity),
    /// The values that these quantities have now were seen before this moment by the [`Monitor::Seen`] with this
    /// index, in this order.
    Before(usize, Vec<Quantity>),
}

impl Proposition {
    /// Whether it may hold at a moment without events. It says nothing about states or earlier steps.
    #[must_use]
    pub fn may_hold_without_events(&self) -> bool {
        self.without_events().0
    }

    /// Whether it may hold, and whether it may not hold, at a moment without events.
    fn without_events(&self) -> (bool, bool) {
        let all = |parts: &[Self], of: fn((bool, bool)) -> (bool, bool)| {
            let (holds, fails): (Vec<bool>, Vec<bool>) =
                parts.iter().map(|it| of(it.without_events())).unzip();
            (holds.into_iter().all(|it| it), fails.into_iter().any(|it| it))
        };
        match self {
            Self::Constant(truth) => (*truth, !truth),
            Self::Event(_) => (false, true),
            Self::Not(denied) => {
                let (holds, fails) = denied.without_events();
                (fails, holds)
            }
            Self::And(parts) => all(parts, |it| it),
            Self::Or(parts) => {
                let (fails, holds) = all(parts, |(holds, fails)| (fails, holds));
                (holds, fails)
            }
            // An argument of an event has no value then.
            Self::Compare(Quantity::Argument(_), comparison, _)
            | Self::Compare(_, comparison, Quantity::Argument(_)) => {
                let differs = *comparison == Comparison::NotEqual;
                (differs, !differs)
            }
            Self::State(_) | Self::Before(..) | Self::Compare(..) => (true, true),
        }
    }

    /// Whether it depends on earlier steps.
    #[must_use]
    pub fn looks_back(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Event(_) | Self::State(_) => false,
            Self::Not(denied) => denied.looks_back(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::looks_back),
            Self::Compare(left, _, right) => [left, right].into_iter().any(|side| match side {
                Quantity::Count(counted) => counted.iter().any(Self::looks_back),
                Quantity::Monitor(_) => true,
                Quantity::Nothing | Quantity::Value(_) | Quantity::State(_) | Quantity::Argument(_) => false,
            }),
            Self::Before(..) => true,
        }
    }
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// A quantity of an agent that is not in the cast; it has no value.
    Nothing,
    /// A constant.
    Value(Value),
    /// The state quantity with this index.
    State(usize),
    /// The number of these that hold.
    Count(Vec<Proposition>),
    /// The event argument with this index. It has no value at moments at which the event does not happen.
    Argument(usize),
    /// The [`Monitor::Times`], [`Monitor::Total`] or [`Monitor::Cost`] with this index, this moment included.
    Monitor(usize),
}

/// What is remembered of the steps of a run. Its propositions are about events alone, and hold at no moment without
/// one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Monitor {
    /// The lists of values that the quantities had at the moments at which the proposition held.
    Seen(Proposition, Vec<Quantity>),
    /// The number of moments at which the proposition held.
    Times(Proposition),
    /// The sum of the integers that the quantity was at the moments at which the proposition held.
    Total(Proposition, Quantity),
    /// What the [`Properties::costs`] with this index has come to.
    Cost(usize),
}

impl Monitor {
    /// When it takes note of something; `None` if that is when it costs something.
    #[must_use]
    pub fn when(&self) -> Option<&Proposition> {
        match self {
            Self::Seen(when, _) | Self::Times(when) | Self::Total(when, _) => Some(when),
            Self::Cost(_) => None,
        }
    }
}

/// A value in the message of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventArgument {
    /// Index into [`Properties::events`]: one that sends or receives.
    pub event: usize,
    /// The place among the arguments of the message.
    pub place: usize,
    /// Whether it may be the name of an agent.
    pub may_be_name: bool,
}

/// What an agent does in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventAtom {
    /// The agent that does it; `None` for any.
    pub agent: Option<AgentId>,
    /// What.
    pub kind: EventKind,
}

/// The kinds of event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Sends a message that has this agent (`None`: any) among its recipients.
    Sends(MessagePattern, Option<AgentId>),
    /// Receives a message from this agent (`None`: any).
    Receives(MessagePattern, Option<AgentId>),
    /// Asks the procedure, whatever the answer.
    Asks(ProcedureId),
    /// The procedure answers: true with a value, false with "no".
    Answers(ProcedureId, bool),
    /// Its time runs out.
    TimesOut,
}

/// A fact about one agent, or all of them, in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateAtom {
    /// All agents have ended.
    Ended,
    /// The agent's entry clause has succeeded.
    Done(AgentId),
    /// The agent's entry clause has failed.
    Failed(AgentId),
    /// The agent has not ended, and all its threads wait.
    Waiting(AgentId),
    /// The innermost clause of one of the agent's threads is one of these.
    In(AgentId, Vec<ClauseId>),
}

/// A value that is read off a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StateQuantity {
    /// The content of an agent's cell.
    Cell(AgentId, CellId),
    /// The number of messages in an agent's mailbox.
    Mailbox(AgentId),
}
