//! The searches for costs: with as many reductions as leave what steps cost as it is, then with fewer. A search for
//! properties that leaves as much is enough.

use map_ir::{
    AgentId, Cost, Costs, Program, Properties, Proposition, PropositionId, StateAtom, Value, Visible,
};
use map_semantics::Bounds;

use crate::abstraction::symmetry::Symmetry;
use crate::property::plan::groups::{FEW, Group, is_finer, orders};
use crate::reductions::Reductions;

/// Where a group has what costs are read from.
pub(in crate::property) struct Observed {
    /// The proposition that all agents have ended, none of them with failure.
    pub(super) good_end: PropositionId,
    /// For each of the costs its index among those of the group.
    pub(super) costs: Vec<usize>,
}

/// How costs may be searched.
pub(in crate::property) struct CostPlan<'a> {
    program: &'a Program,
    costs: &'a Costs,
    reductions: Reductions,
    /// The agents that no price tells apart.
    classes: Vec<Vec<AgentId>>,
}

impl<'a> CostPlan<'a> {
    pub(in crate::property) fn new(
        program: &'a Program,
        costs: &'a Costs,
        bounds: &Bounds,
        reductions: Reductions,
    ) -> Self {
        let reductions = reductions.under(bounds);
        let classes = match reductions.symmetry {
            true => interchangeable(&Symmetry::new(program, bounds), &costs.tables.costs),
            false => Vec::new(),
        };
        Self { program, costs, reductions, classes }
    }

    /// Searches for nothing else, to be tried in order until all runs can be shown. The last one is without reductions.
    pub(super) fn groups(&self) -> Vec<(Group, Observed)> {
        let group = |classes: Vec<Vec<AgentId>>, slicing: bool| {
            let mut group = Group {
                members: Vec::new(),
                properties: Properties::default(),
                ceilings: Vec::new(),
                symmetry: Symmetry::of(self.program.agents.len(), classes),
                slicing,
            };
            let observed = self.observe(&mut group);
            (group, observed)
        };
        let mut groups = Vec::new();
        if !self.classes.is_empty() {
            groups.push(group(self.classes.clone(), self.reductions.slicing));
        }
        if self.reductions.slicing {
            groups.push(group(Vec::new(), true));
        }
        groups.push(group(Vec::new(), false));
        groups
    }

    /// Whether the search for a group of properties is about as large as the first one for costs would be, and tells
    /// apart what that does. What it must keep for the costs it then keeps anyway.
    pub(in crate::property) fn suits(&self, group: &Group) -> bool {
        let classes = group.symmetry.classes();
        let tells_agents_apart =
            is_finer(classes, &self.classes) && orders(&self.classes) <= FEW * orders(classes);
        let keeps_prices = || {
            let wanted = Visible::to_costs(&self.costs.tables.costs);
            let kept = group.visible(self.program);
            wanted.arguments.iter().all(|it| kept.arguments.contains(it))
                && wanted.senders.iter().all(|it| kept.senders.contains(it))
        };
        !group.has_monitors() && tells_agents_apart && (!group.slicing || keeps_prices())
    }

    /// Has the letters of a group tell the costs and the good end, too.
    pub(in crate::property) fn observe(&self, group: &mut Group) -> Observed {
        let Properties { propositions, states, costs, .. } = &mut group.properties;
        let failed = self.program.cast().map(StateAtom::Failed);
        let mut atoms = std::iter::once(StateAtom::Ended)
            .chain(failed)
            .map(|atom| Proposition::State(number(states, atom)));
        let ended = atoms.next();
        let none_failed = atoms.map(|failed| Proposition::Not(Box::new(failed)));
        let good_end = Proposition::And(ended.into_iter().chain(none_failed).collect());
        Observed {
            good_end: number(propositions, good_end),
            costs: self.costs.tables.costs.iter().map(|cost| number(costs, cost.clone())).collect(),
        }
    }
}

/// The number of an item, which is added if it is missing.
fn number<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|it| *it == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

/// The classes of agents that no price tells apart.
fn interchangeable(symmetry: &Symmetry, costs: &[Cost]) -> Vec<Vec<AgentId>> {
    let mut classes: Vec<Vec<AgentId>> = Vec::new();
    for class in symmetry.classes() {
        let mut blocks: Vec<(Vec<bool>, Vec<AgentId>)> = Vec::new();
        for &agent in class.iter().filter(|&&agent| !is_compared(agent, costs)) {
            let named = named_in(agent, costs);
            match blocks.iter_mut().find(|(known, _)| *known == named) {
                Some((_, members)) => members.push(agent),
                None => blocks.push((named, vec![agent])),
            }
        }
        classes.extend(blocks.into_iter().map(|(_, members)| members).filter(|members| members.len() > 1));
    }
    classes
}

/// For all places of charges in which agents are named: whether this one is.
fn named_in(agent: AgentId, costs: &[Cost]) -> Vec<bool> {
    let charges = costs.iter().flat_map(|cost| &cost.charges);
    let places = charges.flat_map(|charge| {
        [charge.bearer.named(), charge.event.message().map_or(&[][..], |(_, other)| other.named())]
    });
    places.map(|named| named.contains(&agent)).collect()
}

/// Whether an argument of a message is compared with the agent's name.
fn is_compared(agent: AgentId, costs: &[Cost]) -> bool {
    let mut messages =
        costs.iter().flat_map(|cost| &cost.charges).filter_map(|charge| charge.event.message());
    messages.any(|(pattern, _)| pattern.arguments.contains(&Some(Value::Agent(agent))))
}
