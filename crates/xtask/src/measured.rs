//! Shared by the benchmarks: their size, and the auction that they measure.

use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_ir::{Program, Value};
use map_semantics::{Bounds, Network, Timeouts};
use map_syntax::ast;
use map_verify::{Limit, Progress, Snapshot};

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// All rows.
    Full,
    /// The first row of each table, to see that the benchmark works.
    Smoke,
}

pub(crate) const AUCTION: &str = include_str!("../../../protocols/english-auction/auction.map");

/// A search without a time limit.
pub(crate) struct NoClock;

impl Progress for NoClock {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

/// The auction with this many bidders.
pub(crate) fn program(file: &ast::File, bidders: u32) -> Result<Program, String> {
    let agents = vec![CastOverride { name: "bidder".to_owned(), count: i64::from(bidders) }];
    let (checked, _) = check(file, &CheckOptions { agents, ..CheckOptions::default() });
    checked.map(|checked| compile(&checked)).ok_or_else(|| "the auction has errors".to_owned())
}

/// Bounds that allow this many calls of `bidloop`.
pub(crate) fn bounds(program: &Program, rounds: u32) -> Result<Bounds, String> {
    let bidloop = program.name_constant("bidloop").ok_or("the auction has a bidloop")?;
    Ok(Bounds {
        depth: 50,
        rounds: None,
        rounds_of: vec![(Value::Name(bidloop), rounds)],
        mailbox: 50,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
        after: None,
    })
}
