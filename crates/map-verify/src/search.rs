//! The exploration loop: breadth first, so that traces are shortest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use indexmap::IndexSet;
use map_graph::BitSet;
use map_ir::{ClauseId, Program};
use map_semantics::{BoundHit, Bounds, Ending, Outcome, Status, Step};
use map_store::{Full, Spare};
use rustc_hash::FxBuildHasher;

use crate::analysis::{Analysis, Means, analyse, has_cycle};
use crate::batch::{Worker, step_of};
use crate::bundles;
use crate::coverage::Coverage;
use crate::edges::{Edges, Keeps, Piece};
use crate::reduced::lift::lift;
use crate::report::{
    InternalError, Limit, Limits, Progress, Report, Snapshot, StoreKind, Verdict, Violation, ViolationKind,
};
use crate::space::{Next, Space, Successor};
use crate::store::{Folder, Naming, Store};
use crate::system::{Buffers, Layers, System, Weight};
use crate::trace::{KEPT_MESSAGE, NoReport, NoTrace, Trace, confirm};
use rounds::Round;

pub(crate) mod crew;
mod rounds;
mod settle;
#[cfg(test)]
mod tests;

pub(crate) const NO_PANIC: &str = "no thread panics";

/// Explores the scene and judges it: by sets of states, and if that says nothing one by one.
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
    if let Some(report) = bundles::verify(program, bounds, limits, progress) {
        if cfg!(debug_assertions) && report.limit.is_none() {
            let twin = one_by_one(program, bounds, limits, keep_going, &mut |_: &Snapshot| None)?;
            report.assert_same(&twin, "by sets of states and one by one");
        }
        return Ok(report);
    }
    one_by_one(program, bounds, limits, keep_going, progress)
}

/// Judges the scene by its states, one by one, and the transitions between them.
pub(crate) fn one_by_one(
    program: &Program,
    bounds: &Bounds,
    limits: &Limits,
    keep_going: bool,
    progress: &mut dyn Progress,
) -> Result<Report, InternalError> {
    let system = System::new(Space::new(program, bounds), Layers::default());
    Ok(Search::explore(system, limits, keep_going, progress).report(limits, progress)?)
}

/// Marks of a stored state.
pub(crate) mod mark {
    /// All agents are done, or have crashed.
    pub(crate) const GOOD_END: u8 = 1;
    /// Some step is cut.
    pub(crate) const CUT: u8 = 1 << 1;
    /// Some step goes wrong.
    pub(crate) const WRONG: u8 = 1 << 2;
    /// A deadlock, perhaps only a possible one.
    pub(crate) const DEADLOCK: u8 = 1 << 3;
    /// Some agent has failed.
    pub(crate) const FAILED: u8 = 1 << 4;
    /// Nothing can happen but polls.
    pub(crate) const ONLY_POLLS: u8 = 1 << 5;
    /// Some shortest trace to it is free of open comparisons.
    pub(crate) const CLEAN: u8 = 1 << 6;
}

/// Where the best violation of a kind was found so far.
pub(crate) struct Site {
    pub(crate) steps: usize,
    pub(crate) clean: bool,
    /// `None`: on the way to the first places.
    pub(crate) state: Option<u32>,
    /// The violating step out of that state, if it is not the state itself that violates.
    pub(crate) step: Option<Step>,
}

impl Site {
    /// Whether it is the better one: the shorter trace, then one free of open comparisons, then the earlier state.
    pub(crate) fn is_better(&self, other: Option<&Self>) -> bool {
        let order = |site: &Self| (site.steps, !site.clean, site.state);
        other.is_none_or(|other| order(self) < order(other))
    }
}

