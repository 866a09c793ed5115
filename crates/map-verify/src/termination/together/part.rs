//! The part of one process, as it is written and read.

use std::io;

use map_semantics::BoundHit;

use super::Explorer;
use crate::budget::Limits;
use crate::coverage::Coverage;
use crate::keep::KeptPart;
use crate::partial_order::overflow::Weight;
use crate::saved::{In, Out};
use crate::termination::site::Place;
use crate::together::shard::Shard;

pub(super) const BOUNDS: [BoundHit; 2] = [BoundHit::Depth, BoundHit::Rounds];

/// What a process has kept.
pub(super) struct Old {
    pub(super) shard: Shard,
    /// Number of its states that were expanded.
    pub(super) expanded: usize,
    pub(super) transitions: usize,
    /// What the numbers of weights stand for.
    pub(super) weights: Vec<Weight>,
    /// The states at which violations were found.
    pub(super) sites: Vec<Vec<u32>>,
    pub(super) fills: Vec<u8>,
    pub(super) cut_by: Vec<bool>,
    pub(super) too_long: bool,
    pub(super) coverage: Coverage,
}

/// Writes the part of this process.
pub(super) fn save(explorer: &Explorer<'_>, mut out: Out<'_>) -> io::Result<()> {
    out.bytes(explorer.fills.as_deref().unwrap_or_default())?;
    explorer.shard.save(&mut out)?;
    out.numbers(&[explorer.expanded, explorer.transitions])?;
    out.number(explorer.weights().len())?;
    explorer.weights().iter().try_for_each(|weight| out.words(weight))?;
    out.flags(&BOUNDS.map(|bound| explorer.cut_by.contains(&bound)))?;
    out.flags(&[explorer.too_long])?;
    explorer.records.notes.coverage.save(&mut out)?;
    let states = explorer.records.sites.values().filter_map(|site| match site.place {
        Place::State(state) => Some(state),
        // Found again with the initial states.
        Place::Start(_) => None,
    });
    let states = Vec::from_iter(states);
    out.number(states.len())?;
    let words = |state| explorer.shard.words(&explorer.system.space, state as usize);
    states.into_iter().try_for_each(|state| out.words(&words(state)))?;
    out.finish()
}

/// Reads a part.
///
/// # Errors
/// Those of the reader; [`io::ErrorKind::OutOfMemory`] if a table has no room.
pub(super) fn restore(explorer: &Explorer<'_>, limits: &Limits, part: &mut KeptPart) -> io::Result<Old> {
    let mut from = In::new(&mut *part.content);
    let fills = from.bytes()?;
    let mut shard = explorer.empty_shard(limits, part.part.cut.parts);
    shard.restore(&mut from)?;
    let (expanded, transitions) = from.pair()?;
    let weights = (0..from.number()?).map(|_| from.words()).collect::<io::Result<_>>()?;
    let cut_by = from.flags()?;
    let too_long = from.flags()?.contains(&true);
    let mut coverage = Coverage::new(explorer.system.program());
    coverage.restore(&mut from)?;
    let sites = (0..from.number()?).map(|_| from.words()).collect::<io::Result<_>>()?;
    from.finish()?;
    Ok(Old { shard, expanded, transitions, weights, sites, fills, cut_by, too_long, coverage })
}
