//! The search with all reductions on the bounded auction, beside the plain search where that is feasible.

use std::num::NonZeroUsize;
use std::time::Instant;

use map_diagnostics::SourceFile;
use map_semantics::Bounds;
use map_syntax::parse;
use map_verify::{Limits, Options, Reductions, Report, Tuning, verify_reduced};

use crate::measured::{NoClock, Size, bounds, program};

/// The auction with at most 50 bids.
pub(crate) const AUCTION: &str = include_str!("../../../benches/peers/auction.map");

/// Numbers of bidders, bids and threads, and whether the plain search is run, too.
const SCENES: &[(u32, u32, usize, bool)] = &[
    (3, 2, 1, true),
    (4, 2, 1, true),
    (10, 50, 1, false),
    (10, 50, 2, false),
    (30, 50, 1, false),
    (30, 50, 2, false),
    (100, 10, 1, false),
];

pub(crate) fn run(size: Size) -> Result<(), String> {
    let scenes = if size == Size::Smoke { &SCENES[..1] } else { SCENES };
    println!(
        "\nreductions: benches/peers/auction.map, complete; x plain: as many times fewer, faster, smaller"
    );
    println!(
        "{:>8} {:>6} {:>8} {:>10} {:>12} {:>9} {:>8} {:>10} {:>10} {:>10}",
        "bidders",
        "bids",
        "threads",
        "states",
        "transitions",
        "seconds",
        "MiB",
        "x states",
        "x time",
        "x memory"
    );
    for &(bidders, bids, threads, with_plain) in scenes {
        let text = AUCTION.replace("@left = 50", &format!("@left = {bids}"));
        let program = program(&parse(&SourceFile::new("auction.map", &text)).file, bidders)?;
        let bounds = Bounds { mailbox: 2_000, rounds_of: Vec::new(), ..bounds(&program, 1)? };
        let search = |reductions| -> Result<(Report, f64), String> {
            let threads = NonZeroUsize::new(threads).ok_or("no threads")?;
            let limits = Limits { states: usize::MAX, memory: 16 << 30, threads, tuning: Tuning::SHIPPED };
            let options = Options { limits, keep_going: false, reductions, self_check: false };
            let started = Instant::now();
            let reduced = verify_reduced(&program, &bounds, &options, &mut NoClock);
            let report = reduced.map_err(|error| error.to_string())?.report;
            Ok((report, started.elapsed().as_secs_f64()))
        };
        let (report, seconds) = search(Reductions::ALL)?;
        let found = report.statistics;
        print!(
            "{bidders:>8} {bids:>6} {threads:>8} {:>10} {:>12} {seconds:>9.3} {:>8.1}",
            found.states,
            found.transitions,
            found.memory as f64 / f64::from(1 << 20),
        );
        if !with_plain {
            println!(" {:>10} {:>10} {:>10}", "-", "-", "-");
            continue;
        }
        let (plain, plain_seconds) = search(Reductions::NONE)?;
        if plain.verdict != report.verdict {
            return Err(format!("{:?} with reductions, {:?} without", report.verdict, plain.verdict));
        }
        println!(
            " {:>10.1} {:>10.1} {:>10.1}",
            plain.statistics.states as f64 / found.states as f64,
            plain_seconds / seconds,
            plain.statistics.memory as f64 / found.memory as f64,
        );
    }
    Ok(())
}
