//! The search for termination by several processes together.
//!
//! The finished graph is judged in supersteps over its levels (`flow`, `reach`), and a trace is the first one in the
//! order of steps (`path`), so nothing that is reported depends on the number of processes.

use std::cell::RefCell;

use map_graph::BitSet;
use map_ir::Program;
use map_semantics::{BoundHit, Bounds};

use super::alone::Alone;
use super::along::Path;
use super::notes::{Notes, Sites};
use super::searched::{Infinite, Rest, Searched};
use super::site::{Place, Site};
use super::{Options, SearchResult, Searches, whole_search};
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot};
use crate::coverage::Coverage;
use crate::mark;
use crate::partial_order::overflow::SendBounds;
use crate::peers::{Peers, TogetherError};
use crate::report::{InternalError, Trace, ViolationKind};
use crate::saved::{In, Out};
use crate::system::System;
use crate::together::told::{DUE, SuperstepSummary, VIOLATED};
use crate::together::wire::{Reader, put};
use crate::together::{ClusterLost, Initial, Levels, Link, Records, run};
use crate::witness::replay::NoTrace;
use flow::{Limited, agree, sort};
use found::Found;
use path::{path_to, trace_along};
use reach::{ends, reach};

mod flow;
mod found;
mod kept;
mod moved;
mod part;
mod path;
mod reach;

/// The part of this process in a search for termination.
type Explorer<'a> = crate::together::Explorer<'a, Found>;

/// Explores the scene with other processes, which call this with the same program, bounds and options, and decides
/// whether it terminates. All get the same report, and the one that [`super::verify_reduced`] has, but for the memory.
///
/// Limits of memory and time are each process's own; the first that is reached ends the search everywhere.
///
/// # Errors
/// If some process is lost; if the search is to go on from something that is not there; if a trace does not replay,
/// which would be a defect of the engine.
pub fn verify_together(
    program: &Program,
    bounds: &Bounds,
    options: &Options,
    peers: &mut dyn Peers,
    progress: &mut dyn Progress,
) -> Result<SearchResult, TogetherError> {
    let link = RefCell::new(Link::new(peers));
    let engine = Together { link: &link };
    let verified = whole_search(program, bounds, options, engine, progress);
    match link.into_inner().over() {
        Some(why) => Err(why),
        None => verified.map_err(TogetherError::Internal),
    }
}

/// Searches with the processes at the other end of a link.
#[derive(Clone, Copy)]
struct Together<'l, 'p> {
    link: &'l RefCell<Link<'p>>,
}

impl<'a, 'l, 'p> Searches<'a> for Together<'l, 'p> {
    type Made = Shared<'a, 'l, 'p>;

    fn explore(
        &mut self,
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Result<Self::Made, InternalError> {
        let mut shared = Shared::start(self.link, system, limits, keep_going, progress);
        if shared.run(limits, progress).is_err() {
            shared.explorer.limit = Some(Limit::Interrupted);
        }
        Ok(shared)
    }

    fn agree(&mut self, here: bool) -> bool {
        let link = &mut self.link.borrow_mut();
        let count = link.count() as u64;
        link.sum(u64::from(here)).is_ok_and(|sum| sum == count)
    }
}

impl Levels for Found {
    fn level_done(
        explorer: &mut Explorer<'_>,
        _: &mut Link<'_>,
        told: &[SuperstepSummary],
    ) -> Result<bool, ClusterLost> {
        Ok(!explorer.records.keep_going && told.iter().any(|it| it.flags & VIOLATED != 0))
    }

    /// A checkpoint may be due.
    fn level_begun(
        explorer: &mut Explorer<'_>,
        link: &mut Link<'_>,
        told: &[SuperstepSummary],
        progress: &mut dyn Progress,
    ) -> Result<(), ClusterLost> {
        if told.iter().any(|it| it.flags & DUE != 0) {
            kept::keep(explorer, link, progress, false)?;
        }
        Ok(())
    }
}

/// A search by several processes, as one of them has it.
struct Shared<'a, 'l, 'p> {
    link: &'l RefCell<Link<'p>>,
    explorer: Explorer<'a>,
    initial: Vec<Initial>,
    /// The best site of each kind, of all processes.
    sites: Vec<(ViolationKind, Site)>,
    livelocks: BitSet,
    polls_for_ever: bool,
}

/// Where a violation is that was found in a search: somewhere in its level.
const SOMEWHERE: Place = Place::State(u32::MAX);

