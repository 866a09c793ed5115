//! What is so at one moment of a run, about the fixed agents and some members.

use map_ir::{
    AgentId, CellId, Comparison, EventAtom, EventKind, PerformativeId, Program, Properties, Proposition,
    Quantity, StateAtom, StateQuantity, Value, Visible,
};
use map_semantics::values_compare;

use crate::frame::MOST_SEEN;

/// Why a property is not judged for any number of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// It is about more members at once than views show, or about all of them together.
    Several,
    /// It counts, adds up or looks back.
    LooksBack,
    /// It is about what happens in the end, or about what some run may do.
    NotSafety,
    /// A view shows it violated, or does not show it, which may never happen.
    Open,
    /// There are not all views, or not all that happens in them is known.
    NoViews,
}

/// What is so at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Constant(bool),
    Event(EventAtom),
    State(StateAtom),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
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

impl Claim {
    /// The same without parts whose truth is known.
    pub(crate) fn folded(self) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(Self::folded);
        match self {
            Self::Compare(Side::Value(left), comparison, Side::Value(right)) => {
                Self::Constant(values_compare(Some(left), comparison, Some(right)))
            }
            Self::Not(denied) => match denied.folded() {
                Self::Constant(truth) => Self::Constant(!truth),
                Self::Not(claim) => *claim,
                claim => Self::Not(Box::new(claim)),
            },
            Self::And(parts) => Self::joined(all(parts), true),
            Self::Or(parts) => Self::joined(all(parts), false),
            claim => claim,
        }
    }

    /// That all hold, or that some does. `neutral` is the truth that does not matter then.
    fn joined(parts: impl Iterator<Item = Self>, neutral: bool) -> Self {
        let mut open: Vec<Self> = parts.filter(|it| it.constant() != Some(neutral)).collect();
        match open.len() {
            _ if open.iter().any(|it| it.constant().is_some()) => Self::Constant(!neutral),
            0 => Self::Constant(neutral),
            1 => open.remove(0),
            _ if neutral => Self::And(open),
            _ => Self::Or(open),
        }
    }

    /// That it does not hold.
    pub(crate) fn denied(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Its truth, if it is always the same.
    pub(crate) fn constant(&self) -> Option<bool> {
        if let Self::Constant(truth) = self { Some(*truth) } else { None }
    }

    /// The claims that together say the same.
    pub(crate) fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => parts.into_iter().flat_map(Self::conjuncts).collect(),
            Self::Not(denied) => match *denied {
                Self::Or(parts) => {
                    let denied = parts.into_iter().map(Self::denied);
                    denied.flat_map(Self::conjuncts).collect()
                }
                Self::Not(claim) => claim.conjuncts(),
                other => vec![Self::Not(Box::new(other))],
            },
            claim => vec![claim],
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
            Self::Not(denied) => denied.agents(see),
            Self::And(parts) | Self::Or(parts) => parts.iter_mut().for_each(|part| part.agents(see)),
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
            Self::Not(denied) => denied.observe(program, visible),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|it| it.observe(program, visible)),
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
            Self::Not(denied) => denied.largest(),
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::largest).max().unwrap_or(0),
            Self::Compare(left, _, right) => [left, right]
                .into_iter()
                .map(|side| if let Side::Value(value) = side { of(value) } else { 0 })
                .max()
                .unwrap_or(0),
        }
    }
}

/// What a proposition says.
///
/// # Errors
/// Why it is not judged.
pub(crate) fn of_proposition(properties: &Properties, proposition: &Proposition) -> Result<Claim, Unjudged> {
    let all = |parts: &[Proposition]| -> Result<Vec<Claim>, Unjudged> {
        parts.iter().map(|part| of_proposition(properties, part)).collect()
    };
    let side = |quantity: &Quantity| {
        Ok(match quantity {
            Quantity::Nothing => Side::Nothing,
            Quantity::Value(value) => Side::Value(*value),
            Quantity::State(index) => Side::State(properties.quantities[*index].clone()),
            Quantity::Argument(index) => {
                let argument = &properties.arguments[*index];
                Side::Argument(properties.events[argument.event].clone(), argument.place)
            }
            Quantity::Count(_) => return Err(Unjudged::Several),
            Quantity::Monitor(_) => return Err(Unjudged::LooksBack),
        })
    };
    Ok(match proposition {
        Proposition::Constant(truth) => Claim::Constant(*truth),
        Proposition::Event(index) => Claim::Event(properties.events[*index].clone()),
        Proposition::State(index) => Claim::State(properties.states[*index].clone()),
        Proposition::Not(denied) => Claim::Not(Box::new(of_proposition(properties, denied)?)),
        Proposition::And(parts) => Claim::And(all(parts)?),
        Proposition::Or(parts) => Claim::Or(all(parts)?),
        Proposition::Compare(
            Quantity::Count(counted),
            comparison,
            Quantity::Value(Value::Integer(number)),
        ) => few_of(&all(counted)?, *comparison, *number)?,
        Proposition::Compare(
            Quantity::Value(Value::Integer(number)),
            comparison,
            Quantity::Count(counted),
        ) => few_of(&all(counted)?, comparison.swapped(), *number)?,
        Proposition::Compare(left, comparison, right) => {
            Claim::Compare(side(left)?, *comparison, side(right)?)
        }
        Proposition::Before(..) => return Err(Unjudged::LooksBack),
    })
}

/// The claim that so many of these hold, if it says that there are at most one or two, or more than that.
fn few_of(claims: &[Claim], comparison: Comparison, number: i64) -> Result<Claim, Unjudged> {
    let (most, positive) = match comparison {
        Comparison::Less => (number.saturating_sub(1), true),
        Comparison::LessOrEqual => (number, true),
        Comparison::Greater => (number, false),
        Comparison::GreaterOrEqual => (number.saturating_sub(1), false),
        Comparison::Equal | Comparison::NotEqual => return Err(Unjudged::Several),
    };
    let too_many = match usize::try_from(most) {
        Ok(most) if most < MOST_SEEN => most + 1,
        _ => return Err(Unjudged::Several),
    };
    let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..too_many {
        let longer = |group: Vec<usize>| {
            let next = group.last().map_or(0, |last| last + 1);
            (next..claims.len()).map(move |it| group.iter().copied().chain([it]).collect())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    let not_all =
        |group: Vec<usize>| Claim::And(group.into_iter().map(|it| claims[it].clone()).collect()).denied();
    let few = Claim::And(groups.into_iter().map(not_all).collect());
    Ok(if positive { few } else { few.denied() })
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
