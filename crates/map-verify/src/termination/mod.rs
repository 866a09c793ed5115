//! Verdicts from fewer states: which searches are made, under which reductions.
//!
//! Slicing and symmetry keep every trace, its length and what it rests on. Partial order and merging keep whether there
//! is a violation, but not how long its shortest trace is. So a search with them serves to show that there is none; if
//! it finds one, or cannot be sure, a search without them gives the verdict.

use map_ir::{ClauseId, Program};
use map_semantics::Bounds;

#[cfg(test)]
mod cycles_tests;
mod infinite;
mod mark;
mod notes;
mod observer;
pub(crate) mod search;
mod site;
#[cfg(test)]
mod tests;

use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::budget::{Limit, Limits, Progress};
use crate::graph::reach::always_ends;
use crate::partial_order::ample::{AmpleSelector, Assumptions};
use crate::partial_order::overflow::most_sent;
use crate::reductions::Reductions;
use crate::report::{InternalError, Report};
use crate::state::space::Space;
use crate::system::{Layers, SelfCheck, System};
use crate::witness::replay::NoReport;
use crate::witness::shorten::{fewest_agents, without_idle_steps};
use search::Search;

/// How a scene is verified.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What the search may use.
    pub limits: Limits,
    /// Search on after a violation.
    pub keep_going: bool,
    /// The reductions that may be used; what is not proven for the bounds in force is switched off.
    pub reductions: Reductions,
    /// Check the reductions on every state visited.
    pub self_check: bool,
}

/// How many more states than the reduced search may be needed to find a shortest trace of what that has found, before
/// its own trace is good enough.
const EFFORT: usize = 8;

/// At least so many are tried.
const LEAST_EFFORT: usize = 1 << 20;

/// A report, and how it came about.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The report.
    pub report: Report,
    /// The reductions of the search that gave the verdict.
    pub reductions: Reductions,
    /// Whether the traces are known to be shortest. Else they are shortest ones of a search that explores only some
    /// orders of the steps.
    pub shortest: bool,
    /// The most messages that one run sends to the agents of some part together, if that is more than a mailbox holds: with
    /// mailboxes of that size partial order would have been of more use.
    pub crowded: Option<u32>,
}

/// How many steps are tried, in one way or the other.
const SHORTENING: usize = 2_000;

impl Reduced {
    /// Makes the trace of the verdict easier to read, where that is no great effort: fewer agents, or fewer steps.
    pub fn shorten(&mut self, program: &Program, bounds: &Bounds) {
        let Some(violation) = self.report.violations.first_mut() else { return };
        let better = match self.shortest {
            true => fewest_agents(program, bounds, violation, SHORTENING),
            false => without_idle_steps(program, bounds, violation, SHORTENING * 10),
        };
        if let Some(trace) = better {
            violation.steps = trace.steps.len();
            violation.trace = trace;
        }
    }
}

/// Explores the scene without reductions and judges it.
///
/// Without `keep_going` the search ends with the level of the first violation; livelock is judged only by a complete
/// search.
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
    let system = System::new(Space::new(program, bounds), Layers::default());
    Ok(Search::explore(system, limits, keep_going, progress).report(limits, progress)?)
}

