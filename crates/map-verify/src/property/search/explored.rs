//! The labelled graph of a scene, complete or not.

use map_semantics::{self as semantics, BoundHit, Ending};

use super::observer::{Decided, Labelling};
use super::shared::{Outcome, Shared};
use crate::budget::{Limit, Limits, Progress, Snapshot, Stop};
use crate::explore::{self, Start};
use crate::property::graph::{LabelledGraph, LetterId};
use crate::property::plan::groups::Group;
use crate::state::Successor;
use crate::state::space::Space;
use crate::system::{Buffers, Layers, System};
use crate::together::told::agree;
use crate::together::{ClusterLost, Link};

/// Number of initial states labelled between two checks of the limits.
const STRIDE: u32 = 1 << 10;

/// The states found, with the letters of all transitions.
pub(crate) struct Explored<'a> {
    search: Search<'a>,
    /// Whether every reachable state was expanded.
    pub(crate) searched: bool,
    /// Whether there is no initial state because of runaway recursions or run errors.
    pub(crate) runaway: bool,
    pub(crate) limit: Option<Limit>,
    pub(crate) cut_by: Vec<BoundHit>,
    /// Of all processes.
    pub(crate) statistics: Snapshot,
    /// Bytes that this process has in use.
    pub(crate) memory: usize,
}

/// Who has explored.
enum Search<'a> {
    Alone(Box<explore::Explorer<'a, Labelling<'a>>>),
    Together(Box<Shared<'a>>),
}

impl<'a> Explored<'a> {
    /// Explores the scene. `decided` is called after every level: whether the letters seen so far decide all
    /// properties.
    pub(crate) fn explore(
        space: Space<'a>,
        group: &'a Group,
        decided: Decided,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Self {
        let mut started = Started::new(space, group, decided, limits, progress);
        let explorer = &mut started.explorer;
        match started.is_decided {
            true => explorer.system.space.stop = Stop::default(),
            false => explorer.run(limits, progress),
        }
        Self::of(started)
    }

    /// The same by several processes. Only the first one has the graph afterwards.
    ///
    /// # Errors
    /// If a process is lost.
    pub(crate) fn explore_together(
        space: Space<'a>,
        group: &'a Group,
        decided: Decided,
        (limits, link): (&Limits, &mut Link<'_>),
        progress: &mut dyn Progress,
    ) -> Result<Self, ClusterLost> {
        let mut started = Started::new(space, group, decided, limits, progress);
        let limit = agree(link, started.explorer.limit)?;
        started.explorer.limit = limit;
        if started.is_decided || limit.is_some() || started.explorer.initial_states == 0 {
            started.explorer.system.space.stop = Stop::default();
            return Ok(Self::of(started));
        }
        let shared = Shared::explore(started.explorer, link, limits, progress)?;
        let Outcome { is_complete, limit, too_long, cut_by, statistics, memory } = shared.outcome(link)?;
        Ok(Self {
            search: Search::Together(Box::new(shared)),
            searched: is_complete && limit.is_none() && !too_long,
            runaway: false,
            limit: limit.or(too_long.then_some(Limit::Calls)),
            cut_by: cut_by.into_iter().collect(),
            statistics,
            memory,
        })
    }

    fn of(Started { mut explorer, wrong, .. }: Started<'a>) -> Self {
        let runaway = wrong && explorer.initial_states == 0;
        let mut statistics = explorer.snapshot();
        // If a level decided everything, no further one was begun, but its states have successors one step further.
        statistics.depth += usize::from(explorer.observer.is_decided);
        let searched = explorer.is_complete() && !runaway && !explorer.too_long;
        let limit = explorer.limit.or(explorer.too_long.then_some(Limit::Calls));
        let cut_by = explorer.cut_by.iter().copied().collect();
        explorer.observer.finish();
        let (search, memory) = (Search::Alone(Box::new(explorer)), statistics.memory);
        Self { search, searched, runaway, limit, cut_by, statistics, memory }
    }

    fn system(&self) -> &System<'a> {
        match &self.search {
            Search::Alone(explorer) => &explorer.system,
            Search::Together(shared) => &shared.explorer.system,
        }
    }

    fn labelling(&self) -> &Labelling<'a> {
        match &self.search {
            Search::Alone(explorer) => &explorer.observer,
            Search::Together(shared) => &shared.explorer.records.labelling,
        }
    }

