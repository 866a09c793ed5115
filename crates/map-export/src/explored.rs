//! The result of exploring a part, with queries.

use map_ir::PartId;

use crate::control::{At, PlaceId};
use crate::explore::{Behaviour, InitialState};
use crate::walk::{Act, Ending, Tree, Walker, Wrong};

/// A part with everything its agents can do.
pub(crate) struct Explored<'a> {
    pub(crate) walker: Walker<'a>,
    /// By agent: one for each way in which its cells may start.
    pub(crate) initial_states: Vec<Vec<InitialState>>,
    pub(crate) behaviours: Vec<Behaviour>,
}

/// Whether any step, or the beginning of an agent, may go wrong in this way.
pub(crate) fn occurs(wrong: Wrong, explored: &[(PartId, Explored<'_>)]) -> bool {
    let at_once =
        |part: &Explored<'_>| part.initial_states.iter().flatten().any(|it| it.ended == Some(false));
    wrong == Wrong::Failure && explored.iter().any(|(_, part)| at_once(part))
        || some_step_ends(explored, |ending| ending.wrong() == Some(wrong))
}

/// Whether a bound may cut a step.
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
    let behaviours = explored.iter().flat_map(|(_, part)| &part.behaviours);
    behaviours.flat_map(|it| it.acts.iter().chain(&it.timeouts)).any(|(_, tree)| inside(tree, so))
}

impl Explored<'_> {
    /// The places of the agents' first threads.
    pub(crate) fn main_places(&self) -> impl Iterator<Item = PlaceId> {
        let places = &self.walker.control.places;
        (0..places.len()).map(PlaceId).filter(|it| places[it.0].thread().is_none())
    }

    /// The places of the threads that may take steps while the agent's first thread is at `main`: that place itself
    /// or, at a `par`, the places inside it.
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

    /// The place of the agent's first thread while one of its threads is at `from`.
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

    /// Whether some receive has to pick its message (see [`Walker::picks`]).
    pub(crate) fn picks(&self) -> bool {
        self.behaviours.iter().flat_map(|behaviour| &behaviour.acts).any(|(_, tree)| {
            matches!(tree, Tree::Act(act, _) if matches!(&**act, Act::Receive(spec) if self.walker.picks(spec)))
        })
    }
}
