//! What is drawn by weights and probabilities.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use map_ir::{Program, Value};
use map_semantics::Action;

use super::{BOUNDS, program, run_with};
use crate::statistics::seed_of_run;
use crate::{Random, SimulationOptions, drawn_initial, simulate};

const VICKREY: &str = include_str!("../../../../protocols/vickrey-auction/vickrey.map");

fn options(seed: u64) -> SimulationOptions {
    SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 1000,
        loss: 0.0,
        crash: 0.0,
    }
}

/// Each scene with a seed, as steps with all that was drawn.
fn told(text: &str, options: &SimulationOptions) -> String {
    run_with(&program(text), &BOUNDS, options).1
}

/// How often, of so many runs, the winner of an auction had to pay each price; nothing if there was none.
fn prices(program: &Program, runs: u64) -> BTreeMap<Option<i64>, u64> {
    let pay = program.performatives.iter().position(|it| it.name == "pay").expect("the auction has it");
    let mut found = BTreeMap::new();
    for number in 0..runs {
        let mut price = None;
        simulate(program, &BOUNDS, &options(seed_of_run(1, number)), &mut |seen| {
            if let Some(Action::Send { message, .. }) = &seen.observed.outcome.action
                && message.performative.index() == pay
                && let [Value::Integer(paid)] = message.arguments[..]
            {
                price = Some(paid);
            }
            ControlFlow::Continue(())
        });
        *found.entry(price).or_default() += 1;
    }
    found
}

/// Asserts that shares, in hundredths, are within a point of what is expected.
#[track_caller]
fn assert_shares(found: &BTreeMap<Option<i64>, u64>, runs: u64, expected: &[(Option<i64>, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (value, share) in expected {
        let seen = found.get(value).map_or(0.0, |&seen| seen as f64 * 100.0 / runs as f64);
        assert!((seen - share).abs() < 1.0, "{value:?}: {seen} in place of {share}");
    }
}

/// The price is the lower valuation or, if that is 0, the reserve of 1.
#[test]
fn prices_follow_the_weights_of_valuations() {
    let two = VICKREY.replace("memory %auctioneer", "cast %bidder = 2\nmemory %auctioneer");
    let runs = 20_000;
    let expected = [(Some(1), 68.75), (Some(2), 18.75), (Some(3), 6.25), (None, 6.25)];
    assert_shares(&prices(&program(&two), runs), runs, &expected);

    let weighed = two.replace("in 0..3", "in 0..3 by 4 - value");
    assert_ne!(weighed, two);
    let expected = [(Some(1), 75.0), (Some(2), 8.0), (Some(3), 1.0), (None, 16.0)];
    assert_shares(&prices(&program(&weighed), runs), runs, &expected);
}

/// The shares of the answers, and of the first values, of 20,000 runs of one agent.
#[test]
fn answers_and_first_values_are_drawn_by_their_weights() {
    let runs = 20_000_u64;
    let shares = |text: &str| {
        let program = program(text);
        let (mut answers, mut first) = (BTreeMap::new(), BTreeMap::new());
        for seed in 0..runs {
            let initial = drawn_initial(&program, seed);
            *first.entry(Some(i64::from(initial[0]))).or_default() += 1;
            let mut answer = None;
            simulate(&program, &BOUNDS, &options(seed), &mut |seen| {
                if let Some(Action::Ask { answer: Value::Integer(value), .. }) = seen.observed.outcome.action
                {
                    answer = Some(value);
                }
                ControlFlow::Continue(())
            });
            *answers.entry(answer).or_default() += 1;
        }
        (answers, first)
    };
    let (answers, first) = shares(
        "memory %a { @n in { 5, 6 : 3, 7 : 0 } }
        decision throw() with probability 0.8 in 1..4 by binomial(0.5)
        s[ agent(!A, %a) = $x = throw() or skip ]",
    );
    // The last one has no weight, so there are two options.
    assert_shares(&first, runs, &[(Some(0), 25.0), (Some(1), 75.0)]);
    let answered = [(Some(1), 10.0), (Some(2), 30.0), (Some(3), 30.0), (Some(4), 10.0), (None, 20.0)];
    assert_shares(&answers, runs, &answered);

    let (answers, _) = shares(
        "memory %a { @n in 1..3 }
        procedure throw() | @n < 3 = in { 1 : 3, 2 } = 3
        s[ agent(!A, %a) = $x = throw() ]",
    );
    assert_shares(&answers, runs, &[(Some(1), 50.0), (Some(2), 16.667), (Some(3), 33.333)]);
}

#[test]
fn without_weights_runs_stay_what_they_were() {
    let scene = |domain: &str, head: &str| {
        format!(
            "memory %a {{ @n in 0..6, @m in {{ x, y, z }} }}
            decision throw() {head} in {domain}
            s[ agent($me, %a) = waitfor ($x = throw() then m($x) => agent(_, %b)) agent(!B, %b) = waitfor m(_) <= agent(_, %a) ]"
        )
    };
    for seed in 0..50 {
        let program = program(&scene("1..6", ""));
        let mut random = Random::from_seed(!seed);
        let expected = vec![random.below(7) as u32, random.below(3) as u32];
        assert_eq!(drawn_initial(&program, seed), expected);
        // Weights that are all the same are none.
        let plain = told(&scene("1..6", ""), &options(seed));
        assert_eq!(told(&scene("{ 1 : 5, 2 : 5, 3 : 5, 4 : 5, 5 : 5, 6 : 5 }", ""), &options(seed)), plain);
        assert_eq!(told(&scene("0..6 by min(value, 1)", ""), &options(seed)), plain);
        // A probability in the text is what the flag is.
        let likely = SimulationOptions { yes: 0.7, ..options(seed) };
        assert_eq!(
            told(&scene("1..6", "with probability 0.7"), &options(seed)),
            told(&scene("1..6", ""), &likely)
        );
    }
}

#[test]
fn the_probability_of_a_flag_takes_precedence_over_that_of_the_text() {
    let text = "decision never() with probability 0.0
        decision often() with probability 1.0
        decision plain()
        s[ agent(!A, %a) = $x = never() or $x = often() then $y = plain() ]";
    let program = program(text);
    let id = |name: &str| {
        let index = program.procedures.iter().position(|it| it.name == name).expect("it is asked");
        map_ir::ProcedureId::new(index)
    };
    for seed in 0..20 {
        // The flag for all holds for `plain` alone.
        let yes = run_with(&program, &BOUNDS, &SimulationOptions { yes: 1.0, ..options(seed) }).0;
        assert!(!yes.some_failed(), "seed {seed}");
        let no = run_with(&program, &BOUNDS, &SimulationOptions { yes: 0.0, ..options(seed) }).0;
        assert!(no.some_failed(), "seed {seed}");
        let given = SimulationOptions {
            yes: 0.0,
            yes_of: vec![(id("plain"), 1.0), (id("never"), 1.0)],
            ..options(seed)
        };
        assert!(!run_with(&program, &BOUNDS, &given).0.some_failed(), "seed {seed}");
        let refused = SimulationOptions { yes: 1.0, yes_of: vec![(id("often"), 0.0)], ..options(seed) };
        assert!(run_with(&program, &BOUNDS, &refused).0.some_failed(), "seed {seed}");
    }
}