    /// The state space of the scene.
    pub(crate) fn space(&self) -> &Space<'a> {
        &self.system().space
    }

    /// The same, mutable, for filling in its tables.
    pub(crate) fn space_mut(&mut self) -> &mut Space<'a> {
        match &mut self.search {
            Search::Alone(explorer) => &mut explorer.system.space,
            Search::Together(shared) => &mut shared.explorer.system.space,
        }
    }

    pub(crate) fn graph(&self) -> &LabelledGraph {
        &self.labelling().graph
    }

    /// Brings the words of states, which several processes have, to the first one.
    ///
    /// # Errors
    /// If a process is lost.
    pub(crate) fn bring(&mut self, states: &[u32], link: &mut Link<'_>) -> Result<(), ClusterLost> {
        match &mut self.search {
            Search::Alone(_) => Ok(()),
            Search::Together(shared) => shared.bring(states, link),
        }
    }

    /// The words of a state, which was [brought](Self::bring) if several processes have explored.
    pub(crate) fn words(&self, state: u32) -> Vec<u32> {
        match &self.search {
            Search::Alone(explorer) => explorer.words(state),
            Search::Together(shared) => shared.brought[&state].clone(),
        }
    }

    /// The options of [`map_semantics::open_cells`] in an initial state.
    pub(crate) fn initial_options(&self, state: u32) -> Vec<u32> {
        match &self.search {
            Search::Alone(explorer) => explorer.initial_options(state),
            Search::Together(shared) => shared.initial[state as usize].options.clone(),
        }
    }

    /// Calls `see` for every step of an expanded state.
    pub(crate) fn for_each_step(&self, words: &[u32], mut see: impl FnMut(&Successor<'_>)) {
        let expanded = self.system().expand(&mut Buffers::default(), words, &mut |it| see(it));
        debug_assert!(expanded.is_some(), "all that it needs has been in the tables since it was expanded");
    }

    /// Whether a step is made by the mover of a transition.
    pub(crate) fn is_made_by(&self, successor: &Successor<'_>, mover: u32) -> bool {
        self.labelling().is_made_by(successor, mover)
    }

    /// The letter of a step from an expanded state to a stored one.
    pub(crate) fn letter_of(&self, source: u32, successor: &Successor<'_>, target: u32) -> Option<LetterId> {
        self.labelling().letter_of(source, successor, target)
    }
}

/// A search whose initial states are there.
struct Started<'a> {
    explorer: explore::Explorer<'a, Labelling<'a>>,
    /// Whether the way to some initial state goes wrong.
    wrong: bool,
    /// Whether the letters of the first moment decide everything.
    is_decided: bool,
}

impl<'a> Started<'a> {
    fn new(
        space: Space<'a>,
        group: &'a Group,
        decided: Decided,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Self {
        let system = System::new(space, Layers::default());
        let mut explorer = explore::Explorer::new(system, limits, |system| {
            let Space { program, bounds, .. } = &system.space;
            Labelling::new(program, group, bounds, &limits.tuning, decided)
        });
        let mut wrong = false;
        let see = &mut |_: &mut explore::Explorer<'a, Labelling<'a>>, start: &Start<'_>| {
            let is_wrong =
                |it: &semantics::Outcome| matches!(it.ending, Ending::Runaway(_) | Ending::RunError(_));
            wrong |= start.outcomes.iter().any(is_wrong);
        };
        let started = explorer.start(limits, progress, see);
        let is_decided =
            started.and_then(|()| label_initial(&mut explorer, progress)).unwrap_or_else(|limit| {
                explorer.limit = Some(limit);
                false
            });
        Self { explorer, wrong, is_decided }
    }
}

/// Finds the letters of the first moment in the initial states; whether they decide everything.
fn label_initial(
    explorer: &mut explore::Explorer<'_, Labelling<'_>>,
    progress: &mut dyn Progress,
) -> Result<bool, Limit> {
    let number = explorer.initial_states as u32;
    if number == 0 {
        return Ok(false);
    }
    let check = |explorer: &explore::Explorer<'_, Labelling<'_>>, state: u32, progress: &mut dyn Progress| {
        let limit = (state % STRIDE == STRIDE - 1).then(|| progress.tick(&explorer.snapshot())).flatten();
        limit.map_or(Ok(()), Err)
    };
    for state in 0..number {
        check(explorer, state, progress)?;
        let words = explorer.words(state);
        explorer.system.space.fill_locals(&words);
    }
    explorer.observer.begin(&explorer.system.space);
    for state in 0..number {
        check(explorer, state, progress)?;
        let words = explorer.words(state);
        explorer.observer.start(&explorer.system.space, &words);
    }
    Ok(explorer.observer.is_decided_at_first())
}
