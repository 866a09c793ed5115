//! The truth of a property's propositions at one moment: about the step just taken, if any, and the state it led to
//! (language reference, "Properties").

mod charged;
mod measuring;
mod moments;
mod monitor;

pub use charged::charged_for_sending;
pub use measuring::Measuring;
pub use moments::Moments;
pub use monitor::{MonitorState, ceilings, decreased};

use map_graph::BitSet;
use map_ir::{
    AgentId, Comparison, EventArgument, EventAtom, EventKind, MessagePattern, PointId, PointKind,
    ProcedureId, Program, Properties, Proposition, Quantity, StateAtom, StateQuantity, Value,
};

use crate::agent::{AgentState, Status};
use crate::expression::integers_compare;
use crate::outcome::{Action, Event, Outcome, StepKind};
use crate::{Bounds, Message, SceneState, agent_steps};

/// What is to be said of a moment: a letter of the alphabet that temporal formulas are read over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The propositions that hold.
    pub propositions: BitSet,
    /// By cost: what the step to this moment costs.
    pub costs: Box<[i64]>,
}

impl Letter {
    /// Whether a proposition holds.
    #[must_use]
    pub fn contains(&self, proposition: usize) -> bool {
        self.propositions.contains(proposition)
    }
}

impl From<BitSet> for Letter {
    /// Where nothing costs anything.
    fn from(propositions: BitSet) -> Self {
        Self { propositions, costs: Box::default() }
    }
}

/// A state as propositions see it.
pub trait View {
    /// The agent's own state.
    fn agent(&self, agent: AgentId) -> &AgentState;
    /// Whether all threads of the agent are waiting. Only called for running agents.
    fn all_waiting(&self, agent: AgentId) -> bool;
    /// The number of messages in the agent's mailbox.
    fn mailbox(&self, agent: AgentId) -> usize {
        self.agent(agent).mailbox.len()
    }
    /// The content of the agent's cell with this index.
    fn cell(&self, agent: AgentId, index: usize) -> Option<Value> {
        self.agent(agent).memory.get(index).copied()
    }
}

/// A plain state as propositions see it.
#[derive(Clone, Copy, Debug)]
pub struct PlainView<'a> {
    /// The program.
    pub program: &'a Program,
    /// The bounds.
    pub bounds: &'a Bounds,
    /// The state.
    pub state: &'a SceneState,
}

impl View for PlainView<'_> {
    fn agent(&self, agent: AgentId) -> &AgentState {
        &self.state.agents[agent.index()]
    }

    fn all_waiting(&self, agent: AgentId) -> bool {
        agent_steps(self.program, self.bounds, agent, self.agent(agent)).all_waiting()
    }
}

/// Whether an event happens in a step of `agent` with this outcome.
#[must_use]
pub fn event_happens(program: &Program, event: &EventAtom, agent: AgentId, outcome: &Outcome) -> bool {
    if event.agent.is_some_and(|it| it != agent) {
        return false;
    }
    match &event.kind {
        EventKind::Sends(pattern, recipient) => match &outcome.action {
            Some(Action::Send { message, to, .. }) => {
                recipient.is_none_or(|it| to.contains(&it)) && fits(pattern, message)
            }
            _ => false,
        },
        EventKind::Receives(pattern, sender) => match &outcome.action {
            Some(Action::Receive { message, .. }) => {
                sender.is_none_or(|it| message.sender == it) && fits(pattern, message)
            }
            _ => false,
        },
        EventKind::Asks(procedure) => {
            answers(program, *procedure, outcome) || refuses(program, *procedure, outcome)
        }
        EventKind::Answers(procedure, true) => answers(program, *procedure, outcome),
        EventKind::Answers(procedure, false) => refuses(program, *procedure, outcome),
        EventKind::TimesOut => outcome.kind == StepKind::Timeout,
    }
}

/// Whether a message is one of a set.
#[must_use]
pub fn fits(pattern: &MessagePattern, message: &Message) -> bool {
    pattern.performative == message.performative
        && pattern
            .arguments
            .iter()
            .zip(&message.arguments)
            .all(|(wanted, &value)| wanted.is_none_or(|wanted| wanted.equals(value) == Some(true)))
}

fn answers(program: &Program, procedure: ProcedureId, outcome: &Outcome) -> bool {
    matches!(&outcome.action, Some(Action::Ask { point, .. }) if asks(program, *point, procedure))
}

fn refuses(program: &Program, procedure: ProcedureId, outcome: &Outcome) -> bool {
    outcome
        .events
        .iter()
        .any(|event| matches!(event, Event::Refused(point) if asks(program, *point, procedure)))
}

