//! What the finished graph says: infinite runs, and states from which nothing good can be reached any more.

use super::search::mark;

/// The transitions between stored states, by source, in the order in which the states were expanded.
#[derive(Default)]
pub(crate) struct Graph {
    targets: Vec<u32>,
    ends: Vec<usize>,
}

impl Graph {
    /// Adds a transition of the state being expanded.
    pub(crate) fn push(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// Ends the list of the state being expanded.
    pub(crate) fn close_state(&mut self) {
        self.ends.push(self.targets.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.targets.capacity() * 4 + self.ends.capacity() * 8
    }

    /// The numbers of a state's transitions.
    pub(crate) fn range(&self, state: usize) -> std::ops::Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start..self.ends[state]
    }

    /// Where a transition leads.
    pub(crate) fn target(&self, transition: usize) -> u32 {
        self.targets[transition]
    }

    fn successors(&self, state: usize) -> &[u32] {
        &self.targets[self.range(state)]
    }
}

/// What the graph says.
pub(crate) struct Analysis {
    /// Some run never ends.
    pub(crate) infinite_run: bool,
    /// For every state whether it is a livelock.
    pub(crate) livelock: Vec<bool>,
    /// The first of them, which is one of the nearest.
    pub(crate) first_livelock: Option<usize>,
}

/// Judges a completely explored graph.
pub(crate) fn analyse(graph: &Graph, marks: &[u8]) -> Analysis {
    let hopeful = mark::GOOD_END | mark::CUT | mark::WRONG | mark::DEADLOCK | mark::FAILED;
    let hope = reaches(graph, marks.len(), |state| marks[state] & hopeful != 0);
    let livelock: Vec<bool> = hope.iter().map(|hope| !hope).collect();
    Analysis {
        infinite_run: marks.iter().any(|marks| marks & mark::ONLY_POLLS != 0)
            || has_cycle(graph, marks.len()),
        first_livelock: livelock.iter().position(|&it| it),
        livelock,
    }
}

/// Whether from every state a state without transitions can be reached.
pub(crate) fn always_ends(graph: &Graph, states: usize) -> bool {
    reaches(graph, states, |state| graph.range(state).is_empty()).into_iter().all(|it| it)
}

/// For every state whether it reaches one for which `goal` holds.
fn reaches(graph: &Graph, states: usize, goal: impl Fn(usize) -> bool) -> Vec<bool> {
    let (starts, sources) = predecessors(graph, states);
    let mut reached: Vec<bool> = (0..states).map(goal).collect();
    let mut todo: Vec<u32> = (0..states).filter(|&state| reached[state]).map(|state| state as u32).collect();
    while let Some(state) = todo.pop() {
        let state = state as usize;
        for &source in &sources[starts[state]..starts[state + 1]] {
            if !reached[source as usize] {
                reached[source as usize] = true;
                todo.push(source);
            }
        }
    }
    reached
}

/// The transitions by target: where each target's list starts, and the sources.
fn predecessors(graph: &Graph, states: usize) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0_usize; states + 1];
    for &target in &graph.targets {
        starts[target as usize + 1] += 1;
    }
    for index in 0..states {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut sources = vec![0_u32; graph.targets.len()];
    for source in 0..states {
        for &target in graph.successors(source) {
            sources[next[target as usize]] = source as u32;
            next[target as usize] += 1;
        }
    }
    (starts, sources)
}

/// Whether some state can be reached from itself: what is left after states without predecessors were taken away
/// again and again (Kahn's topological sort).
fn has_cycle(graph: &Graph, states: usize) -> bool {
    let mut incoming = vec![0_u32; states];
    for &target in &graph.targets {
        incoming[target as usize] += 1;
    }
    let mut free: Vec<u32> = (0..states as u32).filter(|&state| incoming[state as usize] == 0).collect();
    let mut removed = 0;
    while let Some(state) = free.pop() {
        removed += 1;
        for &target in graph.successors(state as usize) {
            incoming[target as usize] -= 1;
            if incoming[target as usize] == 0 {
                free.push(target);
            }
        }
    }
    removed < states
}
