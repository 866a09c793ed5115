//! One search by one thread and by two, with states kept exactly and as fingerprints: rates, and bytes for a state.

use std::num::NonZeroUsize;
use std::time::Instant;

use map_diagnostics::SourceFile;
use map_syntax::parse;
use map_verify::{Limits, StoreKind, verify};

use crate::measured::{AUCTION, NoClock, Size, bounds, program};

/// Bidders and calls of `bidloop`.
const SCENES: &[(u32, u32)] = &[(3, 4), (3, 5)];

pub(crate) fn run(size: Size) -> Result<(), String> {
    let file = parse(&SourceFile::new("auction.map", AUCTION)).file;
    let scenes = if size == Size::Smoke { &SCENES[..1] } else { SCENES };
    println!(
        "\nthreads and stores: the same auction; bytes for a state, its transitions included, and of all tables"
    );
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>12} {:>8} {:>9} {:>14} {:>12} {:>8} {:>8}",
        "bidders",
        "bidloop",
        "states",
        "transitions",
        "store",
        "threads",
        "seconds",
        "transitions/s",
        "x one thread",
        "B/state",
        "B in all"
    );
    for &(bidders, rounds) in scenes {
        let program = program(&file, bidders)?;
        let bounds = bounds(&program, rounds)?;
        let mut exact = None;
        for (name, store) in [("exact", StoreKind::Exact), ("fingerprint", StoreKind::Fingerprint)] {
            let mut one = 0.0;
            for threads in [1, 2] {
                let threads = NonZeroUsize::new(threads).ok_or("no threads")?;
                let limits = Limits { states: usize::MAX, memory: 16 << 30, threads, store };
                let started = Instant::now();
                let report = verify(&program, &bounds, &limits, true, &mut NoClock)
                    .map_err(|error| error.to_string())?;
                let seconds = started.elapsed().as_secs_f64();
                let found = report.statistics;
                let counts = (found.states, found.transitions, report.verdict);
                if *exact.get_or_insert(counts) != counts {
                    return Err(format!("{name}, {threads} threads: {counts:?}, not {exact:?}"));
                }
                if threads == NonZeroUsize::MIN {
                    one = seconds;
                }
                println!(
                    "{bidders:>8} {rounds:>8} {:>10} {:>12} {name:>12} {threads:>8} {seconds:>9.3} {:>14.0} {:>12.2} {:>8.1} {:>8.1}",
                    found.states,
                    found.transitions,
                    found.transitions as f64 / seconds,
                    one / seconds,
                    found.states_memory as f64 / found.states as f64,
                    found.memory as f64 / found.states as f64,
                );
            }
        }
    }
    Ok(())
}
