//! Cycles and backward reachability against naive fixed points on random graphs.

use super::cycles::has_cycle;
use super::edges::{Edge, Edges, Keeps};
use super::reach::reaches;
use crate::budget::{Budget, Limit, Stop};
use crate::tuning::Tuning;

fn to(target: u32) -> Edge {
    Edge { target, unlucky: false, weight: 0 }
}

/// A generator of small random numbers (xorshift).
fn random(seed: &mut u64, below: u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed % below
}

/// A random graph whose states are numbered in the order in which they are found; a random fraction of the other
/// transitions leads back.
fn random_graph(seed: &mut u64) -> Vec<Vec<u32>> {
    let (most, back) = (1 + random(seed, 4), 1 + random(seed, 60));
    let (mut lists, mut found) = (Vec::new(), 1_u64);
    while (lists.len() as u64) < found && lists.len() < 400 {
        let own = lists.len() as u64;
        let mut list = Vec::new();
        for _ in 0..random(seed, most + 1) {
            if random(seed, 2) == 0 {
                list.push(found as u32);
                found += 1;
            } else if own + 1 < found && random(seed, back) != 0 {
                list.push((own + 1 + random(seed, found - own - 1)) as u32);
            } else {
                list.push(random(seed, found) as u32);
            }
        }
        lists.push(list);
    }
    lists.resize(found as usize, Vec::new());
    lists
}

/// The least set that contains the goals and is closed under a rule.
fn naive(lists: &[Vec<u32>], goal: impl Fn(usize) -> bool, all: bool) -> Vec<bool> {
    let mut set: Vec<bool> = (0..lists.len()).map(goal).collect();
    loop {
        let joins = |state: usize| {
            let mut targets = lists[state].iter().map(|&it| set[it as usize]);
            if all { targets.all(|it| it) } else { targets.any(|it| it) }
        };
        let new: Vec<usize> = (0..lists.len()).filter(|&state| !set[state] && joins(state)).collect();
        if new.is_empty() {
            return set;
        }
        new.into_iter().for_each(|state| set[state] = true);
    }
}

#[test]
fn as_the_naive_fixed_points_say() {
    let (mut cyclic, mut hopeless) = (0, 0);
    for start in 1..600_u64 {
        let mut seed = start.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let lists = random_graph(&mut seed);
        let mut edges = Edges::new(Keeps::default());
        lists.iter().for_each(|list| edges.end().push_state(list.iter().map(|&it| to(it))));
        let mut tick = || None;
        let mut budget = Budget {
            memory: usize::MAX,
            threads: 1,
            tuning: Tuning::TINY,
            tick: &mut tick,
            stop: Stop::default(),
        };
        let one_in = 1 + random(&mut seed, 50) as usize;
        let goal = |state: usize| state.is_multiple_of(one_in) && state > 0;
        let expected = naive(&lists, goal, false);
        let infinite = naive(&lists, |_| false, true).contains(&false);
        for threads in 1..=3 {
            budget.threads = threads;
            let hope = reaches(&edges, lists.len(), goal, &mut budget).expect("no limit");
            assert!((0..lists.len()).all(|it| hope.contains(it) == expected[it]), "seed {start}");
            let found = has_cycle(&edges, lists.len(), &mut budget);
            assert_eq!(found, Ok(infinite), "seed {start}, {threads} threads");
        }
        hopeless += usize::from(expected.contains(&false));
        cyclic += usize::from(infinite);
    }
    assert!(
        (100..500).contains(&cyclic) && hopeless > 100,
        "{cyclic} cyclic, {hopeless} with hopeless states"
    );
}

#[test]
fn a_state_may_have_many_predecessors() {
    for (back, cyclic) in [(vec![], false), (vec![1], true)] {
        let mut edges = Edges::new(Keeps::default());
        edges.end().push_state((1..=600).map(to));
        (1..=600).for_each(|_| edges.end().push_state([to(601)]));
        edges.end().push_state(back.into_iter().map(to));
        let mut tick = || None;
        let mut budget = Budget {
            memory: usize::MAX,
            threads: 1,
            tuning: Tuning::TINY,
            tick: &mut tick,
            stop: Stop::default(),
        };
        assert_eq!(has_cycle(&edges, 602, &mut budget), Ok(cyclic));
    }
}

#[test]
fn limits_end_it() {
    let mut edges = Edges::new(Keeps::default());
    edges.end().push_state([to(0)]);
    let mut tick = || Some(Limit::Time);
    let mut budget = Budget {
        memory: usize::MAX,
        threads: 1,
        tuning: Tuning::TINY,
        tick: &mut tick,
        stop: Stop::default(),
    };
    assert_eq!(has_cycle(&edges, 1, &mut budget), Err(Limit::Time));
    let mut tick = || None;
    let mut budget =
        Budget { memory: 0, threads: 1, tuning: Tuning::TINY, tick: &mut tick, stop: Stop::default() };
    assert_eq!(has_cycle(&edges, 1, &mut budget), Err(Limit::Memory));
}
