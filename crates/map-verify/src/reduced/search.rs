//! The exploration loop over the reduced transition system: breadth first, so that traces are shortest.

use std::collections::{BTreeMap, BTreeSet};

use map_ir::{AgentId, ClauseId, PerformativeId, Program};
use map_semantics::{BoundHit, Bounds, Ending, Event, Outcome, Status, Step, StepKind};

use super::graph::{Graph, analyse};
use super::quotient::Quotient;
use super::states::Store;
use super::step::{Judgement, Next, Successor};
use super::tables::{LocalEnding, LocalStep};
use crate::coverage::Coverage;
use crate::report::{
    InternalError, Limit, Limits, Progress, Report, Snapshot, StoreKind, Verdict, Violation, ViolationKind,
};
use crate::trace::{Trace, confirm};

/// How often the caller is asked whether to go on, in states. Behind each may be many that are passed, with long mailboxes.
const TICK: usize = 1 << 4;

/// How often the memory in use is counted, in states.
const MEMORY_CHECK: usize = 1 << 4;

/// Marks of a stored state.
pub(crate) mod mark {
    /// All agents are done.
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
struct Site {
    steps: usize,
    clean: bool,
    /// `None`: on the way to the first places.
    state: Option<u32>,
    /// The violating step out of that state, if it is not the state itself that violates.
    step: Option<Step>,
}

pub(crate) struct Search<'a> {
    pub(crate) system: Quotient<'a>,
    store: Store,
    found: Found,
    expanded: usize,
    /// Index of the first state of every level begun; the last is the one being expanded.
    levels: Vec<usize>,
    /// Index of the first state of the level after that.
    level_end: usize,
    pub(crate) limit: Option<Limit>,
}

/// What is known of the stored states and of the steps between them.
struct Found {
    marks: Vec<u8>,
    parents: Vec<u32>,
    graph: Graph,
    /// The weight of each transition ([`Successor::weight`]), in the order of the graph.
    weights: Vec<u32>,
    coverage: Coverage,
    /// Messages that nobody reads, by agents that may stand for others.
    unread: BTreeSet<(PerformativeId, AgentId)>,
    sites: BTreeMap<ViolationKind, Site>,
    too_long: bool,
    cut_by: BTreeSet<BoundHit>,
    /// The most bytes the store may use, and whether a state did not fit any more.
    store_limit: usize,
    full: bool,
    source: Source,
    /// Steps of the state being expanded that were counted: agent, thread, kind, next state and weight.
    counted: Vec<(AgentId, u32, StepKind, u32, u32)>,
}

/// The state being expanded.
#[derive(Clone, Copy, Default)]
struct Source {
    index: u32,
    /// Length of the shortest traces to it.
    depth: usize,
    /// Index of the first state of the next level.
    level_end: usize,
    /// Some shortest trace to it is free of open comparisons.
    clean: bool,
}

