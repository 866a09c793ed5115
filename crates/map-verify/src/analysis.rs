//! What the finished graph says: infinite runs, and states from which nothing good can be reached any more.
//!
//! Bad luck, crashes and losses, is left out. Only successors are stored. There are infinite runs if there is a cycle.
//! The states with *hope*, from which a good end, or something else that is no livelock, can be reached, are the least set
//! that is closed under a rule. States are numbered breadth first, so that most transitions lead to higher numbers, and
//! few passes from the last state to the first and back settle nearly all. What is left over is settled by a method that needs memory
//! for each state left, not for each state.

mod cycles;
mod visit;

use map_graph::BitSet;

use crate::edges::{BLOCK, Edges};
use crate::report::Limit;
use crate::search::mark;
pub(crate) use cycles::has_cycle;
use visit::{Order, visit};

/// Passes go on as long as two of them settle one in so many of the states that are left.
const WORTH: usize = 16;

/// Blocks of states between two looks at the clock.
pub(crate) const TICK: usize = 1 << 11;

/// The states of a block are in one word of a set.
const _: () = assert!(64 % BLOCK == 0);

/// What the graph says.
pub(crate) struct Analysis {
    /// Some run never ends.
    pub(crate) infinite_run: bool,
    /// The states from which nothing good can be reached.
    pub(crate) livelocks: BitSet,
}

/// What the analyses may use: bytes, threads, and time as long as nothing is returned.
pub(crate) struct Means<'m> {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
    pub(crate) tick: &'m mut dyn FnMut() -> Option<Limit>,
}

impl Means<'_> {
    pub(crate) fn check(&mut self) -> Result<(), Limit> {
        (self.tick)().map_or(Ok(()), Err)
    }

    pub(crate) fn afford(&self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.memory { Err(Limit::Memory) } else { Ok(()) }
    }
}

/// Judges a completely explored graph, which has no cycle unless it may have one.
///
/// # Errors
/// The limit that came first.
pub(crate) fn analyse(
    edges: &Edges,
    marks: &[u8],
    may_have_cycle: bool,
    means: &mut Means<'_>,
) -> Result<Analysis, Limit> {
    means.afford(2 * BitSet::bytes_for(marks.len()))?;
    let hopeful = mark::GOOD_END | mark::CUT | mark::WRONG | mark::DEADLOCK | mark::FAILED;
    let has_hope = |state: usize| marks[state] & hopeful != 0;
    let cyclic = may_have_cycle && has_cycle(edges, marks.len(), means)?;
    // Without cycles every state leads to an end.
    let livelocks = match !cyclic && edges.ends().all(has_hope) {
        true => BitSet::new(marks.len()),
        false => reaches(edges, marks.len(), has_hope, means)?.complement(),
    };
    let polls_for_ever = marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0);
    Ok(Analysis { infinite_run: polls_for_ever || cyclic, livelocks })
}

/// Whether a state without transitions can be reached from every state.
pub(crate) fn always_ends(edges: &Edges, states: usize, means: &mut Means<'_>) -> Result<bool, Limit> {
    means.afford(BitSet::bytes_for(states))?;
    let mut ends = BitSet::new(states);
    edges.for_each(means, |state, targets, _| {
        if targets.is_empty() {
            ends.insert(state as usize);
        }
    })?;
    let reached = reach(edges, ends, means)?;
    Ok(reached.complement().first().is_none())
}

/// The states that reach one for which `goal` holds.
fn reaches(
    edges: &Edges,
    states: usize,
    goal: impl Fn(usize) -> bool,
    means: &mut Means<'_>,
) -> Result<BitSet, Limit> {
    let mut goals = BitSet::new(states);
    for state in (0..states).filter(|&state| goal(state)) {
        goals.insert(state);
    }
    reach(edges, goals, means)
}

/// Adds to a set the states that reach it.
fn reach(edges: &Edges, mut reached: BitSet, means: &mut Means<'_>) -> Result<BitSet, Limit> {
    if !passes(edges, &mut reached, means)? {
        reach_back(edges, &mut reached, means)?;
    }
    Ok(reached)
}

/// How many states are looked at between two looks at the clock.
const STRIDE: usize = 1 << 12;

