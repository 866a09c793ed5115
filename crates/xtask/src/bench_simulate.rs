//! The speed of the simulator in scenes with few and with very many agents, beside a naive scheduler.
//!
//! Timings are printed, never asserted: machines differ.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use map_ir::Program;
use map_semantics::Bounds;
use map_simulate::{Runs, SimulationOptions, Statistics, first, repeat, seed_of_run, simulate, statistics};
use map_syntax::ast;

use crate::measured::{Size, program};
use crate::naive_simulate;

/// The number of bidders in one auction, the number of runs and the most steps of each; then both for the naive
/// scheduler.
const ROWS: &[Row] = &[
    Row { bidders: 10, runs: 20, steps: 20_000, naive_runs: 20, naive_steps: 20_000 },
    Row { bidders: 1_000, runs: 3, steps: 100_000, naive_runs: 1, naive_steps: 100_000 },
    Row { bidders: 100_000, runs: 1, steps: 300_000, naive_runs: 1, naive_steps: 300 },
];

struct Row {
    bidders: u32,
    runs: u64,
    steps: u64,
    naive_runs: u64,
    naive_steps: u64,
}

pub(crate) fn run(file: &ast::File, size: Size) -> Result<(), String> {
    println!(
        "\nsimulation: the same auction, mailboxes without bound; time for the first states is included"
    );
    println!(
        "{:>8} {:>6} {:>12} {:>9} {:>12}   {:>12} {:>9} {:>12} {:>8}",
        "bidders", "runs", "steps", "seconds", "steps/s", "naive steps", "seconds", "steps/s", "x naive"
    );
    let bounds = Bounds { mailbox: u32::MAX, ..Bounds::USUAL };
    for row in &ROWS[..if size == Size::Smoke { 1 } else { ROWS.len() }] {
        let program = program(file, row.bidders)?;
        let fast = measure(row.runs, row.steps, |options| {
            simulate(&program, &bounds, options, &mut |_| ControlFlow::Continue(())).steps
        });
        let naive = measure(row.naive_runs, row.naive_steps, |options| naive(&program, &bounds, options));
        println!(
            "{:>8} {:>6} {:>12} {:>9.3} {:>12.0}   {:>12} {:>9.3} {:>12.0} {:>8.1}",
            row.bidders,
            row.runs,
            fast.steps,
            fast.seconds,
            fast.rate(),
            naive.steps,
            naive.seconds,
            naive.rate(),
            fast.rate() / naive.rate(),
        );
    }
    many_runs(file, &bounds, size)?;
    replays(file, &bounds, size)
}

/// Numbers of bidders, and of the steps of a run that is replayed.
const REPLAYS: &[(u32, u64)] = &[(10, 200_000), (1_000, 100_000), (100_000, 200_000)];

/// Replaying the steps of a run, beside drawing them at random.
fn replays(file: &ast::File, bounds: &Bounds, size: Size) -> Result<(), String> {
    println!("\nreplay: the steps of one run of the same auction, made again");
    println!(
        "{:>8} {:>8} {:>14} {:>15} {:>8}",
        "bidders", "steps", "drawn steps/s", "replay steps/s", "x drawn"
    );
    for &(bidders, max_steps) in &REPLAYS[..if size == Size::Smoke { 1 } else { REPLAYS.len() }] {
        let program = program(file, bidders)?;
        let mut steps = Vec::new();
        let started = Instant::now();
        let run = simulate(&program, bounds, &options(1, max_steps), &mut |seen| {
            steps.push(seen.step.clone());
            ControlFlow::Continue(())
        });
        let drawn = run.steps as f64 / started.elapsed().as_secs_f64();
        let started = Instant::now();
        let mut again = first(&program, bounds, Vec::new());
        let result = repeat(&program, bounds, &mut again, &steps, &[], &mut |_| ControlFlow::Continue(()));
        let rate = again.steps as f64 / started.elapsed().as_secs_f64();
        if result.is_err() || again.state != run.state {
            return Err(format!("{bidders} bidders: the replay ends elsewhere"));
        }
        println!("{bidders:>8} {:>8} {drawn:>14.0} {rate:>15.0} {:>8.2}", run.steps, rate / drawn);
    }
    Ok(())
}

fn options(seed: u64, max_steps: u64) -> SimulationOptions {
    SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps,
        loss: 0.0,
        crash: 0.0,
    }
}

/// Numbers of bidders and of runs.
const MANY: &[(u32, u64)] = &[(1, 20_000), (3, 10_000), (10, 50)];

/// Statistics of many runs, beside single runs in a loop that keeps nothing.
fn many_runs(file: &ast::File, bounds: &Bounds, size: Size) -> Result<(), String> {
    println!("\nmany runs of the same auction; runs/s, and how many times those of single runs in a loop");
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>14} {:>8} {:>14} {:>8}",
        "bidders", "runs", "steps", "loop runs/s", "one thread", "x loop", "two threads", "x loop"
    );
    for &(bidders, runs) in &MANY[..if size == Size::Smoke { 1 } else { MANY.len() }] {
        let program = program(file, bidders)?;
        let options = options(1, 10_000);
        let started = Instant::now();
        let mut steps = 0;
        for run in 0..runs {
            let options = SimulationOptions { seed: seed_of_run(1, run), ..options.clone() };
            steps += simulate(&program, bounds, &options, &mut |_| ControlFlow::Continue(())).steps;
        }
        let alone = runs as f64 / started.elapsed().as_secs_f64();
        let count = |threads: usize| -> (Statistics, f64) {
            let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
            let started = Instant::now();
            let all = Runs::all(runs);
            let found = statistics(&program, bounds, &options, all, threads, &stop, &done);
            (found, runs as f64 / started.elapsed().as_secs_f64())
        };
        let ((one, rate), (two, rate_of_two)) = (count(1), count(2));
        let counted: u64 = one.steps.iter().map(|(&steps, &runs)| steps * runs).sum();
        if one != two || counted != steps {
            return Err(format!("{bidders} bidders: the statistics differ"));
        }
        println!(
            "{bidders:>8} {runs:>8} {steps:>10} {alone:>12.0} {rate:>14.0} {:>8.2} {rate_of_two:>14.0} {:>8.2}",
            rate / alone,
            rate_of_two / alone
        );
    }
    Ok(())
}

fn naive(program: &Program, bounds: &Bounds, options: &SimulationOptions) -> u64 {
    naive_simulate::simulate(program, bounds, options.seed, options.yes, options.max_steps)
}

struct Measured {
    steps: u64,
    seconds: f64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.steps as f64 / self.seconds
    }
}

fn measure(runs: u64, max_steps: u64, mut simulate: impl FnMut(&SimulationOptions) -> u64) -> Measured {
    let started = Instant::now();
    let mut steps = 0;
    for seed in 0..runs {
        steps += simulate(&options(seed, max_steps));
    }
    Measured { steps, seconds: started.elapsed().as_secs_f64() }
}
