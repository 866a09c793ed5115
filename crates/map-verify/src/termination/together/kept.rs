//! What the processes keep of a search, each its part, and how they go on from it.
//!
//! All write their parts between two supersteps, when nothing is under way: together they are a consistent cut. Only
//! when everybody has its part are older cuts given up, so whatever happens, there is one of which all parts are there.
//! The first cut is that of the beginning: a search that is killed while it is written has lost nothing.
//!
//! The tables of agents are not written. The states that lacked an entry are, in the order in which the tables were
//! filled for them, and they are filled so again.

use std::io::{self, ErrorKind};

use super::Explorer;
use super::found::Found;
use super::moved::take_over;
use super::part::{BOUNDS, Old, restore, save};
use crate::budget::{Limits, Progress};
use crate::coverage::Coverage;
use crate::explore::Source;
use crate::keep::{Cut, Keep, KeptPart, Part};
use crate::peers::TogetherError;
use crate::saved::{Out, misfit};
use crate::termination::along::note_violations;
use crate::termination::notes::Notes;
use crate::together::shard::owner_of;
use crate::together::wire::{Reader, put, put_bytes, put_words};
use crate::together::{ClusterLost, Link};

/// Keeps the search as it is. `ends` if it ends here.
pub(super) fn keep(
    explorer: &mut Explorer<'_>,
    link: &mut Link<'_>,
    progress: &mut dyn Progress,
    ends: bool,
) -> Result<(), ClusterLost> {
    if explorer.fills.is_none() || explorer.is_torn {
        return Ok(());
    }
    let mut stamp = Vec::new();
    put(&mut stamp, if link.own() == 0 { progress.stamp() } else { 0 });
    let stamp = Reader(&link.tell(&stamp)?[0]).number();
    let cut = Cut { number: explorer.cuts + 1, stamp, parts: link.count() };
    let is_written = progress.keep(&Keep {
        ends,
        finished: ends && explorer.limit.is_none(),
        part: Some(Part { cut, number: link.own() }),
        write: &|out| save(explorer, Out::new(out)),
    });
    // Also if not everybody could write, since the first number is that of the beginning alone.
    explorer.cuts = cut.number;
    if link.sum(u64::from(!is_written))? == 0 {
        progress.settle(cut);
    }
    Ok(())
}

/// Goes on from what was kept of the search, if there is anything; prepares for keeping it.
pub(super) fn go_on(
    explorer: &mut Explorer<'_>,
    link: &mut Link<'_>,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<(), ClusterLost> {
    let parts = progress.resume_parts();
    if link.sum(u64::from(explorer.limit.is_some()))? > 0 {
        return Ok(());
    }
    if progress.keeps() {
        explorer.fills = Some(Vec::new());
    }
    let told = link.tell(&in_bytes(parts.as_deref()))?;
    let theirs: Vec<Option<Vec<Part>>> = told.iter().map(|told| from_bytes(told)).collect();
    let all: Vec<Part> = theirs.iter().flatten().flatten().copied().collect();
    let goes_on = theirs.iter().any(Option::is_some);
    let cut = match newest(&all) {
        Ok(Some(cut)) => cut,
        Err(why) if goes_on => return Err(link.end(TogetherError::NotKept(why))),
        _ => return keep(explorer, link, progress, false),
    };
    // Everybody has told its parts, so these are all; the first that has one takes it, or whose it was.
    let has = |process: usize, number| {
        theirs[process].as_ref().is_some_and(|parts| parts.contains(&Part { cut, number }))
    };
    let taker = |number: usize| match number < link.count() && has(number, number) {
        true => number,
        false => (0..link.count()).find(|&process| has(process, number)).unwrap_or(0),
    };
    let takers: Vec<usize> = (0..cut.parts).map(taker).collect();
    let mut olds = Vec::new();
    let mut wrong = Ok(());
    for mut part in parts.into_iter().flatten() {
        let Part { number, cut: of } = part.part;
        let is_taken = olds.iter().any(|it: &(usize, Old)| it.0 == number);
        if of == cut && takers[number] == link.own() && !is_taken && wrong.is_ok() {
            match restore(explorer, limits, &mut part) {
                Ok(old) => olds.push((number, old)),
                Err(error) => wrong = Err(error),
            }
        }
    }
    olds.sort_by_key(|it| it.0);
    agree(link, wrong)?;
    explorer.cuts = cut.number;
    progress.settle(cut);
    fill_again(explorer, link, &olds)?;
    take_in(explorer, &mut olds);
    let found: Vec<Vec<u32>> = olds.iter_mut().flat_map(|(_, old)| std::mem::take(&mut old.sites)).collect();
    let is_as_it_was = cut.parts == link.count() && takers.iter().enumerate().all(|(part, &it)| part == it);
    if is_as_it_was && let Some((_, old)) = olds.pop() {
        explorer.set_weights(old.weights.into_iter().collect());
        (explorer.shard, explorer.expanded) = (old.shard, old.expanded);
    } else {
        let shard = explorer.empty_shard(limits, link.count());
        explorer.shard = shard;
        let taken = take_over(explorer, link, &takers, &olds.iter().map(|(_, old)| old).collect::<Vec<_>>());
        agree(link, taken?)?;
    }
    explorer.statistics.depth = explorer.shard.levels.len() - 1;
    let mut sites = Vec::new();
    found.iter().for_each(|words| put_words(&mut sites, words));
    for told in link.tell(&sites)? {
        let mut from = Reader(&told);
        while !from.is_empty() {
            let words = from.words();
            // To look for a state that is not there would insert it.
            if owner_of(&words, link.count()) == link.own() {
                find_sites(explorer, &words);
            }
        }
    }
    Ok(())
}