/// Adds the states that reach a set, by predecessors: of the states that are not in it, each with a successor that is
/// not in it either is kept with it.
fn reach_back(edges: &Edges, reached: &mut BitSet, means: &mut Means<'_>) -> Result<(), Limit> {
    let mut inner = Vec::new();
    let mut todo = Vec::new();
    for_each_left(edges, reached, means, |state, targets, means| {
        if targets.iter().any(|&it| reached.contains(it as usize)) {
            todo.push(state);
        }
        inner.extend(targets.iter().filter(|&&it| !reached.contains(it as usize)).map(|&it| (it, state)));
        means.afford(inner.capacity() * size_of::<(u32, u32)>())
    })?;
    inner.sort_unstable();
    let mut looked_at = 0_usize;
    while let Some(state) = todo.pop() {
        looked_at += 1;
        if looked_at.is_multiple_of(STRIDE) {
            means.check()?;
        }
        if reached.contains(state as usize) {
            continue;
        }
        reached.insert(state as usize);
        let start = inner.partition_point(|&(target, _)| target < state);
        let sources = inner[start..].iter().take_while(|&&(target, _)| target == state);
        todo.extend(sources.map(|&(_, source)| source).filter(|&it| !reached.contains(it as usize)));
    }
    Ok(())
}

/// Adds the states that reach a set, from the last state to the first and back, again and again while it is worth it.
/// Whether there are no more.
fn passes(edges: &Edges, set: &mut BitSet, means: &mut Means<'_>) -> Result<bool, Limit> {
    means.afford(2 * BitSet::bytes_for(set.bound()))?;
    let mut order = Order::Downwards;
    let mut joined_before = usize::MAX;
    loop {
        let (mut joined, mut left) = (0_usize, 0_usize);
        let before = set.clone();
        visit(edges, order, &before, means, |block, lists, _| {
            let states = edges.block(block);
            for place in (0..states.len()).map(|place| order.at(place, states.len())) {
                let state = states.start + place;
                if set.contains(state) {
                    continue;
                }
                if lists.of(place).iter().any(|&it| set.contains(it as usize)) {
                    set.insert(state);
                    joined += 1;
                } else {
                    left += 1;
                }
            }
            Ok(())
        })?;
        if left == 0 || joined == 0 {
            return Ok(true);
        }
        if joined.saturating_add(joined_before).saturating_mul(WORTH) < left {
            return Ok(false);
        }
        joined_before = joined;
        order = order.reversed();
    }
}

/// Calls `see` for each state that is not in a set, with its successors.
fn for_each_left(
    edges: &Edges,
    set: &BitSet,
    means: &mut Means<'_>,
    mut see: impl FnMut(u32, &[u32], &Means<'_>) -> Result<(), Limit>,
) -> Result<(), Limit> {
    visit(edges, Order::Upwards, set, means, |block, lists, means| {
        let mut states = edges.block(block).enumerate().filter(|&(_, state)| !set.contains(state));
        states.try_for_each(|(place, state)| see(state as u32, lists.of(place), means))
    })
}

#[cfg(test)]
mod tests {
    use super::{Means, has_cycle, reaches};
    use crate::edges::{Edge, Edges, Keeps};

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

    /// A random graph whose states are numbered as they are found, and one in so many other transitions leads back.
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

    /// The least set that holds the goals and is closed under a rule.
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
            let mut means = Means { memory: usize::MAX, threads: 1, tick: &mut tick };
            let one_in = 1 + random(&mut seed, 50) as usize;
            let goal = |state: usize| state.is_multiple_of(one_in) && state > 0;
            let expected = naive(&lists, goal, false);
            let infinite = naive(&lists, |_| false, true).contains(&false);
            for threads in 1..=3 {
                means.threads = threads;
                let hope = reaches(&edges, lists.len(), goal, &mut means).expect("no limit");
                assert!((0..lists.len()).all(|it| hope.contains(it) == expected[it]), "seed {start}");
                let found = has_cycle(&edges, lists.len(), &mut means);
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
            let mut means = Means { memory: usize::MAX, threads: 1, tick: &mut tick };
            assert_eq!(has_cycle(&edges, 602, &mut means), Ok(cyclic));
        }
    }

    #[test]
    fn limits_end_it() {
        let mut edges = Edges::new(Keeps::default());
        edges.end().push_state([to(0)]);
        let mut tick = || Some(crate::Limit::Time);
        let mut means = Means { memory: usize::MAX, threads: 1, tick: &mut tick };
        assert_eq!(has_cycle(&edges, 1, &mut means), Err(crate::Limit::Time));
        let mut tick = || None;
        let mut means = Means { memory: 0, threads: 1, tick: &mut tick };
        assert_eq!(super::analyse(&edges, &[0], true, &mut means).err(), Some(crate::Limit::Memory));
    }
}
