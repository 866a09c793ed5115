//! The reductions against the search without them, on random scenes: same verdict, same violations with the same lengths,
//! same lists of what never happened.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. Each scene is searched under every
//! combination of reductions if `MAP_SCENES` is set, else under two of them. A failure prints the seed and the scene.

use map_diagnostics::SourceFile;
use map_testkit::scenes::{random_options, random_scene};
use map_tests::engines::{findings, program, reduced_search, search};
use map_verify::Reductions;

/// A whole number from the environment.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Every combination but none at all.
fn combinations() -> Vec<Reductions> {
    let on = |number: u32, bit: u32| number & 1 << bit != 0;
    (1..16)
        .map(|number| Reductions {
            slicing: on(number, 0),
            symmetry: on(number, 1),
            partial_order: on(number, 2),
            merging: on(number, 3),
        })
        // Without partial order there is nothing to merge.
        .filter(|it| it.partial_order || !it.merging)
        .collect()
}

#[test]
fn on_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(1_200), setting("MAP_SEED").unwrap_or(1));
    let all = combinations();
    println!("{count} scenes from seed {first}");
    let (mut compared, mut states, mut reduced_states) = (0, 0, 0);
    for seed in first..first + count {
        let (scene, options) = (random_scene(seed), random_options(seed));
        let chosen: Vec<Reductions> = if setting("MAP_SCENES").is_some() {
            all.clone()
        } else {
            vec![Reductions::ALL, all[seed as usize % all.len()]]
        };
        let source = SourceFile::new("scene.map", &scene);
        let program = program(&source, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{scene}\n{options:#?}"));
        let plain =
            search(&program, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{scene}"));
        if plain.limit.is_some() {
            continue;
        }
        let expected = findings(&program, &plain);
        for reductions in chosen {
            // Every state examined takes time: some scenes do.
            let self_check = seed % 4 == 0 && reductions == Reductions::ALL;
            let report = reduced_search(&program, &options, reductions, self_check).unwrap_or_else(|error| {
                panic!("seed {seed}, {reductions:?}: {error}\n{scene}\n{options:#?}")
            });
            let found = findings(&program, &report);
            let differences = found.differences_beside_counts(&expected).join("\n");
            assert!(
                differences.is_empty(),
                "seed {seed}, {reductions:?}: {differences}\n{scene}\n{options:#?}"
            );
            assert!(found.states <= expected.states, "seed {seed}, {reductions:?}: more states than without");
            if reductions == Reductions::ALL {
                states += expected.states;
                reduced_states += found.states;
            }
        }
        compared += 1;
    }
    println!("{compared} compared; {states} states, {reduced_states} with all reductions");
    assert!(compared * 10 >= count * 9, "too many scenes ended at a limit: only {compared} compared");
    assert!(reduced_states < states, "the reductions reduce nothing");
}