/// The newest cut of which all parts are there; none if not even the first one was done. The error says what is
/// missing.
fn newest(parts: &[Part]) -> Result<Option<Cut>, String> {
    let is_there = |cut: Cut, number| parts.contains(&Part { cut, number });
    let is_whole = |cut: &Cut| (0..cut.parts).all(|number| is_there(*cut, number));
    let cuts = || parts.iter().map(|part| part.cut);
    if let Some(cut) = cuts().filter(is_whole).max() {
        return Ok(Some(cut));
    }
    let Some(cut) = cuts().max() else { return Err("no process has a checkpoint".to_owned()) };
    if cut.number == 1 {
        return Ok(None);
    }
    let missing = (0..cut.parts).find(|&number| !is_there(cut, number)).unwrap_or(0);
    Err(format!("no checkpoint is whole: of {} parts, no process has part {missing}", cut.parts))
}

fn in_bytes(parts: Option<&[KeptPart]>) -> Vec<u8> {
    let mut bytes = vec![u8::from(parts.is_some())];
    for KeptPart { part: Part { cut, number }, .. } in parts.unwrap_or_default() {
        [cut.number, cut.stamp, cut.parts as u64, *number as u64].iter().for_each(|&it| put(&mut bytes, it));
    }
    bytes
}

fn from_bytes(bytes: &[u8]) -> Option<Vec<Part>> {
    let mut from = Reader(bytes);
    (from.number() != 0).then(|| {
        let mut parts = Vec::new();
        while !from.is_empty() {
            let cut = Cut { number: from.number(), stamp: from.number(), parts: from.number() as usize };
            parts.push(Part { cut, number: from.number() as usize });
        }
        parts
    })
}

/// Ends the search everywhere if something went wrong anywhere.
fn agree(link: &mut Link<'_>, result: io::Result<()>) -> Result<(), ClusterLost> {
    let mut bytes = Vec::new();
    if let Err(error) = result {
        let what = match error.kind() {
            ErrorKind::OutOfMemory => "a table has no room".to_owned(),
            _ => error.to_string(),
        };
        put_bytes(&mut bytes, what.as_bytes());
    }
    let told = link.tell(&bytes)?;
    let mut wrong = told.iter().enumerate().filter(|(_, told)| !told.is_empty());
    match wrong.next() {
        None => Ok(()),
        Some((process, told)) => {
            let what = String::from_utf8_lossy(Reader(told).bytes()).into_owned();
            let why = format!("process {process} cannot go on from its checkpoint: {what}");
            Err(link.end(TogetherError::NotKept(why)))
        }
    }
}

/// Fills the tables of agents in the order in which they were filled before.
fn fill_again(
    explorer: &mut Explorer<'_>,
    link: &mut Link<'_>,
    olds: &[(usize, Old)],
) -> Result<(), ClusterLost> {
    // All parts have the same, and not every process has a part.
    let own = olds.first().filter(|it| it.0 == 0).map(|it| it.1.fills.as_slice()).unwrap_or_default();
    let told = link.tell(own)?;
    let fills = told.into_iter().find(|fills| !fills.is_empty()).unwrap_or_default();
    let mut from = Reader(&fills);
    let keeps = explorer.fills.take();
    while !from.is_empty() {
        let round: Vec<Vec<u32>> = (0..from.number()).map(|_| from.words()).collect();
        explorer.fill(round.iter());
    }
    explorer.fills = keeps.map(|_| fills);
    let torn = if explorer.is_torn { Err(misfit("a table has no room")) } else { Ok(()) };
    agree(link, torn)
}

/// Takes in what does not depend on who has which states.
fn take_in(explorer: &mut Explorer<'_>, olds: &mut [(usize, Old)]) {
    for (_, old) in olds {
        explorer.transitions += old.transitions;
        explorer.records.notes.coverage.take(&mut old.coverage);
        let cut = BOUNDS.into_iter().zip(&old.cut_by).filter(|it| *it.1);
        explorer.cut_by.extend(cut.map(|(bound, _)| bound));
        explorer.too_long |= old.too_long;
    }
}

/// Finds the violations at a state of this process again.
fn find_sites(explorer: &mut Explorer<'_>, words: &[u32]) {
    let Explorer { system, shard, records: Found { sites, .. }, .. } = explorer;
    let Some(state) = shard.find(&system.space, words) else { return };
    let depth = shard.levels.partition_point(|level| level.first <= state as usize) - 1;
    let mut notes = Notes::new(Coverage::new(system.program()));
    let source = (Source { state, depth }, shard.is_clean(state as usize));
    note_violations(system, &mut notes, source, words);
    for (kind, site) in std::mem::take(&mut notes.sites) {
        if site.is_better(sites.get(&kind)) {
            sites.insert(kind, site);
        }
    }
}
