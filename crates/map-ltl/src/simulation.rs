//! Reduction by direct simulation (Somenzi and Bloem, CAV 2000; Etessami, Wilke and Schuller, ICALP 2001).
//!
//! A state simulates another if it can match each of the other's edges by an edge with a weaker or equal guard and at
//! least the same marks, to a state that again simulates the other's target. States that simulate each other are
//! merged, and an edge is dropped if another edge of the same state dominates it in all three respects.

use crate::automaton::{Automaton, Edge};

/// The limit on the squared number of edges; larger automata are left as they are.
const MAX_PAIRS: usize = 4_000_000;

/// The automaton with merged states and without dominated edges; `None` if it is too large.
pub(crate) fn reduced_by_simulation(automaton: &Automaton) -> Option<Automaton> {
    if automaton.edge_count().pow(2) > MAX_PAIRS {
        return None;
    }
    let simulates = simulation(automaton);
    let count = automaton.len();
    let representative =
        |state: usize| (0..=state).find(|&it| simulates[it][state] && simulates[state][it]).unwrap_or(state);
    let merged: Vec<usize> = (0..count).map(representative).collect();
    let better = |one: &Edge, other: &Edge| {
        one.guard.covers(other.guard)
            && one.marks & other.marks == other.marks
            && simulates[one.target as usize][other.target as usize]
    };
    let mut number = vec![u32::MAX; count];
    for (index, state) in (0..count).filter(|&state| merged[state] == state).enumerate() {
        number[state] = index as u32;
    }
    let mut states = Vec::new();
    for state in (0..count).filter(|&state| merged[state] == state) {
        let mut edges: Vec<Edge> = Vec::new();
        for edge in automaton.edges(state as u32) {
            if edges.iter().any(|kept| better(kept, edge)) {
                continue;
            }
            edges.retain(|kept| !better(edge, kept));
            edges.push(*edge);
        }
        edges.iter_mut().for_each(|edge| edge.target = number[merged[edge.target as usize]]);
        edges.sort_unstable();
        edges.dedup();
        states.push(edges);
    }
    Some(Automaton::new(automaton.atoms().to_vec(), automaton.conditions(), states))
}

/// `simulates[p][q]`: state `p` simulates state `q`. The greatest such relation, computed by removing pairs that
/// violate the definition until none is left.
fn simulation(automaton: &Automaton) -> Vec<Vec<bool>> {
    let count = automaton.len();
    let mut simulates = vec![vec![true; count]; count];
    let mut changed = true;
    while changed {
        changed = false;
        for p in 0..count {
            for q in 0..count {
                if !simulates[p][q] || p == q {
                    continue;
                }
                let answered = |edge: &Edge| {
                    automaton.edges(p as u32).iter().any(|answer| {
                        answer.guard.covers(edge.guard)
                            && answer.marks & edge.marks == edge.marks
                            && simulates[answer.target as usize][edge.target as usize]
                    })
                };
                if !automaton.edges(q as u32).iter().all(answered) {
                    simulates[p][q] = false;
                    changed = true;
                }
            }
        }
    }
    simulates
}