impl<'a, 'l, 'p> Shared<'a, 'l, 'p> {
    /// Every process makes all initial states, and keeps its own.
    fn start(
        link: &'l RefCell<Link<'p>>,
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Self {
        let Alone { explorer: mut started, .. } = Alone::start(system, limits, keep_going, progress);
        let initial = (0..started.states() as u32)
            .map(|state| Initial { words: started.words(state), options: started.initial_options(state) })
            .collect::<Vec<_>>();
        let coverage =
            std::mem::replace(&mut started.observer.coverage, Coverage::new(started.system.program()));
        let sites = std::mem::take(&mut started.observer.sites).into_iter().map(|(kind, site)| {
            let place = match site.place {
                Place::State(state) => Place::Start(initial[state as usize].options.clone()),
                place @ Place::Start(_) => place,
            };
            (kind, Site { place, ..site })
        });
        let sites: Sites = sites.collect();
        let (own, count) = (link.borrow().own(), link.borrow().count());
        let found = Found { notes: Notes::new(coverage), sites, keep_going };
        let mut explorer = Explorer::new(started.system, limits, count, found);
        explorer.limit = started.limit;
        explorer.cut_by = started.cut_by;
        explorer.too_long = started.too_long;
        explorer.records.grown(&explorer.system.space);
        let all: Vec<Vec<u32>> = initial.iter().map(|it| it.words.clone()).collect();
        explorer.store_initial(&all, own, count);
        Self {
            link,
            explorer,
            initial,
            sites: Vec::new(),
            livelocks: BitSet::default(),
            polls_for_ever: false,
        }
    }

    fn run(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<(), ClusterLost> {
        let link = &mut self.link.borrow_mut();
        kept::go_on(&mut self.explorer, link, limits, progress)?;
        run(&mut self.explorer, link, limits, progress)?;
        kept::keep(&mut self.explorer, link, progress, true)?;
        self.share(link)
    }

    /// Tells the others what else was found here.
    fn share(&mut self, link: &mut Link<'_>) -> Result<(), ClusterLost> {
        let Explorer { system, records: Found { sites, notes, .. }, shard, cut_by, too_long, .. } =
            &mut self.explorer;
        let mut bytes = Vec::new();
        let is_written = |bytes: &mut Vec<u8>| {
            let mut out = Out::new(bytes);
            notes.coverage.save(&mut out)?;
            out.finish()
        };
        is_written(&mut bytes).expect("memory can be written to");
        let mut head = Vec::new();
        put(&mut head, sites.len() as u64);
        for (kind, site) in sites.iter() {
            let place = KINDS.iter().position(|it| it == kind).expect("all kinds are there");
            [place, site.steps, usize::from(site.clean)].iter().for_each(|&it| put(&mut head, it as u64));
        }
        let polls = shard.marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0);
        let bounds = BOUNDS.map(|bound| cut_by.contains(&bound));
        [polls, *too_long, bounds[0], bounds[1]].iter().for_each(|&flag| put(&mut head, u64::from(flag)));
        head.append(&mut bytes);
        let mut best = std::mem::take(sites);
        for told in link.tell(&head)? {
            let mut from = Reader(&told);
            for _ in 0..from.number() {
                let kind = KINDS[from.number() as usize];
                let steps = from.number() as usize;
                let site = Site { steps, clean: from.number() != 0, place: SOMEWHERE, step: None };
                if site.is_better(best.get(&kind)) {
                    best.insert(kind, site);
                }
            }
            self.polls_for_ever |= from.number() != 0;
            *too_long |= from.number() != 0;
            cut_by.extend(BOUNDS.into_iter().filter(|_| from.number() != 0));
            let mut theirs = Coverage::new(system.program());
            let mut rest = from.0;
            theirs.restore(&mut In::new(&mut rest)).expect("all processes have the same program");
            notes.coverage.take(&mut theirs);
        }
        self.sites = best
            .into_iter()
            .map(|(kind, site)| match site.place {
                Place::Start(_) => (kind, site),
                Place::State(_) => (kind, Site { place: SOMEWHERE, step: None, ..site }),
            })
            .collect();
        Ok(())
    }

    fn memory_left(&self, limits: &Limits) -> usize {
        limits.memory.saturating_sub(self.explorer.shard.bytes())
    }

    fn may_cycle(&self, link: &mut Link<'_>, limits: &Limits, progress: &mut dyn Progress) -> Limited<bool> {
        let statistics = self.explorer.statistics;
        let mut tick = || progress.tick(&statistics);
        let mut budget = Budget { memory: self.memory_left(limits), ..Budget::alone(limits, &mut tick) };
        let (limit, may) = match self.explorer.system.space.agents.may_cycle(&mut budget) {
            Ok(may) => (None, may),
            Err(limit) => (Some(limit), true),
        };
        if let Err(limit) = agree(link, &self.explorer, limit, progress)? {
            return Ok(Err(limit));
        }
        Ok(Ok(link.sum(u64::from(may))? > 0))
    }

    fn analyse(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Limited<Infinite> {
        let link = &mut self.link.borrow_mut();
        let cyclic = match self.may_cycle(link, limits, progress)? {
            Err(limit) => return Ok(Err(limit)),
            Ok(false) => false,
            Ok(true) => match sort(&self.explorer, link, (0, true), self.memory_left(limits), progress)? {
                Err(limit) => return Ok(Err(limit)),
                Ok(found) => found.cyclic,
            },
        };
        let Explorer { shard, .. } = &self.explorer;
        let hopeful = mark::GOOD_END | mark::CUT | mark::WRONG | mark::DEADLOCK | mark::FAILED;
        let has_hope = |state: usize| shard.marks[state] & hopeful != 0;
        let ends = ends(&self.explorer);
        let hopeless = (0..shard.len()).filter(|&state| ends.contains(state) && !has_hope(state)).count();
        let some = cyclic || self.polls_for_ever;
        if link.sum(hopeless as u64)? == 0 && !cyclic {
            return Ok(Ok(Infinite { some, livelock: None }));
        }
        let mut goals = BitSet::new(shard.len());
        (0..shard.len()).filter(|&state| has_hope(state)).for_each(|state| goals.insert(state));
        match reach(&self.explorer, link, goals, progress)? {
            Err(limit) => return Ok(Err(limit)),
            Ok(reached) => self.livelocks = reached.complement(),
        }
        Ok(Ok(Infinite { some, livelock: self.livelock(link)? }))
    }

    /// The livelock to report: in the first level that has any.
    fn livelock(&self, link: &mut Link<'_>) -> Result<Option<Site>, ClusterLost> {
        let shard = &self.explorer.shard;
        let first = (0..shard.levels.len())
            .find(|&level| shard.level(level).any(|state| self.livelocks.contains(state)));
        let clean = first.is_some_and(|level| {
            shard.level(level).any(|state| self.livelocks.contains(state) && shard.is_clean(state))
        });
        let mut out = Vec::new();
        put(&mut out, first.map_or(0, |level| level as u64 + 1));
        put(&mut out, u64::from(!clean));
        let told = link.tell(&out)?;
        let best = told.iter().filter_map(|told| {
            let mut from = Reader(told);
            Some((from.number().checked_sub(1)? as usize, from.number() != 0))
        });
        let site =
            |(steps, unclean): (usize, bool)| Site { steps, clean: !unclean, place: SOMEWHERE, step: None };
        Ok(best.min().map(site))
    }

    fn trace_of(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Result<Trace, NoTrace>, ClusterLost> {
        let Self { explorer, initial, livelocks, .. } = self;
        let link = &mut self.link.borrow_mut();
        if explorer.is_torn {
            return Ok(Err(NoTrace::Limit(Limit::NoRoom)));
        }
        let path = match &site.place {
            Place::Start(options) => Path { initial: options.clone(), states: Vec::new(), last: None },
            Place::State(_) => {
                let is_state = matches!(kind, ViolationKind::Deadlock | ViolationKind::Livelock);
                let depth = site.steps - usize::from(!is_state);
                path_to(explorer, link, initial, (kind, site, livelocks), depth)?
            }
        };
        trace_along(explorer, link, path, (kind, site), limits, progress)
    }
}

/// What was reached in all processes; a limit if one is lost, which is reported otherwise.
fn or_lost<T>(found: Limited<T>) -> Result<T, Limit> {
    found.unwrap_or(Err(Limit::Interrupted))
}

const BOUNDS: [BoundHit; 2] = [BoundHit::Depth, BoundHit::Rounds];

const KINDS: [ViolationKind; 6] = [
    ViolationKind::Failure,
    ViolationKind::Deadlock,
    ViolationKind::MailboxOverflow,
    ViolationKind::RunawayRecursion,
    ViolationKind::RunError,
    ViolationKind::Livelock,
];

impl<'a> Searched<'a> for Shared<'a, '_, '_> {
    fn system(&self) -> &System<'a> {
        &self.explorer.system
    }

    fn statistics(&self) -> Snapshot {
        self.explorer.statistics
    }

    fn is_complete(&self) -> bool {
        self.explorer.is_complete && self.explorer.limit.is_none()
    }

    fn limit(&self) -> Option<Limit> {
        self.explorer.limit
    }

    fn set_limit(&mut self, limit: Option<Limit>) {
        self.explorer.limit = limit;
    }

    fn fault(&self) -> Option<&str> {
        None
    }

    fn sites(&self) -> Vec<(ViolationKind, Site)> {
        self.sites.clone()
    }

    fn most_sent(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<SendBounds, Limit> {
        let parts = self.explorer.system.program().parts.len();
        let link = &mut self.link.borrow_mut();
        or_lost(sort(&self.explorer, link, (parts, false), self.memory_left(limits), progress))
    }

    fn always_ends(&mut self, _: &Limits, progress: &mut dyn Progress) -> Result<bool, Limit> {
        let link = &mut self.link.borrow_mut();
        let ends = ends(&self.explorer);
        let reached = or_lost(reach(&self.explorer, link, ends, progress))?;
        let left = reached.complement().first().is_some();
        or_lost(link.sum(u64::from(left)).map(|left| Ok(left == 0)))
    }

    fn infinite_runs(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Infinite, Limit> {
        or_lost(self.analyse(limits, progress))
    }

    fn polls_for_ever(&self) -> bool {
        self.polls_for_ever
    }

    fn trace(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Trace, NoTrace> {
        self.trace_of(kind, site, limits, progress).unwrap_or(Err(NoTrace::Limit(Limit::Interrupted)))
    }

    fn rest(self) -> Rest {
        let Explorer { records, cut_by, too_long, .. } = self.explorer;
        Rest { coverage: records.notes.coverage, cut_by, too_long }
    }
}
