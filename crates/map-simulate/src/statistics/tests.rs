//! Sums do not depend on the number of threads, and figures have known values.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Bin, EndWord, Runs, Statistics, seed_of_run, statistics, wilson};
use crate::SimulationOptions;
use crate::tests::{AUCTION, BOUNDS, program};

fn many(text: &str, yes: f64, runs: u64, threads: usize) -> Statistics {
    let options = SimulationOptions {
        seed: 3,
        yes,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 1000,
        loss: 0.0,
        crash: 0.0,
    };
    let done = AtomicU64::new(0);
    let runs_of = Runs::all(runs);
    let found =
        statistics(&program(text), &BOUNDS, &options, runs_of, threads, &AtomicBool::new(false), &done);
    assert_eq!(done.into_inner(), runs);
    found
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let one = many(AUCTION, 0.5, 200, 1);
    assert_eq!(one.runs, 200);
    assert_eq!(one.ends.values().sum::<u64>(), 200);
    for threads in [2, 3, 8] {
        assert_eq!(many(AUCTION, 0.5, 200, threads), one, "{threads} threads");
    }
}

#[test]
fn shares_add_up_to_all_in_any_order() {
    let options = SimulationOptions {
        seed: 3,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 20,
        loss: 0.0,
        crash: 0.0,
    };
    let program = program(AUCTION);
    let share = |runs: Runs| {
        let done = AtomicU64::new(0);
        let found = statistics(&program, &BOUNDS, &options, runs, 2, &AtomicBool::new(false), &done);
        assert_eq!((found.runs, done.into_inner()), (runs.count(), runs.count()));
        // What passes between processes.
        Statistics::from_bytes(&found.to_bytes(), &program).expect("it is read as written")
    };
    for wanted in [0, 1, 2, 101] {
        let all = share(Runs::all(wanted));
        assert_eq!(all.runs, wanted);
        for count in 1..5 {
            let mut sum = Statistics::default();
            for own in (0..count).rev() {
                sum.add(share(Runs::share(wanted, own, count)));
            }
            assert_eq!(sum, all, "{wanted} runs by {count}");
        }
    }
}

#[test]
fn what_is_no_result_of_this_scene_is_refused() {
    let found = many(AUCTION, 0.5, 40, 1);
    let scene = program(AUCTION);
    let bytes = found.to_bytes();
    assert_eq!(Statistics::from_bytes(&bytes, &scene), Some(found));
    for end in 0..bytes.len() {
        assert_eq!(Statistics::from_bytes(&bytes[..end], &scene), None, "{end}");
    }
    assert_eq!(Statistics::from_bytes(&[&bytes[..], &[0]].concat(), &scene), None);
    // A scene without messages.
    assert_eq!(Statistics::from_bytes(&bytes, &program("s[ agent(!A, %a) = skip ]")), None);
    // Whatever is altered, nothing of it is out of the tables.
    for place in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 0xff;
        if let Some(found) = Statistics::from_bytes(&altered, &scene) {
            assert!(found.messages.keys().all(|it| it.index() < scene.performatives.len()));
            assert!(found.answers.keys().all(|it| it.index() < scene.procedures.len()));
        }
    }
}

#[test]
fn a_coin_is_a_coin() {
    let text = "s[ agent(!A, %a) = $x = p() then skip ]  decision p()";
    let found = many(text, 0.25, 4_000, 2);
    let (share, low, high) = found.share(EndWord::Done);
    assert!(low < 0.25 && 0.25 < high, "{share} in {low} to {high}");
    assert_eq!(found.ends[&EndWord::Done] + found.ends[&EndWord::Failure], 4_000);
    let answers = found.answers.values().next().unwrap();
    assert_eq!((answers.yes, answers.no), (found.ends[&EndWord::Done], found.ends[&EndWord::Failure]));
    assert_eq!((found.quantile(0), found.quantile(100)), (Some(1), Some(1)));
}

#[test]
fn a_procedure_may_have_a_probability_of_its_own() {
    let program = program("s[ agent(!A, %a) = $x = p() or $y = q() ]  decision p()  decision q()");
    let q = program.procedures.iter().position(|it| it.name == "q").unwrap();
    let yes_of = vec![(map_ir::ProcedureId::new(q), 1.0)];
    let options = SimulationOptions {
        seed: 1,
        yes: 0.0,
        yes_of,
        truthful: false,
        max_steps: 10,
        loss: 0.0,
        crash: 0.0,
    };
    let found = statistics(
        &program,
        &BOUNDS,
        &options,
        Runs::all(50),
        1,
        &AtomicBool::new(false),
        &AtomicU64::new(0),
    );
    assert_eq!(found.ends[&EndWord::Done], 50);
}

