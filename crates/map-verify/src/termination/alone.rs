//! The search for termination by one process.

use std::io::ErrorKind;

use map_graph::BitSet;
use map_ir::ClauseId;
use map_semantics::{Ending, Outcome, Status};

use super::along::{Path, note_violations};
use super::infinite::{Analysis, analyse};
use super::kept::go_on;
use super::observer::Termination;
use super::searched::{Infinite, Rest, Searched};
use super::site::{Place, Site};
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot, with_budget};
use crate::explore::{Explorer, Observer, Source, Start};
use crate::graph::cycles::has_cycle;
use crate::graph::edges::{BLOCK, Edges, Lists};
use crate::graph::reach::always_ends;
use crate::mark;
use crate::partial_order::overflow::{SendBounds, Weight, most_sent};
use crate::report::{InternalError, Trace, ViolationKind};
use crate::saved::In;
use crate::state::Next;
use crate::system::{Buffers, System};
use crate::witness::replay::NoTrace;

/// A search for termination by this process alone, complete or not.
pub(super) struct Alone<'a> {
    pub(super) explorer: Explorer<'a, Termination<'a>>,
    /// The livelocks, once the graph was analysed.
    livelocks: BitSet,
}

impl<'a> Alone<'a> {
    /// Explores until no state is left, a limit is reached, or, without `keep_going`, the level of the first
    /// violation is done; or until the system turns out to need rebuilding. Goes on from what was kept of the search,
    /// if there is anything.
    ///
    /// # Errors
    /// If what was kept cannot be read.
    pub(super) fn explore(
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Result<Self, InternalError> {
        let mut search = Self::start(system, limits, keep_going, progress);
        let earlier = progress.resume();
        if search.explorer.limit.is_none() && search.explorer.states() > 0 {
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

    /// Stores the initial states and records how the agents reached them.
    pub(super) fn start(
        system: System<'a>,
        limits: &Limits,
        keep_going: bool,
        progress: &mut dyn Progress,
    ) -> Self {
        let mut explorer =
            Explorer::new(system, limits, |system| Termination::new(system, &limits.tuning, keep_going));
        let judge = &mut |explorer: &mut Explorer<'a, Termination<'a>>, start: &Start<'_>| {
            let program = explorer.system.program();
            for (agent, outcome) in program.agents.iter().zip(start.outcomes) {
                judge_start(&mut explorer.observer, program.part(agent.part).entry, start, outcome);
            }
        };
        if let Err(limit) = explorer.start(limits, progress, judge) {
            explorer.limit = Some(limit);
        }
        let Explorer { observer: found, initial_states, .. } = &mut explorer;
        if *initial_states > 0 {
            found.marks.resize(*initial_states, mark::CLEAN);
            found.edges.start(*initial_states as u32);
        }
        Self { explorer, livelocks: BitSet::default() }
    }

    /// Analyses the finished graph by calling `see` with the transitions and the weights that their numbers stand
    /// for.
    pub(super) fn judge_graph<T>(
        &self,
        limits: &Limits,
        progress: &mut dyn Progress,
        see: impl FnOnce(&Edges, &[Weight], &mut Budget<'_>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        let found = &self.explorer.observer;
        let weights: Vec<Weight> = found.weights.iter().cloned().collect();
        self.explorer.with_budget(limits, progress, |budget| see(&found.edges, &weights, budget))
    }

    fn is_clean(&self, state: usize) -> bool {
        self.explorer.observer.marks[state] & mark::CLEAN != 0
    }

    /// The livelock to report: the first one, or one in the same level whose trace depends on no open comparison.
    fn livelock(&self) -> Option<Site> {
        let first = self.livelocks.first()?;
        let clean = |&state: &usize| self.livelocks.contains(state) && self.is_clean(state);
        let state = (first..self.explorer.level_of(first).end).find(clean);
        let place = Place::State(state.unwrap_or(first) as u32);
        Some(Site { steps: self.explorer.depth_of(first), clean: state.is_some(), place, step: None })
    }

    /// What a state violates.
    fn violation_at(&self, kind: ViolationKind, state: usize) -> Option<Site> {
        if kind == ViolationKind::Livelock {
            let place = Place::State(state as u32);
            let site = || Site { steps: 0, clean: self.is_clean(state), place, step: None };
            return self.livelocks.contains(state).then(site);
        }
        let source = Source { state: state as u32, depth: self.explorer.depth_of(state) };
        let mut notes = self.explorer.observer.notes();
        let words = self.explorer.words(state as u32);
        note_violations(&self.explorer.system, &mut notes, (source, self.is_clean(state)), &words);
        notes.sites.remove(&kind)
    }

    /// The states of the path to a violation at a state, and the violating step.
    fn path_to(&self, kind: ViolationKind, site: &Site, state: u32) -> (Vec<u32>, Option<Site>) {
        let is_of_state = matches!(kind, ViolationKind::Deadlock | ViolationKind::Livelock);
        if site.steps == 0 && !is_of_state {
            // It happened on the way to the initial state.
            return (vec![state], None);
        }
        let marks = &self.explorer.observer.marks;
        if marks.iter().any(|mark| mark & mark::CLEAN == 0) {
            return self.first_path(kind, site, state as usize);
        }
        // The numbers of the states of a level are in the order of the first paths to them.
        let mut path = vec![state];
        while let Some(&last) = path.last().filter(|&&last| !self.explorer.is_initial(last)) {
            path.push(self.explorer.observer.edges.parent(last));
        }
        path.reverse();
        (path, None)
    }

    /// The same if some states are reached by open comparisons alone.
    fn first_path(&self, kind: ViolationKind, site: &Site, state: usize) -> (Vec<u32>, Option<Site>) {
        let edges = &self.explorer.observer.edges;
        let depth = self.explorer.depth_of(state);
        let mut on_path = BitSet::new(self.explorer.states());
        let violates =
            |&state: &usize| self.violation_at(kind, state).is_some_and(|found| found.clean == site.clean);
        self.explorer.level_of(state).filter(violates).for_each(|it| on_path.insert(it));
        let mut lists = Lists::default();
        let mut level = self.explorer.level_of(state);
        for _ in 0..depth {
            level = self.explorer.level_of(level.start - 1);
            for block in level.start / BLOCK..level.end.div_ceil(BLOCK) {
                edges.read_whole_block(block, &mut lists);
                for (place, source) in edges.block(block).enumerate().filter(|(_, it)| level.contains(it)) {
                    let leads_on = lists.of(place).iter().any(|&target| on_path.contains(target as usize));
                    let is_clean =
                        || self.is_clean(source) && self.step_on(source as u32, true, &on_path).is_some();
                    if leads_on && (!site.clean || is_clean()) {
                        on_path.insert(source);
                    }
                }
            }
        }
        let first = on_path.first().expect("some initial state leads there");
        let mut path = vec![first as u32];
        while path.len() <= depth {
            let last = path[path.len() - 1];
            path.push(self.step_on(last, site.clean, &on_path).expect("it was marked for this"));
        }
        let last = path[depth] as usize;
        (path, self.violation_at(kind, last))
    }

    /// The target of the first step of a state that leads into a set, and depends on no open comparison if `clean`.
    fn step_on(&self, state: u32, clean: bool, set: &BitSet) -> Option<u32> {
        // Earlier states of the path may be led to again.
        let behind = self.explorer.level_of(state as usize).end;
        let Explorer { system, store, .. } = &self.explorer;
        let (mut folder, mut spare) = Default::default();
        let mut found = None;
        system.expand(&mut Buffers::default(), &self.explorer.words(state), &mut |successor| {
            let Next::State(next) = successor.result else { return };
            if found.is_some() || successor.passed || clean && successor.compared {
                return;
            }
            let tails = |id| system.space.tail_of(id);
            let key = store.key(&mut folder, next, successor.altered.clone(), tails);
            let number = key.and_then(|key| store.number(key, &mut spare));
            found = number.ok().filter(|&it| it as usize >= behind && set.contains(it as usize));
        });
        found
    }
}

impl<'a> Searched<'a> for Alone<'a> {
    fn system(&self) -> &System<'a> {
        &self.explorer.system
    }

    fn statistics(&self) -> Snapshot {
        self.explorer.snapshot()
    }

    fn is_complete(&self) -> bool {
        self.explorer.is_complete()
    }

    fn limit(&self) -> Option<Limit> {
        self.explorer.limit
    }

    fn set_limit(&mut self, limit: Option<Limit>) {
        self.explorer.limit = limit;
    }

    fn fault(&self) -> Option<&str> {
        self.explorer.fault.as_deref()
    }

    fn sites(&self) -> Vec<(ViolationKind, Site)> {
        self.explorer.observer.sites.iter().map(|(&kind, site)| (kind, site.clone())).collect()
    }

    fn most_sent(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<SendBounds, Limit> {
        let (states, parts) = (self.explorer.states(), self.explorer.system.program().parts.len());
        self.judge_graph(limits, progress, |edges, sent, budget| {
            most_sent(edges, sent, states, parts, budget)
        })
    }

    fn always_ends(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<bool, Limit> {
        let states = self.explorer.states();
        self.judge_graph(limits, progress, |edges, _, budget| always_ends(edges, states, budget))
    }

    fn infinite_runs(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<Infinite, Limit> {
        let Analysis { infinite_run, livelocks } =
            self.judge_graph(limits, progress, |edges, _, budget| {
                let may_cycle = self.explorer.system.space.agents.may_cycle(budget)?;
                debug_assert!(
                    may_cycle || !has_cycle(edges, self.explorer.states(), budget)?,
                    "no run goes round"
                );
                analyse(edges, &self.explorer.observer.marks, may_cycle, budget)
            })?;
        self.livelocks = livelocks;
        Ok(Infinite { some: infinite_run, livelock: self.livelock() })
    }

    fn polls_for_ever(&self) -> bool {
        self.explorer.observer.marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0)
    }

    fn trace(
        &mut self,
        kind: ViolationKind,
        site: &Site,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Trace, NoTrace> {
        let path = match &site.place {
            Place::Start(initial) => Path { initial: initial.clone(), states: Vec::new(), last: None },
            &Place::State(state) => {
                let (path, last) = self.path_to(kind, site, state);
                let step = last.map_or_else(|| site.step.clone(), |site| site.step);
                Path {
                    initial: self.explorer.initial_options(path[0]),
                    states: path.into_iter().map(|state| self.explorer.words(state)).collect(),
                    last: step,
                }
            }
        };
        let statistics = self.statistics();
        with_budget(&statistics, limits, progress, |budget| {
            path.trace(&mut self.explorer.system, kind, site, budget)
        })
    }

    fn rest(self) -> Rest {
        let Explorer { observer, cut_by, too_long, .. } = self.explorer;
        Rest { coverage: observer.coverage, cut_by, too_long }
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
