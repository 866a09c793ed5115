//! The labelled graph of a scene, complete or not.

use map_ir::Properties;
use map_semantics::{BoundHit, Ending, Outcome};

use super::observer::{Decided, Labelling};
use crate::budget::{Limit, Limits, Progress, Snapshot, Stop};
use crate::explore::{Explorer, Start};
use crate::property::graph::{LabelledGraph, LetterId};
use crate::state::Successor;
use crate::state::space::Space;
use crate::system::{Buffers, Layers, System};

/// Number of initial states labelled between two checks of the limits.
const STRIDE: u32 = 1 << 10;

/// The states found, with the letters of all transitions.
pub(crate) struct Explored<'a> {
    explorer: Explorer<'a, Labelling<'a>>,
    /// Whether every reachable state was expanded.
    pub(crate) searched: bool,
    /// Whether there is no initial state because of runaway recursions or run errors.
    pub(crate) runaway: bool,
    pub(crate) limit: Option<Limit>,
    pub(crate) cut_by: Vec<BoundHit>,
    pub(crate) statistics: Snapshot,
}

impl<'a> Explored<'a> {
    /// Explores the scene. `decided` is called after every level: whether the letters seen so far decide all
    /// properties.
    pub(crate) fn explore(
        space: Space<'a>,
        properties: &'a Properties,
        decided: Decided,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Self {
        let system = System::new(space, Layers::default());
        let mut explorer = Explorer::new(system, limits, |system| {
            Labelling::new(system.program(), properties, &limits.tuning, decided)
        });
        let mut wrong = false;
        let see = &mut |_: &mut Explorer<'a, Labelling<'a>>, start: &Start<'_>| {
            let is_wrong = |it: &Outcome| matches!(it.ending, Ending::Runaway(_) | Ending::RunError(_));
            wrong |= start.outcomes.iter().any(is_wrong);
        };
        let started = explorer.start(limits, progress, see);
        let decided = started.and_then(|()| label_initial(&mut explorer, progress)).unwrap_or_else(|limit| {
            explorer.limit = Some(limit);
            false
        });
        if decided {
            explorer.system.space.stop = Stop::default();
        } else {
            explorer.run(limits, progress);
        }
        let runaway = wrong && explorer.initial_states == 0;
        Self::finish(explorer, runaway)
    }

    fn finish(mut explorer: Explorer<'a, Labelling<'a>>, runaway: bool) -> Self {
        let mut statistics = explorer.snapshot();
        // If a level decided everything, no further one was begun, but its states have successors one step further.
        statistics.depth += usize::from(explorer.observer.is_decided);
        let searched = explorer.is_complete() && !runaway && !explorer.too_long;
        let limit = explorer.limit.or(explorer.too_long.then_some(Limit::Calls));
        let cut_by = explorer.cut_by.iter().copied().collect();
        explorer.observer.finish();
        Self { explorer, searched, runaway, limit, cut_by, statistics }
    }

    /// The state space of the scene.
    pub(crate) fn space(&self) -> &Space<'a> {
        &self.explorer.system.space
    }

    /// The same, mutable, for filling in its tables.
    pub(crate) fn space_mut(&mut self) -> &mut Space<'a> {
        &mut self.explorer.system.space
    }

    pub(crate) fn graph(&self) -> &LabelledGraph {
        &self.explorer.observer.graph
    }

    /// The words of a stored state.
    pub(crate) fn words(&self, state: u32) -> Vec<u32> {
        self.explorer.words(state)
    }

    /// The options of [`map_semantics::open_cells`] in an initial state.
    pub(crate) fn initial_options(&self, state: u32) -> Vec<u32> {
        self.explorer.initial_options(state)
    }

    /// Calls `see` for every step of an expanded state.
    pub(crate) fn for_each_step(&self, words: &[u32], mut see: impl FnMut(&Successor<'_>)) {
        let expanded = self.explorer.system.expand(&mut Buffers::default(), words, &mut |it| see(it));
        debug_assert!(expanded.is_some(), "all that it needs has been in the tables since it was expanded");
    }

    /// The letter of a step from an expanded state to a stored one.
    pub(crate) fn letter_of(&self, source: u32, successor: &Successor<'_>, target: u32) -> Option<LetterId> {
        self.explorer.observer.letter_of(source, successor, target)
    }
}

/// Finds the letters of the first moment in the initial states; whether they decide everything.
fn label_initial(
    explorer: &mut Explorer<'_, Labelling<'_>>,
    progress: &mut dyn Progress,
) -> Result<bool, Limit> {
    let number = explorer.initial_states as u32;
    if number == 0 {
        return Ok(false);
    }
    let check = |explorer: &Explorer<'_, Labelling<'_>>, state: u32, progress: &mut dyn Progress| {
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
