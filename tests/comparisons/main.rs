//! Everything that must agree: engines with the oracle, reductions with plain searches, exported models with SPIN, and
//! the parser with itself, mostly on random scenes.
//!
//! One binary, so that all of it is linked once and shares the cores. `MAP_COMPARISON=reductions MAP_SCENES=5000
//! MAP_SEED=1 cargo test -p map-tests --test comparisons all_comparisons` looks at more scenes, with one comparison.

mod auction;
mod concrete_answers;
mod conform;
mod costs;
mod costs_of_runs;
mod engines_agree;
mod from_here;
mod front_end;
mod fuzz;
mod guard;
mod kept;
mod kept_together;
mod ltl;
mod measures;
mod moments;
mod pinned_counts;
mod promela;
mod promela_properties;
mod properties_agree;
mod properties_laws;
mod properties_reduced;
mod properties_together;
mod reductions;
mod runs_of_auctions;
mod shorten;
mod threads;
mod together;
mod views;
mod views_costs;
mod views_properties;
mod visited;

use map_testkit::scenes::{any_scene, chatty_scene, random_options, random_scene};
use map_tests::random::{Comparison, Kind, Scene, compare, compare_scenes};

fn all() -> Vec<Comparison> {
    let mut all = vec![
        costs::COMPARISON,
        engines_agree::COMPARISON,
        from_here::COMPARISON,
        kept::COMPARISON,
        kept_together::COMPARISON,
        measures::COMPARISON,
        moments::COMPARISON,
        properties_agree::COMPARISON,
        properties_laws::COMPARISON,
        properties_reduced::COMPARISON,
        properties_together::COMPARISON,
        together::COMPARISON,
        views_costs::COMPARISON,
        views_properties::COMPARISON,
        visited::COMPARISON,
    ];
    all.extend(concrete_answers::COMPARISONS);
    all.extend(conform::COMPARISONS);
    all.extend(guard::COMPARISONS);
    all.extend(reductions::COMPARISONS);
    all.extend(shorten::COMPARISONS);
    all.extend(threads::COMPARISONS);
    all.extend(views::COMPARISONS);
    all
}

/// `MAP_COMPARISON=NAME` chooses those comparisons whose names contain this; `MAP_SCENES` sets how many scenes,
/// `MAP_SEED` where their seeds start. A failure says what runs it again.
#[test]
fn all_comparisons() {
    compare(&all());
}

/// These have found defects (`docs/decisions.md`).
#[test]
fn scenes_that_found_defects() {
    let random = |seed| Scene::new(seed, random_scene(seed), random_options(seed));
    let chatty = |seed| Scene::new(seed, chatty_scene(seed), random_options(seed));
    let any = |seed| {
        let (text, options) = any_scene(seed);
        Scene::new(seed, text, options)
    };
    let scenes = [
        // The engine must search it without an error: it is too large for the oracle.
        ("engines-agree", random(70_197)),
        ("engines-agree", random(507_721)),
        ("properties-agree", random(503_851)),
        ("properties-agree", random(515_348)),
        ("properties-agree", random(519_184)),
        ("properties-reduced", random(810_280)),
        ("concrete-answers", chatty(100_776)),
        ("concrete-answers", any(5_010_033)),
        ("concrete-answers", chatty(5_018_576)),
        ("concrete-answers-and-properties", random(2_004_728)),
        // Alternatives within alternatives were taken apart until the memory was full.
        ("properties-by-views", any(1_235_016)),
        // A line in which an answer is replaced by what is no number, with which the dialogue computes.
        ("hostile-logs", any(1_252_029)),
        // Time ran out where every run goes wrong then.
        ("guard-of-those-who-share", Kind::Sharing.scene(2_001_277)),
        // A message names an agent that is not in the cast.
        ("guard-of-those-who-share", Kind::Sharing.scene(2_001_314)),
        // These showed what the naive search did not know: messages on their way, and bounds.
        ("guard-of-those-who-share", Kind::Sharing.scene(2_001_187)),
        ("guard-of-those-who-share", Kind::Sharing.scene(2_000_385)),
    ];
    compare_scenes(&all(), &scenes);
}
