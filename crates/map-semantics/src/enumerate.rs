//! All that one agent can do by itself: a pure function of its state, for engines to remember.

use std::ops::ControlFlow;

use map_ir::{AgentId, PointId, PointKind, Program, Symbol};

use crate::agent::{AgentState, Status};
use crate::crash::crash;
use crate::machine::{act, enter, time_out};
use crate::outcome::{Ending, Outcome};
use crate::{Bounds, Look, Path};

/// An outcome with how the open questions were settled.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The outcome; never [`Ending::Nothing`].
    pub outcome: Outcome,
    /// The options taken, in order.
    pub options: Vec<u32>,
    /// Whether it rests on an open comparison.
    pub compared: bool,
}

/// All that one thread can do.
#[derive(Clone, Debug)]
pub struct ThreadSteps {
    /// Its node in the agent's control.
    pub thread: usize,
    /// What its act may come to.
    pub acts: Vec<Resolved>,
    /// What its timeout may come to, if time runs out.
    pub timeouts: Vec<Resolved>,
    /// Whether its act may come to nothing, wherever it rests: something that it looks for may be there later.
    pub in_vain: bool,
    /// Whether it is at a `waitfor` where its act may come to nothing.
    pub waiting: bool,
    /// Whether it may come to nothing only if open comparisons come out so.
    pub waiting_compared: bool,
    /// Whether open comparisons may come out so that, whatever the procedures answer, its act is no step.
    pub act_may_vanish: bool,
    /// The same for its timeout; true if it has none.
    pub timeout_may_vanish: bool,
}

/// All that one agent can do by itself.
#[derive(Clone, Debug)]
pub struct AgentSteps {
    /// One entry for each thread, in order; none if the agent has ended.
    pub threads: Vec<ThreadSteps>,
    /// Its crash, if agents may crash and it has not ended. Whether one more may is up to the scene
    /// ([`crate::SceneState::may_crash`]).
    pub crash: Option<Outcome>,
    /// How far the acts looked through the mailbox, in turn, each time that was further than before. Where mailboxes are
    /// queues a state that differs in messages behind these alone has the same steps, but for the numbers of arrival and
    /// of new symbols.
    pub looks: Vec<Look>,
}

impl AgentSteps {
    /// Whether every thread is waiting.
    #[must_use]
    pub fn all_waiting(&self) -> bool {
        self.threads.iter().all(|thread| thread.waiting)
    }

    /// Whether some thread counts as waiting only if open comparisons come out so.
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
    let threads = state
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
            let comes_to_nothing = |it: &&Resolved| it.outcome.ending == Ending::Nothing;
            let in_vain = acts.iter().any(|it| comes_to_nothing(&it));
            let waiting = acts.iter().any(|it| waits(program, place, &it.outcome.ending));
            let waiting_compared = waiting && acts.iter().filter(comes_to_nothing).all(|it| it.compared);
            acts.retain(|it| it.outcome.ending != Ending::Nothing);
            timeouts.retain(|it| it.outcome.ending != Ending::Nothing);
            ThreadSteps {
                thread,
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
    AgentSteps { threads, crash: (bounds.network.crashes > 0).then(|| crash(state)), looks }
}

/// Every way of an agent to its first places. The settled options matter only where a call compares an abstract value,
/// which cannot be before the first answer: there is exactly one way.
#[must_use]
pub fn start(program: &Program, bounds: &Bounds, agent: AgentId) -> Outcome {
    enter(program, bounds, agent, &mut Path::default())
}

/// The most ways in which one act may come out; beyond, no verdict is given. Reached only by long chains of calls whose
/// heads compare abstract values.
const MAX_WAYS: usize = 1 << 16;

/// Runs an act, or a timeout, of a thread at `place` once for each way to settle what is open, and shows what comes of
/// each until `see` has seen enough. If there are too many ways, the last that is shown is [`Ending::TooLong`].
///
/// Returns whether some outcomes of the comparisons leave nothing whatever the answers; false if not all ways were gone.
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

/// Whether a thread at `place` counts as waiting because its act may end so: it is at a `waitfor`, and the act comes to
/// nothing.
#[must_use]
pub fn waits(program: &Program, place: PointId, ending: &Ending) -> bool {
    *ending == Ending::Nothing && is_waitfor(program, place)
}

/// All that comes of the ways to run an act, and what [`every_way`] says of it. `looks` is how far the agent has looked.
fn resolve(
    place: PointId,
    looks: &mut Vec<Look>,
    run: &mut dyn FnMut(&mut Path) -> Outcome,
) -> (Vec<Resolved>, bool) {
    let mut path = Path::having_looked(std::mem::take(looks));
    let mut found = Vec::new();
    let may_vanish = every_way(place, &mut path, run, &mut |outcome, path| {
        found.push(Resolved { outcome, options: path.options(), compared: path.compared() });
        ControlFlow::Continue(())
    });
    *looks = path.looks;
    (found, may_vanish)
}

/// The smallest symbol above all that the agent holds.
fn first_unused_symbol(state: &AgentState) -> Symbol {
    let mut next = 0;
    state.visit_symbols(&mut |symbol| next = next.max(symbol.0 + 1));
    Symbol(next)
}
