//! A part with all that its agents can do, and what is asked about it.

use map_ir::PartId;

use crate::control::{At, PlaceId};
use crate::explore::{Beginning, Doing};
use crate::walk::{Act, Ending, Tree, Walker, Wrong};

/// A part with all that its agents can do.
pub(crate) struct Explored<'a> {
    pub(crate) walker: Walker<'a>,
    pub(crate) beginnings: Vec<Beginning>,
    pub(crate) doings: Vec<Doing>,
}

/// Whether something may go wrong in this way.
pub(crate) fn occurs(wrong: Wrong, explored: &[(PartId, Explored<'_>)]) -> bool {
    let at_once = |part: &Explored<'_>| part.beginnings.iter().any(|it| it.ended == Some(false));
    wrong == Wrong::Failure && explored.iter().any(|(_, part)| at_once(part))
        || some_step_ends(explored, |ending| ending.wrong() == Some(wrong))
}

/// Whether a bound may cut some step.
pub(crate) fn is_cut(explored: &[(PartId, Explored<'_>)]) -> bool {
    some_step_ends(explored, |ending| *ending == Ending::Cut)
}

fn some_step_ends(explored: &[(PartId, Explored<'_>)], so: impl Fn(&Ending) -> bool + Copy) -> bool {
    fn inside(tree: &Tree, so: impl Fn(&Ending) -> bool + Copy) -> bool {
        match tree {
            Tree::Leaf(leaf) => so(&leaf.ending),
            Tree::Act(_, after) => inside(after, so),
            Tree::Test { options, .. } => options.iter().any(|(_, tree)| inside(tree, so)),
        }
    }
    let doings = explored.iter().flat_map(|(_, part)| &part.doings);
    doings.flat_map(|it| it.acts.iter().chain(&it.timeouts)).any(|(_, tree)| inside(tree, so))
}

impl Explored<'_> {
    /// The places of first threads.
    pub(crate) fn main_places(&self) -> impl Iterator<Item = PlaceId> {
        let places = &self.walker.control.places;
        (0..places.len()).map(PlaceId).filter(|it| places[it.0].thread().is_none())
    }

    /// The threads that may make steps while the agent's first thread is at a place: itself, or those in its `par`.
    pub(crate) fn threads_at(&self, main: PlaceId) -> Vec<PlaceId> {
        let places = &self.walker.control.places;
        match places[main.0].at {
            At::Fork(fork) => (0..places.len())
                .map(PlaceId)
                .filter(|it| places[it.0].outermost_fork() == Some(fork))
                .collect(),
            At::Point(_) | At::End(_) => vec![main],
        }
    }

    /// Where the agent's first thread is while one of its threads is at a place.
    pub(crate) fn main_of(&self, from: PlaceId) -> PlaceId {
        let places = &self.walker.control.places;
        match places[from.0].outermost_fork() {
            Some(fork) => {
                let index = places.iter().position(|it| it.at == At::Fork(fork));
                PlaceId(index.expect("the agent rests at the par it is in"))
            }
            None => from,
        }
    }

    /// Whether some receive has to pick its message.
    pub(crate) fn picks(&self) -> bool {
        self.doings.iter().flat_map(|doing| &doing.acts).any(|(_, tree)| {
            matches!(tree, Tree::Act(act, _) if matches!(&**act, Act::Receive(taking) if self.walker.picks(taking)))
        })
    }
}
