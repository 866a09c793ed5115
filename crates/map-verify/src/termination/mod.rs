//! Verification of termination: which searches are run, and with which reductions.
//!
//! Slicing and symmetry preserve every trace, its length and the open comparisons it depends on. Partial-order
//! reduction and merging preserve whether there is a violation, but not the length of its shortest trace. So a search
//! with them can prove that there is none; if it finds one, or is inconclusive, a search without them gives the
//! verdict.

use map_ir::{AgentId, ClauseId, PartId, Program};
use map_semantics::{Bounds, Network};

mod ahead;
mod alone;
mod along;
#[cfg(test)]
mod cycles_tests;
mod directed;
mod infinite;
mod kept;
mod notes;
mod observer;
mod searched;
mod site;
#[cfg(test)]
mod tests;
mod together;
mod visited;

pub use ahead::{GoodEnds, good_ends};
pub use together::verify_together;
pub use visited::visit_states;

use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::abstraction::words::Words;
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot, with_budget};
use crate::partial_order::ample::{AmpleSelector, Watched};
use crate::partial_order::overflow::SendBounds;
use crate::reductions::Reductions;
use crate::report::{InternalError, Report, Verdict, Violation, ViolationKind};
use crate::state::space::Space;
use crate::system::{Layers, SelfCheck, System};
use crate::witness::replay::NoReport;
use crate::witness::shorten::{fewest_agents, without_idle_steps};
use alone::Alone;
use directed::find_overflow;
use searched::{Search, Searched};

/// How a scene is verified.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The limits of the search.
    pub limits: Limits,
    /// Whether to continue after a violation.
    pub keep_going: bool,
    /// The reductions that may be used; those not proven sound for the bounds in force are switched off.
    pub reductions: Reductions,
    /// Whether to check the reductions on every expanded state.
    pub self_check: bool,
}

/// How many times the states of the reduced search may be spent on finding a shortest trace; after that the trace of
/// the reduced search is used.
const EFFORT: usize = 8;

/// The search for a shortest trace may visit at least this many states.
const LEAST_EFFORT: usize = 1 << 20;

/// Overflows may be far away, behind more states than can be visited, so the search for a shortest trace to one may
/// visit half as many states for each so many steps of the trace that is known, down to the number below.
const HALVED_EACH: usize = 16;

/// The search for a shortest trace to an overflow may visit at least this many states.
const LEAST_FOR_OVERFLOW: usize = 1 << 12;

/// A report, and how it was obtained.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The report.
    pub report: Report,
    /// The reductions of the search that gave the verdict.
    pub reductions: Reductions,
    /// Whether the traces are known to be shortest. Otherwise they are shortest among the interleavings explored by a
    /// reduced search.
    pub shortest: bool,
    /// The maximum number of messages that one run sends to the agents of some part together, if that exceeds the
    /// mailbox bound. With mailboxes of this size partial-order reduction would have been more effective.
    pub crowded: Option<u32>,
}

/// Number of steps that shortening may try.
const SHORTENING: usize = 2_000;

/// In larger casts it may try fewer: the cost of a step on plain states is proportional to the cast.
const SHORTENED_AGENTS: usize = 32;

impl SearchResult {
    /// Makes the trace of the verdict easier to read, with bounded effort: fewer agents, or fewer steps.
    pub fn shorten(&mut self, program: &Program, bounds: &Bounds) {
        let Some(violation) = self.report.violations.first_mut() else { return };
        let effort = SHORTENING * SHORTENED_AGENTS / program.agents.len().max(SHORTENED_AGENTS);
        let better = match self.shortest {
            true => fewest_agents(program, bounds, violation, effort),
            false => without_idle_steps(program, bounds, violation, effort * 10),
        };
        if let Some(trace) = better {
            violation.steps = trace.steps.len();
            violation.trace = trace;
        }
    }
}

/// Explores the scene without reductions and decides whether it terminates.
///
/// Without `keep_going` the search ends with the level of the first violation. Livelocks are detected only by a
/// complete search.
///
/// # Errors
/// If a trace does not replay, which would be a defect of the engine.
pub fn verify(
    program: &Program,
    bounds: &Bounds,
    limits: &Limits,
    keep_going: bool,
    progress: &mut dyn Progress,
) -> Result<Report, InternalError> {
    Ok(explore_all(program, bounds, (limits, keep_going), &mut InProcess, progress)?)
}

