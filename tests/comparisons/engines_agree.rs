//! The fast engine against the oracle on random scenes.
//!
//! `MAP_SCENES=N` sets how many, `MAP_SEED=S` where the seeds start. A failure prints the seed and the scene.

use map_testkit::scenes::{random_options, random_scene};
use map_tests::engines::both;
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;

/// Compares the two on the scene of a seed; returns whether both searches were complete.
fn agree(seed: u64) -> bool {
    let (scene, options) = (random_scene(seed), random_options(seed));
    let (fast, oracle) =
        both(&scene, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{scene}\n{options:#?}"));
    // Searches that end at a limit may have covered different parts.
    if oracle.states.min(fast.states) >= options.max_states {
        return false;
    }
    let differences = fast.differences(&oracle).join("\n");
    assert!(differences.is_empty(), "seed {seed}: {differences}\n{scene}\n{options:#?}");
    true
}

#[test]
fn on_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(400), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let compared = for_each_seed(count, first, agree).into_iter().filter(|&agreed| agreed).count() as u64;
    println!("{compared} compared");
    assert!(compared * 10 >= count * 9, "too many scenes ended at a limit: only {compared} compared");
}

/// In the scene of this seed a new state has a mailbox with messages whose order depends on the rest of the scene,
/// while symbols are held. It is too large for the oracle, but the engine must search it without an error.
#[test]
fn a_scene_of_ties_is_searched() {
    agree(70_197);
}
