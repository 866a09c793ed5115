//! The search for a group of properties, repeated as long as slicing has removed too much, or numbers stop at ceilings
//! that they can come down from.

use map_ir::{ClauseId, Program};
use map_semantics::{Bounds, ceilings};

use super::explored::Explored;
use super::observer::Decided;
use crate::abstraction::slicing::Slicer;
use crate::agents::Monitors;
use crate::budget::{Limit, Limits, Progress};
use crate::property::plan::groups::Group;
use crate::state::space::Space;
use crate::together::{ClusterLost, Link};

impl Group {
    /// The labelled graph for the properties. `decided` is called after every level: whether the letters seen so far
    /// decide all of them.
    pub(in crate::property) fn explore<'g>(
        &'g self,
        scene: (&'g Program, &'g Bounds),
        decided: Decided,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Explored<'g> {
        let mut attempt = Attempt::new(self);
        loop {
            let space = attempt.space(self, scene);
            let explored = Explored::explore(space, self, decided, limits, progress);
            if attempt.suffices(&explored) {
                return explored;
            }
        }
    }

    /// The same by several processes. Only the first one has the graph afterwards.
    ///
    /// # Errors
    /// If a process is lost.
    pub(in crate::property) fn explore_together<'g>(
        &'g self,
        scene: (&'g Program, &'g Bounds),
        decided: Decided,
        (limits, link): (&Limits, &mut Link<'_>),
        progress: &mut dyn Progress,
    ) -> Result<Explored<'g>, ClusterLost> {
        let mut attempt = Attempt::new(self);
        loop {
            let space = attempt.space(self, scene);
            let together = (limits, &mut *link);
            let explored = Explored::explore_together(space, self, decided, together, progress)?;
            if attempt.suffices(&explored) {
                return Ok(explored);
            }
        }
    }
}

/// What the next search must leave as it is.
struct Attempt {
    /// Clauses that must not be sliced.
    whole: Vec<ClauseId>,
    /// Where the numbers of monitors stop.
    ceilings: Vec<i64>,
}

impl Attempt {
    fn new(group: &Group) -> Self {
        Self { whole: Vec::new(), ceilings: ceilings(&group.properties) }
    }

    fn space<'g>(&self, group: &'g Group, (program, bounds): (&'g Program, &'g Bounds)) -> Space<'g> {
        let visible = group.visible(program);
        let slicer = group.slicing.then(|| Slicer::keeping(program, bounds, &self.whole, &visible));
        let monitors = Monitors::new(program, &group.properties, bounds, &self.ceilings);
        Space::monitored(program, bounds, slicer, group.symmetry.clone(), monitors)
    }

    /// Whether the search can be relied on. Otherwise the next one is told why not.
    fn suffices(&mut self, explored: &Explored<'_>) -> bool {
        let before = self.whole.len();
        self.whole.extend(explored.space().agents.doubtful());
        let decreased = explored.space().agents.monitors.as_ref().map_or(&[][..], Monitors::decreased);
        decreased.iter().for_each(|&it| self.ceilings[it] = i64::MAX);
        let hurried = matches!(explored.limit, Some(Limit::Time | Limit::Interrupted));
        // Without time for another search the result is kept: every claim based on it is backed by a run of the
        // scene. But letters that rest on a ceiling may be wrong.
        decreased.is_empty() && (self.whole.len() == before || hurried)
    }
}