impl<'a> Search<'a> {
    /// Explores from the first state on until nothing is left, or a limit or, unless it is to keep going, the end of the
    /// level of the first violation is reached.
    pub(crate) fn explore(
        program: &Program,
        system: Quotient<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Self {
        let mut search = Self::new(program, system, limits.memory);
        search.start(program);
        search.run(limits, keep_going, progress);
        search
    }

    fn new(program: &Program, system: Quotient<'a>, store_limit: usize) -> Self {
        let found = Found {
            marks: Vec::new(),
            parents: Vec::new(),
            graph: Graph::default(),
            weights: Vec::new(),
            coverage: Coverage::new(program),
            unread: BTreeSet::new(),
            sites: BTreeMap::new(),
            too_long: false,
            cut_by: BTreeSet::new(),
            store_limit,
            full: false,
            source: Source::default(),
            counted: Vec::new(),
        };
        Self {
            system,
            store: Store::default(),
            found,
            expanded: 0,
            levels: vec![0],
            level_end: 1,
            limit: None,
        }
    }

    /// Stores the first state and judges the ways to it.
    fn start(&mut self, program: &Program) {
        let (state, outcomes) = self.system.start();
        for (agent, outcome) in program.agents.iter().zip(&outcomes) {
            self.judge_start(program.part(agent.part).entry, outcome);
        }
        match state {
            Some(state) => {
                self.store.insert(&state);
                self.found.marks.push(mark::CLEAN);
                self.found.parents.push(0);
            }
            None if self.found.sites.contains_key(&ViolationKind::RunawayRecursion) => {}
            None => self.limit = Some(if self.found.too_long { Limit::Calls } else { Limit::NoFirstState }),
        }
    }

    fn judge_start(&mut self, entry: ClauseId, outcome: &Outcome) {
        let found = &mut self.found;
        let site = |state| Site { steps: 0, clean: true, state, step: None };
        match &outcome.ending {
            Ending::State(state) => {
                found.coverage.record(&outcome.ran, entered(&outcome.events).chain([entry]));
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

    fn run(&mut self, limits: &Limits, keep_going: bool, progress: &mut dyn Progress) {
        let mut current = Vec::new();
        while self.expanded < self.store.len() {
            if self.expanded == self.level_end {
                if !keep_going && !self.found.sites.is_empty() {
                    return;
                }
                self.levels.push(self.level_end);
                self.level_end = self.store.len();
            }
            if self.limit.is_none() {
                self.limit = self.limit_reached(limits, progress);
            }
            if self.limit.is_some() {
                return;
            }
            current.clear();
            current.extend_from_slice(self.store.get(self.expanded));
            self.expand(&current);
            if self.found.full {
                self.limit = Some(Limit::Memory);
                return;
            }
            if self.system.is_void() {
                return;
            }
            self.expanded += 1;
        }
    }

    fn limit_reached(&self, limits: &Limits, progress: &mut dyn Progress) -> Option<Limit> {
        if self.store.len() > limits.states {
            return Some(Limit::States);
        }
        if self.expanded.is_multiple_of(MEMORY_CHECK) && self.bytes() > limits.memory {
            return Some(Limit::Memory);
        }
        if self.expanded.is_multiple_of(TICK) { progress.tick(&self.snapshot()) } else { None }
    }

    fn expand(&mut self, state: &[u32]) {
        let Self { system, store, found, .. } = self;
        found.source = Source {
            index: self.expanded as u32,
            depth: self.levels.len() - 1,
            level_end: self.level_end,
            clean: found.marks[self.expanded] & mark::CLEAN != 0,
        };
        found.counted.clear();
        let judgement = system.expand(state, &mut |successor| found.successor(store, &successor));
        found.graph.close_state();
        found.judge(judgement);
        if judgement.no_step || judgement.steps_may_vanish {
            for (performative, agent) in system.unread(state) {
                found.unread.insert((performative, agent));
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.store.len(),
            transitions: self.found.graph.len(),
            depth: self.levels.len() - 1,
            frontier: self.store.len() - self.expanded,
            memory: self.bytes(),
            states_memory: self.states_bytes(),
        }
    }

    fn bytes(&self) -> usize {
        self.system.bytes() + self.states_bytes()
    }

    fn states_bytes(&self) -> usize {
        let found = &self.found;
        let per_state = found.marks.capacity() + 4 * (found.parents.capacity() + found.weights.capacity());
        self.store.bytes() + found.graph.bytes() + per_state
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

    /// The transitions found, with their weights.
    pub(crate) fn graph(&self) -> (&Graph, &[u32]) {
        (&self.found.graph, &self.found.weights)
    }

    /// What the search comes to.
    ///
    /// # Errors
    /// If a trace does not replay, which would be a defect of the engine.
    pub(crate) fn report(mut self, program: &Program, bounds: &Bounds) -> Result<Report, InternalError> {
        let searched = self.is_complete();
        let mut infinite = false;
        if searched {
            let analysis = analyse(&self.found.graph, &self.found.marks);
            infinite = analysis.infinite_run;
            if let Some(first) = analysis.first_livelock {
                let level = self.levels.partition_point(|&start| start <= first) - 1;
                let end = self.levels.get(level + 1).copied().unwrap_or(self.store.len());
                let clean =
                    |&state: &usize| analysis.livelock[state] && self.found.marks[state] & mark::CLEAN != 0;
                let state = (first..end).find(clean);
                let site = Site {
                    steps: level,
                    clean: state.is_some(),
                    state: Some(state.unwrap_or(first) as u32),
                    step: None,
                };
                self.found.offer(ViolationKind::Livelock, site);
            }
        }
        let statistics = self.snapshot();
        let unread: Vec<_> = self.found.unread.iter().copied().collect();
        for (performative, agent) in unread {
            for agent in self.system.orbit(agent) {
                self.found.coverage.record_unread(performative, agent);
            }
        }
        self.found.coverage.spread_acts(|agent| self.system.orbit(agent));
        let mut violations = Vec::new();
        for (kind, site) in std::mem::take(&mut self.found.sites) {
            let trace = self.trace_to(kind, &site)?;
            confirm(program, bounds, kind, !site.clean, &trace)?;
            violations.push(Violation { kind, steps: site.steps, possible: !site.clean, trace });
        }
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
            limit,
            unused: self.found.coverage.unused(program),
            bounds: bounds.clone(),
            store: StoreKind::Exact,
        })
    }

    /// The trace along the parents, then the violating step.
    fn trace_to(&mut self, kind: ViolationKind, site: &Site) -> Result<Trace, InternalError> {
        let Some(state) = site.state else { return Ok(Trace::default()) };
        let mut path = vec![state];
        while let Some(&last) = path.last().filter(|&&last| last != 0) {
            path.push(self.found.parents[last as usize]);
        }
        let path: Vec<Vec<u32>> =
            path.iter().rev().map(|&state| self.store.get(state as usize).to_vec()).collect();
        self.system.trace(&path, site.step.as_ref().map(|step| (step, kind)))
    }
}

impl Found {
    fn successor(&mut self, store: &mut Store, successor: &Successor<'_>) {
        let wrong = match successor.result {
            Next::State(next) => return self.made(store, successor, next),
            Next::Passed => return self.happened(successor),
            Next::Cut(bound) => {
                self.cut_by.insert(bound);
                return self.mark(mark::CUT);
            }
            Next::TooLong => {
                self.too_long = true;
                return self.mark(mark::CUT);
            }
            Next::Overflow => ViolationKind::MailboxOverflow,
            Next::Runaway => ViolationKind::RunawayRecursion,
            Next::RunError => ViolationKind::RunError,
        };
        self.mark(mark::WRONG);
        self.coverage.record_act(successor.agent, successor.step.kind);
        self.offer_step(wrong, successor);
    }

    /// Stores and counts a step that is made.
    fn made(&mut self, store: &mut Store, successor: &Successor<'_>, next: &[u32]) {
        if self.full || store.bytes_to_add(next.len()) > self.store_limit {
            self.full = true;
            return;
        }
        let clean = self.source.clean && !successor.compared;
        let (target, new) = store.insert(next);
        if new {
            self.marks.push(if clean { mark::CLEAN } else { 0 });
            self.parents.push(self.source.index);
        } else if clean
            && target as usize >= self.source.level_end
            && self.marks[target as usize] & mark::CLEAN == 0
        {
            self.marks[target as usize] |= mark::CLEAN;
            self.parents[target as usize] = self.source.index;
        }
        let LocalStep { thread, kind, .. } = *successor.step;
        let transition = (successor.agent, thread, kind, target, successor.weight);
        if !self.counted.contains(&transition) {
            self.counted.push(transition);
            self.graph.push(target);
            self.weights.push(successor.weight);
        }
        self.happened(successor);
    }

    /// Notes what a step that is made has shown.
    fn happened(&mut self, successor: &Successor<'_>) {
        self.coverage.record(&successor.step.ran, successor.step.entered.iter().copied());
        self.coverage.record_act(successor.agent, successor.step.kind);
        for &performative in &successor.step.left {
            self.unread.insert((performative, successor.agent));
        }
        for &(performative, recipient) in successor.dropped {
            self.unread.insert((performative, recipient));
        }
        if let LocalEnding::State { ended: Some(false), .. } = successor.step.ending {
            self.offer_step(ViolationKind::Failure, successor);
        }
    }

    /// Marks the state that was expanded by what its steps say of it.
    fn judge(&mut self, judgement: Judgement) {
        let deadlock = judgement.no_step || judgement.steps_may_vanish;
        for (holds, bit) in [
            (judgement.all_done, mark::GOOD_END),
            (judgement.some_failed, mark::FAILED),
            (judgement.only_polls, mark::ONLY_POLLS),
            (deadlock, mark::DEADLOCK),
        ] {
            if holds {
                self.mark(bit);
            }
        }
        if deadlock {
            let Source { index, depth, clean, .. } = self.source;
            let clean = clean && judgement.no_step;
            self.offer(ViolationKind::Deadlock, Site { steps: depth, clean, state: Some(index), step: None });
        }
    }

    fn mark(&mut self, bit: u8) {
        self.marks[self.source.index as usize] |= bit;
    }

    /// Offers a violation that is a step out of the state being expanded.
    fn offer_step(&mut self, kind: ViolationKind, successor: &Successor<'_>) {
        let Source { index, depth, clean, .. } = self.source;
        let clean = clean && !successor.compared;
        self.offer(
            kind,
            Site { steps: depth + 1, clean, state: Some(index), step: Some(successor.to_step()) },
        );
    }

    /// Keeps the better of two sites: the shorter trace, then the one free of open comparisons.
    fn offer(&mut self, kind: ViolationKind, site: Site) {
        let better =
            self.sites.get(&kind).is_none_or(|known| (site.steps, !site.clean) < (known.steps, !known.clean));
        if better {
            self.sites.insert(kind, site);
        }
    }
}

fn entered(events: &[Event]) -> impl Iterator<Item = ClauseId> + '_ {
    events
        .iter()
        .filter_map(|event| if let Event::Called(_, clause, _) = event { Some(*clause) } else { None })
}
