//! Random graphs with self-loops, halts, cuts, faults and open comparisons: single searches against their
//! definitions.

use map_graph::BitSet;
use map_testkit::scenes::Random;

use super::super::graphs::Graphs;
use super::super::run::Run;
use super::{broken_off, holds, in_order, never_after_all};
use crate::budget::{Budget, Stop};
use crate::property::form::Literal;
use crate::property::graph::{Flags, LabelledGraph, LetterId, NOBODY, Transition};
use crate::tuning::Tuning;

const P: Literal = Literal { proposition: 0, positive: true };
const Q: Literal = Literal { proposition: 1, positive: true };

/// Steps, and whether open comparisons are needed.
type Cost = (usize, bool);

fn random_graph(random: &mut Random) -> LabelledGraph {
    let states = 1 + random.below(5);
    let mut graph = LabelledGraph::default();
    let letters: Vec<LetterId> = [[false, false], [true, false], [false, true], [true, true]]
        .map(|truths| graph.intern(BitSet::of_truths(truths.into_iter())))
        .to_vec();
    let rare = random.percent(60);
    let letter = |random: &mut Random| {
        let bits = if rare && random.percent(70) { 0 } else { random.below(4) };
        letters[bits]
    };
    let first = letter(random);
    graph.push_initial(first);
    for state in 0..states {
        let staying = letter(random);
        let mut any = false;
        for _ in 0..random.below(4) {
            let flags = Flags { unlucky: random.percent(20), open: random.percent(30), poll: false };
            if random.percent(10) {
                graph.push_halt(0, staying, flags);
            } else {
                let (target, letter) = (random.below(states) as u32, letter(random));
                graph.push(Transition { mover: random.below(2) as u32, target, letter }, flags);
            }
            any = true;
        }
        let cut = random.percent(8);
        if random.percent(15) {
            graph.push_halt(NOBODY, staying, Flags { open: true, ..Flags::default() });
        }
        if !any && !cut || random.percent(20) {
            let open = any && random.percent(40);
            let stays = Transition { mover: NOBODY, target: state as u32, letter: staying };
            graph.push(stays, Flags { open, ..Flags::default() });
        }
        graph.close_state(&BitSet::new(1), cut);
    }
    graph.finish(2);
    graph
}

/// The least cost of every place after a run through such moments, from the given ones. The place of a run that stays
/// in a state is `len` plus the state.
fn spread(
    graph: &LabelledGraph,
    mut costs: Vec<Option<Cost>>,
    through: &dyn Fn(LetterId) -> bool,
    fair: bool,
) -> Vec<Option<Cost>> {
    loop {
        let before = costs.clone();
        for (to, cost, _) in moments(graph, &before, fair).into_iter().filter(|&(_, _, it)| through(it)) {
            costs[to] = Some(costs[to].map_or(cost, |known| known.min(cost)));
        }
        if costs == before {
            return costs;
        }
    }
}

/// The next moments: target, cost and letter. With `fair`, a run stays in a state only if nothing else can happen
/// there, unless that is a fault, which need not happen.
fn moments(graph: &LabelledGraph, costs: &[Option<Cost>], fair: bool) -> Vec<(usize, Cost, LetterId)> {
    let states = graph.len();
    let mut found = Vec::new();
    for (place, cost) in costs.iter().enumerate() {
        let Some((steps, open)) = *cost else { continue };
        let state = place % states;
        for (it, flags) in graph.moves(state as u32) {
            let it = graph.unpack(it);
            let stays = it.mover == NOBODY && it.target as usize == state;
            let could_go_on = || {
                let happens =
                    |(it, flags): (_, Flags)| !flags.unlucky && !graph.unpack(it).stays(state as u32);
                graph.is_cut(state as u32) || graph.moves(state as u32).any(happens)
            };
            if place >= states && !stays || fair && stays && could_go_on() {
                continue;
            }
            let to = it.target as usize + if stays { states } else { 0 };
            found.push((to, (steps + usize::from(it.mover != NOBODY), open || flags.open), it.letter));
        }
    }
    found
}

fn places(graph: &LabelledGraph, from: &[(usize, Cost)]) -> Vec<Option<Cost>> {
    let mut costs = vec![None; 2 * graph.len()];
    for &(place, cost) in from {
        costs[place] = Some(costs[place].map_or(cost, |known: Cost| known.min(cost)));
    }
    costs
}

