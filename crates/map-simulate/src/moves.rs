//! A summary of what the threads of one agent can do, computed on demand rather than at every step.
//!
//! `map_semantics::scene_steps` gives the full answer, but examines every agent and keeps every outcome. For a run with
//! a large cast it is enough to know, of few agents, whether they can move and whether they wait, so the ways of an act
//! are enumerated only until that is clear. What a step is, when a thread waits and when time may run out is still
//! decided by `map-semantics`.

use std::cell::Cell;
use std::ops::ControlFlow::{Break, Continue};

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Program, Symbol};
use map_semantics::{
    AgentState, BoundHit, Bounds, Choice, Choices, Ending, Event, Outcome, Path, Question, Reply, Turn, act,
    every_way, may_time_out, time_out, waits,
};

/// What one agent can do.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) threads: Vec<ThreadMoves>,
    /// The performatives of receives that found no message: another such message could change the moves. A bit set by
    /// id modulo 64, so it may contain too many.
    awaited: u64,
}

/// What one thread can do.
#[derive(Default)]
pub(crate) struct ThreadMoves {
    /// Whether its act may be a step that no bound cuts.
    act: bool,
    /// Whether its timeout would be a step that no bound cuts, if time ran out.
    timeout: bool,
    pub(crate) waiting: bool,
    /// A bound that cuts some way of its act.
    act_cut: Option<BoundHit>,
    timeout_cut: Option<BoundHit>,
    /// What its act comes to, if that is a step in which nothing is left open, so that it need not be computed again.
    certain_act: Option<Outcome>,
    /// The same of its timeout.
    certain_timeout: Option<Outcome>,
}

impl Moves {
    pub(crate) fn of(
        program: &Program,
        bounds: &Bounds,
        agent: AgentId,
        state: &AgentState,
        fresh: Symbol,
    ) -> Self {
        let mut awaited = 0;
        let nodes = state.control.threads();
        let threads = nodes.map(|thread| {
            let place = state.control.place(thread);
            let timeout = match program.point(place).kind {
                PointKind::Wait { timeout, .. } => Some(timeout),
                _ => None,
            };
            let mut moves = ThreadMoves::default();
            let open = Cell::new(false);
            let is_certain = |outcome: &Outcome| !open.get() && is_certain(bounds, fresh, outcome);
            let run = &mut |path: &mut Path| {
                act(program, bounds, agent, state, thread, fresh, &mut Probe { path, open: &open })
            };
            every_way(place, &mut Path::default(), run, &mut |outcome, _| {
                awaited |= missed(program, &outcome);
                moves.waiting |= waits(program, place, &outcome.ending);
                match outcome.ending {
                    Ending::Nothing => {}
                    Ending::Cut(bound) => moves.act_cut = Some(bound),
                    _ => moves.act = true,
                }
                moves.certain_act = Some(outcome).filter(is_certain);
                // Stop as soon as both facts are known: most acts need not be tried in every way.
                if moves.act && (moves.waiting || timeout.is_none()) { Break(()) } else { Continue(()) }
            });
            // Time runs out for threads that wait, and for no others.
            if timeout.flatten().is_some() && moves.waiting {
                open.set(false);
                let run = &mut |path: &mut Path| {
                    time_out(program, bounds, agent, state, thread, fresh, &mut Probe { path, open: &open })
                };
                every_way(place, &mut Path::default(), run, &mut |outcome, _| {
                    match outcome.ending {
                        Ending::Nothing => {}
                        Ending::Cut(bound) => moves.timeout_cut = Some(bound),
                        _ => moves.timeout = true,
                    }
                    moves.certain_timeout = Some(outcome).filter(is_certain);
                    if moves.timeout { Break(()) } else { Continue(()) }
                });
            }
            moves
        });
        let mut threads: Vec<ThreadMoves> = threads.collect();
        // Arrivals, as in `map_semantics::agent_steps`.
        threads.extend(state.under_way.ways().map(|_| ThreadMoves { act: true, ..ThreadMoves::default() }));
        Self { threads, awaited }
    }

    /// Whether every thread is waiting.
    pub(crate) fn all_waiting(&self) -> bool {
        self.threads.iter().all(|thread| thread.waiting)
    }

    /// Whether another message of the performative may change what the agent can do. If every receive of that
    /// performative that was tried found a message, a new one queues behind it and changes nothing.
    pub(crate) fn awaits(&self, performative: PerformativeId) -> bool {
        self.awaited & bit(performative) != 0
    }

    /// A bound that cuts a step of some thread.
    pub(crate) fn cut(&self, bounds: &Bounds, quiescent: bool) -> Option<BoundHit> {
        self.threads.iter().find_map(|thread| {
            let timeout = thread.timeout_cut.filter(|_| may_time_out(bounds, thread.waiting, quiescent));
            thread.act_cut.or(timeout)
        })
    }
}

impl ThreadMoves {
    /// Whether it can act, and whether its timeout can fire.
    pub(crate) fn options(&self, bounds: &Bounds, quiescent: bool) -> (bool, bool) {
        (self.act, self.timeout && may_time_out(bounds, self.waiting, quiescent))
    }

    /// What this turn of it comes to, if nothing is open about that; it is taken out.
    pub(crate) fn take_certain(&mut self, turn: Turn) -> Option<Outcome> {
        match turn {
            Turn::Act => self.certain_act.take(),
            Turn::Timeout => self.certain_timeout.take(),
            Turn::Crash | Turn::Arrive => None,
        }
    }

    /// Whether it has a step.
    pub(crate) fn is_movable(&self, bounds: &Bounds, quiescent: bool) -> bool {
        self.options(bounds, quiescent) != (false, false)
    }
}

/// Whether an outcome that left nothing open is the same whenever the agent is drawn, as long as it does not become
/// stale: it has no new symbols, whose numbers depend on what others do; and in a bag, messages are numbered anew
/// whenever one arrives.
fn is_certain(bounds: &Bounds, fresh: Symbol, outcome: &Outcome) -> bool {
    !bounds.network.unordered && matches!(&outcome.ending, Ending::State(next) if next.fresh == fresh)
}

/// Tries the ways of an act, and notes whether something was open: a question, or what somebody outside might answer.
struct Probe<'a> {
    path: &'a mut Path,
    open: &'a Cell<bool>,
}

impl Choices for Probe<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        self.open.set(true);
        self.path.choose(choice)
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        self.open.set(true);
        self.path.reply(question)
    }

    fn pick(&mut self, question: &Question<'_>) -> Option<Option<u32>> {
        self.open.set(true);
        self.path.pick(question)
    }
}

/// The performatives of the receives that found no message.
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