/// A search of a transition system, as far as it got.
pub(crate) struct Search<'a> {
    pub(crate) system: System<'a>,
    store: Store,
    /// One for each thread, which has it for itself while states are expanded.
    workers: Vec<Mutex<Worker>>,
    round: Round,
    /// Where threads pack transitions.
    pieces: Vec<Piece>,
    first: Vec<u32>,
    found: Found,
    expanded: usize,
    /// How far it was at the beginning of the batch.
    told: Snapshot,
    /// Index of the first state of every level begun; the last is the one being expanded.
    levels: Vec<usize>,
    /// Index of the first state of the level after that.
    level_end: usize,
    pub(crate) limit: Option<Limit>,
    /// What the self-check has found to be wrong.
    pub(crate) fault: Option<String>,
    /// What the finished graph says, once that is known.
    analysis: Option<Analysis>,
}

/// What is known of the stored states and of the steps between them.
struct Found {
    marks: Vec<u8>,
    edges: Edges,
    /// What transitions send, numbered in the order in which one thread would have found it.
    weights: IndexSet<Weight, FxBuildHasher>,
    transitions: usize,
    /// States of the next level that are not marked as clean.
    unclean: usize,
    coverage: Coverage,
    sites: BTreeMap<ViolationKind, Site>,
    too_long: bool,
    cut_by: BTreeSet<BoundHit>,
}

impl<'a> Search<'a> {
    /// Explores from the first state on until nothing is left, or a limit or, unless it is to keep going, the end of the
    /// level of the first violation is reached, or the system turns out to be built in the wrong way.
    pub(crate) fn explore(
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Self {
        let mut search = Self::new(system, limits);
        search.start();
        search.run(limits, keep_going, progress);
        search
    }

    fn new(system: System<'a>, limits: &Limits) -> Self {
        let (program, network) = (system.program(), system.space.bounds.network);
        let keeps =
            Keeps { bad_luck: network.losses > 0 || network.crashes > 0, weights: system.has_orders() };
        let by_wire = system.has_halves() && limits.store == crate::report::StoreKind::Exact;
        let naming = if by_wire { Naming::ByWire } else { Naming::ByName };
        let found = Found {
            marks: Vec::new(),
            edges: Edges::new(keeps),
            weights: IndexSet::from_iter([Weight::new()]),
            transitions: 0,
            unclean: 0,
            coverage: Coverage::new(program),
            sites: BTreeMap::new(),
            too_long: false,
            cut_by: BTreeSet::new(),
        };
        let workers = (0..limits.threads.get()).map(|_| Mutex::new(Worker::new(Coverage::new(program))));
        Self {
            store: Store::new(limits.store, system.space.shape(), naming, limits.threads),
            system,
            workers: workers.collect(),
            round: Round::default(),
            pieces: settle::pieces(keeps, limits.threads.get()),
            first: Vec::new(),
            found,
            expanded: 0,
            told: Snapshot::default(),
            levels: vec![0],
            level_end: 1,
            limit: None,
            fault: None,
            analysis: None,
        }
    }

    /// Stores the first state and judges the ways to it.
    fn start(&mut self) {
        let program = self.system.program();
        let (state, outcomes) = self.system.start();
        for (agent, outcome) in program.agents.iter().zip(&outcomes) {
            self.judge_start(program.part(agent.part).entry, outcome);
        }
        if state.is_none()
            && let Some(failure) = self.found.sites.get_mut(&ViolationKind::Failure)
        {
            failure.state = None;
        }
        match state {
            Some(state) => {
                let stored = self.store_first(&state);
                stored.expect("an empty store has room for a state");
                self.first = state;
                self.found.marks.push(mark::CLEAN);
            }
            None if self.found.sites.contains_key(&ViolationKind::RunawayRecursion) => {}
            None => self.limit = Some(if self.found.too_long { Limit::Calls } else { Limit::NoFirstState }),
        }
    }

    fn store_first(&mut self, state: &[u32]) -> Result<(), Full> {
        self.store.make_room(1, state.len())?;
        let space = &self.system.space;
        let tails = |place, id| space.tail_of(place, id);
        let key = self.store.key(&mut Folder::default(), state, 0..space.header(), tails)?;
        if self.store.number(key, &mut Spare::default()).is_err() {
            // There is room, but for narrower keys.
            self.store.make_room(1, state.len())?;
            self.store.number(key, &mut Spare::default())?;
        }
        self.store.keys.settle(|place| (place == 0).then_some(0));
        if self.store.forgets() {
            self.store.frontier.push(state);
            self.store.frontier.advance();
        }
        Ok(())
    }

    fn judge_start(&mut self, entry: ClauseId, outcome: &Outcome) {
        let found = &mut self.found;
        let site = |state| Site { steps: 0, clean: true, state, step: None };
        match &outcome.ending {
            Ending::State(state) => {
                found.coverage.record_start(entry, outcome);
                if state.status == Status::Failed {
                    found.offer(ViolationKind::Failure, site(Some(0)));
                }
            }
            Ending::Runaway(_) => found.offer(ViolationKind::RunawayRecursion, site(None)),
            Ending::Cut(bound) => {
                found.cut_by.insert(*bound);
            }
            Ending::TooLong(_) => found.too_long = true,
            // Nothing is asked on the way to the first places.
            Ending::Nothing | Ending::RunError(_) => {}
        }
    }

    /// Whether every state was expanded.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit.is_none() && self.expanded == self.store.len()
    }

