//! The labelled graph, and data derived from it once for all questions.

use std::sync::{Arc, Mutex, OnceLock};

use crate::budget::{Budget, Clock, Limit};
use crate::property::graph::LabelledGraph;

/// The labelled graph, its certain subgraph, and its predecessors.
pub(super) struct Graphs<'g> {
    pub(super) all: &'g LabelledGraph,
    certain: OnceLock<Option<LabelledGraph>>,
    sources: Mutex<Option<Arc<Sources>>>,
}

/// For each state the sources of the transitions to it that are no faults.
pub(super) struct Sources {
    /// The start of each state's sources.
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl<'g> Graphs<'g> {
    pub(super) fn new(all: &'g LabelledGraph) -> Self {
        Self { all, certain: OnceLock::new(), sources: Mutex::default() }
    }

    /// The subgraph that does not depend on open comparisons; `None` if nothing does.
    pub(super) fn certain(&self) -> Option<&LabelledGraph> {
        self.certain.get_or_init(|| self.all.has_doubts().then(|| self.all.certain())).as_ref()
    }

    /// The sources of transitions. The first caller computes them while others wait.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn sources(&self, budget: &mut Budget<'_>) -> Result<Arc<Sources>, Limit> {
        let mut known = self.sources.lock().expect("no thread panics");
        if let Some(sources) = &*known {
            return Ok(Arc::clone(sources));
        }
        let sources = Arc::new(Sources::new(self.all, budget)?);
        *known = Some(Arc::clone(&sources));
        Ok(sources)
    }
}

impl Sources {
    fn new(graph: &LabelledGraph, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let states = graph.len();
        budget.afford(Self::bytes(graph))?;
        let mut clock = Clock::default();
        let mut starts = vec![0_usize; states + 1];
        for state in 0..states as u32 {
            clock.tick(budget)?;
            for transition in graph.lucky(state) {
                starts[transition.target as usize] += 1;
            }
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut sources = vec![0_u32; end];
        for source in (0..states as u32).rev() {
            clock.tick(budget)?;
            for transition in graph.lucky(source) {
                let start = &mut starts[transition.target as usize];
                *start -= 1;
                sources[*start] = source;
            }
        }
        Ok(Self { starts, sources })
    }

    /// Bytes taken by the sources of a graph.
    pub(super) fn bytes(graph: &LabelledGraph) -> usize {
        graph.transition_count() * size_of::<u32>() + (graph.len() + 1) * size_of::<usize>()
    }

    /// The sources of the transitions to a state.
    pub(super) fn of(&self, state: u32) -> &[u32] {
        &self.sources[self.starts[state as usize]..self.starts[state as usize + 1]]
    }
}
