//! The paper's case as people type it: `map verify benches/peers/auction.map`, measured as whole processes.

use std::path::Path;

use map_explain::grouped;

use crate::study::measure::{Bench, Limit};
use crate::study::{BOUNDED, Subject};

/// Numbers of bidders and bids, and the size of mailboxes; `None` is the default of `map verify`.
const CASES: &[(u32, u32, Option<u32>)] = &[
    (2, 50, None),
    (6, 50, None),
    (10, 50, None),
    (30, 50, None),
    (100, 50, None),
    (10, 50, Some(1_000)),
    (30, 50, Some(1_000)),
    (100, 10, Some(1_000)),
    (100, 50, Some(1_000)),
    (300, 10, Some(1_000)),
    (1_000, 3, Some(1_000)),
];

/// Runs of each case, of which the middle one by CPU time is printed.
const RUNS: usize = 5;

/// The limits of one search. No case should come near them.
const LIMIT: Limit = Limit { seconds: 120, mebibytes: 8192 };

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let bench = Bench::new(root, LIMIT, true)?;
    println!("map verify benches/peers/auction.map --threads 1; the middle of {RUNS} runs, whole processes");
    println!(
        "{:>8} {:>6} {:>8} {:>17} {:>12} {:>12} {:>8} {:>6}",
        "bidders", "bids", "mailbox", "verdict", "states", "transitions", "CPU s", "MiB"
    );
    for &(bidders, bids, mailbox) in CASES {
        let subject = Subject::Map { file: BOUNDED, mailbox, flags: &[] };
        let size = mailbox.map_or_else(|| "default".to_owned(), |size| size.to_string());
        print!("{bidders:>8} {bids:>6} {size:>8} ");
        let mut points = Vec::new();
        let mut limit = None;
        for _ in 0..RUNS {
            match bench.measure(subject, bidders, bids)? {
                Ok(point) => points.push(point),
                Err(exceeded) => {
                    limit = Some(exceeded);
                    break;
                }
            }
        }
        points.sort_by(|left, right| left.cpu_seconds.total_cmp(&right.cpu_seconds));
        match (limit, points.get(RUNS / 2)) {
            (None, Some(middle)) => println!(
                "{:>17} {:>12} {:>12} {:>8.2} {:>6.0}",
                middle.verdict,
                grouped(middle.states),
                grouped(middle.transitions),
                middle.cpu_seconds,
                middle.memory_bytes as f64 / f64::from(1 << 20),
            ),
            (limit, _) => println!("{:>17}", format!("more than {}", limit.unwrap_or_default())),
        }
    }
    Ok(())
}
