//! Random small scenes that obey the static rules, composed from idioms of real protocols and then slightly damaged, so
//! that every verdict occurs.

mod asking;
mod builder;
mod computing;
mod costs;
mod expressions;
mod formulas;
mod idioms;
mod measures;
mod mutate;
mod nested;
mod op;
mod plan;
mod polling;
mod procedures;
mod random;
mod remembering;
mod sharing;
mod trading;
mod weights;

#[cfg(test)]
mod tests;

use crate::oracle::OracleOptions;
use builder::Builder;
use plan::Naming;

pub use asking::random_asking;
pub use computing::computing_scene;
pub use costs::random_costs;
pub use formulas::{random_formula, random_formula_about_all, random_formula_about_several};
pub use measures::{
    RandomAgent, RandomMeasure, RandomSends, RandomValue, measure_alone, measures_text, random_measures,
};
pub use nested::nested_scene;
pub use random::Random;

/// The source text of a small scene; the same for the same seed, for ever.
///
/// It obeys every static rule with the options of the same seed, with the tool's defaults, and with any bounds.
#[must_use]
pub fn random_scene(seed: u64) -> String {
    let mut builder = Builder::new(plan::plan(seed), Random::new(seed, 1));
    builder.rich = Random::new(seed, 3).percent(54);
    builder.computing = Random::new(seed, 6).percent(20);
    idioms::compose(&mut builder);
    mutate::mutate(&mut builder);
    builder.text()
}

/// Like [`random_scene`], but with loops that send in nearly every scene: repeated sends are where partial-order
/// reductions can go wrong.
#[must_use]
pub fn chatty_scene(seed: u64) -> String {
    let mut builder = Builder::new(plan::plan(seed), Random::new(seed, 5));
    builder.rich = Random::new(seed, 3).percent(20);
    builder.computing = Random::new(seed, 6).percent(20);
    builder.chatty = true;
    idioms::compose(&mut builder);
    mutate::mutate(&mut builder);
    builder.text()
}

/// Like [`random_scene`] or [`chatty_scene`], but many messages share a performative.
#[must_use]
pub fn sharing_scene(seed: u64) -> String {
    let text = if seed.is_multiple_of(2) { chatty_scene(seed) } else { random_scene(seed) };
    sharing::share(&text, &mut Random::new(seed, 8))
}

/// A scene of one of the three kinds, and its options.
#[must_use]
pub fn any_scene(seed: u64) -> (String, OracleOptions) {
    match seed % 3 {
        0 => (random_scene(seed), random_options(seed)),
        1 => (chatty_scene(seed), random_options(seed)),
        _ => random_asking(seed),
    }
}

/// A small cast and small bounds for the scene with this seed.
#[must_use]
pub fn random_options(seed: u64) -> OracleOptions {
    let mut random = Random::new(seed, 2);
    let plan = plan::plan(seed);
    let crowd = plan.iter().any(|part| part.naming != Naming::Single);
    let agents =
        plan.iter().filter_map(|part| part.agents.map(|count| (part.role.to_owned(), count))).collect();
    let (mut rounds, mut rounds_of) = (None, Vec::new());
    match random.below(6) {
        0 => rounds = Some(random.between(1, 4)),
        1 => rounds_of.push(("loop1".to_owned(), random.between(1, 3))),
        _ => {}
    }
    let network = random_network(seed);
    OracleOptions {
        scene: None,
        agents,
        set: Vec::new(),
        depth: random.between(3, 8),
        rounds,
        rounds_of,
        // The messages of a crowd arrive in every order.
        mailbox: random.between(2, if crowd { 3 } else { 4 }),
        any_time: random.percent(35),
        unordered: network.unordered,
        delayed: network.delayed,
        losses: network.losses,
        crashes: network.crashes,
        // Network faults multiply the states.
        max_states: if network == RandomNetwork::default() { 20_000 } else { 5_000 },
    }
}

/// What the network does; by default no faults.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct RandomNetwork {
    unordered: bool,
    delayed: bool,
    losses: u32,
    crashes: u32,
}

/// Usually no faults, otherwise usually one kind.
fn random_network(seed: u64) -> RandomNetwork {
    let mut random = Random::new(seed, 4);
    let instant = RandomNetwork::default();
    match random.below(100) {
        0..44 => instant,
        44..50 => RandomNetwork { delayed: true, ..instant },
        50..68 => RandomNetwork { unordered: true, ..instant },
        68..80 => RandomNetwork { losses: random.between(1, 2), ..instant },
        80..92 => RandomNetwork { crashes: random.between(1, 2), ..instant },
        _ => RandomNetwork {
            unordered: random.percent(50),
            losses: random.between(0, 1),
            crashes: random.between(0, 1),
            delayed: random.percent(50),
        },
    }
}
