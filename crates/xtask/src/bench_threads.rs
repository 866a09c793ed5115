//! The speed-up by a second thread: with all reductions, and with none on some millions of states.

use std::num::NonZeroUsize;
use std::time::Instant;

use map_diagnostics::SourceFile;
use map_semantics::Bounds;
use map_syntax::parse;
use map_verify::{Limits, Options, Reductions, Tuning, verify_reduced};

use crate::bench_reduced::AUCTION;
use crate::measured::{NoClock, Size, bounds, program};

/// Numbers of bidders and bids, and whether reductions are used. Those without are the scenes of `benches/peers/run
/// rates`.
const SCENES: &[(u32, u32, bool)] =
    &[(10, 50, true), (30, 50, true), (100, 10, true), (2, 12, false), (3, 4, false), (8, 1, false)];

/// How often each search is run, on one thread and on two in turn.
const TIMES: usize = 5;

pub(crate) fn run(size: Size) -> Result<(), String> {
    let (scenes, times) = if size == Size::Smoke { (&SCENES[..1], 1) } else { (SCENES, TIMES) };
    println!(
        "\ntwo threads: benches/peers/auction.map, complete; seconds, the best and the middle one of {times}"
    );
    println!(
        "{:>8} {:>6} {:>10} {:>10} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "bidders", "bids", "reductions", "states", "one", "", "two", "", "x best", "x mid"
    );
    for &(bidders, bids, is_reduced) in scenes {
        let text = AUCTION.replace("@left = 50", &format!("@left = {bids}"));
        let program = program(&parse(&SourceFile::new("auction.map", &text)).file, bidders)?;
        let bounds = Bounds { mailbox: 1_000_000, rounds_of: Vec::new(), ..bounds(&program, 1)? };
        let reductions = if is_reduced { Reductions::ALL } else { Reductions::NONE };
        let search = |threads| -> Result<_, String> {
            let limits = Limits { states: usize::MAX, memory: 16 << 30, threads, tuning: Tuning::SHIPPED };
            let options = Options { limits, keep_going: false, reductions, self_check: false };
            let started = Instant::now();
            let found = verify_reduced(&program, &bounds, &options, &mut NoClock);
            let seconds = started.elapsed().as_secs_f64();
            let report = found.map_err(|error| error.to_string())?.report;
            Ok(((report.verdict, report.statistics.states, report.statistics.transitions), seconds))
        };
        let mut seconds = [Vec::new(), Vec::new()];
        let mut counts = None;
        for _ in 0..times {
            let mut threads = NonZeroUsize::MIN;
            for seconds in &mut seconds {
                let (found, taken) = search(threads)?;
                if *counts.get_or_insert(found) != found {
                    return Err(format!("{threads} threads found {found:?}, not {counts:?}"));
                }
                seconds.push(taken);
                threads = threads.saturating_add(1);
            }
        }
        let [one, two] = seconds.map(|mut seconds| {
            seconds.sort_by(f64::total_cmp);
            (seconds[0], seconds[seconds.len() / 2])
        });
        let states = counts.map_or(0, |(_, states, _)| states);
        let reductions = if is_reduced { "all" } else { "none" };
        println!(
            "{bidders:>8} {bids:>6} {reductions:>10} {states:>10} {:>9.3} {:>9.3} {:>9.3} {:>9.3} {:>7.2} {:>7.2}",
            one.0,
            one.1,
            two.0,
            two.1,
            one.0 / two.0,
            one.1 / two.1,
        );
    }
    Ok(())
}