/// Who searches: this process alone, or several together.
trait Searches<'a> {
    /// A search, complete or not.
    type Made: Searched<'a>;

    /// Explores a system, as [`Alone::explore`] does.
    ///
    /// # Errors
    /// If what was kept of the search cannot be read.
    fn explore(
        &mut self,
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Result<Self::Made, InternalError>;

    /// Whether this was so wherever the search is run.
    fn agree(&mut self, here: bool) -> bool;
}

/// Searches alone.
struct InProcess;

impl<'a> Searches<'a> for InProcess {
    type Made = Alone<'a>;

    fn explore(
        &mut self,
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Result<Alone<'a>, InternalError> {
        Alone::explore(system, limits, keep_going, progress)
    }

    fn agree(&mut self, here: bool) -> bool {
        here
    }
}

/// The report of a search without reductions.
fn explore_all<'a>(
    program: &'a Program,
    bounds: &'a Bounds,
    (limits, keep_going): (&Limits, bool),
    engine: &mut impl Searches<'a>,
    progress: &mut dyn Progress,
) -> Result<Report, NoReport> {
    let system = System::new(Space::new(program, bounds), Layers::default());
    let made = engine.explore(system, limits, keep_going, progress).map_err(NoReport::Broken)?;
    Search::new(made).report(limits, progress)
}

