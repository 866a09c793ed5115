//! The canonical form of a scene's state under symmetry.
//!
//! Interchangeable agents form a bag: those of one class in the same local state, whose names nobody holds, are one
//! *slot* with a count. If slots do not refer to each other, they are sorted by the fingerprint of their local state.
//! Otherwise slots and symbols are coloured by what they hold and who holds them, and recoloured until no colour splits
//! (colour refinement: B. Weisfeiler and A. Leman, 1968). If few orders of the slots with equal colours remain, all are
//! tried and the least state is taken. If there are too many, the first order is taken. That is sound, since every
//! permuted state has the same runs, but several states may remain for one.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// What an agent holds, by global names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) symbols: Vec<u32>,
    /// Interchangeable agents, as indices of their slots, which have one member each.
    pub(crate) names: Vec<u32>,
    /// Number of messages of each kind, if they are counted.
    pub(crate) counts: Vec<u32>,
}

/// Agents of one class in the same local state, or a fixed agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    pub(crate) class: Option<usize>,
    /// That of the local state ([`Brief`](crate::agents::Brief)), so that slots are ordered by it.
    pub(crate) fingerprint: u64,
    /// The interned local state.
    pub(crate) id: u32,
    /// Number of agents.
    pub(crate) count: u32,
    pub(crate) held: Held,
}

/// A state of the scene: the fixed agents, in the order of the cast, then the slots of each class.
pub(crate) type Scene = Vec<Slot>;

/// Maximum number of orders that are compared.
const MAX_ORDERS: usize = 720;

/// The canonical form of a state: mergeable slots of a class are merged, slots are sorted, symbols are numbered by
/// first occurrence. The slots of a class must be adjacent.
pub(crate) fn canonical(scene: Scene) -> Scene {
    let scene = joined(scene);
    let (order, alike) = first_order(&scene);
    let orders = number_of_orders(&alike);
    if orders > MAX_ORDERS {
        return permuted(&scene, &order);
    }
    let candidates = (0..orders).map(|number| permuted(&scene, &reordered(&order, &alike, number)));
    candidates.min().unwrap_or_default()
}

/// Whether every permutation of the state has the same canonical form.
pub(crate) fn is_exact(scene: &Scene) -> bool {
    number_of_orders(&first_order(&joined(scene.clone())).1) <= MAX_ORDERS
}

/// The state with the slots of every class in the opposite order.
pub(crate) fn reversed(scene: &Scene) -> Scene {
    let mut order: Vec<usize> = (0..scene.len()).collect();
    for class in order.chunk_by_mut(|&a, &b| are_of_one_class(&scene[a], &scene[b])) {
        class.reverse();
    }
    permuted(scene, &order)
}

fn are_of_one_class(one: &Slot, other: &Slot) -> bool {
    one.class.is_some() && one.class == other.class
}

/// For each slot whether some agent holds its name.
fn named(scene: &Scene) -> Vec<bool> {
    let mut named = vec![false; scene.len()];
    scene.iter().flat_map(|slot| &slot.held.names).for_each(|&name| named[name as usize] = true);
    named
}

/// Merges the slots of each class that are in the same local state and hold the same, and whose names nobody holds.
fn joined(scene: Scene) -> Scene {
    let named = named(&scene);
    let mut places = Vec::with_capacity(scene.len());
    let mut slots: Scene = Vec::with_capacity(scene.len());
    let mut names: Vec<bool> = Vec::with_capacity(scene.len());
    for (slot, is_named) in scene.into_iter().zip(named) {
        let is_same = |&known: &usize| {
            !names[known]
                && are_of_one_class(&slots[known], &slot)
                && (slots[known].id, &slots[known].held) == (slot.id, &slot.held)
        };
        let can_be_merged = slot.class.is_some() && !is_named;
        match (0..slots.len()).filter(|_| can_be_merged).find(is_same) {
            Some(known) => {
                slots[known].count += slot.count;
                places.push(known as u32);
            }
            None => {
                places.push(slots.len() as u32);
                slots.push(slot);
                names.push(is_named);
            }
        }
    }
    for name in slots.iter_mut().flat_map(|slot| &mut slot.held.names) {
        *name = places[*name as usize];
    }
    slots
}

