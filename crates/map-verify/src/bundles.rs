//! The search for scenes in which nothing goes wrong: no states one by one, but sets of states that have a half of the
//! scene in common, 64 to a word ([`map_store::Bundles`], [`crate::space::Bundle`]).
//!
//! States have no numbers here, and transitions are counted but not kept. So no trace can be made of what is found, and
//! no cycle can be looked for in it. All this says is that a scene terminates, and it says so if
//!
//! - every reachable state was expanded, and every step leads to a state;
//! - no state is one of which [`crate::search`] would note anything but a good end; so one without steps is a good end;
//! - the tables of agents tell that no run comes back to a state ([`crate::agents::Agents::may_go_round`]).
//!
//! Then every run ends, and it ends well. As soon as anything else is seen, or a limit but the caller's is reached,
//! nothing is said, and the other search, which starts anew, gives the verdict. Debug builds let it do so in any case, and compare.
//!
//! States are found level by level, as there: so depths are the same. Within a level their order does not matter.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use map_ir::Program;
use map_semantics::{Bounds, Ending, Status};
use map_store::{Bundles, Spare};

use crate::analysis::Means;
use crate::coverage::Coverage;
use crate::report::{Limit, Limits, Progress, Report, Snapshot, StoreKind, Verdict};
use crate::search::NO_PANIC;
use crate::search::crew::Helper;
use crate::space::{Bundle, Space};
use crate::store::{Folder, Naming, Store};
use visited::Visited;
use worker::Worker;

mod asked;
mod gathered;
mod levels;
#[cfg(test)]
mod tests;
mod visited;
mod worker;

/// Bundles that a thread takes at a time.
const CHUNK: usize = if cfg!(debug_assertions) { 2 } else { 64 };

/// Fewer than these are expanded by one thread.
const WORTH_SHARING: usize = 4 * CHUNK;

/// Why nothing is said.
#[derive(Debug)]
enum Silence {
    /// There is something to be said of which this search cannot speak.
    Unusual,
    /// The caller wants it to end.
    Told(Limit),
}

impl From<map_store::Full> for Silence {
    fn from(map_store::Full: map_store::Full) -> Self {
        Self::Unusual
    }
}

/// That the scene terminates, if it does and this search can tell; or that the caller has stopped it. Else nothing.
pub(crate) fn verify(
    program: &Program,
    bounds: &Bounds,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Option<Report> {
    let mut search = Search::new(program, bounds, limits)?;
    let limit = match search.run(limits, progress) {
        Ok(()) => None,
        Err(Silence::Told(limit)) => Some(limit),
        Err(Silence::Unusual) => return None,
    };
    Some(search.report(limits, limit))
}

/// A search as far as it got.
struct Search<'a> {
    space: Space<'a>,
    visited: Visited,
    /// One for each thread.
    workers: Vec<Mutex<Worker>>,
    /// How much was taken of each thread's share of the round.
    taken: Vec<AtomicUsize>,
    states: usize,
    expanded: usize,
    transitions: usize,
    depth: usize,
    coverage: Coverage,
}

impl<'a> Search<'a> {
    /// With the first state, if this search is for such scenes at all.
    fn new(program: &'a Program, bounds: &'a Bounds, limits: &Limits) -> Option<Self> {
        let mut space = Space::new(program, bounds);
        if limits.store != StoreKind::Exact || !space.has_halves() {
            return None;
        }
        let (state, outcomes) = space.start();
        let mut coverage = Coverage::new(program);
        for (agent, outcome) in program.agents.iter().zip(&outcomes) {
            let Ending::State(state) = &outcome.ending else { return None };
            if state.status == Status::Failed {
                return None;
            }
            coverage.record_start(program.part(agent.part).entry, outcome);
        }
        let words = state?;
        let mut store = Store::new(limits.store, space.shape(), Naming::ByWire, limits.threads);
        store.make_room_for_nodes(4 * words.len() + 64).ok()?;
        let tails = |place, id| space.tail_of(place, id);
        let first = store.key(&mut Folder::default(), &words, 0..space.header(), tails).ok()?;
        let mut found = Bundles::new(limits.threads);
        found.make_room(1).ok()?;
        let first = Bundle::of(Store::halves_of(first));
        found.add(first.key(), first.lefts, &mut Spare::default()).ok()?;
        let workers = (0..limits.threads.get()).map(|_| Mutex::new(Worker::new(program)));
        Some(Self {
            space,
            visited: Visited::new(store, found, first),
            workers: workers.collect(),
            taken: Vec::new(),
            states: 1,
            expanded: 0,
            transitions: 0,
            depth: 0,
            coverage,
        })
    }