/// Explores the scene with reductions and judges it. Under a network that is not instant none are used.
///
/// Unless it is to keep going the search ends with the level of the first violation; livelock is judged only by a
/// complete search.
///
/// # Errors
/// If a trace does not replay, which would be a defect of the engine.
pub fn verify_reduced(
    program: &Program,
    bounds: &Bounds,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Reduced, InternalError> {
    let mut reductions = options.reductions;
    if bounds.network.unordered {
        reductions = Reductions::NONE;
    }
    reductions.merging &= reductions.partial_order;
    if reductions == Reductions::NONE {
        let report = verify(program, bounds, &options.limits, options.keep_going, progress)?;
        return Ok(Reduced { report, reductions, shortest: true, crowded: None });
    }
    let mut verification = Verification {
        program,
        bounds,
        options,
        reductions,
        whole: Vec::new(),
        cyclic: false,
        crowded: None,
        progress,
    };
    verification.run()
}

struct Verification<'a, 'p> {
    program: &'a Program,
    bounds: &'a Bounds,
    options: &'a Options,
    reductions: Reductions,
    /// Clauses that slicing must leave as they are.
    whole: Vec<ClauseId>,
    /// Whether the search with partial order found a cycle.
    cyclic: bool,
    /// See [`Reduced::crowded`].
    crowded: Option<u32>,
    progress: &'p mut dyn Progress,
}

impl<'a> Verification<'a, '_> {
    fn run(&mut self) -> Result<Reduced, InternalError> {
        let mut limits = self.options.limits;
        let mut found = None;
        if self.reductions.partial_order {
            let mut search = self.search_reduced()?;
            let states = search.states();
            if search.is_violated() {
                found = match self.report(search, self.reductions, false) {
                    Ok(found) => Some(found),
                    Err(NoReport::Unlifted) => None,
                    Err(NoReport::Broken(error)) => return Err(error),
                };
                if found.is_some() && !self.options.keep_going {
                    limits.states = limits.states.min(LEAST_EFFORT.max(EFFORT.saturating_mul(states)));
                }
            } else if self.is_conclusive(&mut search) {
                return Ok(self.report(search, self.reductions, true)?);
            }
        }
        let plainer = self.reductions.without_orders();
        let mut search = self.search(plainer, None, &limits, self.options.keep_going)?;
        match found {
            Some(mut found) if search.limit().is_some() && !search.is_violated() => {
                let interrupted = search.limit().filter(|&it| it == Limit::Interrupted);
                found.report.limit = Limit::told(found.report.limit, interrupted);
                Ok(found)
            }
            // Both have replayed their traces: one of the two systems is built in the wrong way.
            Some(found) if !found.report.violations.is_empty() && !search.is_violated() => Err(
                InternalError("a search of all orders misses what one of some orders has found".to_owned()),
            ),
            _ => {
                // A level that was not finished may hold another violation that is no further away.
                let shortest = search.limit().is_none() || !search.is_violated();
                if !shortest
                    && search.limit() == Some(Limit::States)
                    && limits.states < self.options.limits.states
                {
                    search.set_limit(None);
                }
                match self.report(search, plainer, shortest) {
                    Err(NoReport::Unlifted) => self.without_reductions(),
                    reported => Ok(reported?),
                }
            }
        }
    }

    /// Searches with partial order. It relies on no mailbox being able to overflow in any order of steps, and is made
    /// again without that where it turns out not to be so.
    fn search_reduced(&mut self) -> Result<Search<'a>, InternalError> {
        let mut assumptions = Assumptions { roomy: vec![true; self.program.parts.len()] };
        loop {
            let limits = self.options.limits;
            let mut search = self.search(self.reductions, Some(&assumptions), &limits, false)?;
            if search.is_violated() || !search.is_complete() {
                return Ok(search);
            }
            let (states, parts) = (search.states(), assumptions.roomy.len());
            let sent = search.judge_graph(&limits, self.progress, |edges, sent, budget| {
                most_sent(edges, sent, states, parts, budget)
            });
            let sent = match sent {
                Ok(sent) => sent,
                Err(limit) => {
                    search.set_limit(Some(limit));
                    return Ok(search);
                }
            };
            let crowded = sent.most.iter().flatten().copied().filter(|&most| most > self.bounds.mailbox);
            self.crowded = self.crowded.max(crowded.max());
            let roomy = sent.most.iter().map(|most| most.is_some_and(|most| most <= self.bounds.mailbox));
            let still: Vec<bool> =
                roomy.zip(&assumptions.roomy).map(|(now, before)| now && *before).collect();
            if still == assumptions.roomy {
                self.cyclic = sent.cyclic;
                return Ok(search);
            }
            assumptions.roomy = still;
        }
    }

    /// Whether a search without violations says all: a limit came first, or nothing was put off for ever, for from every
    /// state a state can be reached in which nothing is left to do.
    fn is_conclusive(&mut self, search: &mut Search<'a>) -> bool {
        if search.is_complete() {
            // Without cycles every state leads to an end.
            if !self.cyclic {
                search.conclude(false);
                return true;
            }
            let limits = &self.options.limits;
            let always_ends = search.judge_graph(limits, self.progress, |edges, _, budget| {
                always_ends(edges, search.states(), budget)
            });
            match always_ends {
                Ok(true) => {
                    search.conclude(true);
                    return true;
                }
                Ok(false) => return false,
                Err(limit) => search.set_limit(Some(limit)),
            }
        }
        search.limit().is_some()
    }

    /// One search; made again as long as slicing has taken out too much.
    fn search(
        &mut self,
        reductions: Reductions,
        assumptions: Option<&Assumptions>,
        limits: &Limits,
        keep_going: bool,
    ) -> Result<Search<'a>, InternalError> {
        loop {
            let system = self.system(reductions, assumptions);
            let search = Search::explore(system, limits, keep_going, self.progress);
            if let Some(fault) = &search.explorer.fault {
                return Err(InternalError(format!("self-check: {fault}")));
            }
            let before = self.whole.len();
            self.whole.extend(search.explorer.system.space.agents.doubtful());
            if self.whole.len() == before {
                return Ok(search);
            }
        }
    }

    /// The scene's transition system under reductions.
    fn system(&self, reductions: Reductions, assumptions: Option<&Assumptions>) -> System<'a> {
        let (program, bounds) = (self.program, self.bounds);
        let slicer = || reductions.slicing.then(|| Slicer::new(program, bounds, &self.whole));
        let symmetry =
            if reductions.symmetry { Symmetry::new(program, bounds) } else { Symmetry::none(program) };
        let space = Space::up_to(program, bounds, slicer(), symmetry);
        let self_check = self
            .options
            .self_check
            .then(|| SelfCheck::new(Space::up_to(program, bounds, slicer(), Symmetry::none(program))));
        let layers = Layers {
            ample: assumptions.map(|assumptions| AmpleSelector::new(&space, assumptions.clone())),
            merging: reductions.merging,
            self_check,
        };
        System::new(space, layers)
    }

    fn without_reductions(&mut self) -> Result<Reduced, InternalError> {
        let Options { limits, keep_going, .. } = self.options;
        let report = verify(self.program, self.bounds, limits, *keep_going, self.progress)?;
        Ok(Reduced { report, reductions: Reductions::NONE, shortest: true, crowded: None })
    }

    fn report(
        &mut self,
        search: Search<'a>,
        reductions: Reductions,
        shortest: bool,
    ) -> Result<Reduced, NoReport> {
        let report = search.report(&self.options.limits, self.progress)?;
        Ok(Reduced { report, reductions, shortest, crowded: self.crowded })
    }
}
