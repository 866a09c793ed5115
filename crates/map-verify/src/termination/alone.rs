//! The result of a search for termination: verdict, violations with their traces, and what never happened.

use std::io::ErrorKind;

use map_graph::BitSet;
use map_ir::ClauseId;
use map_semantics::{Ending, Outcome, Status, Step};

use super::infinite::{Analysis, analyse};
use super::kept::go_on;
use super::mark;
use super::observer::Termination;
use super::site::{Place, Site};
use crate::budget::{Budget, Limit, Limits, Progress};
use crate::explore::{Explorer, Start};
use crate::graph::cycles::has_cycle;
use crate::graph::edges::Edges;
use crate::partial_order::overflow::Weight;
use crate::report::{InternalError, Report, Trace, Verdict, Violation, ViolationKind};
use crate::saved::In;
use crate::system::System;
use crate::witness::lift::lift;
use crate::witness::replay::{KEPT_MESSAGE, NoReport, NoTrace, confirm};

/// A search for termination, complete or not.
pub(crate) struct Search<'a> {
    pub(crate) explorer: Explorer<'a, Termination<'a>>,
    /// The analysis of the finished graph, if it was done already.
    analysis: Option<Analysis>,
}

impl<'a> Search<'a> {
    /// Explores until no state is left, a limit is reached, or, without `keep_going`, the level of the first
    /// violation is done; or until the system turns out to need rebuilding. Goes on from what was kept of the search,
    /// if there is anything.
    ///
    /// # Errors
    /// If what was kept cannot be read.
    pub(crate) fn explore(
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Result<Self, InternalError> {
        let explorer =
            Explorer::new(system, limits, |system| Termination::new(system, &limits.tuning, keep_going));
        let mut search = Self { explorer, analysis: None };
        search.start(limits, progress);
        let earlier = progress.resume();
        if search.explorer.limit.is_none() && search.states() > 0 {
            if progress.keeps() {
                search.explorer.prepare_to_keep();
            }
            if let Some(mut earlier) = earlier {
                match go_on(&mut search.explorer, In::new(&mut *earlier)) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                        search.explorer.limit = Some(Limit::NoRoom);
                    }
                    Err(error) => {
                        return Err(InternalError(format!(
                            "the search cannot go on from what was kept: {error}"
                        )));
                    }
                }
            }
        }
        search.explorer.run(limits, progress);
        Ok(search)
    }

    /// Stores the initial states and records how the agents reached it.
    fn start(&mut self, limits: &Limits, progress: &mut dyn Progress) {
        let judge = &mut |explorer: &mut Explorer<'a, Termination<'a>>, start: &Start<'_>| {
            let program = explorer.system.program();
            for (agent, outcome) in program.agents.iter().zip(start.outcomes) {
                judge_start(&mut explorer.observer, program.part(agent.part).entry, start, outcome);
            }
        };
        if let Err(limit) = self.explorer.start(limits, progress, judge) {
            self.explorer.limit = Some(limit);
        }
        let Explorer { observer: found, initial_states, .. } = &mut self.explorer;
        if *initial_states > 0 {
            found.marks.resize(*initial_states, mark::CLEAN);
            found.edges.start(*initial_states as u32);
        }
    }

    /// Whether every state was expanded.
    pub(crate) fn is_complete(&self) -> bool {
        self.explorer.is_complete()
    }

    /// Number of states found.
    pub(crate) fn states(&self) -> usize {
        self.explorer.states()
    }

    /// The limit that ended the search.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.explorer.limit
    }

    /// Replaces the limit that ended the search.
    pub(crate) fn set_limit(&mut self, limit: Option<Limit>) {
        self.explorer.limit = limit;
    }

    /// Whether a violation was found so far.
    pub(crate) fn is_violated(&self) -> bool {
        !self.explorer.observer.sites.is_empty()
    }

    /// Records that every state of the finished graph can reach an end, and whether it has a cycle.
    pub(crate) fn conclude(&mut self, cyclic: bool) {
        let polls_for_ever = self.explorer.observer.marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0);
        self.analysis =
            Some(Analysis { infinite_run: cyclic || polls_for_ever, livelocks: BitSet::default() });
    }

    /// Analyses the finished graph by calling `see` with the transitions and the weights that their numbers stand
    /// for.
    pub(crate) fn judge_graph<T>(
        &self,
        limits: &Limits,
        progress: &mut dyn Progress,
        see: impl FnOnce(&Edges, &[Weight], &mut Budget<'_>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let found = &self.explorer.observer;
        let weights: Vec<Weight> = found.weights.iter().cloned().collect();
        self.explorer.with_budget(limits, progress, |budget| see(&found.edges, &weights, budget))
    }

    /// The report of the search.
    ///
    /// # Errors
    /// If a trace cannot be lifted, or does not replay, which would be a defect of the engine.
    pub(crate) fn report(mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Report, NoReport> {
        let (program, bounds) = (self.explorer.system.program(), self.explorer.system.space.bounds);
        let statistics = self.explorer.snapshot();
        // A search that prunes steps is conclusive only after the graph analysis.
        let searched = self.is_complete() && (self.analysis.is_some() || !self.explorer.system.prunes());
        let mut infinite = false;
        if searched {
            let analysis = match self.analysis.take() {
                Some(known) => Ok(known),
                None => self.judge_graph(limits, progress, |edges, _, budget| {
                    let may_cycle = self.explorer.system.space.agents.may_cycle(budget)?;
                    debug_assert!(
                        may_cycle || !has_cycle(edges, self.states(), budget)?,
                        "no run goes round"
                    );
                    analyse(edges, &self.explorer.observer.marks, may_cycle, budget)
                }),
            };
            match analysis {
                Err(limit) => self.explorer.limit = Some(limit),
                Ok(analysis) => {
                    infinite = analysis.infinite_run;
                    if let Some(first) = analysis.livelocks.first() {
                        let site = self.livelock(first, |state| analysis.livelocks.contains(state));
                        self.explorer.observer.offer(ViolationKind::Livelock, site);
                    }
                }
            }
        }
        let (mut violations, mut untraced) = (Vec::new(), Vec::new());
        let memory = limits.memory.saturating_sub(statistics.memory);
        let mut budget = Budget {
            memory,
            threads: 1,
            tuning: limits.tuning,
            stop: progress.stop(),
            tick: &mut || progress.tick(&statistics),
        };
        for (kind, site) in std::mem::take(&mut self.explorer.observer.sites) {
            let trace = self.trace_to(kind, &site, &mut budget).and_then(|trace| {
                confirm(program, bounds, kind, !site.clean, &trace, &mut budget)?;
                Ok(trace)
            });
            match trace {
                Ok(trace) => {
                    // A lifted trace contains the merged steps, so it is longer than the path searched.
                    let steps = trace.steps.len();
                    violations.push(Violation { kind, steps, possible: !site.clean, trace });
                }
                Err(NoTrace::Limit(limit)) => {
                    self.explorer.limit = Some(limit);
                    untraced.push(kind);
                }
                Err(NoTrace::Unlifted) => return Err(NoReport::Unlifted),
                Err(NoTrace::Broken(error)) => return Err(NoReport::Broken(error)),
            }
        }
        let Explorer { system, observer, cut_by, too_long, limit, .. } = self.explorer;
        let mut coverage = observer.coverage;
        coverage.spread(|agent| system.orbit(agent));
        violations.sort_by_key(|violation| (violation.steps, violation.kind));
        let limit = limit.or(if too_long { Some(Limit::Calls) } else { None });
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
            bounds: bounds.clone(),
        })
    }

    /// The livelock to show: the first one, or one in the same level whose trace depends on no open comparison.
    fn livelock(&self, first: usize, is_livelock: impl Fn(usize) -> bool) -> Site {
        let marks = &self.explorer.observer.marks;
        let clean = |&state: &usize| is_livelock(state) && marks[state] & mark::CLEAN != 0;
        let state = (first..self.explorer.level_of(first).end).find(clean);
        let shown = state.unwrap_or(first) as u32;
        let place = Place::State(shown);
        Site { steps: self.explorer.depth_of(first), clean: state.is_some(), place, step: None }
    }

    /// The trace along the parents, followed by the violating step.
    fn trace_to(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        budget: &mut Budget<'_>,
    ) -> Result<Trace, NoTrace> {
        let state = match &site.place {
            Place::Start(initial) => return Ok(Trace { initial: initial.clone(), steps: Vec::new() }),
            Place::State(state) => *state,
        };
        let mut path = vec![state];
        while let Some(&last) = path.last().filter(|&&last| !self.explorer.is_initial(last)) {
            path.push(self.parent(last));
        }
        path.reverse();
        let vectors: Vec<Vec<u32>> = path.iter().map(|&state| self.explorer.words(state)).collect();
        let kept: usize = vectors.iter().map(|words| self.explorer.system.space.messages(words)).sum();
        budget.afford(kept * KEPT_MESSAGE)?;
        let initial = self.explorer.initial_options(path[0]);
        if !self.explorer.system.is_plain() {
            return lift(
                &mut self.explorer.system,
                initial,
                &vectors,
                site.step.as_ref().map(|_| kind),
                budget,
            );
        }
        let pairs = vectors.iter().zip(&path[1..]);
        let mut steps: Vec<Step> = pairs.map(|(words, &next)| self.step_between(words, next).1).collect();
        steps.extend(site.step.clone());
        Ok(Trace { initial, steps })
    }

    /// The predecessor on a shortest trace, on one that depends on no open comparison if possible; the first such
    /// state.
    fn parent(&self, state: u32) -> u32 {
        let found = &self.explorer.observer;
        let first = found.edges.parent(state);
        let marks = &found.marks;
        let is_clean = |state: u32| marks[state as usize] & mark::CLEAN != 0;
        if !is_clean(state) {
            return first;
        }
        if is_clean(first) && !self.step_between(&self.explorer.words(first), state).0 {
            return first;
        }
        let end = self.explorer.level_of(first as usize).end;
        let sources = found.edges.sources(first..end as u32, state);
        let clean = sources
            .into_iter()
            .find(|&source| is_clean(source) && !self.step_between(&self.explorer.words(source), state).0);
        clean.expect("a state is marked as clean when a clean one finds it so")
    }

    /// A step from the vector of one stored state to another, and whether it depends on an open comparison; one that
    /// does not is preferred.
    fn step_between(&self, from: &[u32], to: u32) -> (bool, Step) {
        let mut best: Option<(bool, Step)> = None;
        self.explorer.for_each_step(from, to, |successor| {
            if best.as_ref().is_none_or(|(compared, _)| *compared && !successor.compared) {
                best = Some((successor.compared, successor.as_step()));
            }
        });
        best.expect("a state is stored as a successor of its parent")
    }
}

/// Records how an agent reached its first places.
fn judge_start(found: &mut Termination<'_>, entry: ClauseId, start: &Start<'_>, outcome: &Outcome) {
    let kind = match &outcome.ending {
        Ending::State(state) if state.status == Status::Failed => Some(ViolationKind::Failure),
        Ending::State(_) => None,
        Ending::Runaway(_) => Some(ViolationKind::RunawayRecursion),
        Ending::RunError(_) => Some(ViolationKind::RunError),
        Ending::Cut(_) | Ending::TooLong(_) | Ending::Nothing => return,
    };
    found.coverage.record_start(entry, outcome);
    if let Some(kind) = kind {
        let place = start.state.map_or_else(|| Place::Start(start.initial.to_vec()), Place::State);
        found.offer(kind, Site { steps: 0, clean: true, place, step: None });
    }
}
