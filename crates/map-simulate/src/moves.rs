//! What the threads of one agent can do, in short: computed when it matters, not at every step.

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Program, Symbol};
use map_semantics::{
    AgentState, BoundHit, Bounds, Ending, Event, Outcome, Path, act, may_time_out, time_out,
};

/// The most ways in which an act or a timeout is tried; one with more is taken to come to a step.
const MAX_WAYS: usize = 1 << 16;

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
            let timeout = match program.point(state.control.place(thread)).kind {
                PointKind::Wait { timeout, .. } => Some(timeout),
                _ => None,
            };
            let mut moves = ThreadMoves::default();
            // Whether it is waiting and whether it can act is all that counts: most acts need not be tried in every way.
            every_way(&mut |path| act(program, bounds, agent, state, thread, fresh, path), &mut |outcome| {
                hopes |= missed(program, outcome);
                match outcome.map(|outcome| &outcome.ending) {
                    Some(Ending::Nothing) => moves.waiting |= timeout.is_some(),
                    Some(Ending::Cut(bound)) => moves.act_cut = Some(*bound),
                    _ => moves.act = true,
                }
                moves.act && (moves.waiting || timeout.is_none())
            });
            if timeout.flatten().is_some() {
                every_way(
                    &mut |path| time_out(program, bounds, agent, state, thread, fresh, path),
                    &mut |outcome| {
                        match outcome.map(|outcome| &outcome.ending) {
                            Some(Ending::Nothing) => {}
                            Some(Ending::Cut(bound)) => moves.timeout_cut = Some(*bound),
                            _ => moves.timeout = true,
                        }
                        moves.timeout
                    },
                );
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

/// Tries one way after the other to settle what is open, until `see` has seen enough; it sees `None` if there are too
/// many.
fn every_way(run: &mut dyn FnMut(&mut Path) -> Outcome, see: &mut dyn FnMut(Option<&Outcome>) -> bool) {
    let mut path = Path::default();
    for _ in 0..MAX_WAYS {
        let outcome = run(&mut path);
        let nothing = outcome.ending == Ending::Nothing;
        if see(Some(&outcome)) || path.advance(nothing).is_err() {
            return;
        }
    }
    see(None);
}

/// The performatives of the receives that found nothing.
fn missed(program: &Program, outcome: Option<&Outcome>) -> u64 {
    let events = outcome.map_or(&[][..], |outcome| &outcome.events);
    let bits = events.iter().map(|event| match event {
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
