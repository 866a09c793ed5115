//! The fast engine against the oracle.

use map_tests::engines::findings;
use map_tests::random::{Comparison, Counts, Kind, Scene};

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "engines-agree",
    kind: Kind::Any,
    scenes: 250,
    compare: agree,
    // Others end at a limit.
    enough: |counts, scenes| counts.of("compared") * 10 >= scenes * 9,
};

fn agree(scene: &Scene, counts: &mut Counts) {
    let fast = findings(&scene.program, scene.report());
    // Searches that end at a limit may have covered different parts.
    let Some(oracle) = scene.oracle().filter(|_| fast.states < scene.options.max_states) else { return };
    let differences = fast.differences(oracle).join("\n");
    assert!(differences.is_empty(), "{differences}");
    counts.one("compared");
}