fn asks(program: &Program, point: PointId, wanted: ProcedureId) -> bool {
    matches!(program.point(point).kind, PointKind::Ask { procedure, .. } if procedure == wanted)
}

/// Whether a state atom holds.
#[must_use]
pub fn state_holds(program: &Program, atom: &StateAtom, view: &impl View) -> bool {
    match atom {
        StateAtom::Ended => program.cast().all(|agent| view.agent(agent).status != Status::Running),
        StateAtom::Done(agent) => view.agent(*agent).status == Status::Done,
        StateAtom::Failed(agent) => view.agent(*agent).status == Status::Failed,
        StateAtom::Waiting(agent) => view.agent(*agent).status == Status::Running && view.all_waiting(*agent),
        StateAtom::In(agent, clauses) => {
            let control = &view.agent(*agent).control;
            control.threads().any(|thread| {
                control.activations(thread).next().is_some_and(|(clause, _)| clauses.contains(&clause))
            })
        }
    }
}

/// The value of a quantity in this state; `None` if the agent has no such cell.
#[must_use]
pub fn quantity_in(program: &Program, quantity: &StateQuantity, view: &impl View) -> Option<Value> {
    match quantity {
        StateQuantity::Mailbox(agent) => Some(Value::Integer(view.mailbox(*agent) as i64)),
        StateQuantity::Cell(agent, cell) => {
            view.cell(*agent, program.cell_of(program.agent(*agent).role, *cell)?)
        }
    }
}

/// The events of a step, or of none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Happening {
    /// Which of the events of all properties happen.
    pub events: BitSet,
    /// The event arguments, where their events happen.
    pub arguments: Box<[Option<Value>]>,
    /// By cost of all properties: what it costs. Sums stop at [`i64::MAX`].
    pub costs: Box<[i64]>,
}

impl Happening {
    /// At a moment without a step.
    #[must_use]
    pub fn nothing(properties: &Properties) -> Self {
        Self {
            events: BitSet::new(properties.events.len()),
            arguments: vec![None; properties.arguments.len()].into(),
            costs: vec![0; properties.costs.len()].into(),
        }
    }

    /// Those of a step of `agent`.
    #[must_use]
    pub fn of_step(program: &Program, properties: &Properties, agent: AgentId, outcome: &Outcome) -> Self {
        let happens = |event: &EventAtom| event_happens(program, event, agent, outcome);
        let events = BitSet::of_truths(properties.events.iter().map(happens));
        Self::with_events(events, program, properties, agent, outcome)
    }

    /// The same, given for each agent the events that its steps can be.
    fn of_step_among(
        may_happen: &[Vec<usize>],
        program: &Program,
        properties: &Properties,
        agent: AgentId,
        outcome: &Outcome,
    ) -> Self {
        let mut events = BitSet::new(properties.events.len());
        let all = may_happen[agent.index()].iter().copied();
        all.filter(|&index| event_happens(program, &properties.events[index], agent, outcome))
            .for_each(|index| events.insert(index));
        Self::with_events(events, program, properties, agent, outcome)
    }

    fn with_events(
        events: BitSet,
        program: &Program,
        properties: &Properties,
        agent: AgentId,
        outcome: &Outcome,
    ) -> Self {
        let message = outcome.action.as_ref().and_then(Action::message);
        let value = |argument: &EventArgument| {
            let message = message.filter(|_| events.contains(argument.event))?;
            message.arguments.get(argument.place).copied()
        };
        let arguments = properties.arguments.iter().map(value).collect();
        let costs =
            properties.costs.iter().map(|cost| charged::charged(program, cost, agent, outcome)).collect();
        Self { events, arguments, costs }
    }
}

/// The values of the atoms of all properties at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// What happens.
    pub happening: &'a Happening,
    /// What was noted before.
    pub before: Option<&'a MonitorState>,
    /// Which state atoms hold.
    pub states: &'a BitSet,
    /// The values of the quantities.
    pub quantities: &'a [Option<Value>],
    /// What is noted now.
    pub after: Option<&'a MonitorState>,
}

impl<'a> Moment<'a> {
    /// For propositions about events alone.
    fn of_events(happening: &'a Happening) -> Self {
        Self { happening, before: None, states: &happening.events, quantities: &[], after: None }
    }

