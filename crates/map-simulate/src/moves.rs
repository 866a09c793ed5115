//! What the threads of one agent can do, in short: computed when the agent changes, not at every step.

use map_ir::{AgentId, Program};
use map_semantics::{AgentState, BoundHit, Bounds, Ending, Resolved, agent_steps, may_time_out};

/// What one agent can do.
pub(crate) struct Moves {
    threads: Vec<ThreadMoves>,
    pub(crate) all_waiting: bool,
    /// How many threads have a step while some thread of the scene is not waiting, and while all are.
    movable: [usize; 2],
}

/// What one thread can do.
#[derive(Clone, Copy)]
pub(crate) struct ThreadMoves {
    /// Whether its act may come to a step that no bound cuts.
    act: bool,
    /// The same for its timeout, were time to run out.
    timeout: bool,
    waiting: bool,
    act_cut: Option<BoundHit>,
    timeout_cut: Option<BoundHit>,
}

impl Moves {
    pub(crate) fn of(program: &Program, bounds: &Bounds, agent: AgentId, state: &AgentState) -> Self {
        let steps = agent_steps(program, bounds, agent, state);
        let all_waiting = steps.all_waiting();
        let threads: Vec<ThreadMoves> = steps
            .threads
            .iter()
            .map(|thread| ThreadMoves {
                act: thread.acts.iter().any(is_made),
                timeout: thread.timeouts.iter().any(is_made),
                waiting: thread.waiting,
                act_cut: thread.acts.iter().find_map(cut),
                timeout_cut: thread.timeouts.iter().find_map(cut),
            })
            .collect();
        let movable = [false, true].map(|quiescent| {
            threads.iter().filter(|thread| thread.options(bounds, quiescent) != (false, false)).count()
        });
        Self { threads, all_waiting, movable }
    }

    /// How many threads have a step.
    pub(crate) fn movable(&self, quiescent: bool) -> usize {
        self.movable[usize::from(quiescent)]
    }

    /// The index of the `n`th thread that has a step, with whether it can act and whether its time can run out.
    pub(crate) fn nth_movable(&self, bounds: &Bounds, quiescent: bool, n: usize) -> (usize, bool, bool) {
        let options = self.threads.iter().map(|thread| thread.options(bounds, quiescent)).enumerate();
        let mut movable = options.filter(|&(_, options)| options != (false, false));
        let (thread, (act, timeout)) =
            movable.nth(n).expect("n is below the number of threads that have a step");
        (thread, act, timeout)
    }

    /// A bound that cuts a step.
    pub(crate) fn cut(&self, bounds: &Bounds, quiescent: bool) -> Option<BoundHit> {
        self.threads.iter().find_map(|thread| {
            let timeout = thread.timeout_cut.filter(|_| may_time_out(bounds, thread.waiting, quiescent));
            thread.act_cut.or(timeout)
        })
    }
}

impl ThreadMoves {
    /// Whether it can act, and whether its time can run out.
    fn options(&self, bounds: &Bounds, quiescent: bool) -> (bool, bool) {
        (self.act, self.timeout && may_time_out(bounds, self.waiting, quiescent))
    }
}

fn is_made(step: &Resolved) -> bool {
    !matches!(step.outcome.ending, Ending::Cut(_) | Ending::Nothing)
}

fn cut(step: &Resolved) -> Option<BoundHit> {
    if let Ending::Cut(bound) = step.outcome.ending { Some(bound) } else { None }
}
