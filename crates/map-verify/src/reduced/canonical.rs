//! The representative of a scene's state under symmetry.
//!
//! If nothing relates agents to each other their order is that of their interned states. Else agents, symbols and names
//! are coloured by what they hold and who holds them, and coloured again until no colour splits. Agents that still look
//! alike are put in every order if these are few, and the least state is taken; if they are many the first order found
//! is, which is sound, for any permuted state stands for the same runs, but may leave several states for one.

use std::hash::Hasher;

use map_ir::AgentId;
use rustc_hash::FxHasher;

use super::symmetry::Symmetry;
use super::tables::{Held, StateId};

/// A state of the scene: for each agent its interned state, and what that holds.
pub(crate) type Scene = Vec<(StateId, Held)>;

/// The most orders of agents that look alike which are compared.
const MAX_ORDERS: usize = 720;

/// Sorts the states of each class in a state in which no agent holds anything.
pub(crate) fn sort(symmetry: &Symmetry, ids: &mut [StateId], sorting: &mut Vec<StateId>) {
    for class in symmetry.classes() {
        let (first, last) = (class[0].index(), class[class.len() - 1].index());
        if last - first + 1 == class.len() {
            ids[first..=last].sort_unstable();
            continue;
        }
        sorting.clear();
        sorting.extend(class.iter().map(|member| ids[member.index()]));
        sorting.sort_unstable();
        for (member, &id) in class.iter().zip(sorting.iter()) {
            ids[member.index()] = id;
        }
    }
}

/// Brings a state into its canonical form; symbols are numbered by first occurrence.
pub(crate) fn canonical(symmetry: &Symmetry, scene: Scene) -> Scene {
    if symmetry.classes().is_empty() {
        return number_symbols(scene);
    }
    let (order, alike) = first_order(symmetry, &scene);
    let orders = number_of_orders(&alike);
    if orders > MAX_ORDERS {
        return permuted(&scene, &order);
    }
    let mut best: Option<Scene> = None;
    for number in 0..orders {
        let candidate = permuted(&scene, &reordered(&order, &alike, number));
        if best.as_ref().is_none_or(|best| less(&candidate, best)) {
            best = Some(candidate);
        }
    }
    best.unwrap_or(scene)
}

/// Whether every permutation of the state has the same canonical form.
pub(crate) fn is_exact(symmetry: &Symmetry, scene: &Scene) -> bool {
    number_of_orders(&first_order(symmetry, scene).1) <= MAX_ORDERS
}

/// The state with the agents of every class in the opposite order.
pub(crate) fn reversed(symmetry: &Symmetry, scene: &Scene) -> Scene {
    let mut order: Vec<AgentId> = (0..scene.len()).map(AgentId::new).collect();
    for class in symmetry.classes() {
        for (&place, &member) in class.iter().zip(class.iter().rev()) {
            order[place.index()] = member;
        }
    }
    permuted(scene, &order)
}

fn number_of_orders(alike: &[Vec<AgentId>]) -> usize {
    alike.iter().fold(1_usize, |all, run| all.saturating_mul(factorial(run.len())))
}

/// An order of the agents by colour, and the runs of those that look alike though they may not be.
fn first_order(symmetry: &Symmetry, scene: &Scene) -> (Vec<AgentId>, Vec<Vec<AgentId>>) {
    let colours = colours(scene);
    let mut order: Vec<AgentId> = (0..scene.len()).map(AgentId::new).collect();
    let mut alike: Vec<Vec<AgentId>> = Vec::new();
    let held = |agent: AgentId| scene.iter().any(|(_, held)| held.names.contains(&agent));
    let alone = |agent: AgentId| scene[agent.index()].1 == Held::default() && !held(agent);
    for class in symmetry.classes() {
        let mut members = class.clone();
        members.sort_by_key(|member| (scene[member.index()].0, colours[member.index()], *member));
        for run in members.chunk_by(|a, b| {
            (scene[a.index()].0, colours[a.index()]) == (scene[b.index()].0, colours[b.index()])
        }) {
            if run.len() > 1 && !run.iter().all(|&it| alone(it)) {
                alike.push(run.to_vec());
            }
        }
        for (&place, &member) in class.iter().zip(&members) {
            order[place.index()] = member;
        }
    }
    (order, alike)
}

