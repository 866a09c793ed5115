//! From which states of a scene a good end can be reached: a search that is kept, so that states can be looked up.

use std::collections::BTreeSet;

use map_graph::BitSet;
use map_ir::{ClauseId, Program};
use map_semantics::{Bounds, SceneState};
use map_store::Spare;

use super::alone::Alone;
use super::searched::Searched;
use crate::abstraction::slicing::Slicer;
use crate::abstraction::symmetry::Symmetry;
use crate::budget::{Limit, Limits, Progress};
use crate::graph::reach::reaches;
use crate::mark;
use crate::report::{InternalError, ViolationKind};
use crate::state::space::Space;
use crate::state::store::Folder;
use crate::system::{Layers, System};

/// Knows from which states of a scene a good end can be reached.
pub struct GoodEnds<'a> {
    search: Alone<'a>,
    /// By state: whether one can be reached, or what lies behind it is not known.
    reached: BitSet,
    /// Whether states are told apart by no more than whoever asks remembers of them: values that slicing finds to
    /// matter.
    is_plain: bool,
    /// The number of states of single agents that may be interned.
    most_interned: usize,
}

/// The number of states of single agents that may be looked for in vain.
const MOST_UNKNOWN: usize = 1 << 16;

/// Finds out from which states of a scene a good end can be reached, without faults. A state counts as one from which
/// it can if a bound cuts off a step behind it, or a mailbox overflows.
///
/// # Errors
/// None but defects of the engine. The inner one is the limit that was reached first.
pub fn good_ends<'a>(
    program: &'a Program,
    bounds: &'a Bounds,
    limits: &Limits,
    progress: &mut dyn Progress,
) -> Result<Result<GoodEnds<'a>, Limit>, InternalError> {
    let mut whole: BTreeSet<ClauseId> = BTreeSet::new();
    let search = loop {
        let pinned: Vec<ClauseId> = whole.iter().copied().collect();
        let is_ordered = !bounds.network.unordered && !bounds.network.delayed;
        let slicer = is_ordered.then(|| Slicer::new(program, bounds, &pinned));
        let symmetry = if is_ordered { Symmetry::new(program, bounds) } else { Symmetry::none(program) };
        let space = Space::up_to(program, bounds, slicer, symmetry);
        let search = Alone::explore(System::new(space, Layers::default()), limits, true, progress)?;
        let before = whole.len();
        whole.extend(search.explorer.system.space.agents.doubtful());
        if whole.len() == before {
            break search;
        }
    };
    if let Some(limit) = search.limit() {
        return Ok(Err(limit));
    }
    if search.explorer.too_long {
        return Ok(Err(Limit::Calls));
    }
    let overflows = search.explorer.observer.sites.contains_key(&ViolationKind::MailboxOverflow);
    let hopeful = mark::GOOD_END | mark::CUT | if overflows { mark::WRONG } else { 0 };
    let marks = &search.explorer.observer.marks;
    let states = search.explorer.states();
    let reached = search.judge_graph(limits, progress, |edges, _, budget| {
        reaches(edges, states, |state| marks[state] & hopeful != 0, budget)
    });
    Ok(reached.map(|reached| {
        let most_interned = search.explorer.system.space.agents.count() + MOST_UNKNOWN;
        GoodEnds { search, reached, is_plain: whole.is_empty(), most_interned }
    }))
}

impl GoodEnds<'_> {
    /// The number of states that the scene can reach, up to what makes no difference.
    #[must_use]
    pub fn states(&self) -> usize {
        self.search.explorer.states()
    }

    /// The number of those from which no good end can be reached.
    #[must_use]
    pub fn doomed(&self) -> usize {
        (0..self.states()).filter(|&state| !self.reached.contains(state)).count()
    }

    /// Whether a good end can be reached from a state, in which values that cannot matter may be others. `None` if the
    /// scene cannot reach the state, as far as is known.
    pub fn can_be_reached_from(&mut self, state: &SceneState) -> Option<bool> {
        let explorer = &mut self.search.explorer;
        if !self.is_plain || explorer.system.space.agents.count() > self.most_interned {
            return None;
        }
        let words = explorer.system.space.abstracted(state);
        let space = &explorer.system.space;
        let key =
            explorer.store.key(&mut Folder::default(), &words, 0..space.singles(), |id| space.tail_of(id));
        // What is new gets a provisional number, as long as there is room.
        let number = key.and_then(|key| explorer.store.number(key, &mut Spare::default())).ok()? as usize;
        (number < explorer.store.len()).then(|| self.reached.contains(number))
    }
}
