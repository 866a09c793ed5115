//! A thread's part of a level.

use map_ir::Program;
use map_store::Bundles;

use super::Search;
use super::asked::Asked;
use super::gathered::Gathered;
use crate::batch::Noted;
use crate::coverage::Coverage;
use crate::space::{Bundle, Expanded, Found, Halves, Tellers, Unbundled};
use crate::store::Folder;

/// If so much is missing in the agent tables nothing is expanded before they are filled in: others would mostly miss the same.
const MOST_MISSING: usize = if cfg!(debug_assertions) { 8 } else { 1 << 13 };

/// What a thread has found since it was last taken over, and its buffers.
pub(super) struct Worker {
    halves: Halves,
    folder: Folder,
    gathered: Gathered,
    pub(super) noted: Noted,
    pub(super) reached: Reached,
    /// How many states were expanded, and how many transitions they have.
    pub(super) expanded: usize,
    pub(super) transitions: usize,
    /// States to be expanded again, and what they lack in the agent tables.
    pub(super) again: Vec<Bundle>,
    pub(super) missing: Asked,
    /// There was no room for some node.
    pub(super) is_full: bool,
    /// There is something to be said of some state of which this search cannot speak.
    pub(super) is_unusual: bool,
}

/// States that nobody had found before.
#[derive(Default)]
pub(super) struct Reached {
    /// How many.
    pub(super) states: usize,
    pub(super) bundles: Vec<Bundle>,
}

impl Reached {
    fn note(&mut self, fresh: Bundle) {
        self.states += fresh.lefts.count_ones() as usize;
        self.bundles.push(fresh);
    }
}

impl Worker {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            halves: Halves::default(),
            folder: Folder::default(),
            gathered: Gathered::default(),
            noted: Noted::new(Coverage::new(program)),
            reached: Reached::default(),
            expanded: 0,
            transitions: 0,
            again: Vec::new(),
            missing: Asked::default(),
            is_full: false,
            is_unusual: false,
        }
    }

    /// Expands states. What their steps lead to is gathered.
    pub(super) fn expand(&mut self, search: &Search<'_>, bundle: Bundle) {
        if self.missing.len() >= MOST_MISSING {
            self.again.push(bundle);
            return;
        }
        let Self { halves, folder, gathered, noted, reached, .. } = self;
        let mut tell = Tellers {
            reached: |bundle| gathered.take(&search.visited.found, bundle, &mut |fresh| reached.note(fresh)),
            found: |step: Found<'_>| step.tell(|successor| noted.record(&successor)),
        };
        let means = (&search.visited.store, folder);
        let expanded = search.space.expand_bundle(halves, means, (bundle, search.states), &mut tell);
        self.halves.missing.drain(..).for_each(|missing| self.missing.ask(missing));
        let Expanded { lefts, transitions } = match expanded {
            Ok(expanded) => expanded,
            Err(Unbundled::Full) => {
                self.is_full = true;
                Expanded::default()
            }
            Err(Unbundled::Unusual) => {
                self.is_unusual = true;
                return;
            }
        };
        self.transitions += transitions;
        self.expanded += lefts.count_ones() as usize;
        let again = bundle.lefts & !lefts;
        if again != 0 {
            self.again.push(Bundle { lefts: again, ..bundle });
        }
    }

    /// Adds all that was gathered to the visited set, and puts what nobody had found before in order.
    pub(super) fn add_all(&mut self, found: &Bundles) {
        let Self { gathered, reached, .. } = self;
        gathered.add(found, &mut |fresh| reached.note(fresh));
        reached.bundles.sort_unstable_by_key(|bundle| bundle.place());
    }

    /// For how many bundles there was no room.
    pub(super) fn left_over(&self) -> usize {
        self.gathered.left_over()
    }

    /// Adds those for which there was no room, now that there is.
    pub(super) fn add_left_over(&mut self, found: &Bundles) {
        let Self { gathered, reached, .. } = self;
        gathered.add_left_over(found, &mut |fresh| reached.note(fresh));
    }

    pub(super) fn bytes(&self) -> usize {
        self.halves.bytes()
            + self.folder.bytes()
            + self.gathered.bytes()
            + self.noted.bytes()
            + self.missing.bytes()
            + self.reached.bundles.capacity() * size_of::<Bundle>()
    }
}
