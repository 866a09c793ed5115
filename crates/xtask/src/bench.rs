//! Benchmarks: the search beside the oracle on the same scene in the same run, then those of the other modules.
//!
//! Timings are printed, never asserted: machines differ. States and transitions are compared.

use std::num::NonZeroUsize;
use std::time::Instant;

use map_diagnostics::SourceFile;
use map_syntax::{ast, parse};
use map_testkit::oracle::{OracleOptions, explore};
use map_verify::{Limits, Tuning, verify};

use crate::measured::{AUCTION, NoClock, Size, bounds, program};
use crate::{
    bench_charts, bench_front_end, bench_ltl, bench_mailbox, bench_properties, bench_reduced, bench_simulate,
    bench_threads, bench_views, study,
};

/// Numbers of bidders and of calls of `bidloop`, and whether the oracle, which is slow, searches the scene too.
const SEARCHES: &[(u32, u32, bool)] = &[(3, 2, true), (3, 3, true), (3, 4, false), (4, 2, false)];

pub(crate) fn run(size: Size) -> Result<(), String> {
    let source = SourceFile::new("auction.map", AUCTION);
    let file = parse(&source).file;
    let rows = |all: usize| if size == Size::Smoke { 1 } else { all };
    println!("search: protocols/english-auction/auction.map, complete, reductions none, one thread");
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>9} {:>12} {:>14} {:>8}",
        "bidders", "bidloop", "states", "transitions", "seconds", "states/s", "transitions/s", "x oracle"
    );
    for &(bidders, rounds, with_oracle) in &SEARCHES[..rows(SEARCHES.len())] {
        search(&file, bidders, rounds, with_oracle)?;
    }
    bench_properties::run(&file, size)?;
    bench_reduced::run(size)?;
    bench_threads::run(size)?;
    bench_simulate::run(&file, size)?;
    bench_mailbox::run(size)?;
    bench_front_end::run(size)?;
    bench_charts::run(&file, size)?;
    bench_views::run(size)?;
    bench_ltl::run(size)?;
    if size == Size::Smoke {
        // The full study takes several minutes.
        study::run(&["--smoke"])?;
    }
    Ok(())
}

/// Only the benchmark of charts.
pub(crate) fn charts() -> Result<(), String> {
    bench_charts::run(&parse(&SourceFile::new("auction.map", AUCTION)).file, Size::Full)
}

/// Only the benchmark of properties.
pub(crate) fn properties() -> Result<(), String> {
    bench_properties::run(&parse(&SourceFile::new("auction.map", AUCTION)).file, Size::Full)
}

fn search(file: &ast::File, bidders: u32, rounds: u32, with_oracle: bool) -> Result<(), String> {
    let program = program(file, bidders)?;
    let bounds = bounds(&program, rounds)?;
    let limits =
        Limits { states: usize::MAX, memory: 16 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
    let started = Instant::now();
    let report = verify(&program, &bounds, &limits, true, &mut NoClock).map_err(|error| error.to_string())?;
    let seconds = started.elapsed().as_secs_f64();
    let found = report.statistics;
    let ratio = if with_oracle {
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), bidders)];
        options.rounds_of = vec![("bidloop".to_owned(), rounds)];
        let started = Instant::now();
        let oracle = explore(file, &options);
        if (oracle.states, oracle.transitions) != (found.states, found.transitions) {
            return Err(format!(
                "the oracle found {} states, {} transitions",
                oracle.states, oracle.transitions
            ));
        }
        format!("{:.0}", started.elapsed().as_secs_f64() / seconds)
    } else {
        "-".to_owned()
    };
    println!(
        "{bidders:>8} {rounds:>8} {:>10} {:>12} {seconds:>9.3} {:>12.0} {:>14.0} {ratio:>8}",
        found.states,
        found.transitions,
        found.states as f64 / seconds,
        found.transitions as f64 / seconds,
    );
    Ok(())
}
