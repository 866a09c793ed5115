//! What the threads of one agent can do, in short: computed when it matters, not at every step.
//!
//! `map_semantics::scene_steps` says it all, but looks at every agent and keeps every outcome. A run in a large cast needs
//! of few agents to know whether they can move and whether they wait, so the ways of an act are gone only until that is
//! clear. What a step is, when a thread waits and when time may run out is asked of `map-semantics` all the same.

use std::ops::ControlFlow::{Break, Continue};

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Program, Symbol};
use map_semantics::{
    AgentState, BoundHit, Bounds, Ending, Event, Outcome, Path, act, every_way, may_time_out, time_out, waits,
};

/// What one agent can do.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) threads: Vec<ThreadMoves>,
    /// The performatives of which another message could change that, as a set of bits that may hold too many.
    hopes: u64,
}

/// What one thread can do.
#[derive(Clone, Copy, Default)]
pub(crate) struct ThreadMoves {
    /// Whether its act may come to a step that no bound cuts.
    act: bool,
    /// The same for its timeout, were time to run out.
    timeout: bool,
    pub(crate) waiting: bool,
    /// A bound that cuts its act, if the act comes to no step.
    act_cut: Option<BoundHit>,
    timeout_cut: Option<BoundHit>,
}

impl Moves {
    pub(crate) fn of(
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        state: &AgentState,
        fresh: Symbol,
    ) -> Self {
        let mut hopes = 0;
        let nodes = state.control.threads();
        let threads = nodes.map(|thread| {
            let place = state.control.place(thread);
            let timeout = match program.point(place).kind {
                PointKind::Wait { timeout, .. } => Some(timeout),
                _ => None,
            };
            let mut moves = ThreadMoves::default();
            let run = &mut |path: &mut Path| act(program, bounds, agent, state, thread, fresh, path);
            every_way(place, &mut Path::default(), run, &mut |outcome, _| {
                hopes |= missed(program, &outcome);
                moves.waiting |= waits(program, place, &outcome.ending);
                match outcome.ending {
                    Ending::Nothing => {}
                    Ending::Cut(bound) => moves.act_cut = Some(bound),
                    _ => moves.act = true,
                }
                // Whether it is waiting and whether it can act is all that counts: most acts need not be tried in every
                // way.
                if moves.act && (moves.waiting || timeout.is_none()) { Break(()) } else { Continue(()) }
            });
            if timeout.flatten().is_some() {
                let run = &mut |path: &mut Path| time_out(program, bounds, agent, state, thread, fresh, path);
                every_way(place, &mut Path::default(), run, &mut |outcome, _| {
                    match outcome.ending {
                        Ending::Nothing => {}
                        Ending::Cut(bound) => moves.timeout_cut = Some(bound),
                        _ => moves.timeout = true,
                    }
                    if moves.timeout { Break(()) } else { Continue(()) }
                });
            }
            moves
        });
        let threads = threads.collect();
        Self { threads, hopes }
    }

    /// Whether every thread is waiting.
    pub(crate) fn all_waiting(&self) -> bool {
        self.threads.iter().all(|thread| thread.waiting)
    }

    /// Whether another message of the performative may change what the agent can do. One of a performative of which
    /// every receive that was tried has found a message lies behind that, and changes nothing.
    pub(crate) fn hopes_for(&self, performative: PerformativeId) -> bool {
        self.hopes & bit(performative) != 0
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
    pub(crate) fn options(&self, bounds: &Bounds, quiescent: bool) -> (bool, bool) {
        (self.act, self.timeout && may_time_out(bounds, self.waiting, quiescent))
    }

    /// Whether it has a step.
    pub(crate) fn is_movable(&self, bounds: &Bounds, quiescent: bool) -> bool {
        self.options(bounds, quiescent) != (false, false)
    }
}

/// The performatives of the receives that found nothing.
fn missed(program: &Program, outcome: &Outcome) -> u64 {
    let bits = outcome.events.iter().map(|event| match event {
        Event::NothingThere(point) => awaited(program, *point),
        _ => 0,
    });
    bits.fold(0, |all, bit| all | bit)
}

fn awaited(program: &Program, receive: PointId) -> u64 {
    match program.point(receive).kind {
        PointKind::Receive { performative, .. } => bit(performative),
        _ => 0,
    }
}

const fn bit(performative: PerformativeId) -> u64 {
    1 << (performative.index() % 64)
}