    /// How many states were found.
    pub(crate) fn states(&self) -> usize {
        self.store.len()
    }

    /// Whether a violation was found so far.
    pub(crate) fn is_violated(&self) -> bool {
        !self.found.sites.is_empty()
    }

    /// Notes of the finished graph that every state reaches an end, and whether there is a cycle in it.
    pub(crate) fn conclude(&mut self, cyclic: bool) {
        let polls_for_ever = self.found.marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0);
        self.analysis =
            Some(Analysis { infinite_run: cyclic || polls_for_ever, livelocks: BitSet::default() });
    }

    /// Judges the finished graph by what `see` finds out from the transitions and what their weights mean.
    pub(crate) fn judge_graph<T>(
        &self,
        limits: &Limits,
        progress: &mut dyn Progress,
        see: impl FnOnce(&Edges, &[Weight], &mut Means<'_>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let statistics = self.snapshot();
        let memory = limits.memory.saturating_sub(statistics.memory);
        let weights: Vec<Weight> = self.found.weights.iter().cloned().collect();
        let threads = limits.threads.get();
        see(
            &self.found.edges,
            &weights,
            &mut Means { memory, threads, tick: &mut || progress.tick(&statistics) },
        )
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.store.len(),
            transitions: self.found.transitions,
            depth: self.levels.len() - 1,
            frontier: self.store.len() - self.expanded,
            memory: self.bytes(),
            states_memory: self.states_bytes(),
        }
    }

    fn bytes(&self) -> usize {
        let workers: usize = self.workers.iter().map(|it| it.lock().expect(NO_PANIC).bytes()).sum();
        let pieces: usize = self.pieces.iter().map(Piece::bytes).sum();
        self.states_bytes() + self.system.space.agents.bytes() + workers + pieces
    }

    fn states_bytes(&self) -> usize {
        self.store.bytes() + self.found.edges.bytes() + self.found.marks.capacity()
    }

    /// What the search comes to.
    ///
    /// # Errors
    /// If a trace cannot be lifted, or does not replay, which would be a defect of the engine.
    pub(crate) fn report(mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Report, NoReport> {
        let (program, bounds) = (self.system.program(), self.system.space.bounds);
        let statistics = self.snapshot();
        // What a search that leaves out steps has not found may be there, unless it was found not to matter.
        let searched = self.is_complete() && (self.analysis.is_some() || !self.system.has_orders());
        let mut infinite = false;
        if searched {
            let analysis = match self.analysis.take() {
                Some(known) => Ok(known),
                None => self.judge_graph(limits, progress, |edges, _, means| {
                    let may_go_round = self.system.space.agents.may_go_round(means)?;
                    // States that are wrongly taken for one may lie on a cycle.
                    let looks = !may_go_round && limits.store == StoreKind::Exact;
                    debug_assert!(!looks || !has_cycle(edges, self.states(), means)?, "no run goes round");
                    analyse(edges, &self.found.marks, may_go_round, means)
                }),
            };
            match analysis {
                Err(limit) => self.limit = Some(limit),
                Ok(analysis) => {
                    infinite = analysis.infinite_run;
                    if let Some(first) = analysis.livelocks.first() {
                        let site = self.livelock(first, |state| analysis.livelocks.contains(state));
                        self.found.offer(ViolationKind::Livelock, site);
                    }
                }
            }
        }
        let (mut violations, mut untraced) = (Vec::new(), Vec::new());
        let memory = limits.memory.saturating_sub(statistics.memory);
        let mut means = Means { memory, threads: 1, tick: &mut || progress.tick(&statistics) };
        for (kind, site) in std::mem::take(&mut self.found.sites) {
            let trace = self.trace_to(kind, &site, &mut means).and_then(|trace| {
                confirm(program, bounds, kind, !site.clean, &trace, &mut means)?;
                Ok(trace)
            });
            match trace {
                Ok(trace) => {
                    // A way that was merged has more steps than were searched.
                    let steps = trace.steps.len();
                    violations.push(Violation { kind, steps, possible: !site.clean, trace });
                }
                Err(NoTrace::Limit(limit)) => {
                    self.limit = Some(limit);
                    untraced.push(kind);
                }
                Err(NoTrace::Unlifted) => return Err(NoReport::Unlifted),
                Err(NoTrace::Broken(error)) => return Err(NoReport::Broken(error)),
            }
        }
        self.found.coverage.spread(|agent| self.system.orbit(agent));
        violations.sort_by_key(|violation| (violation.steps, violation.kind));
        let limit = self.limit.or(if self.found.too_long { Some(Limit::Calls) } else { None });
        let verdict = match violations.first() {
            Some(violation) => Verdict::Violated(violation.kind),
            None if limit.is_some() => Verdict::Inconclusive,
            None if infinite => Verdict::TerminatesIfFair,
            None => Verdict::Terminates,
        };
        Ok(Report {
            verdict,
            complete: searched && self.found.cut_by.is_empty() && limit.is_none(),
            cut_by: self.found.cut_by.iter().copied().collect(),
            searched,
            statistics,
            violations,
            untraced,
            limit,
            unused: self.found.coverage.unused(program),
            bounds: bounds.clone(),
            store: limits.store,
        })
    }

    /// The livelock to show: of those as near as the first, one whose trace is free of open comparisons.
    fn livelock(&self, first: usize, is_livelock: impl Fn(usize) -> bool) -> Site {
        let level = self.levels.partition_point(|&start| start <= first) - 1;
        let end = self.levels.get(level + 1).copied().unwrap_or(self.store.len());
        let clean = |&state: &usize| is_livelock(state) && self.found.marks[state] & mark::CLEAN != 0;
        let state = (first..end).find(clean);
        let shown = state.unwrap_or(first) as u32;
        Site { steps: level, clean: state.is_some(), state: Some(shown), step: None }
    }

    /// The trace along the parents, then the violating step.
    fn trace_to(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        means: &mut Means<'_>,
    ) -> Result<Trace, NoTrace> {
        let Some(state) = site.state else { return Ok(Trace::default()) };
        let mut path = vec![state];
        while let Some(&last) = path.last().filter(|&&last| last != 0) {
            path.push(self.parent(last));
        }
        path.reverse();
        let vectors = self.vectors(&path);
        let kept: usize = vectors.iter().map(|words| self.system.space.messages(words)).sum();
        means.afford(kept * KEPT_MESSAGE)?;
        if !self.system.is_plain() {
            return lift(&mut self.system, &vectors, site.step.as_ref().map(|_| kind), means);
        }
        let pairs = vectors.iter().zip(&path[1..]);
        let mut steps: Vec<Step> = pairs.map(|(words, &next)| self.step_between(words, next).1).collect();
        steps.extend(site.step.clone());
        Ok(Trace { steps })
    }

    /// The state before on a shortest trace, one free of open comparisons if there is one: the first that found it so.
    fn parent(&self, state: u32) -> u32 {
        let first = self.found.edges.parent(state);
        let marks = &self.found.marks;
        let is_clean = |state: u32| marks[state as usize] & mark::CLEAN != 0;
        if !is_clean(state) {
            return first;
        }
        if is_clean(first) && !self.step_between(&self.vector(first), state).0 {
            return first;
        }
        let level = self.levels.partition_point(|&start| start <= first as usize) - 1;
        let end = self.levels.get(level + 1).copied().unwrap_or(self.level_end);
        let sources = self.found.edges.sources(first..end as u32, state);
        let clean = sources
            .into_iter()
            .find(|&source| is_clean(source) && !self.step_between(&self.vector(source), state).0);
        clean.expect("a state is marked as clean when a clean one finds it so")
    }

    /// A step from the vector of one stored state to another, free of open comparisons if there is one, and whether it is not.
    fn step_between(&self, from: &[u32], to: u32) -> (bool, Step) {
        let mut best: Option<(bool, Step)> = None;
        self.for_each_step(from, to, |successor, _| {
            if best.as_ref().is_none_or(|(compared, _)| *compared && !successor.compared) {
                best = Some((successor.compared, step_of(successor)));
            }
        });
        best.expect("a state is stored as a successor of its parent")
    }

    /// The vector of a state; if the store has forgotten it, it is made anew, from the first state on.
    fn vector(&self, state: u32) -> Vec<u32> {
        if !self.store.forgets() {
            let mut words = Vec::new();
            let tails = |place, id| self.system.space.tail_of(place, id);
            self.store.load(&mut Folder::default(), state, &mut words, tails);
            return words;
        }
        let mut path = vec![state];
        while let Some(&last) = path.last().filter(|&&last| last != 0) {
            path.push(self.found.edges.parent(last));
        }
        path.reverse();
        self.vectors(&path).pop().expect("one for every state of the path")
    }

    /// The vectors of the states of a path from the first state on.
    fn vectors(&self, path: &[u32]) -> Vec<Vec<u32>> {
        if !self.store.forgets() {
            return path.iter().map(|&state| self.vector(state)).collect();
        }
        let mut vectors = vec![self.first.clone()];
        for &next in &path[1..] {
            let mut found = None;
            self.for_each_step(&vectors[vectors.len() - 1], next, |_, next| {
                found.get_or_insert_with(|| next.to_vec());
            });
            vectors.push(found.expect("a state is stored as a successor of its parent"));
        }
        vectors
    }

    /// Calls `see` for every step to a stored state, with the next vector.
    fn for_each_step(&self, words: &[u32], to: u32, mut see: impl FnMut(&Successor<'_>, &[u32])) {
        let (mut folder, mut spare) = (Folder::default(), Spare::default());
        let tails = |place, id| self.system.space.tail_of(place, id);
        // All that the step needs, in the tables and in the store, is there since it was found.
        self.system.expand(&mut Buffers::default(), words, &mut |successor| {
            let Next::State(next) = successor.result else { return };
            let key = self.store.key(&mut folder, next, successor.altered.clone(), tails);
            if key.and_then(|key| self.store.number(key, &mut spare)) == Ok(to) {
                see(&successor, next);
            }
        });
    }
}

impl Found {
    /// Keeps the better of two sites.
    fn offer(&mut self, kind: ViolationKind, site: Site) {
        if site.is_better(self.sites.get(&kind)) {
            self.sites.insert(kind, site);
        }
    }
}