fn number_of_orders(alike: &[Vec<usize>]) -> usize {
    alike.iter().fold(1_usize, |all, run| all.saturating_mul(factorial(run.len())))
}

/// The slots sorted by colour, and the runs of slots that the colours do not distinguish.
fn first_order(scene: &Scene) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut order: Vec<usize> = (0..scene.len()).collect();
    let mut alike: Vec<Vec<usize>> = Vec::new();
    if scene.iter().all(|slot| slot.class.is_none()) {
        return (order, alike);
    }
    let colours = colours(scene);
    let look = |slot: usize| {
        let Slot { class, fingerprint, id, count, held } = &scene[slot];
        (*class, (*fingerprint, *id), &held.counts, *count, colours[slot])
    };
    for class in order.chunk_by_mut(|&a, &b| are_of_one_class(&scene[a], &scene[b])) {
        class.sort_by(|&a, &b| (look(a), a).cmp(&(look(b), b)));
        let runs = class.chunk_by(|&a, &b| look(a) == look(b));
        alike.extend(runs.filter(|run| run.len() > 1).map(<[usize]>::to_vec));
    }
    (order, alike)
}

fn factorial(n: usize) -> usize {
    (1..=n).fold(1_usize, usize::saturating_mul)
}

/// The `number`th order: each run of indistinguishable slots permuted by its digit in the factorial number system.
fn reordered(order: &[usize], alike: &[Vec<usize>], mut number: usize) -> Vec<usize> {
    let mut order = order.to_vec();
    for run in alike {
        let mut digit = number % factorial(run.len());
        number /= factorial(run.len());
        let start = order.iter().position(|it| *it == run[0]).expect("the run is in the order");
        let mut left = run.clone();
        // The slots of a run are adjacent.
        for place in &mut order[start..start + run.len()] {
            let step = factorial(left.len() - 1);
            *place = left.remove(digit / step);
            digit %= step;
        }
    }
    order
}

/// The state with its slots in this order.
fn permuted(scene: &Scene, order: &[usize]) -> Scene {
    let mut now_called = vec![0; order.len()];
    for (place, &slot) in order.iter().enumerate() {
        now_called[slot] = place as u32;
    }
    let renamed = order.iter().map(|&slot| {
        let mut slot = scene[slot].clone();
        slot.held.names.iter_mut().for_each(|name| *name = now_called[*name as usize]);
        slot
    });
    number_symbols(renamed.collect())
}

/// Numbers symbols by first occurrence.
pub(crate) fn number_symbols(mut scene: Scene) -> Scene {
    let mut known: Vec<u32> = Vec::new();
    for symbol in scene.iter_mut().flat_map(|slot| &mut slot.held.symbols) {
        let number = known.iter().position(|it| it == symbol);
        *symbol = number.unwrap_or_else(|| {
            known.push(*symbol);
            known.len() - 1
        }) as u32;
    }
    scene
}

