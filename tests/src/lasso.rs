//! Decides whether Büchi automata of several kinds accept a lasso, by searching the product of the automaton and the
//! lasso's positions.

use map_graph::strong_components;
use map_ltl::{Automaton, Buchi, Cube, Word};

use crate::spin::NeverClaim;

/// Whether a generalised Büchi automaton accepts a word. Moments are sets of propositions: proposition `i` is bit `i`.
#[must_use]
pub fn accepts(automaton: &Automaton, word: &Word<u64>) -> bool {
    let edges = |state: u32, moment: u64| {
        let moment = automaton.moment(|atom| moment >> atom & 1 == 1);
        let open = automaton.edges(state).iter().filter(move |edge| edge.guard.holds_at(moment));
        open.map(|edge| (edge.target, edge.marks)).collect()
    };
    accepts_some(automaton.len(), automaton.all_marks(), word, edges)
}

/// Whether a Büchi automaton with accepting states accepts a word; the propositions are numbered as in [`accepts`].
#[must_use]
pub fn buchi_accepts(automaton: &Buchi, word: &Word<u64>) -> bool {
    let bits = |moment: u64| {
        let atoms = automaton.atoms.iter().enumerate();
        atoms.fold(0, |bits, (bit, &atom)| bits | u128::from(moment >> atom & 1) << bit)
    };
    let edges = |state: u32, moment: u64| {
        let state = &automaton.states[state as usize];
        let open = state.edges.iter().filter(|(guard, _): &&(Cube, u32)| guard.holds_at(bits(moment)));
        open.map(|&(_, target)| (target, u128::from(state.accepting))).collect()
    };
    accepts_some(automaton.states.len(), 1, word, edges)
}

/// Whether a never claim accepts a word.
#[must_use]
pub fn claim_accepts(claim: &NeverClaim, word: &Word<u64>) -> bool {
    let edges = |state: u32, moment: u64| {
        let state = &claim.states[state as usize];
        let open = state.edges.iter().filter(|(guard, _)| guard.holds_at(moment));
        open.map(|&(_, target)| (target as u32, u128::from(state.accepting))).collect()
    };
    accepts_some(claim.states.len(), 1, word, edges)
}

/// Whether the product of the automaton and the word has a reachable strong component whose edges together have all
/// marks. State 0 is initial; `edges` returns the targets and marks of the edges enabled in a state at a moment.
fn accepts_some(
    states: usize,
    all: u128,
    word: &Word<u64>,
    edges: impl Fn(u32, u64) -> Vec<(u32, u128)>,
) -> bool {
    let node = |position: usize, state: u32| (position * states) as u32 + state;
    let mut successors: Vec<Vec<(u32, u128)>> = Vec::new();
    for position in 0..word.len() {
        for state in 0..states {
            let out = edges(state as u32, *word.moment(position));
            let after = word.after(position);
            successors.push(out.into_iter().map(|(target, marks)| (node(after, target), marks)).collect());
        }
    }
    let next = |place: u32, cursor: &mut usize| {
        *cursor += 1;
        successors[place as usize].get(*cursor - 1).map(|&(target, _)| target)
    };
    let mut accepted = false;
    strong_components(successors.len(), [0], next, |members| {
        let inner = members.iter().flat_map(|&member| &successors[member as usize]);
        let marks: Vec<u128> =
            inner.filter(|(target, _)| members.contains(target)).map(|&(_, marks)| marks).collect();
        accepted |= !marks.is_empty() && marks.iter().fold(0, |met, marks| met | marks) == all;
    });
    accepted
}
