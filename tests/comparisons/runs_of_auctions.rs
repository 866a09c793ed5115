//! What many runs of the Vickrey auction bring, against what follows by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use map_check::{CastOverride, CheckOptions};
use map_diagnostics::SourceFile;
use map_ir::Value;
use map_semantics::{Bounds, Measuring};
use map_session::{Collect, PropertySelection, Scene, compile};
use map_simulate::{
    CollectedValue, JudgedRun, Moments, Play, RunSource, Runs, SimulationOptions, Statistics, simulate,
    statistics_of,
};
use map_tests::documentation::root;
use map_tests::seeds::for_each_seed;

/// How many seeds are tried; of a 95 % interval about 190 of them should contain the truth.
const SEEDS: u64 = 200;

/// The runs for each seed.
const RUNS: u64 = 250;

/// The auction with so many bidders, whose values are drawn with these weights.
fn auction(bidders: i64, weights: &str) -> Scene {
    let file = root().join("protocols/vickrey-auction/vickrey.map");
    let text = std::fs::read_to_string(file).expect("it is there");
    let text = text.replace("valuation() in 0..3", &format!("valuation() in 0..3{weights}"));
    let source = Arc::new(SourceFile::new("vickrey.map", text));
    let agents = vec![CastOverride { name: "bidder".to_owned(), count: bidders }];
    let collected = ["price", "revenue"].map(str::to_owned);
    let only = ["none of its properties".to_owned()];
    let collect = Collect { given: &collected, declared: false };
    let wanted = PropertySelection::Properties { only: &only, given: &[], collect };
    let compiled = compile(&source, &CheckOptions { agents, ..CheckOptions::default() }, wanted);
    compiled.scene(Bounds::USUAL).expect("it is correct")
}

fn runs(scene: &Scene, runs: u64, seed: u64) -> Statistics {
    let Scene { program, properties, bounds, .. } = scene;
    let measures = &properties.measures.compiled;
    let options = SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 1_000,
        loss: 0.0,
        crash: 0.0,
    };
    let play: &Play<'_> = &|_, own, see| {
        let mut measuring = Measuring::new(program, bounds, measures);
        let run = simulate(program, bounds, own, &mut |seen| {
            measuring.see(seen.step.agent, &seen.observed.outcome);
            see(seen)
        });
        let values = measuring.read(run.state.as_ref().expect("the first state is fine"));
        let integer = |value: Option<Value>| match value? {
            Value::Integer(number) => Some(CollectedValue::Integer(number)),
            _ => Some(CollectedValue::Unknown),
        };
        JudgedRun { run, violated: Vec::new(), collected: values.into_iter().map(integer).collect() }
    };
    let source = RunSource { measures: measures.list.len(), play };
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    statistics_of(program, &options, Runs::all(runs), 1, &stop, &done, &source)
}

/// The mean of a measure with its interval.
fn mean(found: &Statistics, measure: usize) -> Moments {
    found.collected[measure].moments().expect("it has integers")
}

fn contains(found: &Statistics, measure: usize, truth: f64) -> bool {
    mean(found, measure).interval.is_some_and(|(low, high)| low <= truth && truth <= high)
}

/// For how many seeds the interval of the mean contains the truth.
fn right(scene: &Scene, measure: usize, truth: f64) -> usize {
    let found = for_each_seed(SEEDS, 1, |seed| contains(&runs(scene, RUNS, seed), measure, truth));
    found.into_iter().filter(|it| *it).count()
}

#[test]
fn intervals_contain_the_mean_as_often_as_they_say() {
    // Two bidders, each value of 0 to 3 alike: with a bid in 15 of 16 runs, the price is 1, 2, 3 in 11, 3, 1 of 16.
    let price = right(&auction(2, ""), 0, 4.0 / 3.0);
    // With the weights 4, 3, 2, 1: 1, 2, 3, nothing in 75, 8, 1, 16 of 100.
    let revenue = right(&auction(2, " by 4 - value"), 1, 0.94);
    for right in [price, revenue] {
        assert!((180..200).contains(&right), "{price} and {revenue} of {SEEDS}");
    }
}

#[test]
fn more_bidders_bring_more() {
    for (bidders, revenue) in [(2, 1.25), (3, 105.0 / 64.0)] {
        let found = runs(&auction(bidders, ""), 4_000, 1);
        assert!(contains(&found, 1, revenue), "{bidders} bidders: {:?}", mean(&found, 1));
    }
}
