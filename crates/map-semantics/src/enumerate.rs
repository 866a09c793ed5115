//! Everything that one agent can do by itself: a pure function of its state, which engines memoise.

use std::ops::ControlFlow;

use map_ir::{AgentId, PointId, PointKind, Program, Symbol};

use crate::agent::{AgentState, Status};
use crate::arrival::arrive;
use crate::crash::crash;
use crate::initial::initial_memory;
use crate::machine::{act, enter, time_out};
use crate::outcome::{Ending, Outcome};
use crate::{Bounds, Look, Path};

/// An outcome with the options that lead to it.
#[derive(Clone, Debug)]
pub struct ResolvedOutcome {
    /// The outcome; never [`Ending::Nothing`].
    pub outcome: Outcome,
    /// The options taken, in order.
    pub options: Vec<u32>,
    /// Whether it rests on an open comparison.
    pub compared: bool,
}

/// Everything that one thread can do. A way by which messages come to the agent counts as one, too: its act is an
/// arrival, and it never waits, since time does not run out while messages are under way.
#[derive(Clone, Debug)]
pub struct ThreadSteps {
    /// Its node in the agent's control; for a way, that of the first thread.
    pub thread: usize,
    /// Whose messages come, if it is a way.
    pub sender: Option<AgentId>,
    /// The possible outcomes of its act.
    pub acts: Vec<ResolvedOutcome>,
    /// The possible outcomes of its timeout, if time runs out.
    pub timeouts: Vec<ResolvedOutcome>,
    /// Whether its act may come to nothing, at a `waitfor` or elsewhere: something it looks for may arrive later.
    pub in_vain: bool,
    /// Whether it is at a `waitfor` where its act may come to nothing.
    pub waiting: bool,
    /// Whether it counts as waiting only under some outcomes of open comparisons.
    pub waiting_compared: bool,
    /// Whether some outcomes of the open comparisons leave no act, whatever the procedures answer.
    pub act_may_vanish: bool,
    /// The same for its timeout; true if it has none.
    pub timeout_may_vanish: bool,
}

/// Everything that one agent can do by itself.
#[derive(Clone, Debug)]
pub struct AgentSteps {
    /// One entry per thread, in order, then one per way; empty if the agent has ended.
    pub threads: Vec<ThreadSteps>,
    /// Its crash, if agents may crash and it has not ended. Whether one more crash is allowed is up to the scene
    /// ([`crate::SceneState::may_crash`]).
    pub crash: Option<Outcome>,
    /// How far the acts searched the mailbox, in turn; one entry each time that was further than before. Where
    /// mailboxes are queues, a state that differs only in messages beyond these positions has the same steps, except
    /// for arrival numbers and new symbols.
    pub looks: Vec<Look>,
}

impl AgentSteps {
    /// Whether every thread is waiting.
    #[must_use]
    pub fn all_waiting(&self) -> bool {
        self.threads.iter().all(|thread| thread.waiting)
    }

    /// Whether some thread counts as waiting only under some outcomes of open comparisons.
    #[must_use]
    pub fn waiting_compared(&self) -> bool {
        self.threads.iter().any(|thread| thread.waiting_compared)
    }
}

/// Computes all steps of an agent.
#[must_use]
pub fn agent_steps(program: &Program, bounds: &Bounds, agent: AgentId, state: &AgentState) -> AgentSteps {
    if state.status != Status::Running {
        return AgentSteps { threads: Vec::new(), crash: None, looks: Vec::new() };
    }
    let fresh = first_unused_symbol(state);
    let mut looks = Vec::new();
    let mut threads: Vec<ThreadSteps> = state
        .control
        .threads()
        .map(|thread| {
            let place = state.control.place(thread);
            let (mut acts, act_may_vanish) = resolve(place, &mut looks, &mut |path| {
                act(program, bounds, agent, state, thread, fresh, path)
            });
            let (mut timeouts, timeout_may_vanish) = resolve(place, &mut looks, &mut |path| {
                time_out(program, bounds, agent, state, thread, fresh, path)
            });
            let comes_to_nothing = |it: &&ResolvedOutcome| it.outcome.ending == Ending::Nothing;
            let in_vain = acts.iter().any(|it| comes_to_nothing(&it));
            let waiting = acts.iter().any(|it| waits(program, place, &it.outcome.ending));
            let waiting_compared = waiting && acts.iter().filter(comes_to_nothing).all(|it| it.compared);
            acts.retain(|it| it.outcome.ending != Ending::Nothing);
            timeouts.retain(|it| it.outcome.ending != Ending::Nothing);
            ThreadSteps {
                thread,
                sender: None,
                acts,
                timeouts,
                in_vain,
                waiting,
                waiting_compared,
                act_may_vanish,
                timeout_may_vanish,
            }
        })
        .collect();
    threads.extend(arrivals(state));
    AgentSteps { threads, crash: (bounds.network.crashes > 0).then(|| crash(state)), looks }
}

