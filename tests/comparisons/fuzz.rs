//! The fuzz targets on their kept inputs, and on mutations of these.
//!
//! `MAP_MUTATIONS=N` sets how many mutations for each target, `MAP_SEED=S` where the seeds start. A failure prints the
//! seed, and the text is written to `tests/regressions/`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use map_testkit::scenes::Random;
use map_tests::cases::texts;
use map_tests::documentation::root;
use map_tests::front_end::Stage;
use map_tests::fuzz::{CHECK, FMT_IDEMPOTENCE, LOWER, MAPPING, PARSE, TARGETS, Target};
use map_tests::settings::setting;
use map_tests::tally::Tally;

/// The inputs in `fuzz/seeds/`, in the order of their names.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/seeds").join(target.name);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("the folder can be read")).collect()
}

/// The `.map` files of the repository: inputs of the target that takes texts. Those in `tests/regressions/` are not
/// among them, or else a failure would change what the seeds stand for.
fn files() -> Vec<Vec<u8>> {
    let folders = ["protocols", "tests/cases", "tests/cases-fmt"];
    folders.iter().flat_map(|folder| texts(folder)).map(|(_, text)| text.into_bytes()).collect()
}

/// Runs a target on the inputs and on mutations, and returns how often it got how far.
fn run(target: &Target, inputs: &[Vec<u8>]) -> BTreeMap<Stage, usize> {
    let mut tally = Tally::new(target.extension, target.holds);
    for (index, bytes) in inputs.iter().enumerate() {
        tally.take(&format!("fuzz-{}-input-{index}", target.name), &(target.text)(bytes));
    }
    let first = setting("MAP_SEED").unwrap_or(0);
    let mutations = setting("MAP_MUTATIONS").unwrap_or(1_000);
    println!("{}: {} inputs, then {mutations} seeds from {first}", target.name, inputs.len());
    for seed in first..first + mutations {
        let mut random = Random::new(seed, 7);
        let bytes = random.pick(inputs).clone();
        let donor = random.pick(inputs);
        let mutated = mutated(&mut random, bytes, donor);
        tally.take(&format!("fuzz-{}-seed-{seed}", target.name), &(target.text)(&mutated));
    }
    tally.finish()
}

/// The bytes with one to four changes: a byte replaced, a few left out, doubled, or taken from other bytes.
fn mutated(random: &mut Random, mut bytes: Vec<u8>, donor: &[u8]) -> Vec<u8> {
    for _ in 0..random.between(1, 4) {
        let few = stretch(random, bytes.len());
        let at = few.start;
        let (place, new) = match random.below(4) {
            0 => (at..few.end.min(at + 1), vec![random.below(256) as u8]),
            1 => (few, Vec::new()),
            2 => (at..at, bytes[few].to_vec()),
            _ => (at..at, donor[stretch(random, donor.len())].to_vec()),
        };
        bytes.splice(place, new);
    }
    bytes
}

/// Up to 16 neighbours among so many bytes; none at their end.
fn stretch(random: &mut Random, length: usize) -> Range<usize> {
    let start = random.below(length + 1);
    start..(start + 1 + random.below(16)).min(length)
}

#[test]
fn parse() {
    let stages = run(&PARSE, &[files(), seeds(&PARSE)].concat());
    assert!(stages.contains_key(&Stage::Refused) && stages.contains_key(&Stage::Formatted), "{stages:?}");
}

#[test]
fn fmt_idempotence() {
    let stages = run(&FMT_IDEMPOTENCE, &seeds(&FMT_IDEMPOTENCE));
    assert!(stages.contains_key(&Stage::Formatted), "{stages:?}");
}

#[test]
fn check() {
    let stages = run(&CHECK, &seeds(&CHECK));
    assert!(stages.contains_key(&Stage::Refused) && stages.contains_key(&Stage::Formatted), "{stages:?}");
}

#[test]
fn lower() {
    let stages = run(&LOWER, &seeds(&LOWER));
    assert!(stages.contains_key(&Stage::Compiled), "{stages:?}");
}

#[test]
fn mapping() {
    let stages = run(&MAPPING, &seeds(&MAPPING));
    assert!(stages.contains_key(&Stage::Refused) && stages.contains_key(&Stage::Compiled), "{stages:?}");
    for entry in fs::read_dir(root().join("tests/regressions")).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|it| it == MAPPING.extension) {
            let text = fs::read_to_string(&path).expect("the folder can be read");
            assert!((MAPPING.holds)(&text).is_ok(), "{}", path.display());
        }
    }
}

/// Every target has a program and kept inputs, and nothing is left over from a target that is gone.
#[test]
fn programs_and_inputs_are_those_of_the_targets() {
    let names = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is part of the repository");
        let paths = entries.map(|entry| entry.expect("the folder can be read").path());
        let mut names: Vec<String> =
            paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        names.sort();
        names
    };
    let mut targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    targets.sort_unstable();
    assert_eq!(names("fuzz/seeds"), targets);
    assert_eq!(names("fuzz/fuzz_targets"), targets);
}
