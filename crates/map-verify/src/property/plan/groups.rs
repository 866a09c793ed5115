//! Groups properties by search, and chooses the reductions of each.
//!
//! Slicing and symmetry preserve every run and the truth of the propositions at its moments, as long as values that
//! these refer to are not sliced, and agents that they distinguish are not permuted. Symmetry does not preserve whose
//! turn it is. So formulas for which that matters, under fairness to every agent, are judged with slicing alone.

use map_ir::{AgentId, Possibility, Program, Properties, Property, StateAtom, Temporal, Visible};
use map_semantics::Bounds;

use super::ceilings::{Ceiling, is_about_costs_alone, taken_out};
use super::orbits::{Orbits, propositions_of};
use super::restriction::restricted;
use crate::abstraction::symmetry::Symmetry;
use crate::property::form::Form;
use crate::property::verdict::Fairness;
use crate::reductions::Reductions;

/// Properties that are judged in one search.
pub(crate) struct Group {
    /// Their indices among all properties.
    pub(crate) members: Vec<usize>,
    /// The properties, with the atoms and propositions that they need.
    pub(crate) properties: Properties,
    /// Those of its claims that are about costs alone, and judged from what steps cost.
    pub(crate) ceilings: Vec<Ceiling>,
    pub(crate) symmetry: Symmetry,
    pub(crate) slicing: bool,
}

impl Group {
    /// The agents of which a property asks whether they wait.
    pub(crate) fn asks_whether_waiting(&self, property: &Property) -> Vec<AgentId> {
        let own = restricted(&self.properties, &self.properties.propositions, vec![property.clone()]);
        let agents = own.states.iter().filter_map(|atom| match atom {
            StateAtom::Waiting(agent) => Some(*agent),
            _ => None,
        });
        agents.collect()
    }

    /// These properties as they are, without symmetry.
    pub(crate) fn of_all_agents(
        scene @ (program, _): (&Program, &Bounds),
        properties: &Properties,
        members: Vec<usize>,
        slicing: bool,
    ) -> Self {
        let list = members.iter().map(|&index| properties.list[index].clone()).collect();
        let (properties, ceilings) = taken_out(scene, restricted(properties, &properties.propositions, list));
        Self { members, properties, ceilings, symmetry: Symmetry::none(program), slicing }
    }

    /// These properties as they are, without symmetry. Those that look back, each with monitors of its own, get
    /// searches of their own: together their states would multiply.
    pub(crate) fn all_of_all_agents(
        scene: (&Program, &Bounds),
        properties: &Properties,
        members: Vec<usize>,
        slicing: bool,
    ) -> Vec<Self> {
        let (apart, together): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|&it| looks_back(properties, it));
        let together = (!together.is_empty()).then_some(together);
        let groups = together.into_iter().chain(apart.into_iter().map(|it| vec![it]));
        groups.map(|members| Self::of_all_agents(scene, properties, members, slicing)).collect()
    }

    /// Whether its properties look back.
    pub(crate) fn has_monitors(&self) -> bool {
        !self.properties.monitors.is_empty()
    }

    /// The reductions in force.
    pub(crate) fn reductions(&self) -> Reductions {
        let symmetry = !self.symmetry.classes().is_empty();
        Reductions { slicing: self.slicing, symmetry, ..Reductions::NONE }
    }

    /// What slicing must not remove.
    pub(crate) fn visible(&self, program: &Program) -> Visible {
        Visible::to(program, &self.properties)
    }
}

/// Whether a property needs monitors.
pub(crate) fn looks_back(properties: &Properties, index: usize) -> bool {
    let mut propositions = Vec::new();
    let property = &properties.list[index];
    let Property { formula, premises, .. } = property;
    propositions_of(formula, &mut propositions);
    propositions.extend(premises.iter().flat_map(|premise| &premise.propositions));
    propositions.iter().any(|&it| properties.propositions[it].looks_back())
        && !is_about_costs_alone(properties, property)
}

/// A group in the making: classes of interchangeable agents; indices of properties, and the properties.
type Found = (Vec<Vec<AgentId>>, Vec<usize>, Vec<Property>);

/// Properties get a search of their own only if it is expected to have fewer states by more than this factor.
pub(crate) const FEW: f64 = 3.0;

