//! Language-preserving simplification of automata.

use map_graph::strong_components;

use crate::automaton::{Automaton, Edge};
use crate::simulation::reduced_by_simulation;

/// Simplifies until nothing changes, at most four rounds.
pub(crate) fn simplified(mut automaton: Automaton) -> Automaton {
    for _ in 0..4 {
        let mut states = trimmed(&automaton);
        states.iter_mut().for_each(join_guards);
        let smaller = without_needless_conditions(automaton.atoms(), automaton.conditions(), states);
        let smaller = reduced_by_simulation(&smaller).unwrap_or(smaller);
        let same = smaller == automaton;
        automaton = smaller;
        if same {
            break;
        }
    }
    automaton
}

/// The strongly connected components of an automaton.
struct Components {
    /// The component of each state.
    of: Vec<u32>,
    /// Whether some accepting run stays in the component.
    accepting: Vec<bool>,
    /// Whether some cycle lies in a component without accepting runs.
    rejecting_cycle: bool,
}

impl Components {
    fn new(automaton: &Automaton) -> Self {
        let next = |state: u32, cursor: &mut usize| {
            *cursor += 1;
            automaton.edges(state).get(*cursor - 1).map(|edge| edge.target)
        };
        let mut of = vec![u32::MAX; automaton.len()];
        let mut accepting = Vec::new();
        let mut rejecting_cycle = false;
        strong_components(automaton.len(), [0], next, |members| {
            let number = accepting.len() as u32;
            members.iter().for_each(|&member| of[member as usize] = number);
            let inner = members.iter().flat_map(|&member| automaton.edges(member));
            let mut inner = inner.filter(|edge| of[edge.target as usize] == number).peekable();
            let cycle = inner.peek().is_some();
            let accepts = cycle && inner.fold(0, |met, edge| met | edge.marks) == automaton.all_marks();
            accepting.push(accepts);
            rejecting_cycle |= cycle && !accepts;
        });
        Self { of, accepting, rejecting_cycle }
    }

    /// The component of a state, if an accepting run stays in it.
    fn accepting_of(&self, state: u32) -> Option<u32> {
        let component = self.of[state as usize];
        if *self.accepting.get(component as usize)? { Some(component) } else { None }
    }
}

/// The component of each state; `None` where no accepting run stays in the component.
pub(crate) fn accepting_components(automaton: &Automaton) -> Vec<Option<u32>> {
    let components = Components::new(automaton);
    (0..automaton.len() as u32).map(|state| components.accepting_of(state)).collect()
}

/// The reachable states with a non-empty language, the initial one first. Marks on edges outside accepting components
/// are dropped.
fn trimmed(automaton: &Automaton) -> Vec<Vec<Edge>> {
    let component = accepting_components(automaton);
    let mut useful: Vec<bool> = component.iter().map(Option::is_some).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for state in 0..useful.len() {
            let leads_on = automaton.edges(state as u32).iter().any(|edge| useful[edge.target as usize]);
            if !useful[state] && leads_on {
                useful[state] = true;
                changed = true;
            }
        }
    }
    let mut number = vec![u32::MAX; useful.len()];
    let mut order = vec![0_u32];
    number[0] = 0;
    let mut states: Vec<Vec<Edge>> = Vec::new();
    while states.len() < order.len() {
        let state = order[states.len()];
        let mut edges = Vec::new();
        for edge in automaton.edges(state).iter().filter(|edge| useful[edge.target as usize]) {
            let target = edge.target as usize;
            if number[target] == u32::MAX {
                number[target] = order.len() as u32;
                order.push(edge.target);
            }
            let inner = component[target].is_some() && component[state as usize] == component[target];
            edges.push(Edge {
                target: number[target],
                marks: if inner { edge.marks } else { 0 },
                guard: edge.guard,
            });
        }
        states.push(edges);
    }
    states
}

/// Merges edges that differ only in the sign of one literal, and drops edges that another one covers.
fn join_guards(edges: &mut Vec<Edge>) {
    let mut changed = true;
    while changed {
        changed = false;
        'pairs: for second in 1..edges.len() {
            for first in 0..second {
                let (one, other) = (edges[first], edges[second]);
                if (one.target, one.marks) != (other.target, other.marks) {
                    continue;
                }
                let joined = if one.guard.covers(other.guard) {
                    Some(one.guard)
                } else if other.guard.covers(one.guard) {
                    Some(other.guard)
                } else {
                    one.guard.join(other.guard)
                };
                if let Some(guard) = joined {
                    edges.swap_remove(second);
                    edges[first].guard = guard;
                    changed = true;
                    break 'pairs;
                }
            }
        }
    }
    edges.sort_unstable();
}

/// Drops conditions that are implied by another one. Marks outside accepting components must have been trimmed.
fn without_needless_conditions(atoms: &[u32], conditions: u32, states: Vec<Vec<Edge>>) -> Automaton {
    let whole = Automaton::new(atoms.to_vec(), conditions, states);
    let components = Components::new(&whole);
    let inner = |(state, edge): &(usize, &Edge)| {
        let component = components.accepting_of(*state as u32);
        component.is_some() && component == components.accepting_of(edge.target)
    };
    let marks: Vec<u128> = whole
        .states()
        .iter()
        .enumerate()
        .flat_map(|(state, edges)| edges.iter().map(move |edge| (state, edge)))
        .filter(inner)
        .map(|(_, edge)| edge.marks)
        .collect();
    let mut kept: Vec<u32> = (0..conditions).collect();
    let mut index = 0;
    while index < kept.len() {
        let has = |marks: u128, condition: u32| marks >> condition & 1 == 1;
        // Without any condition every cycle would accept.
        let last = kept.len() == 1 && components.rejecting_cycle;
        let met_always = !last && marks.iter().all(|&it| has(it, kept[index]));
        let needless = met_always
            || kept.iter().enumerate().any(|(other, &stronger)| {
                other != index && marks.iter().all(|&it| !has(it, stronger) || has(it, kept[index]))
            });
        if needless {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    let renumbered = |marks: u128| {
        kept.iter().enumerate().fold(0, |new, (bit, &condition)| new | (marks >> condition & 1) << bit)
    };
    let mut states = whole.states().to_vec();
    states.iter_mut().flatten().for_each(|edge| edge.marks = renumbered(edge.marks));
    Automaton::new(atoms.to_vec(), kept.len() as u32, states)
}
