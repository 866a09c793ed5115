//! What may hold at a moment of which not everything is known.

use map_conform::LoggedMessage;
use map_graph::BitSet;
use map_ir::{
    AgentId, Comparison, EventArgument, EventAtom, EventKind, Program, Properties, Proposition,
    PropositionId, Quantity, StateAtom, StateQuantity, Value,
};
use map_semantics::{
    AgentState, Bounds, Happening, MonitorState, View, agent_steps, charged_for_sending, state_holds,
    values_compare,
};

/// Whether something may hold, and whether it may not; at least one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub(super) may: bool,
    pub(super) may_not: bool,
}

impl Truth {
    const UNKNOWN: Self = Self { may: true, may_not: true };

    fn known(holds: bool) -> Self {
        Self { may: holds, may_not: !holds }
    }
}

/// A value that may not be known; one that is known may be none at all.
type Known = Option<Option<Value>>;

/// What is known of the states of agents.
pub(super) struct Of {
    states: Vec<Truth>,
    quantities: Vec<Known>,
}

impl Of {
    /// Of the state of one agent, if that is known; nothing is known of the others.
    pub(super) fn new(
        (program, bounds): (&Program, &Bounds),
        properties: &Properties,
        agent: AgentId,
        state: Option<&AgentState>,
    ) -> Self {
        let Some(state) = state else { return Self::nothing(properties) };
        let view = One { program, bounds, agent, state };
        let atom = |atom: &StateAtom| match atom {
            StateAtom::Done(of) | StateAtom::Failed(of) | StateAtom::In(of, _) if *of == agent => {
                Truth::known(state_holds(program, atom, &view))
            }
            // Whether it waits may depend on values that are not known.
            StateAtom::Ended
            | StateAtom::Done(_)
            | StateAtom::Failed(_)
            | StateAtom::Waiting(_)
            | StateAtom::In(..) => Truth::UNKNOWN,
        };
        let quantity = |quantity: &StateQuantity| match quantity {
            StateQuantity::Cell(of, _) | StateQuantity::Mailbox(of) if *of == agent => {
                let value = map_semantics::quantity_in(program, quantity, &view);
                let is_open = matches!(value, Some(Value::Abstract(_) | Value::Fresh(_)));
                (!is_open).then_some(value)
            }
            StateQuantity::Cell(..) | StateQuantity::Mailbox(_) => None,
        };
        Self {
            states: properties.states.iter().map(atom).collect(),
            quantities: properties.quantities.iter().map(quantity).collect(),
        }
    }

    fn nothing(properties: &Properties) -> Self {
        Self {
            states: vec![Truth::UNKNOWN; properties.states.len()],
            quantities: vec![None; properties.quantities.len()],
        }
    }
}

/// The state of one agent, about which alone is asked.
struct One<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    agent: AgentId,
    state: &'a AgentState,
}

impl View for One<'_> {
    fn agent(&self, _: AgentId) -> &AgentState {
        self.state
    }

    fn all_waiting(&self, _: AgentId) -> bool {
        agent_steps(self.program, self.bounds, self.agent, self.state).all_waiting()
    }
}

/// No event.
pub(super) fn nothing_happens(properties: &Properties) -> Happening {
    Happening::nothing(properties)
}

/// The events of a send.
pub(super) fn sent(properties: &Properties, sent: &LoggedMessage) -> Happening {
    let LoggedMessage { from, to, message, .. } = sent;
    let happens = |event: &EventAtom| match &event.kind {
        EventKind::Sends(pattern, recipient) => {
            event.agent.is_none_or(|it| it == *from)
                && recipient.is_none_or(|it| to.contains(&it))
                && map_semantics::fits(pattern, message)
        }
        EventKind::Receives(..) | EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => false,
    };
    let events = BitSet::of_truths(properties.events.iter().map(happens));
    let value = |argument: &EventArgument| {
        let arguments = &message.arguments;
        events.contains(argument.event).then(|| arguments.get(argument.place).copied()).flatten()
    };
    let arguments = properties.arguments.iter().map(value).collect();
    let costs = properties.costs.iter().map(|cost| charged_for_sending(cost, *from, to, message)).collect();
    Happening { events, arguments, costs }
}

/// A moment, as far as it is known.
pub(super) struct Moment<'a> {
    pub(super) properties: &'a Properties,
    pub(super) happening: &'a Happening,
    /// What was noted before.
    pub(super) before: &'a MonitorState,
    /// What is noted now.
    pub(super) after: &'a MonitorState,
    pub(super) of: Of,
}

impl<'a> Moment<'a> {
    /// A moment at which nobody says anything.
    pub(super) fn unseen(
        properties: &'a Properties,
        nothing: &'a Happening,
        noted: &'a MonitorState,
    ) -> Self {
        Self { properties, happening: nothing, before: noted, after: noted, of: Of::nothing(properties) }
    }

    /// Whether a proposition may hold.
    pub(super) fn truth(&self, proposition: PropositionId) -> Truth {
        self.holds(&self.properties.propositions[proposition])
    }

    fn holds(&self, proposition: &Proposition) -> Truth {
        match proposition {
            Proposition::Constant(value) => Truth::known(*value),
            Proposition::Event(index) => Truth::known(self.happening.events.contains(*index)),
            Proposition::State(index) => self.of.states[*index],
            Proposition::Not(denied) => {
                let Truth { may, may_not } = self.holds(denied);
                Truth { may: may_not, may_not: may }
            }
            Proposition::And(parts) => {
                let all = parts.iter().map(|part| self.holds(part));
                all.fold(Truth::known(true), |all, part| Truth {
                    may: all.may && part.may,
                    may_not: all.may_not || part.may_not,
                })
            }
            Proposition::Or(parts) => {
                let all = parts.iter().map(|part| self.holds(part));
                all.fold(Truth::known(false), |all, part| Truth {
                    may: all.may || part.may,
                    may_not: all.may_not && part.may_not,
                })
            }
            Proposition::Compare(left, how, right) => self.compare(left, *how, right),
            Proposition::Before(monitor, values) => {
                let values: Option<Vec<Option<Value>>> = values.iter().map(|it| self.quantity(it)).collect();
                let Some(values) = values else { return Truth::UNKNOWN };
                let values: Option<Box<[Value]>> = values.into_iter().collect();
                Truth::known(values.is_some_and(|values| self.before.has_seen(*monitor, &values)))
            }
        }
    }

    fn compare(&self, left: &Quantity, how: Comparison, right: &Quantity) -> Truth {
        match (self.quantity(left), self.quantity(right)) {
            (Some(left), Some(right)) => Truth::known(values_compare(left, how, right)),
            _ => Truth::UNKNOWN,
        }
    }

    fn quantity(&self, quantity: &Quantity) -> Known {
        match quantity {
            Quantity::Nothing => Some(None),
            Quantity::Value(value) => Some(Some(*value)),
            Quantity::State(index) => self.of.quantities[*index],
            Quantity::Count(all) => {
                let truths: Vec<Truth> = all.iter().map(|it| self.holds(it)).collect();
                let is_known = truths.iter().all(|it| *it != Truth::UNKNOWN);
                let count = truths.iter().filter(|it| it.may).count();
                is_known.then_some(Some(Value::Integer(count as i64)))
            }
            Quantity::Argument(index) => Some(self.happening.arguments[*index]),
            Quantity::Monitor(index) => Some(self.after.number(*index).map(Value::Integer)),
        }
    }
}
