//! What the verification asks of a search, whoever runs it, and the report of one.

use std::collections::BTreeSet;

use map_semantics::BoundHit;

use super::site::Site;
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::coverage::Coverage;
use crate::partial_order::overflow::SendBounds;
use crate::report::{Report, Trace, Verdict, Violation, ViolationKind};
use crate::system::System;
use crate::witness::replay::{NoReport, NoTrace};

/// A search for termination, complete or not: by one process ([`super::alone`]), or by several ([`super::together`]).
pub(super) trait Searched<'a> {
    /// The system that was searched.
    fn system(&self) -> &System<'a>;

    /// The extent of the search.
    fn statistics(&self) -> Snapshot;

    /// Whether every state was expanded.
    fn is_complete(&self) -> bool;

    /// The limit that ended the search.
    fn limit(&self) -> Option<Limit>;

    /// Replaces the limit that ended the search.
    fn set_limit(&mut self, limit: Option<Limit>);

    /// What the self-check found wrong.
    fn fault(&self) -> Option<&str>;

    /// The best site of each kind of violation found so far.
    fn sites(&self) -> Vec<(ViolationKind, Site)>;

    /// Bounds on what runs of the finished graph send, as [`crate::partial_order::overflow::most_sent`] has them.
    ///
    /// # Errors
    /// The limit that was reached.
    fn most_sent(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<SendBounds, Limit>;

    /// Whether every state of the finished graph can reach one whose transitions are all faults.
    ///
    /// # Errors
    /// The limit that was reached.
    fn always_ends(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<bool, Limit>;

    /// Analyses the finished graph.
    ///
    /// # Errors
    /// The limit that was reached.
    fn infinite_runs(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Infinite, Limit>;

    /// Whether at some state only polls can happen.
    fn polls_for_ever(&self) -> bool;

    /// A trace to a violation, replayed: among the shortest ones, and of these those that depend on no open comparison
    /// if there are any, the first in the order of steps.
    ///
    /// # Errors
    /// If there is none, or a limit was reached.
    fn trace(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Trace, NoTrace>;

    /// The rest of what was found.
    fn rest(self) -> Rest;
}

/// The infinite runs of a finished graph.
pub(super) struct Infinite {
    /// Whether some run never ends.
    pub(super) some: bool,
    /// The first livelock.
    pub(super) livelock: Option<Site>,
}

/// What is left of a search when its violations have been reported.
pub(super) struct Rest {
    pub(super) coverage: Coverage,
    /// The bounds that cut off some step.
    pub(super) cut_by: BTreeSet<BoundHit>,
    /// Whether some act made too many calls.
    pub(super) too_long: bool,
}

/// A search, and what was concluded from its graph.
pub(super) struct Search<S> {
    pub(super) made: S,
    /// Whether the graph has a cycle, if that is known, and that every state can reach an end.
    cyclic: Option<bool>,
}

impl<'a, S: Searched<'a>> Search<S> {
    pub(super) fn new(made: S) -> Self {
        Self { made, cyclic: None }
    }

    /// Whether a violation was found so far.
    pub(super) fn is_violated(&self) -> bool {
        !self.made.sites().is_empty()
    }

    /// Records that every state of the finished graph can reach an end, and whether it has a cycle.
    pub(super) fn conclude(&mut self, cyclic: bool) {
        self.cyclic = Some(cyclic);
    }

    /// Whether a trace to a site is made so soon that no limit is asked: what was found is shown, whatever ended the
    /// search.
    fn is_short(&self, site: &Site) -> bool {
        site.steps.saturating_mul(self.made.system().program().agents.len()) <= SHORT
    }

    /// The report of the search.
    ///
    /// # Errors
    /// If a trace cannot be lifted, or does not replay, which would be a defect of the engine.
    pub(super) fn report(mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Report, NoReport> {
        let statistics = self.made.statistics();
        // A search that prunes steps is conclusive only after the graph analysis.
        let prunes = self.made.system().prunes();
        let searched = self.made.is_complete() && (self.cyclic.is_some() || !prunes);
        let mut infinite = false;
        let mut sites = self.made.sites();
        if searched {
            let found = match self.cyclic {
                Some(cyclic) => Ok(Infinite { some: cyclic || self.made.polls_for_ever(), livelock: None }),
                None => self.made.infinite_runs(limits, progress),
            };
            match found {
                Err(limit) => self.made.set_limit(Some(limit)),
                Ok(found) => {
                    infinite = found.some;
                    sites.extend(found.livelock.map(|site| (ViolationKind::Livelock, site)));
                }
            }
        }
        let (mut violations, mut untraced) = (Vec::new(), Vec::new());
        for (kind, site) in sites {
            let made = match self.is_short(&site) {
                true => self.made.trace(kind, &site, &with_room(limits, &statistics), &mut Unlimited),
                false => self.made.trace(kind, &site, limits, progress),
            };
            match made {
                Ok(trace) => {
                    // A lifted trace contains the merged steps, so it is longer than the path searched.
                    let steps = trace.steps.len();
                    violations.push(Violation { kind, steps, possible: !site.clean, trace });
                }
                Err(NoTrace::Limit(limit)) => {
                    self.made.set_limit(Some(limit));
                    untraced.push(kind);
                }
                Err(NoTrace::Unlifted) => return Err(NoReport::Unlifted),
                Err(NoTrace::Broken(error)) => return Err(NoReport::Broken(error)),
            }
        }
        violations.sort_by_key(|violation| (violation.steps, violation.kind));
        let (program, bounds) = (self.made.system().program(), self.made.system().space.bounds);
        let orbits: Vec<_> = program.cast().map(|agent| self.made.system().orbit(agent)).collect();
        let ended = self.made.limit();
        let Rest { mut coverage, cut_by, too_long } = self.made.rest();
        coverage.spread(|agent| orbits[agent.index()].clone());
        let limit = ended.or(if too_long { Some(Limit::Calls) } else { None });
        let verdict = match violations.first() {
            Some(violation) => Verdict::Violated(violation.kind),
            None if limit.is_some() => Verdict::Inconclusive,
            None if infinite => Verdict::TerminatesIfFair,
            None => Verdict::Terminates,
        };
        let complete = searched && cut_by.is_empty() && limit.is_none();
        Ok(Report {
            verdict,
            complete,
            cut_by: cut_by.into_iter().collect(),
            searched,
            statistics,
            violations,
            untraced,
            limit,
            unused: coverage.unused(program),
            compared: coverage.has_compared(),
            bounds: bounds.clone(),
        })
    }
}

/// The most steps of a trace times agents of the scene for which no limit is asked: some milliseconds.
const SHORT: usize = 1 << 10;

/// Bytes that are enough for such a trace.
const ROOM: usize = 1 << 26;

/// The limits of a search with these statistics, with room for a short trace.
fn with_room(limits: &Limits, statistics: &Snapshot) -> Limits {
    Limits { memory: limits.memory.max(statistics.memory.saturating_add(ROOM)), ..*limits }
}

/// Nothing ends the work.
struct Unlimited;

impl Progress for Unlimited {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}
