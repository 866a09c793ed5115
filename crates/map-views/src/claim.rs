//! What is so at one moment of a run, about the fixed agents and some members, without logical connectives.

use map_ir::{
    AgentId, CellId, Comparison, EventAtom, EventKind, PerformativeId, Program, StateAtom, StateQuantity,
    Value, Visible,
};
use map_semantics::values_compare;

/// Something that holds at a moment or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StatePredicate {
    Constant(bool),
    Event(EventAtom),
    State(StateAtom),
    Compare(Side, Comparison, Side),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Nothing,
    Value(Value),
    State(StateQuantity),
    /// The value at this place of the message.
    Argument(EventAtom, usize),
}

impl StatePredicate {
    /// Its truth, if it is always the same.
    pub(crate) fn constant(&self) -> Option<bool> {
        match self {
            Self::Constant(truth) => Some(*truth),
            Self::Compare(Side::Value(left), comparison, Side::Value(right)) => {
                Some(values_compare(Some(*left), *comparison, Some(*right)))
            }
            Self::Event(_) | Self::State(_) | Self::Compare(..) => None,
        }
    }

    /// Calls `see` with every agent that it names.
    pub(crate) fn agents(&mut self, see: &mut impl FnMut(&mut AgentId)) {
        match self {
            Self::Constant(_) => {}
            Self::Event(event) => agents_of(event, see),
            Self::State(atom) => match atom {
                StateAtom::Ended => {}
                StateAtom::Done(agent)
                | StateAtom::Failed(agent)
                | StateAtom::Waiting(agent)
                | StateAtom::In(agent, _) => see(agent),
            },
            Self::Compare(left, _, right) => [left, right].into_iter().for_each(|side| match side {
                Side::Nothing => {}
                Side::Value(value) => agent_in(value, see),
                Side::State(StateQuantity::Cell(agent, _) | StateQuantity::Mailbox(agent)) => see(agent),
                Side::Argument(event, _) => agents_of(event, see),
            }),
        }
    }

    /// Adds what it observes.
    pub(crate) fn observe(&self, program: &Program, visible: &mut Visible) {
        match self {
            Self::Constant(_) | Self::State(_) => {}
            Self::Event(event) => observe_event(event, visible),
            Self::Compare(left, _, right) => [left, right].into_iter().for_each(|side| match side {
                Side::Nothing | Side::Value(_) | Side::State(StateQuantity::Mailbox(_)) => {}
                Side::State(StateQuantity::Cell(agent, cell)) => {
                    observe_cell(program, *agent, *cell, visible);
                }
                Side::Argument(event, place) => {
                    observe_event(event, visible);
                    visible.arguments.extend(performative_of(event).map(|it| (it, *place)));
                }
            }),
        }
    }

    /// The largest distance from 0 of an integer that it names.
    pub(crate) fn largest(&self) -> i64 {
        let of = |value: &Value| if let Value::Integer(number) = value { number.saturating_abs() } else { 0 };
        match self {
            Self::Constant(_) | Self::State(_) => 0,
            Self::Event(event) => match &event.kind {
                EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) => {
                    pattern.arguments.iter().flatten().map(of).max().unwrap_or(0)
                }
                EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => 0,
            },
            Self::Compare(left, _, right) => [left, right]
                .into_iter()
                .map(|side| if let Side::Value(value) = side { of(value) } else { 0 })
                .max()
                .unwrap_or(0),
        }
    }
}

fn agents_of(event: &mut EventAtom, see: &mut impl FnMut(&mut AgentId)) {
    event.agent.iter_mut().for_each(&mut *see);
    if let EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other) = &mut event.kind {
        other.iter_mut().for_each(&mut *see);
        pattern.arguments.iter_mut().flatten().for_each(|value| agent_in(value, see));
    }
}

fn agent_in(value: &mut Value, see: &mut impl FnMut(&mut AgentId)) {
    if let Value::Agent(agent) = value {
        see(agent);
    }
}

fn observe_event(event: &EventAtom, visible: &mut Visible) {
    let (EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other)) = &event.kind else {
        return;
    };
    let values = pattern.arguments.iter().enumerate().filter(|(_, value)| value.is_some());
    visible.arguments.extend(values.map(|(place, _)| (pattern.performative, place)));
    if matches!(event.kind, EventKind::Receives(..)) && other.is_some() {
        visible.senders.push(pattern.performative);
    }
}

fn observe_cell(program: &Program, agent: AgentId, cell: CellId, visible: &mut Visible) {
    visible.cells.push((program.agent(agent).role, cell));
}

fn performative_of(event: &EventAtom) -> Option<PerformativeId> {
    match &event.kind {
        EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) => Some(pattern.performative),
        EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => None,
    }
}
