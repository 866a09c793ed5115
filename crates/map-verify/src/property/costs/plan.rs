//! The searches for costs: with as many reductions as leave what steps cost as it is, then with fewer.

use map_ir::{AgentId, Cost, Costs, Program, Properties, Proposition, StateAtom, Value};
use map_semantics::Bounds;

use crate::abstraction::symmetry::Symmetry;
use crate::property::plan::groups::Group;
use crate::reductions::Reductions;

/// The proposition that all agents have ended, none of them with failure.
pub(super) const GOOD_END: usize = 0;

/// The searches to be tried in order, until all runs can be shown. The last one is without reductions.
pub(super) fn groups(
    program: &Program,
    costs: &Costs,
    bounds: &Bounds,
    reductions: Reductions,
) -> Vec<Group> {
    let reductions = reductions.under(bounds);
    let classes = match reductions.symmetry {
        true => interchangeable(&Symmetry::new(program, bounds), &costs.tables.costs),
        false => Vec::new(),
    };
    let group = |classes: Vec<Vec<AgentId>>, slicing: bool| Group {
        members: Vec::new(),
        properties: observed(program, costs),
        ceilings: Vec::new(),
        symmetry: Symmetry::of(program.agents.len(), classes),
        slicing,
    };
    let mut groups = Vec::new();
    if !classes.is_empty() {
        groups.push(group(classes, reductions.slicing));
    }
    if reductions.slicing {
        groups.push(group(Vec::new(), true));
    }
    groups.push(group(Vec::new(), false));
    groups
}

/// The costs, and the proposition [`GOOD_END`].
fn observed(program: &Program, costs: &Costs) -> Properties {
    let failed = program.cast().map(StateAtom::Failed);
    let states: Vec<StateAtom> = std::iter::once(StateAtom::Ended).chain(failed).collect();
    let none_failed = (1..states.len()).map(|it| Proposition::Not(Box::new(Proposition::State(it))));
    let good_end = std::iter::once(Proposition::State(0)).chain(none_failed).collect();
    Properties {
        propositions: vec![Proposition::And(good_end)],
        states,
        costs: costs.tables.costs.clone(),
        ..Properties::default()
    }
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