    /// Whether a proposition holds.
    #[must_use]
    pub fn holds(&self, proposition: &Proposition) -> bool {
        match proposition {
            Proposition::Constant(value) => *value,
            Proposition::Event(index) => self.happening.events.contains(*index),
            Proposition::State(index) => self.states.contains(*index),
            Proposition::Not(denied) => !self.holds(denied),
            Proposition::And(parts) => parts.iter().all(|part| self.holds(part)),
            Proposition::Or(parts) => parts.iter().any(|part| self.holds(part)),
            Proposition::Compare(left, comparison, right) => {
                values_compare(self.quantity(left), *comparison, self.quantity(right))
            }
            Proposition::Before(monitor, values) => {
                let (Some(before), Some(values)) = (self.before, self.values(values)) else { return false };
                before.has_seen(*monitor, &values)
            }
        }
    }

    /// The values of some quantities, if all of them have one.
    fn values(&self, quantities: &[Quantity]) -> Option<Box<[Value]>> {
        quantities.iter().map(|it| self.quantity(it)).collect()
    }

    /// What the properties say of it.
    #[must_use]
    pub fn letter(&self, properties: &Properties) -> Letter {
        let holds = properties.propositions.iter().map(|proposition| self.holds(proposition));
        Letter { propositions: BitSet::of_truths(holds), costs: self.happening.costs.clone() }
    }

    /// The value of a quantity, if it has one.
    #[must_use]
    pub fn quantity(&self, quantity: &Quantity) -> Option<Value> {
        match quantity {
            Quantity::Nothing => None,
            Quantity::Value(value) => Some(*value),
            Quantity::State(index) => self.quantities[*index],
            Quantity::Count(all) => {
                Some(Value::Integer(all.iter().filter(|proposition| self.holds(proposition)).count() as i64))
            }
            Quantity::Argument(index) => self.happening.arguments[*index],
            Quantity::Monitor(index) => self.after?.number(*index).map(Value::Integer),
        }
    }
}

/// Whether two values compare as demanded. A missing value, or a non-integer in an order comparison, satisfies no
/// relation except `!=`.
#[must_use]
pub fn values_compare(left: Option<Value>, comparison: Comparison, right: Option<Value>) -> bool {
    let equal = || match (left, right) {
        (Some(left), Some(right)) => left.equals(right) == Some(true),
        _ => false,
    };
    match comparison {
        Comparison::Equal => equal(),
        Comparison::NotEqual => !equal(),
        Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual => {
            match (left, right) {
                (Some(Value::Integer(left)), Some(Value::Integer(right))) => {
                    integers_compare(left, comparison, right)
                }
                _ => false,
            }
        }
    }
}

/// Which of the state atoms of all properties hold, and the values of the quantities.
#[must_use]
pub fn state_of(
    program: &Program,
    properties: &Properties,
    view: &impl View,
) -> (BitSet, Box<[Option<Value>]>) {
    let states = BitSet::of_truths(properties.states.iter().map(|atom| state_holds(program, atom, view)));
    let quantities = properties.quantities.iter().map(|it| quantity_in(program, it, view)).collect();
    (states, quantities)
}

/// A run as propositions see it, moment by moment.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    properties: &'a Properties,
    monitored: MonitorState,
}

impl<'a> Watch<'a> {
    /// Before the first moment.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, properties: &'a Properties) -> Self {
        Self { program, bounds, properties, monitored: MonitorState::first(program, bounds, properties) }
    }

    /// What was noted so far.
    #[must_use]
    pub fn monitored(&self) -> &MonitorState {
        &self.monitored
    }

    /// The propositions that hold in a state reached by the step `made`, or in a first state if that is `None`.
    pub fn see(&mut self, made: Option<(AgentId, &Outcome)>, state: &SceneState) -> Letter {
        let happening = match made {
            Some((agent, outcome)) => Happening::of_step(self.program, self.properties, agent, outcome),
            None => Happening::nothing(self.properties),
        };
        self.see_happening(&happening, state)
    }

    /// The propositions that hold in a state to which this leads.
    fn see_happening(&mut self, happening: &Happening, state: &SceneState) -> Letter {
        let Self { program, bounds, properties, monitored } = self;
        let view = PlainView { program, bounds, state };
        let (states, quantities) = state_of(program, properties, &view);
        let no_ceilings = vec![i64::MAX; properties.monitors.len()];
        let after = monitored.after(properties, happening, &no_ceilings);
        let before = std::mem::replace(monitored, after);
        let moment = Moment {
            happening,
            before: Some(&before),
            states: &states,
            quantities: &quantities,
            after: Some(monitored),
        };
        moment.letter(properties)
    }
}
