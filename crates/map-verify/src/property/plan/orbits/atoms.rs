//! The atoms of propositions: the agents that occur in them, and what they are with agents renamed.

use map_ir::{
    AgentId, EventArgument, EventAtom, EventKind, Monitor, Properties, Proposition, Quantity, StateAtom,
    StateQuantity, Value,
};
use rustc_hash::FxHashMap;

use super::renaming::Renaming;
use crate::property::plan::normal::{normal, normal_monitor};

/// The parts of propositions in which agents are renamed. Monitors are about events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Events,
    State,
    Both,
}

/// The atoms of some properties, with their numbers.
pub(super) struct Atoms<'p> {
    properties: &'p Properties,
    events: FxHashMap<&'p EventAtom, usize>,
    states: FxHashMap<&'p StateAtom, usize>,
    quantities: FxHashMap<&'p StateQuantity, usize>,
    /// The monitors, with their propositions in normal form.
    monitors: Vec<Monitor>,
    /// The agents that may be renamed.
    interchangeable: Vec<AgentId>,
}

fn numbered<T: std::hash::Hash + Eq>(items: &[T]) -> FxHashMap<&T, usize> {
    items.iter().enumerate().map(|(index, item)| (item, index)).collect()
}

impl<'p> Atoms<'p> {
    /// `interchangeable` are the agents that may be renamed.
    pub(super) fn new(properties: &'p Properties, interchangeable: Vec<AgentId>) -> Self {
        Self {
            properties,
            events: numbered(&properties.events),
            states: numbered(&properties.states),
            quantities: numbered(&properties.quantities),
            monitors: properties.monitors.iter().map(normal_monitor).collect(),
            interchangeable,
        }
    }

    /// Adds the agents that occur in a proposition.
    pub(super) fn collect_agents(&self, proposition: &Proposition, seen: &mut Vec<AgentId>) {
        match proposition {
            Proposition::Constant(_) => {}
            Proposition::Event(index) => self.collect_of_event(*index, seen),
            Proposition::State(index) => match self.properties.states[*index] {
                StateAtom::Ended => {}
                StateAtom::Done(agent)
                | StateAtom::Failed(agent)
                | StateAtom::Waiting(agent)
                | StateAtom::In(agent, _) => seen.push(agent),
            },
            Proposition::Not(denied) => self.collect_agents(denied, seen),
            Proposition::And(parts) | Proposition::Or(parts) => {
                parts.iter().for_each(|part| self.collect_agents(part, seen));
            }
            Proposition::Compare(left, _, right) => {
                self.collect_of_quantity(left, seen);
                self.collect_of_quantity(right, seen);
            }
            Proposition::Before(index, values) => {
                self.collect_of_monitor(*index, seen);
                values.iter().for_each(|it| self.collect_of_quantity(it, seen));
            }
        }
    }