    /// Expands all states.
    fn run(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<(), Silence> {
        let threads = self.workers.len();
        let shared = &RwLock::new(&mut *self);
        std::thread::scope(|scope| -> Result<(), Silence> {
            let expand = |worker| shared.read().expect(NO_PANIC).expand(worker);
            let obey = |worker| move |()| expand(worker);
            let crew: Vec<_> =
                (1..threads).map(|worker| Helper::start(scope, threads, obey(worker))).collect();
            loop {
                let mut search = shared.write().expect(NO_PANIC);
                if !search.prepare(limits, progress)? {
                    return Ok(());
                }
                let is_shared = search.visited.round.len() >= WORTH_SHARING;
                drop(search);
                let crew = if is_shared { &crew[..] } else { &[] };
                crew.iter().for_each(|helper| helper.begin(()));
                expand(0);
                crew.iter().for_each(Helper::wait);
            }
        })?;
        self.conclude(limits, progress)
    }

    fn workers(&mut self) -> impl Iterator<Item = &mut Worker> {
        self.workers.iter_mut().map(|worker| worker.get_mut().expect(NO_PANIC))
    }

    /// Does a thread's part of the round.
    fn expand(&self, own: usize) {
        let mut worker = self.workers[own].lock().expect(NO_PANIC);
        worker.noted.make_room(self.space.agents.after_count());
        // Bundles with the same right half follow each other: so shares are not mixed.
        let round = &self.visited.round;
        let (shares, all) = (self.workers.len(), round.len());
        for share in (0..shares).map(|further| (own + further) % shares) {
            let bundles = &round[all * share / shares..all * (share + 1) / shares];
            while !worker.is_unusual {
                let start = self.taken[share].fetch_add(CHUNK, Ordering::Relaxed);
                let Some(rest) = bundles.get(start..).filter(|rest| !rest.is_empty()) else { break };
                rest.iter().take(CHUNK).for_each(|&bundle| worker.expand(self, bundle));
            }
        }
        worker.add_all(&self.visited.found);
    }

    /// Says nothing unless every run ends.
    fn conclude(&mut self, limits: &Limits, progress: &mut dyn Progress) -> Result<(), Silence> {
        if self.states > limits.states || self.expanded != self.states {
            return Err(Silence::Unusual);
        }
        let snapshot = self.snapshot();
        let memory = limits.memory.saturating_sub(snapshot.memory);
        let mut means = Means { memory, threads: 1, tick: &mut || progress.tick(&snapshot) };
        match self.space.agents.may_go_round(&mut means) {
            Ok(false) => Ok(()),
            Err(limit @ (Limit::Time | Limit::Interrupted)) => Err(Silence::Told(limit)),
            Ok(true) | Err(_) => Err(Silence::Unusual),
        }
    }

    fn bytes(&self) -> usize {
        let workers: usize = self.workers.iter().map(|it| it.lock().expect(NO_PANIC).bytes()).sum();
        self.visited.bytes() + self.space.agents.bytes() + workers
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            states: self.states,
            transitions: self.transitions,
            depth: self.depth,
            frontier: self.states - self.expanded,
            memory: self.bytes(),
            states_memory: self.visited.bytes(),
        }
    }

    /// What it comes to: if no limit has ended it, that the scene terminates.
    fn report(self, limits: &Limits, limit: Option<Limit>) -> Report {
        let is_over = limit.is_none();
        Report {
            verdict: if is_over { Verdict::Terminates } else { Verdict::Inconclusive },
            complete: is_over,
            cut_by: Vec::new(),
            searched: is_over,
            statistics: self.snapshot(),
            violations: Vec::new(),
            untraced: Vec::new(),
            limit,
            unused: self.coverage.unused(self.space.program),
            bounds: self.space.bounds.clone(),
            store: limits.store,
        }
    }
}