/// The pieces of text involved in the runs that ended in this way, with the number of runs.
fn places<'t>(text: &'t str, found: &Statistics, end: EndWord) -> Vec<(&'t str, u64)> {
    let of_end = found.places.iter().filter(|((it, _), _)| *it == end);
    of_end.map(|((_, span), &runs)| (&text[span.start as usize..span.end as usize], runs)).collect()
}

#[test]
fn where_runs_end() {
    let text =
        "s[ agent(!A, %a) = $x = p() then waitfor m() <= agent(_, _) agent(!B, %b) = skip ]  decision p()";
    let found = many(text, 0.5, 100, 2);
    let (failures, deadlocks) = (found.ends[&EndWord::Failure], found.ends[&EndWord::Deadlock]);
    assert_eq!(failures + deadlocks, 100);
    assert_eq!(places(text, &found, EndWord::Failure), [("$x = p()", failures)]);
    assert_eq!(places(text, &found, EndWord::Deadlock), [("waitfor m() <= agent(_, _)", deadlocks)]);

    let text = "s[ agent(!A, %a) = $x = p() ]  procedure p() = 1 / 0";
    let found = many(text, 0.5, 7, 1);
    assert_eq!(places(text, &found, EndWord::RunError), [("1 / 0", 7)]);

    let text = "s[ agent(!A, %a) = agent(x) agent(!A, %a, x) = agent(x) ]";
    let found = many(text, 0.5, 3, 1);
    assert_eq!(places(text, &found, EndWord::RunawayRecursion), [("agent(x)", 3)]);
}

#[test]
fn messages_are_counted_for_each_recipient() {
    let text = "s[ agent(!A, %a) = m() => agent(_, _) agent(!B, %b) = waitfor m() <= agent(_, _)
                   agent(!C, %c) = waitfor m() <= agent(_, _) ]";
    assert_eq!(many(text, 0.5, 10, 1).messages.values().copied().collect::<Vec<_>>(), [20]);
}

#[test]
fn it_can_be_stopped() {
    let stop = AtomicBool::new(false);
    stop.store(true, Ordering::Relaxed);
    let options = SimulationOptions {
        seed: 3,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 1000,
        loss: 0.0,
        crash: 0.0,
    };
    let found =
        statistics(&program(AUCTION), &BOUNDS, &options, Runs::all(1_000), 2, &stop, &AtomicU64::new(0));
    assert_eq!(found, Statistics::default());
}

#[test]
fn figures_with_known_values() {
    let close = |(low, high): (f64, f64), expected: (f64, f64)| {
        assert!((low - expected.0).abs() < 5e-5 && (high - expected.1).abs() < 5e-5, "{low} {high}");
    };
    close(wilson(0, 10), (0.0, 0.2775));
    close(wilson(10, 10), (0.7225, 1.0));
    close(wilson(5, 10), (0.2366, 0.7634));
    close(wilson(81, 263), (0.2553, 0.3662));
    close(wilson(0, 0), (0.0, 1.0));

    let steps = [(2, 1), (3, 1), (5, 2), (11, 1)].into_iter().collect();
    let found = Statistics { runs: 5, steps, ..Statistics::default() };
    assert!((found.mean_steps() - 5.2).abs() < 1e-12);
    assert_eq!([0, 20, 21, 50, 80, 81, 100].map(|it| found.quantile(it).unwrap()), [2, 2, 3, 5, 5, 11, 11]);
    // Deviations -3.2, -2.2, -0.2 twice, 5.8: their squares sum up to 48.8.
    let half = 1.96 * (48.8_f64 / 4.0 / 5.0).sqrt();
    let (low, high) = found.mean_steps_interval().unwrap();
    assert!((low - (5.2 - half)).abs() < 1e-3 && (high - (5.2 + half)).abs() < 1e-3, "{low} {high}");
    assert_eq!(Statistics::default().mean_steps_interval(), None);
    let bins = found.histogram(3);
    assert_eq!(
        bins,
        [Bin { from: 2, to: 5, runs: 4 }, Bin { from: 6, to: 9, runs: 0 }, Bin { from: 10, to: 13, runs: 1 }]
    );
    assert_eq!(Statistics::default().quantile(50), None);
    assert_eq!(Statistics::default().histogram(10), []);
}

#[test]
fn seeds_of_runs_are_pinned() {
    let seeds: Vec<u64> = (0..3).map(|run| seed_of_run(42, run)).collect();
    assert_eq!(seeds, [18_269_013_577_384_926_015, 16_197_686_274_792_014_914, 11_634_109_343_789_403_525]);
}