/// Explores the scene with reductions and decides whether it terminates. With unordered mailboxes, or messages
/// under way, no reductions are used; where steps are behind the runs, only slicing.
///
/// Without [`Options::keep_going`] the search ends with the level of the first violation. Livelocks are detected only
/// by a complete search.
///
/// # Errors
/// If a trace does not replay, which would be a defect of the engine.
pub fn verify_reduced(
    program: &Program,
    bounds: &Bounds,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<SearchResult, InternalError> {
    whole_search(program, bounds, options, InProcess, progress)
}

/// The same, whoever searches.
fn whole_search(
    program: &Program,
    bounds: &Bounds,
    options: &Options,
    mut engine: impl for<'a> Searches<'a>,
    progress: &mut dyn Progress,
) -> Result<SearchResult, InternalError> {
    let mut reductions = options.reductions;
    // By name: whoever adds a bound decides here whether the reductions are sound under it.
    let Bounds { depth: _, rounds: _, rounds_of: _, mailbox: _, timeouts: _, network, after } = bounds;
    let Network { unordered, delayed, losses: _, crashes: _ } = *network;
    if after.is_some() {
        reductions = reductions.after_steps();
    }
    if unordered || delayed {
        reductions = Reductions::NONE;
    }
    reductions.merging &= reductions.partial_order;
    if reductions == Reductions::NONE {
        let limits = (&options.limits, options.keep_going);
        let report = explore_all(program, bounds, limits, &mut engine, progress)?;
        return Ok(SearchResult { report, reductions, shortest: true, crowded: None });
    }
    // Where steps are behind the runs, these begin in a state of the program as it is written.
    let words = if after.is_some() { Words::as_written(program) } else { Words::of(program) };
    let mut verification = Verification {
        program: &words.program,
        bounds,
        options,
        engine,
        reductions,
        whole: Vec::new(),
        cyclic: false,
        crowded: None,
        progress,
    };
    let mut reduced = verification.run()?;
    let unread = &mut reduced.report.unused.unread;
    unread.iter_mut().for_each(|(left, _)| *left = words.written(*left));
    unread.sort_unstable();
    unread.dedup();
    Ok(reduced)
}

/// How many states the search for a shortest trace may visit, if a search that has visited `states` has found a
/// violation.
fn effort(found: Option<&Violation>, states: usize) -> usize {
    match found {
        Some(Violation { kind: ViolationKind::MailboxOverflow, steps, .. }) => {
            let halved = u32::try_from(steps / HALVED_EACH).unwrap_or(u32::MAX);
            LEAST_EFFORT.checked_shr(halved).unwrap_or(0).max(LEAST_FOR_OVERFLOW)
        }
        _ => LEAST_EFFORT.max(EFFORT.saturating_mul(states)),
    }
}

/// A search with partial-order reduction.
struct Pruned<S> {
    search: Search<S>,
    /// An overflow that another search has found.
    overflow: Option<Violation>,
    /// Whether it is final.
    conclusive: bool,
}

struct Verification<'a, 'p, E> {
    program: &'a Program,
    bounds: &'a Bounds,
    options: &'a Options,
    engine: E,
    reductions: Reductions,
    /// Clauses that must not be sliced.
    whole: Vec<ClauseId>,
    /// Whether the search with partial-order reduction found a cycle.
    cyclic: bool,
    /// See [`SearchResult::crowded`].
    crowded: Option<u32>,
    progress: &'p mut dyn Progress,
}

impl<'a, E: Searches<'a>> Verification<'a, '_, E> {
    fn run(&mut self) -> Result<SearchResult, InternalError> {
        let mut limits = self.options.limits;
        let mut found = None;
        if self.reductions.partial_order {
            let Pruned { search, overflow, conclusive } = self.search_reduced()?;
            let states = search.made.statistics().states;
            if conclusive {
                return Ok(self.report(search, self.reductions, true)?);
            }
            if search.is_violated() || overflow.is_some() {
                found = match self.report(search, self.reductions, false) {
                    Ok(found) => Some(found),
                    Err(NoReport::Unlifted) => None,
                    Err(NoReport::Broken(error)) => return Err(error),
                };
                if let (Some(found), Some(overflow)) = (&mut found, overflow) {
                    found.report.verdict = Verdict::Violated(overflow.kind);
                    found.report.violations = vec![overflow];
                }
                if let Some(found) = found.as_ref().filter(|_| !self.options.keep_going) {
                    limits.states = limits.states.min(effort(found.report.violations.first(), states));
                }
            }
        }
        let plainer = self.reductions.without_partial_order();
        let mut search = self.search(plainer, None, &limits, self.options.keep_going)?;
        match found {
            Some(mut found) if search.made.limit().is_some() && !search.is_violated() => {
                let interrupted = search.made.limit().filter(|&it| it == Limit::Interrupted);
                found.report.limit = Limit::reported(found.report.limit, interrupted);
                Ok(found)
            }
            // Both searches replay their traces, so one of the two systems is wrong.
            Some(found) if !found.report.violations.is_empty() && !search.is_violated() => Err(
                InternalError("a search of all orders misses what one of some orders has found".to_owned()),
            ),
            _ => {
                // An unfinished level may contain another violation at the same distance.
                let shortest = search.made.limit().is_none() || !search.is_violated();
                if !shortest
                    && search.made.limit() == Some(Limit::States)
                    && limits.states < self.options.limits.states
                {
                    search.made.set_limit(None);
                }
                match self.report(search, plainer, shortest) {
                    Err(NoReport::Unlifted) => self.without_reductions(),
                    reported => Ok(reported?),
                }
            }
        }
    }

    /// Searches with partial-order reduction, assuming that no mailbox can overflow in any interleaving. Where a run
    /// sends more than a mailbox holds, an overflow is looked for, and if that finds none the search is repeated for
    /// one agent after the other, without this assumption about its mailbox.
    fn search_reduced(&mut self) -> Result<Pruned<E::Made>, InternalError> {
        let (mut search, sent) = self.search_watching(Watched::Nobody)?;
        let most = sent.map_or(Vec::new(), |sent| sent.most);
        let is_crowded = |part: &PartId| most[part.index()].is_none_or(|most| most > self.bounds.mailbox);
        let crowded: Vec<PartId> = (0..most.len()).map(PartId::new).filter(is_crowded).collect();
        self.crowded = crowded.iter().filter_map(|part| most[part.index()]).max();
        let mut overflow: Option<Violation> = None;
        for &part in &crowded {
            let found = self.directed(part, &search.made.statistics())?;
            overflow = overflow.into_iter().chain(found).min_by_key(|found| found.steps);
        }
        if overflow.is_some() {
            return Ok(Pruned { search, overflow, conclusive: false });
        }
        let mut conclusive = crowded.is_empty() && self.conclude_search(&mut search);
        let watched: Vec<AgentId> = crowded.into_iter().flat_map(|part| self.representatives(part)).collect();
        for agent in watched {
            drop(search);
            search = self.search_watching(Watched::Agent(agent))?.0;
            conclusive = self.conclude_search(&mut search);
            if !conclusive || search.made.limit().is_some() {
                break;
            }
        }
        Ok(Pruned { search, overflow: None, conclusive })
    }

    /// A search with partial-order reduction, and bounds on what its runs send if it is complete and without violation.
    fn search_watching(
        &mut self,
        watched: Watched,
    ) -> Result<(Search<E::Made>, Option<SendBounds>), InternalError> {
        let limits = self.options.limits;
        let mut search = self.search(self.reductions, Some(watched), &limits, false)?;
        if search.is_violated() || !search.made.is_complete() {
            return Ok((search, None));
        }
        match search.made.most_sent(&limits, self.progress) {
            Ok(sent) => {
                self.cyclic = sent.cyclic;
                Ok((search, Some(sent)))
            }
            Err(limit) => {
                search.made.set_limit(Some(limit));
                Ok((search, None))
            }
        }
    }

    /// An overflow of a mailbox of a part, from a directed search that may overlook some. `searched` is the extent of
    /// the search before.
    fn directed(&mut self, part: PartId, searched: &Snapshot) -> Result<Option<Violation>, InternalError> {
        let mut system = self.system(self.reductions, Some(Watched::Fullest(part)));
        system.space.stop = self.progress.stop();
        let find = |budget: &mut Budget<'_>| find_overflow(&mut system, part, budget);
        let found = with_budget(searched, &self.options.limits, self.progress, find)?;
        let agreed = self.engine.agree(found.is_some());
        Ok(found.filter(|_| agreed))
    }

    /// The agents of a part, but only one of those that are interchangeable.
    fn representatives(&self, part: PartId) -> Vec<AgentId> {
        let symmetry = self.symmetry(self.reductions);
        let agents = self.program.part(part).agents.iter().copied();
        agents.filter(|&agent| symmetry.stands_for(agent) == agent).collect()
    }

    /// Concludes a search if it is final, and returns whether it is: it has no violation, and a limit was reached, or
    /// every state can reach one without steps, so no pruned step was postponed for ever.
    fn conclude_search(&mut self, search: &mut Search<E::Made>) -> bool {
        if search.is_violated() {
            return false;
        }
        if search.made.is_complete() {
            // Without cycles every state leads to an end.
            if !self.cyclic {
                search.conclude(false);
                return true;
            }
            let limits = &self.options.limits;
            match search.made.always_ends(limits, self.progress) {
                Ok(true) => {
                    search.conclude(true);
                    return true;
                }
                Ok(false) => return false,
                Err(limit) => search.made.set_limit(Some(limit)),
            }
        }
        search.made.limit().is_some()
    }

    /// Runs a search, repeatedly as long as slicing has removed too much.
    fn search(
        &mut self,
        reductions: Reductions,
        watched: Option<Watched>,
        limits: &Limits,
        keep_going: bool,
    ) -> Result<Search<E::Made>, InternalError> {
        loop {
            let system = self.system(reductions, watched);
            let search = Search::new(self.engine.explore(system, limits, keep_going, self.progress)?);
            if let Some(fault) = search.made.fault() {
                return Err(InternalError(format!("self-check: {fault}")));
            }
            let before = self.whole.len();
            self.whole.extend(search.made.system().space.agents.doubtful());
            if self.whole.len() == before {
                return Ok(search);
            }
        }
    }

    /// The agents that are interchangeable under reductions.
    fn symmetry(&self, reductions: Reductions) -> Symmetry {
        match reductions.symmetry {
            true => Symmetry::new(self.program, self.bounds),
            false => Symmetry::none(self.program),
        }
    }

    /// The scene's transition system under reductions; with ample sets if it is said whose mailbox is watched.
    fn system(&self, reductions: Reductions, watched: Option<Watched>) -> System<'a> {
        let (program, bounds) = (self.program, self.bounds);
        let slicer = || reductions.slicing.then(|| Slicer::new(program, bounds, &self.whole));
        let symmetry = match watched {
            Some(Watched::Agent(agent)) => self.symmetry(reductions).without(agent),
            _ => self.symmetry(reductions),
        };
        let space = Space::up_to(program, bounds, slicer(), symmetry);
        let self_check = self
            .options
            .self_check
            .then(|| SelfCheck::new(Space::up_to(program, bounds, slicer(), Symmetry::none(program))));
        let layers = Layers {
            ample: watched.map(|watched| AmpleSelector::new(&space, watched)),
            merging: reductions.merging,
            self_check,
        };
        System::new(space, layers)
    }

    fn without_reductions(&mut self) -> Result<SearchResult, InternalError> {
        let limits = (&self.options.limits, self.options.keep_going);
        let report = explore_all(self.program, self.bounds, limits, &mut self.engine, self.progress)?;
        Ok(SearchResult { report, reductions: Reductions::NONE, shortest: true, crowded: None })
    }

    fn report(
        &mut self,
        search: Search<E::Made>,
        reductions: Reductions,
        shortest: bool,
    ) -> Result<SearchResult, NoReport> {
        let report = search.report(&self.options.limits, self.progress)?;
        Ok(SearchResult { report, reductions, shortest, crowded: self.crowded })
    }
}