/// A colour for every slot, invariant under renaming of agents and symbols.
fn colours(scene: &Scene) -> Vec<u64> {
    let symbols = scene.iter().flat_map(|slot| &slot.held.symbols).max().map_or(0, |max| *max as usize + 1);
    let of_itself = |slot: &Slot| {
        let class = slot.class.map_or(0, |class| class as u64 + 1);
        let words = [slot.fingerprint, u64::from(slot.count), class];
        hash(words.into_iter().chain(slot.held.counts.iter().map(|&count| u64::from(count))))
    };
    let mut colours: Vec<u64> = scene.iter().map(of_itself).collect();
    let mut distinct = count(&colours);
    loop {
        let mut of_symbols = vec![0_u64; symbols];
        let mut held_by = vec![0_u64; scene.len()];
        for (slot, &colour) in scene.iter().zip(&colours) {
            for (place, &symbol) in slot.held.symbols.iter().enumerate() {
                let seen = &mut of_symbols[symbol as usize];
                *seen = seen.wrapping_add(hash([colour, place as u64, 1]));
            }
            for (place, &name) in slot.held.names.iter().enumerate() {
                let seen = &mut held_by[name as usize];
                *seen = seen.wrapping_add(hash([colour, place as u64, 2]));
            }
        }
        let refined = scene.iter().enumerate().map(|(index, slot)| {
            let symbols = slot.held.symbols.iter().map(|&symbol| of_symbols[symbol as usize]);
            let names = slot.held.names.iter().map(|&name| colours[name as usize]);
            hash([colours[index], held_by[index]].into_iter().chain(symbols).chain(names))
        });
        let next: Vec<u64> = refined.collect();
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
    use map_testkit::scenes::Random;

    use super::{Held, Scene, Slot, canonical, is_exact, number_symbols, permuted};

    /// A single agent, another one, then a class of some, each in a slot of its own.
    fn random_scene(random: &mut Random) -> Scene {
        let size = 2 + random.below(3);
        let states = 1 + random.below(3);
        let holds = random.below(3);
        let scene = (0..size + 2).map(|agent| {
            let class = (agent >= 2).then_some(0);
            let id = if class.is_some() { random.below(states) } else { 10 + agent };
            // What it holds depends on the local state.
            let (symbols, names) = (if id % 2 == 0 { holds } else { 1 }, usize::from(id % 3 != 1));
            let symbols = (0..symbols).map(|_| random.below(3) as u32).collect();
            let names = (0..names).map(|_| 2 + random.below(size)).filter(|&it| it != agent);
            let names = names.map(|it| it as u32).collect();
            let held = Held { symbols, names, counts: vec![1 + random.below(2) as u32] };
            Slot { class, fingerprint: 7 * id as u64, id: id as u32, count: 1, held }
        });
        number_symbols(scene.collect())
    }

    /// The order of the slots with those of the class shuffled.
    fn random_order(random: &mut Random, slots: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (2..slots).collect();
        let mut order = vec![0, 1];
        while !left.is_empty() {
            order.push(left.remove(random.below(left.len())));
        }
        order
    }

    /// The state with every member of a class in a slot of its own.
    fn apart(scene: &Scene) -> Scene {
        let mut places = Vec::new();
        let mut slots: Scene = Vec::new();
        for slot in scene {
            places.push(slots.len() as u32);
            slots.extend((0..slot.count).map(|_| Slot { count: 1, ..slot.clone() }));
        }
        for name in slots.iter_mut().flat_map(|slot| &mut slot.held.names) {
            *name = places[*name as usize];
        }
        slots
    }

    #[test]
    fn permuted_states_have_one_canonical_form_which_is_one_of_them() {
        let (mut moved, mut joined) = (0, 0);
        for seed in 0..3_000 {
            let mut random = Random::new(seed, 0);
            let scene = random_scene(&mut random);
            let found = canonical(scene.clone());
            assert!(is_exact(&scene), "seed {seed}: classes are small here");
            assert_eq!(canonical(found.clone()), found, "seed {seed}: {scene:?}");
            assert_eq!(canonical(apart(&found)), found, "seed {seed}: {scene:?}");
            let mut is_permutation = false;
            for _ in 0..60 {
                let order = random_order(&mut random, scene.len());
                let other = permuted(&scene, &order);
                assert_eq!(canonical(other.clone()), found, "seed {seed}: {scene:?}, {order:?}");
                is_permutation |= number_symbols(apart(&found)) == other;
            }
            assert!(is_permutation || scene.len() > 5, "seed {seed}: {scene:?}");
            moved += usize::from(apart(&found) != scene);
            joined += usize::from(found.len() < scene.len());
        }
        assert!(moved > 500 && joined > 50, "{moved} moved, {joined} joined");
    }

    #[test]
    fn symbols_are_numbered_by_first_occurrence() {
        let slot = |id: u32, symbols: &[u32]| {
            let held = Held { symbols: symbols.to_vec(), ..Held::default() };
            Slot { class: None, fingerprint: 0, id, count: 1, held }
        };
        let numbered = number_symbols(vec![slot(4, &[7, 2]), slot(5, &[2, 9, 7])]);
        assert_eq!(numbered, [slot(4, &[0, 1]), slot(5, &[1, 2, 0])]);
    }
}
