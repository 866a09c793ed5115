//! The fuzz targets on their kept corpus, `fuzz/corpus/`, and on mutations of it.
//!
//! `MAP_FUZZ=N` sets how many mutations of each file, `MAP_SEED=S` where the seeds start.

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use map_testkit::scenes::Random;
use map_tests::front_end::Stage;
use map_tests::fuzz::{CHECK, FMT_IDEMPOTENCE, LOWER, PARSE, TARGETS, Target};
use map_tests::settings::setting;

/// The files of a target's corpus, in the order of their names.
fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target.name);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read(&path).expect("the corpus can be read"))
        })
        .collect();
    files.sort();
    files
}

/// Runs a target on its corpus and on mutations, and returns how often it got how far.
fn run(target: &Target) -> BTreeMap<Stage, usize> {
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "{} has a corpus", target.name);
    let mutations = setting("MAP_FUZZ").unwrap_or(20);
    let first = setting("MAP_SEED").unwrap_or(0);
    let mut stages = BTreeMap::new();
    let mut take = |what: &str, bytes: &[u8]| {
        let text = (target.text)(bytes);
        let error = match catch_unwind(|| (target.holds)(&text)) {
            Ok(Ok(stage)) => {
                *stages.entry(stage).or_default() += 1;
                return;
            }
            Ok(Err(error)) => error,
            Err(_) => "panic".to_owned(),
        };
        panic!("{}, {what}: {error}\n--- from\n{text}", target.name);
    };
    for (index, (name, bytes)) in corpus.iter().enumerate() {
        take(name, bytes);
        for seed in first..first + mutations {
            let mut random = Random::new(seed, index as u64);
            let donor = &random.pick(&corpus).1;
            take(&format!("{name} with seed {seed}"), &mutated(&mut random, bytes.clone(), donor));
        }
    }
    println!(
        "{}: {} files, seeds {first} to {}: {stages:?}",
        target.name,
        corpus.len(),
        (first + mutations).saturating_sub(1)
    );
    stages
}

/// The bytes with one to four changes: a byte replaced, a few left out, doubled, or taken from other bytes.
fn mutated(random: &mut Random, mut bytes: Vec<u8>, donor: &[u8]) -> Vec<u8> {
    for _ in 0..random.between(1, 4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 if at < bytes.len() => _ = bytes.drain(at..end),
            2 => {
                let again = bytes[at..end.max(at)].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let from = random.below(donor.len() + 1);
                let to = (from + 1 + random.below(16)).min(donor.len());
                bytes.splice(at..at, donor[from..to.max(from)].iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn parse() {
    let stages = run(&PARSE);
    assert!(stages[&Stage::Refused] > 0 && stages[&Stage::Formatted] > 0, "{stages:?}");
}

#[test]
fn fmt_idempotence() {
    let stages = run(&FMT_IDEMPOTENCE);
    assert!(stages[&Stage::Formatted] > 0, "{stages:?}");
}

#[test]
fn check() {
    let stages = run(&CHECK);
    assert!(stages[&Stage::Refused] > 0 && stages[&Stage::Formatted] > 0, "{stages:?}");
}

#[test]
fn lower() {
    let stages = run(&LOWER);
    assert!(stages[&Stage::Compiled] > 0, "{stages:?}");
}

/// Every target has a program and a corpus, and no other folder or program is left over.
#[test]
fn programs_and_corpora_are_those_of_the_targets() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let names = |folder: &str| {
        let mut names: Vec<String> = fs::read_dir(fuzz.join(folder))
            .expect("the folder can be read")
            .map(|entry| entry.expect("the folder can be read").path())
            .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let mut expected: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    expected.sort_unstable();
    assert_eq!(names("corpus"), expected);
    assert_eq!(names("fuzz_targets"), expected);
}
