//! Random scenes obey the static rules, and all verdicts occur.

mod bound;
mod formulas;
mod items;

use std::collections::BTreeMap;

use map_diagnostics::SourceFile;
use map_syntax::ast::{File, InitialValue};

use super::{random_options, random_scene, sharing_scene};
use crate::oracle::explore;

fn parsed(seed: u64) -> (String, File) {
    let text = random_scene(seed);
    let parsed = map_syntax::parse(&SourceFile::new("random.map", text.as_str()));
    assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:?}\n{text}", parsed.diagnostics);
    (text, parsed.file)
}

#[test]
fn scenes_depend_on_the_seed_alone() {
    assert_eq!(random_scene(7), random_scene(7));
    assert_eq!(random_options(7), random_options(7));
    assert_ne!(random_scene(7), random_scene(8));
}

#[test]
fn the_static_rules_are_obeyed() {
    for seed in 0..3_000 {
        let (text, file) = parsed(seed);
        assert_eq!(bound::mistakes(&file), [""; 0], "seed {seed}\n{text}");
        assert_eq!(items::mistakes(&file), [""; 0], "seed {seed}\n{text}");
    }
}

#[test]
fn messages_share_performatives() {
    let number = (0..500).filter(|&seed| {
        let text = sharing_scene(seed);
        let parsed = map_syntax::parse(&SourceFile::new("random.map", text.as_str()));
        assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:?}\n{text}", parsed.diagnostics);
        assert_eq!(bound::mistakes(&parsed.file), [""; 0], "seed {seed}\n{text}");
        text.matches("say(k").count() >= 4
    });
    let number = number.count();
    assert!(number > 250, "{number} of 500");
}

#[test]
fn every_verdict_occurs() {
    let mut verdicts: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..400 {
        let mut options = random_options(seed);
        options.max_states = 2_000;
        *verdicts.entry(explore(&parsed(seed).1, &options).verdict).or_default() += 1;
    }
    let expected = [
        "terminates",
        "terminates if fair",
        "failure",
        "deadlock",
        "mailbox overflow",
        "runaway recursion",
        "run error",
        "livelock",
    ];
    for verdict in expected {
        assert!(verdicts.get(verdict).is_some_and(|&number| number >= 4), "{verdict} is rare: {verdicts:?}");
    }
}

#[test]
fn some_cells_start_with_any_of_several_values() {
    let open = (0..1_000).filter(|&seed| {
        let file = parsed(seed).1;
        let mut cells = file.memories().flat_map(|it| &it.cells);
        cells.any(|cell| matches!(cell.value, InitialValue::Domain(_)))
    });
    let number = open.count();
    assert!((50..200).contains(&number), "{number} of 1000");
}

#[test]
fn some_cells_start_with_a_number_of_agents() {
    let counting = (0..1_000).filter(|&seed| {
        let file = parsed(seed).1;
        let mut cells = file.memories().flat_map(|it| &it.cells);
        cells.any(|cell| matches!(cell.value, InitialValue::Count(_)))
    });
    let number = counting.count();
    assert!((20..100).contains(&number), "{number} of 1000");
}

#[test]
fn half_of_the_scenes_have_memories_or_bodies() {
    let rich = (0..1_000).filter(|&seed| {
        let file = parsed(seed).1;
        file.memories().next().is_some() || file.procedures().any(|it| it.body.is_some())
    });
    let number = rich.count();
    assert!((450..550).contains(&number), "{number} of 1000");
}