/// Whether the goal can be reached from a state without faults.
fn can_still(graph: &LabelledGraph, state: usize, goal: Literal) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut todo = vec![state];
    while let Some(state) = todo.pop() {
        if graph.is_cut(state as u32) {
            return true;
        }
        if !std::mem::replace(&mut seen[state], true) {
            let moves = || graph.moves(state as u32).filter(|(_, flags)| !flags.unlucky);
            let only = moves().count() == 1;
            for (it, _) in moves() {
                let it = graph.unpack(it);
                if holds(graph, goal, it.letter) && (only || !it.stays(state as u32)) {
                    return true;
                }
                todo.push(it.target as usize);
            }
        }
    }
    false
}

fn too_late(graph: &LabelledGraph, costs: &[Option<Cost>], goal: Literal) -> Option<Cost> {
    let reached = costs.iter().enumerate().filter_map(|(place, cost)| Some((place, (*cost)?)));
    let hopeless = reached.filter(|&(place, _)| !can_still(graph, place % graph.len(), goal));
    hopeless.map(|(_, cost)| cost).min()
}

fn cost_of(run: Option<Run>) -> Option<Cost> {
    run.map(|run| (run.path.iter().filter(|(_, it)| it.mover != NOBODY).count(), run.open))
}

#[test]
fn single_searches_find_what_the_definitions_say() {
    let mut found = [0; 7];
    for seed in 1..=6_000 {
        let mut random = Random::new(seed, 9);
        let graph = random_graph(&mut random);
        let graphs = Graphs::new(&graph);
        let mut budget = Budget {
            memory: usize::MAX,
            threads: 1,
            tuning: Tuning::TINY,
            tick: &mut || None,
            stop: Stop::default(),
        };
        let is = |literal, letter| holds(&graph, literal, letter);
        let first = graph.initial_letter(0);
        let start = || places(&graph, &[(0, (0, false))]);
        let least = |costs: Vec<(usize, Cost, LetterId)>| costs.into_iter().map(|(_, cost, _)| cost).min();
        let of = |costs: &[Option<Cost>], wanted: &dyn Fn(LetterId) -> bool, fair| {
            let mut moments = moments(&graph, costs, fair);
            moments.retain(|&(_, _, letter)| wanted(letter));
            moments
        };
        let [all, fairly] = [false, true].map(|fair| spread(&graph, start(), &|_| true, fair));
        let is_p = |letter| is(P, letter);
        let [moment, fair_moment] = [(&all, false), (&fairly, true)].map(|(everywhere, fair)| {
            if is_p(first) { Some((0, false)) } else { least(of(everywhere, &is_p, fair)) }
        });
        let [order, fair_order] = [(&all, false), (&fairly, true)].map(|(everywhere, fair)| {
            let after: Vec<_> =
                of(everywhere, &is_p, fair).into_iter().map(|(to, cost, _)| (to, cost)).collect();
            let mut after = places(&graph, &after);
            if is_p(first) {
                after[0] = Some((0, false));
            }
            least(of(&spread(&graph, after, &|_| true, fair), &|letter| is(Q, letter), fair))
        });
        let never = match is(Q, first) {
            true => None,
            false => too_late(&graph, &spread(&graph, start(), &|letter| !is(Q, letter), true), Q),
        };
        let opens = |letter| is(P, letter) && !is(Q, letter);
        let opened: Vec<_> = of(&fairly, &opens, true).into_iter().map(|(to, cost, _)| (to, cost)).collect();
        let mut opened = places(&graph, &opened);
        if opens(first) {
            opened[0] = Some((0, false));
        }
        let unanswered = too_late(&graph, &spread(&graph, opened, &|letter| !is(Q, letter), true), Q);
        let broken = match (is(Q, first), is(P, first)) {
            (true, _) => None,
            (false, false) => Some((0, false)),
            (false, true) => {
                let kept = spread(&graph, start(), &opens, true);
                let neither = least(of(&kept, &|letter| !is(P, letter) && !is(Q, letter), true));
                [neither, too_late(&graph, &kept, Q)].into_iter().flatten().min()
            }
        };
        let expected = [moment, fair_moment, order, fair_order, never, unanswered, broken];
        let searched = [
            in_order(&graph, &[P], false, &mut budget),
            in_order(&graph, &[P], true, &mut budget),
            in_order(&graph, &[P, Q], false, &mut budget),
            in_order(&graph, &[P, Q], true, &mut budget),
            never_after_all(&graphs, Q, &mut budget),
            super::unanswered(&graphs, P, Q, &mut budget),
            broken_off(&graphs, P, Q, &mut budget),
        ]
        .map(|run| cost_of(run.expect("no limits")));
        assert_eq!(searched, expected, "seed {seed}");
        for (count, cost) in found.iter_mut().zip(expected) {
            *count += usize::from(cost.is_some());
        }
    }
    assert!(found.iter().all(|count| (600..5_700).contains(count)), "not trivial: {found:?}");
}