/// All properties in groups, those with most symmetry first.
pub(crate) fn groups(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    fairness: Fairness,
    reductions: Reductions,
) -> Vec<Group> {
    let all = (0..properties.list.len()).collect();
    let reductions = reductions.under(bounds);
    if reductions.without_partial_order() == Reductions::NONE {
        return Group::all_of_all_agents((program, bounds), properties, all, false);
    }
    let symmetry = if reductions.symmetry { Symmetry::new(program, bounds) } else { Symmetry::none(program) };
    let mut orbits = Orbits::new(properties, symmetry.classes(), program.agents.len());
    let (mut found, mut apart): (Vec<Found>, Vec<Found>) = (Vec::new(), Vec::new());
    for (index, property) in properties.list.iter().enumerate() {
        let (mut represented, mut classes) = match symmetry.classes() {
            [] => (property.clone(), Vec::new()),
            _ => orbits.represented(property),
        };
        // Turns may turn out not to matter, but only a much smaller search is worth trying that.
        if fairness == Fairness::Weak && needs_turns(&property.formula) && orders(&classes) <= FEW {
            (represented, classes) = (property.clone(), Vec::new());
        }
        if looks_back(properties, index) {
            apart.push((classes, vec![index], vec![represented]));
            continue;
        }
        match found.iter_mut().find(|(its_classes, ..)| *its_classes == classes) {
            Some((_, members, list)) => {
                members.push(index);
                list.push(represented);
            }
            None => found.push((classes, vec![index], vec![represented])),
        }
    }
    let groups = apart.into_iter().chain(together(found)).map(|(classes, members, list)| {
        let (properties, ceilings) =
            taken_out((program, bounds), restricted(properties, &orbits.propositions, list));
        let symmetry = Symmetry::of(program.agents.len(), classes);
        Group { members, properties, ceilings, symmetry, slicing: reductions.slicing }
    });
    groups.collect()
}

/// Merges groups into one whose search is run anyway, unless a search of their own would have far fewer states. The
/// result is sorted by decreasing symmetry.
fn together(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by(|(one, ..), (other, ..)| orders(other).total_cmp(&orders(one)));
    let mut groups: Vec<Found> = Vec::new();
    while let Some((classes, members, list)) = found.pop() {
        let near =
            |(finer, ..): &&mut Found| is_finer(finer, &classes) && orders(&classes) <= FEW * orders(finer);
        match groups.iter_mut().rev().find(near) {
            Some((_, its_members, its_list)) => {
                its_members.extend(members);
                its_list.extend(list);
            }
            None => groups.push((classes, members, list)),
        }
    }
    groups.reverse();
    groups
}

/// Whether the agents of each of these classes are in one of the others.
pub(crate) fn is_finer(finer: &[Vec<AgentId>], classes: &[Vec<AgentId>]) -> bool {
    // The agents of a class are in order.
    let is_within = |block: &Vec<AgentId>, class: &Vec<AgentId>| {
        block.iter().all(|agent| class.binary_search(agent).is_ok())
    };
    finer.iter().all(|block| classes.iter().any(|class| is_within(block, class)))
}

/// The number of permutations of the agents within these classes: about this many states are merged into one.
pub(crate) fn orders(classes: &[Vec<AgentId>]) -> f64 {
    classes.iter().flat_map(|class| 1..=class.len()).map(|factor| factor as f64).product()
}

/// Whether weak fairness to every agent may matter to the formula: a finite prefix that refutes a formula can be
/// extended to a fair run. The answer affects only running time: if turns prove necessary, the formula is judged
/// again.
fn needs_turns(formula: &Temporal) -> bool {
    let mut inner = false;
    let form = Form::new(formula, &mut |possibility, _| {
        if let Possibility::Satisfy(wanted) = possibility {
            inner |= needs_turns(&Temporal::Not(wanted.clone()));
        }
        None
    });
    // Possibilities become constants later.
    let known = |form: Form| match form {
        Form::Or(mut parts) => {
            parts.retain(|part| *part != Form::Unknown);
            match parts.len() {
                0 => Form::Unknown,
                1 => parts.remove(0),
                _ => Form::Or(parts),
            }
        }
        form => form,
    };
    inner
        || !form
            .conjuncts()
            .into_iter()
            .flat_map(|part| known(part).conjuncts())
            .all(|form| is_refuted_by_beginnings(&form))
}

/// Whether every run that violates the formula has a finite prefix that refutes it (a safety property,
/// syntactically).
fn is_refuted_by_beginnings(form: &Form) -> bool {
    match form {
        Form::Constant(_) | Form::Unknown | Form::Literal(_) => true,
        Form::And(parts) | Form::Or(parts) => parts.iter().all(is_refuted_by_beginnings),
        Form::Next(inner) | Form::Always(inner) => is_refuted_by_beginnings(inner),
        Form::Not(inner) => is_shown_by_beginnings(inner),
        Form::Eventually(_) | Form::Until(..) | Form::LeadsTo(..) => false,
    }
}

/// Whether every run that satisfies the formula has a finite prefix that ensures it.
fn is_shown_by_beginnings(form: &Form) -> bool {
    match form {
        Form::Constant(_) | Form::Unknown | Form::Literal(_) => true,
        Form::And(parts) | Form::Or(parts) => parts.iter().all(is_shown_by_beginnings),
        Form::Next(inner) | Form::Eventually(inner) => is_shown_by_beginnings(inner),
        Form::Until(left, goal) => is_shown_by_beginnings(left) && is_shown_by_beginnings(goal),
        Form::Not(inner) => is_refuted_by_beginnings(inner),
        Form::Always(_) | Form::LeadsTo(..) => false,
    }
}