    fn collect_of_event(&self, index: usize, seen: &mut Vec<AgentId>) {
        let event = &self.properties.events[index];
        seen.extend(event.agent);
        if let EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other) = &event.kind {
            seen.extend(other);
            seen.extend(pattern.arguments.iter().flatten().filter_map(agent_of));
        }
    }

    fn collect_of_quantity(&self, quantity: &Quantity, seen: &mut Vec<AgentId>) {
        match quantity {
            Quantity::Nothing => {}
            Quantity::Value(value) => seen.extend(agent_of(value)),
            Quantity::State(index) => match self.properties.quantities[*index] {
                StateQuantity::Cell(agent, _) | StateQuantity::Mailbox(agent) => seen.push(agent),
            },
            Quantity::Count(all) => all.iter().for_each(|it| self.collect_agents(it, seen)),
            Quantity::Argument(index) => match self.properties.arguments[*index] {
                // Which agent it names is not told by the proposition.
                EventArgument { may_be_name: true, .. } => {
                    seen.extend(&self.interchangeable);
                }
                EventArgument { event, .. } => self.collect_of_event(event, seen),
            },
            Quantity::Monitor(index) => self.collect_of_monitor(*index, seen),
        }
    }

    fn collect_of_monitor(&self, index: usize, seen: &mut Vec<AgentId>) {
        let monitor = &self.monitors[index];
        monitor.when().into_iter().for_each(|when| self.collect_agents(when, seen));
        match monitor {
            Monitor::Seen(_, values) => values.iter().for_each(|it| self.collect_of_quantity(it, seen)),
            Monitor::Total(_, quantity) => self.collect_of_quantity(quantity, seen),
            Monitor::Cost(cost) => self.collect_of_cost(*cost, seen),
            Monitor::Times(_) => {}
        }
    }

    fn collect_of_cost(&self, cost: usize, seen: &mut Vec<AgentId>) {
        for charge in &self.properties.costs[cost].charges {
            seen.extend(charge.bearer.named());
            if let Some((pattern, other)) = charge.event.message() {
                seen.extend(other.named());
                seen.extend(pattern.arguments.iter().flatten().filter_map(agent_of));
            }
        }
    }

    /// A proposition with agents renamed on a side, in normal form; `None` if the properties have no such atoms, or
    /// if that does not tell what it says then.
    pub(super) fn renamed(
        &self,
        proposition: &Proposition,
        by: &Renaming<'_>,
        side: Side,
    ) -> Option<Proposition> {
        self.renamed_as_is(proposition, by, side).map(normal)
    }

    fn renamed_as_is(&self, proposition: &Proposition, by: &Renaming<'_>, side: Side) -> Option<Proposition> {
        let of = |it: &Proposition| self.renamed_as_is(it, by, side);
        let all = |parts: &[Proposition]| parts.iter().map(of).collect::<Option<Vec<Proposition>>>();
        Some(match proposition {
            Proposition::Event(index) if side != Side::State => {
                Proposition::Event(self.renamed_event(*index, by)?)
            }
            Proposition::State(index) if side != Side::Events => {
                Proposition::State(*self.states.get(&by.state(&self.properties.states[*index]))?)
            }
            Proposition::Constant(_) | Proposition::Event(_) | Proposition::State(_) => proposition.clone(),
            Proposition::Not(denied) => Proposition::Not(Box::new(of(denied)?)),
            Proposition::And(parts) => Proposition::And(all(parts)?),
            Proposition::Or(parts) => Proposition::Or(all(parts)?),
            Proposition::Compare(left, comparison, right) => Proposition::Compare(
                self.renamed_quantity(left, by, side)?,
                *comparison,
                self.renamed_quantity(right, by, side)?,
            ),
            Proposition::Before(index, values) => Proposition::Before(
                self.renamed_monitor(*index, by, side)?,
                self.renamed_quantities(values, by, side)?,
            ),
        })
    }

    fn renamed_event(&self, index: usize, by: &Renaming<'_>) -> Option<usize> {
        self.events.get(&by.event(&self.properties.events[index])).copied()
    }

    fn renamed_quantity(&self, quantity: &Quantity, by: &Renaming<'_>, side: Side) -> Option<Quantity> {
        Some(match quantity {
            Quantity::Count(counted) => {
                let renamed = counted.iter().map(|it| self.renamed_as_is(it, by, side));
                Quantity::Count(renamed.collect::<Option<_>>()?)
            }
            Quantity::State(index) if side != Side::Events => {
                let renamed = by.quantity(&self.properties.quantities[*index]);
                Quantity::State(*self.quantities.get(&renamed)?)
            }
            Quantity::Value(value) if side != Side::Events => Quantity::Value(by.value(*value)),
            Quantity::Argument(index) => {
                let argument = &self.properties.arguments[*index];
                match argument.may_be_name {
                    true => return None,
                    false if side == Side::State => quantity.clone(),
                    false => {
                        let event = self.renamed_event(argument.event, by)?;
                        let renamed = EventArgument { event, ..argument.clone() };
                        Quantity::Argument(position(&self.properties.arguments, &renamed)?)
                    }
                }
            }
            Quantity::Monitor(index) => Quantity::Monitor(self.renamed_monitor(*index, by, side)?),
            Quantity::Nothing | Quantity::State(_) | Quantity::Value(_) => quantity.clone(),
        })
    }

    fn renamed_quantities(&self, all: &[Quantity], by: &Renaming<'_>, side: Side) -> Option<Vec<Quantity>> {
        all.iter().map(|it| self.renamed_quantity(it, by, side)).collect()
    }

    /// What a monitor has noted stays where it is when states are identified, so an exchange has to leave it as it is:
    /// it must not take the place of another one.
    fn renamed_monitor(&self, index: usize, by: &Renaming<'_>, side: Side) -> Option<usize> {
        let when = |when: &Proposition| self.renamed(when, by, side);
        let renamed = match &self.monitors[index] {
            Monitor::Seen(it, values) => Monitor::Seen(when(it)?, self.renamed_quantities(values, by, side)?),
            Monitor::Times(it) => Monitor::Times(when(it)?),
            Monitor::Total(it, of) => Monitor::Total(when(it)?, self.renamed_quantity(of, by, side)?),
            Monitor::Cost(cost) => {
                let costs = &self.properties.costs;
                Monitor::Cost(position(costs, &by.cost(&costs[*cost]))?)
            }
        };
        match by {
            Renaming::Exchange(..) => (renamed == self.monitors[index]).then_some(index),
            Renaming::Order { .. } => position(&self.monitors, &renamed),
        }
    }
}

fn agent_of(value: &Value) -> Option<AgentId> {
    if let Value::Agent(agent) = value { Some(*agent) } else { None }
}

fn position<T: PartialEq>(items: &[T], item: &T) -> Option<usize> {
    items.iter().position(|it| it == item)
}