fn factorial(n: usize) -> usize {
    (1..=n).fold(1_usize, usize::saturating_mul)
}

fn less(left: &Scene, right: &Scene) -> bool {
    let key = |(id, held): &(StateId, Held)| (*id, held.symbols.clone(), held.names.clone());
    left.iter().map(key).lt(right.iter().map(key))
}

/// The order of that number: each run of agents that look alike permuted by its digit.
fn reordered(order: &[AgentId], alike: &[Vec<AgentId>], mut number: usize) -> Vec<AgentId> {
    let mut order = order.to_vec();
    for run in alike {
        let mut digit = number % factorial(run.len());
        number /= factorial(run.len());
        let start = order.iter().position(|it| *it == run[0]).expect("the run is in the order");
        // Places of one run follow each other among the members of its class, not always in the cast.
        let places: Vec<usize> = (start..order.len()).filter(|&place| run.contains(&order[place])).collect();
        let mut left = run.clone();
        for place in places {
            let step = factorial(left.len() - 1);
            order[place] = left.remove(digit / step);
            digit %= step;
        }
    }
    order
}

/// The state in which each place has the agent that `order` gives for it.
fn permuted(scene: &Scene, order: &[AgentId]) -> Scene {
    let mut now_called = vec![AgentId::new(0); order.len()];
    for (place, agent) in order.iter().enumerate() {
        now_called[agent.index()] = AgentId::new(place);
    }
    let renamed = order.iter().map(|agent| {
        let (id, held) = &scene[agent.index()];
        let names = held.names.iter().map(|name| now_called[name.index()]).collect();
        (*id, Held { symbols: held.symbols.clone(), names })
    });
    number_symbols(renamed.collect())
}

/// Numbers symbols by first occurrence.
pub(crate) fn number_symbols(mut scene: Scene) -> Scene {
    let mut known: Vec<u32> = Vec::new();
    for symbol in scene.iter_mut().flat_map(|(_, held)| &mut held.symbols) {
        let number = known.iter().position(|it| it == symbol);
        *symbol = number.unwrap_or_else(|| {
            known.push(*symbol);
            known.len() - 1
        }) as u32;
    }
    scene
}

/// A colour for every agent that does not depend on the names of agents and symbols.
fn colours(scene: &Scene) -> Vec<u64> {
    let symbols = scene.iter().flat_map(|(_, held)| &held.symbols).max().map_or(0, |max| *max as usize + 1);
    let mut colours: Vec<u64> = scene.iter().map(|&(id, _)| hash([u64::from(id)])).collect();
    let mut distinct = count(&colours);
    loop {
        let mut of_symbols = vec![0_u64; symbols];
        let mut held_by = vec![0_u64; scene.len()];
        for ((_, held), &colour) in scene.iter().zip(&colours) {
            for (place, &symbol) in held.symbols.iter().enumerate() {
                let seen = &mut of_symbols[symbol as usize];
                *seen = seen.wrapping_add(hash([colour, place as u64, 1]));
            }
            for (place, name) in held.names.iter().enumerate() {
                let seen = &mut held_by[name.index()];
                *seen = seen.wrapping_add(hash([colour, place as u64, 2]));
            }
        }
        let next: Vec<u64> = scene
            .iter()
            .enumerate()
            .map(|(agent, (_, held))| {
                let symbols = held.symbols.iter().map(|&symbol| of_symbols[symbol as usize]);
                let names = held.names.iter().map(|name| colours[name.index()]);
                hash([colours[agent], held_by[agent]].into_iter().chain(symbols).chain(names))
            })
            .collect();
        let now = count(&next);
        if now <= distinct {
            return next;
        }
        (colours, distinct) = (next, now);
    }
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    words.into_iter().for_each(|word| hasher.write_u64(word));
    hasher.finish()
}