/// The ways by which messages come to an agent.
fn arrivals(state: &AgentState) -> impl Iterator<Item = ThreadSteps> {
    let thread = state.control.threads().next();
    let ways = state.under_way.ways().enumerate();
    ways.filter_map(move |(number, way)| {
        let arrival =
            ResolvedOutcome { outcome: arrive(state, number), options: Vec::new(), compared: false };
        Some(ThreadSteps {
            thread: thread?,
            sender: Some(way.sender),
            acts: vec![arrival],
            timeouts: Vec::new(),
            in_vain: false,
            waiting: false,
            waiting_compared: false,
            act_may_vanish: false,
            timeout_may_vanish: true,
        })
    })
}

/// Runs an agent to its first places. `initial` begins with the options of its own cells among
/// [`crate::open_cells`], which are taken off.
///
/// Other choices would matter only where a call compares an abstract value, which cannot happen before the first
/// answer: there is exactly one way.
///
/// # Panics
/// If these are no such options.
#[must_use]
pub fn start(program: &Program, bounds: &Bounds, agent: AgentId, initial: &mut &[u32]) -> Outcome {
    let memory = initial_memory(program, agent, initial);
    enter(program, bounds, agent, memory, &mut Path::default())
}

/// The maximum number of ways to resolve the questions of one act; beyond it, no verdict is given. Reached only by long
/// chains of calls whose heads compare abstract values.
const MAX_WAYS: usize = 1 << 16;

/// Runs an act or a timeout of a thread at `place` once for each way to resolve its open questions, and passes each
/// outcome to `see` until that breaks. If there are too many ways, the last outcome passed is [`Ending::TooLong`].
///
/// Returns whether some outcomes of the comparisons leave no step whatever the answers; false if not all ways were
/// tried.
pub fn every_way(
    place: PointId,
    path: &mut Path,
    run: &mut dyn FnMut(&mut Path) -> Outcome,
    see: &mut dyn FnMut(Outcome, &Path) -> ControlFlow<()>,
) -> bool {
    for _ in 0..MAX_WAYS {
        let outcome = run(path);
        let nothing = outcome.ending == Ending::Nothing;
        if see(outcome, path).is_break() {
            return false;
        }
        if let Err(may_vanish) = path.advance(nothing) {
            return may_vanish;
        }
    }
    let outcome = Outcome { ending: Ending::TooLong(place), ..run(path) };
    let _ = see(outcome, path);
    false
}

/// Whether the place is a `waitfor`.
#[must_use]
pub fn is_waitfor(program: &Program, point: PointId) -> bool {
    matches!(program.point(point).kind, PointKind::Wait { .. })
}

/// Whether a thread at `place` counts as waiting because its act may end like this: it is at a `waitfor`, and the act
/// comes to nothing.
#[must_use]
pub fn waits(program: &Program, place: PointId, ending: &Ending) -> bool {
    *ending == Ending::Nothing && is_waitfor(program, place)
}

/// The outcomes of all ways to run an act, and the result of [`every_way`]. `looks` is how far the agent has searched
/// so far, and is updated.
fn resolve(
    place: PointId,
    looks: &mut Vec<Look>,
    run: &mut dyn FnMut(&mut Path) -> Outcome,
) -> (Vec<ResolvedOutcome>, bool) {
    let mut path = Path::having_looked(std::mem::take(looks));
    let mut found = Vec::new();
    let may_vanish = every_way(place, &mut path, run, &mut |outcome, path| {
        found.push(ResolvedOutcome { outcome, options: path.options(), compared: path.compared() });
        ControlFlow::Continue(())
    });
    *looks = path.looks;
    (found, may_vanish)
}

/// The smallest symbol above all those in the state.
fn first_unused_symbol(state: &AgentState) -> Symbol {
    let mut next = 0;
    state.visit_symbols(&mut |symbol| next = next.max(symbol.0 + 1));
    Symbol(next)
}
