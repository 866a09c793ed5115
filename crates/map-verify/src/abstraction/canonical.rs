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

/// What an agent holds, by the names that symbols and agents have in the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) symbols: Vec<u32>,
    /// Interchangeable agents.
    pub(crate) names: Vec<AgentId>,
    /// How many messages of each kind, where they are counted.
    pub(crate) counts: Vec<u32>,
}

/// A state of the scene: for each agent its interned state, and what that holds.
pub(crate) type Scene = Vec<(u32, Held)>;

/// The most orders of agents that look alike which are compared.
const MAX_ORDERS: usize = 720;

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
        if best.as_ref().is_none_or(|best| candidate < *best) {
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

/// Appends what the agents of a state hold, agent by agent.
pub(crate) fn write_tails(scene: &Scene, words: &mut Vec<u32>) {
    for (_, held) in scene {
        words.extend(&held.symbols);
        words.extend(held.names.iter().map(|name| name.index() as u32));
        words.extend(&held.counts);
    }
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
    let alone = |agent: AgentId| {
        let (_, own) = &scene[agent.index()];
        own.symbols.is_empty() && own.names.is_empty() && !held(agent)
    };
    let look = |agent: &AgentId| {
        let (id, held) = &scene[agent.index()];
        (*id, &held.counts, colours[agent.index()])
    };
    for class in symmetry.classes() {
        let mut members = class.clone();
        members.sort_by(|a, b| (look(a), a).cmp(&(look(b), b)));
        for run in members.chunk_by(|a, b| look(a) == look(b)) {
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
        (*id, Held { symbols: held.symbols.clone(), names, counts: held.counts.clone() })
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
    let mut colours: Vec<u64> = scene
        .iter()
        .map(|(id, held)| hash([*id].iter().chain(&held.counts).map(|&word| u64::from(word))))
        .collect();
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

#[cfg(test)]
mod tests {
    use map_ir::AgentId;
    use map_testkit::scenes::Random;

    use super::super::symmetry::Symmetry;
    use super::{Held, Scene, canonical, is_exact, number_symbols, permuted};

    /// A single agent, then a class of some, then a single one.
    fn random_scene(random: &mut Random) -> (Symmetry, Scene) {
        let size = 2 + random.below(3);
        let class: Vec<AgentId> = (1..=size).map(AgentId::new).collect();
        let symmetry = Symmetry::of(size + 2, vec![class.clone()]);
        let states = 1 + random.below(3);
        let holds = random.below(3);
        let scene = (0..size + 2).map(|agent| {
            let is_member = class.contains(&AgentId::new(agent));
            let id = if is_member { random.below(states) } else { 10 + agent };
            // What a state holds belongs to it.
            let (symbols, names) = (if id % 2 == 0 { holds } else { 1 }, usize::from(id % 3 != 1));
            let symbols = (0..symbols).map(|_| random.below(3) as u32).collect();
            let names = (0..names).map(|_| *random.pick(&class)).filter(|it| it.index() != agent).collect();
            (id as u32, Held { symbols, names, counts: vec![1 + random.below(2) as u32] })
        });
        let scene = number_symbols(scene.collect());
        (symmetry, scene)
    }

    /// The order of the agents with the class shuffled.
    fn random_order(random: &mut Random, symmetry: &Symmetry, agents: usize) -> Vec<AgentId> {
        let mut order: Vec<AgentId> = (0..agents).map(AgentId::new).collect();
        for class in symmetry.classes() {
            let mut left = class.clone();
            for place in class {
                order[place.index()] = left.remove(random.below(left.len()));
            }
        }
        order
    }

    #[test]
    fn permuted_states_have_one_representative_which_is_one_of_them() {
        let mut moved = 0;
        for seed in 0..3_000 {
            let mut random = Random::new(seed, 0);
            let (symmetry, scene) = random_scene(&mut random);
            let found = canonical(&symmetry, scene.clone());
            assert!(is_exact(&symmetry, &scene), "seed {seed}: classes are small here");
            assert_eq!(canonical(&symmetry, found.clone()), found, "seed {seed}: {scene:?}");
            let mut is_permutation = false;
            for _ in 0..60 {
                let order = random_order(&mut random, &symmetry, scene.len());
                let other = permuted(&scene, &order);
                assert_eq!(canonical(&symmetry, other.clone()), found, "seed {seed}: {scene:?}, {order:?}");
                is_permutation |= other == found;
            }
            assert!(is_permutation || symmetry.classes()[0].len() > 3, "seed {seed}: {scene:?}");
            moved += usize::from(found != scene);
        }
        assert!(moved > 500, "nearly all were canonical: only {moved} moved");
    }

    #[test]
    fn symbols_are_numbered_by_first_occurrence() {
        let held = |symbols: &[u32]| Held { symbols: symbols.to_vec(), ..Held::default() };
        let numbered = number_symbols(vec![(4, held(&[7, 2])), (5, held(&[2, 9, 7]))]);
        assert_eq!(numbered, [(4, held(&[0, 1])), (5, held(&[1, 2, 0]))]);
    }
}
