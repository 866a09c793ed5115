//! Restricts properties to some of them, with only the atoms and propositions that these need.

use std::hash::Hash;

use indexmap::IndexSet;
use map_ir::{
    Cost, EventArgument, EventAtom, Monitor, Possibility, Premise, Properties, Property, Proposition,
    PropositionId, Quantity, StateAtom, StateQuantity, Temporal,
};
use rustc_hash::FxBuildHasher;

/// The properties in `list`, whose formulas refer to `propositions`, which refer to the atoms of `from`.
pub(super) fn restricted(from: &Properties, propositions: &[Proposition], list: Vec<Property>) -> Properties {
    let mut restriction = Restriction {
        from,
        propositions,
        kept: IndexSet::default(),
        events: IndexSet::default(),
        states: IndexSet::default(),
        quantities: IndexSet::default(),
        arguments: IndexSet::default(),
        monitors: IndexSet::default(),
        costs: IndexSet::default(),
    };
    let list = list.into_iter().map(|property| restriction.property(property)).collect();
    let Restriction { kept, events, states, quantities, arguments, monitors, costs, .. } = restriction;
    Properties {
        list,
        propositions: kept.into_iter().collect(),
        events: events.into_iter().collect(),
        states: states.into_iter().collect(),
        quantities: quantities.into_iter().collect(),
        arguments: arguments.into_iter().collect(),
        monitors: monitors.into_iter().collect(),
        costs: costs.into_iter().collect(),
    }
}

struct Restriction<'p> {
    from: &'p Properties,
    propositions: &'p [Proposition],
    kept: IndexSet<Proposition, FxBuildHasher>,
    events: IndexSet<EventAtom, FxBuildHasher>,
    states: IndexSet<StateAtom, FxBuildHasher>,
    quantities: IndexSet<StateQuantity, FxBuildHasher>,
    arguments: IndexSet<EventArgument, FxBuildHasher>,
    monitors: IndexSet<Monitor, FxBuildHasher>,
    costs: IndexSet<Cost, FxBuildHasher>,
}

fn number<T: Clone + Hash + Eq>(items: &mut IndexSet<T, FxBuildHasher>, item: &T) -> usize {
    items.get_index_of(item).unwrap_or_else(|| items.insert_full(item.clone()).0)
}

impl Restriction<'_> {
    fn property(&mut self, property: Property) -> Property {
        let premises = property.premises.iter().map(|Premise { propositions, span }| {
            let propositions = propositions.iter().map(|&it| self.id(it)).collect();
            Premise { propositions, span: *span }
        });
        let premises = premises.collect();
        Property { formula: self.formula(&property.formula), premises, ..property }
    }

    fn id(&mut self, id: PropositionId) -> PropositionId {
        let proposition = self.proposition(&self.propositions[id]);
        number(&mut self.kept, &proposition)
    }

    fn formula(&mut self, formula: &Temporal) -> Temporal {
        let mut of = |inner: &Temporal| Box::new(self.formula(inner));
        match formula {
            Temporal::Not(inner) => Temporal::Not(of(inner)),
            Temporal::Next(inner) => Temporal::Next(of(inner)),
            Temporal::Always(inner) => Temporal::Always(of(inner)),
            Temporal::Eventually(inner) => Temporal::Eventually(of(inner)),
            Temporal::Until(left, right) => Temporal::Until(of(left), of(right)),
            Temporal::LeadsTo(left, right) => Temporal::LeadsTo(of(left), of(right)),
            Temporal::And(parts) => Temporal::And(parts.iter().map(|part| self.formula(part)).collect()),
            Temporal::Or(parts) => Temporal::Or(parts.iter().map(|part| self.formula(part)).collect()),
            Temporal::Holds(it) => Temporal::Holds(self.id(*it)),
            Temporal::Possible(possibility) => Temporal::Possible(match possibility {
                Possibility::Reach(it) => Possibility::Reach(self.id(*it)),
                Possibility::Sequence(all) => {
                    Possibility::Sequence(all.iter().map(|&it| self.id(it)).collect())
                }
                Possibility::Satisfy(inner) => Possibility::Satisfy(of(inner)),
            }),
        }
    }

    fn proposition(&mut self, proposition: &Proposition) -> Proposition {
        let from = self.from;
        match proposition {
            Proposition::Constant(value) => Proposition::Constant(*value),
            Proposition::Event(index) => Proposition::Event(number(&mut self.events, &from.events[*index])),
            Proposition::State(index) => Proposition::State(number(&mut self.states, &from.states[*index])),
            Proposition::Not(denied) => Proposition::Not(Box::new(self.proposition(denied))),
            Proposition::And(parts) => Proposition::And(self.all(parts)),
            Proposition::Or(parts) => Proposition::Or(self.all(parts)),
            Proposition::Compare(left, comparison, right) => {
                Proposition::Compare(self.quantity(left), *comparison, self.quantity(right))
            }
            Proposition::Before(index, values) => {
                Proposition::Before(self.monitor(*index), self.quantities(values))
            }
        }
    }

    fn all(&mut self, parts: &[Proposition]) -> Vec<Proposition> {
        parts.iter().map(|part| self.proposition(part)).collect()
    }

    fn quantity(&mut self, quantity: &Quantity) -> Quantity {
        let from = self.from;
        match quantity {
            Quantity::Nothing => Quantity::Nothing,
            Quantity::Value(value) => Quantity::Value(*value),
            Quantity::State(index) => Quantity::State(number(&mut self.quantities, &from.quantities[*index])),
            Quantity::Count(all) => Quantity::Count(self.all(all)),
            Quantity::Argument(index) => {
                let EventArgument { event, .. } = from.arguments[*index];
                let event = number(&mut self.events, &from.events[event]);
                let argument = EventArgument { event, ..from.arguments[*index] };
                Quantity::Argument(number(&mut self.arguments, &argument))
            }
            Quantity::Monitor(index) => Quantity::Monitor(self.monitor(*index)),
        }
    }

    fn quantities(&mut self, quantities: &[Quantity]) -> Vec<Quantity> {
        quantities.iter().map(|it| self.quantity(it)).collect()
    }

    fn monitor(&mut self, index: usize) -> usize {
        let monitor = match &self.from.monitors[index] {
            Monitor::Seen(when, values) => Monitor::Seen(self.proposition(when), self.quantities(values)),
            Monitor::Times(when) => Monitor::Times(self.proposition(when)),
            Monitor::Total(when, of) => Monitor::Total(self.proposition(when), self.quantity(of)),
            Monitor::Cost(cost) => Monitor::Cost(number(&mut self.costs, &self.from.costs[*cost])),
        };
        number(&mut self.monitors, &monitor)
    }
}
