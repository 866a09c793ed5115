//! What an agent can do next, given a hypothesis: the step relation of `map-semantics`, in every way.

mod forced;
mod resting;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Value};
use map_semantics::{
    Action, AgentState, Ending, Event, Mailbox, Message, Outcome, Path, RunError, RunErrorKind, act,
    every_way, is_waitfor, time_out, waits,
};

use crate::constraint::Constraint;
use crate::hypothesis::{Found, Frame, Hypothesis};
use crate::pending::{Alike, candidates, forced, mixed_blocks};
use crate::subject::Subject;
use crate::ways::Ways;

pub(crate) use forced::forced_receive;
pub(crate) use resting::{resting, timed_out};

/// What was done in a step, so that it can be done again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// The thread, as an index into the threads of the agent.
    pub(crate) thread: usize,
    /// How its open questions were settled.
    pub(crate) options: Vec<u32>,
    /// For a timeout: how those of the act were settled that came to nothing before.
    pub(crate) in_vain: Option<Vec<u32>>,
}

/// A step that the log does not show: anything but a send.
pub(crate) struct Silent {
    pub(crate) next: Hypothesis,
    pub(crate) made: Made,
    /// Whether it is a timeout.
    pub(crate) timeout: bool,
    /// Whether it might not exist had somebody joined before it: a send found nobody.
    pub(crate) alone: bool,
    /// Performatives of which a receive found nothing: the step might not exist had a message arrived before it.
    pub(crate) missed: Vec<PerformativeId>,
}

/// A send.
#[derive(Clone)]
pub(crate) struct Sending {
    pub(crate) next: Hypothesis,
    pub(crate) made: Made,
    pub(crate) point: PointId,
    pub(crate) message: Arc<Message>,
    pub(crate) to: Vec<AgentId>,
}

/// Everything that the agent can do next.
#[derive(Default)]
pub(crate) struct Steps {
    pub(crate) silent: Vec<Silent>,
    pub(crate) sends: Vec<Sending>,
    /// Whether a bound cut something off.
    pub(crate) cut: bool,
    /// Where the run goes wrong: the values that are no integers and would have to be; `None` for what is too large.
    pub(crate) unfit: Vec<Option<Value>>,
    /// Whether it may be at rest: it has ended, or all of its threads wait for messages that are not there.
    pub(crate) at_rest: bool,
}

/// One way in which an act or a timeout can go.
struct Way {
    outcome: Outcome,
    options: Vec<u32>,
    assumed: Vec<Constraint>,
    looked: Vec<PerformativeId>,
}

/// A way in which an act comes to nothing, so that time may run out.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct InVain {
    assumed: Vec<Constraint>,
    options: Vec<u32>,
    /// Whether a send found nobody.
    alone: bool,
}

/// Whether a send found nobody.
fn found_nobody(outcome: &Outcome) -> bool {
    outcome.events.iter().any(|it| matches!(it, Event::NobodyThere(_)))
}

/// Computes the steps of a hypothesis; of those with messages of senders that are `alike`, one.
pub(crate) fn steps(subject: Subject<'_>, from: &Hypothesis, alike: &Alike) -> Steps {
    let Subject { frame, arrivals, work, agent } = subject;
    let mut found = Steps { at_rest: true, ..Steps::default() };
    if from.has_ended() {
        return found;
    }
    for (index, thread) in from.state.control.threads().enumerate() {
        if !work.spend(from.weight()) {
            found.cut = true;
            break;
        }
        let place = from.state.control.place(thread);
        let mut looked: Vec<PerformativeId> = Vec::new();
        let mut in_vain: Vec<InVain> = Vec::new();
        for way in ways(frame, agent, from, &from.state, thread, false) {
            looked.extend(&way.looked);
            if waits(&frame.program, place, &way.outcome.ending) {
                let alone = found_nobody(&way.outcome);
                in_vain.push(InVain { assumed: way.assumed, options: way.options, alone });
            } else {
                found.take(subject, from, index, way, None);
            }
        }
        found.at_rest &= !in_vain.is_empty();
        in_vain.sort_unstable();
        in_vain.dedup_by(|one, other| {
            let is_same = one.assumed == other.assumed;
            other.alone |= is_same && one.alone;
            is_same
        });
        for vain in in_vain.iter().filter(|_| frame.time_runs_out) {
            found.time_out(subject, from, (index, thread), vain);
        }
        looked.sort_unstable();
        looked.dedup();
        if from.before.is_some() {
            let sought = sought(frame, agent, from, thread);
            for message in subject.messages_before(from, &sought, alike) {
                found.receive_from_before(subject, from, (index, thread), message);
            }
        }
        for last in candidates(arrivals, &from.pending, &looked, alike) {
            let forced = forced(arrivals, &from.pending, last);
            // If it is not taken when these alone arrive, it is not if more do.
            if !found.receive_late(subject, from, (index, thread), &forced) {
                continue;
            }
            for block in mixed_blocks(&from.pending, &forced, alike, &mut found.cut) {
                found.receive_late(subject, from, (index, thread), &block);
            }
        }
    }
    found
}

/// The performatives that a thread looks for if nothing has arrived: what is older than all that has may be taken even
/// where a message of the same performative is there.
fn sought(frame: &Frame, agent: AgentId, from: &Hypothesis, thread: usize) -> Vec<PerformativeId> {
    let mut empty = from.state.clone();
    empty.mailbox = Mailbox::default();
    let ways = ways(frame, agent, from, &empty, thread, false);
    let mut sought: Vec<PerformativeId> = ways.into_iter().flat_map(|way| way.looked).collect();
    sought.sort_unstable();
    sought.dedup();
    sought
}

/// Every way in which a thread can act, or its time run out.
fn ways(
    frame: &Frame,
    agent: AgentId,
    from: &Hypothesis,
    state: &AgentState,
    thread: usize,
    timeout: bool,
) -> Vec<Way> {
    let Frame { program, bounds, .. } = frame;
    let fresh = from.fresh();
    let notes = RefCell::new((Vec::new(), Vec::new()));
    let mut found = Vec::new();
    let mut run = |path: &mut Path| {
        let mut ways = Ways { program, agent, path, assumed: Vec::new(), missed: Vec::new() };
        let outcome = if timeout {
            time_out(program, bounds, agent, state, thread, fresh, &mut ways)
        } else {
            act(program, bounds, agent, state, thread, fresh, &mut ways)
        };
        *notes.borrow_mut() = (ways.assumed, ways.missed);
        outcome
    };
    let place = state.control.place(thread);
    every_way(place, &mut Path::default(), &mut run, &mut |outcome, path| {
        let (assumed, looked) = notes.take();
        found.push(Way { outcome, options: path.options(), assumed, looked });
        ControlFlow::Continue(())
    });
    found
}

impl Steps {
    /// Adds what a way leads to. It is that of a timeout if something was done `in_vain` before.
    fn take(
        &mut self,
        subject: Subject<'_>,
        from: &Hypothesis,
        thread: usize,
        way: Way,
        in_vain: Option<&InVain>,
    ) {
        let Subject { frame, agent, .. } = subject;
        let Way { outcome, options, assumed, .. } = way;
        let timeout = in_vain.is_some();
        let alone = found_nobody(&outcome) || in_vain.is_some_and(|it| it.alone);
        let made = Made { thread, options, in_vain: in_vain.map(|it| it.options.clone()) };
        let next = match outcome.ending {
            Ending::State(next) => next,
            Ending::Cut(_) | Ending::TooLong(_) => {
                self.cut = true;
                return;
            }
            // A run that goes wrong explains nothing further.
            Ending::RunError(RunError { kind: RunErrorKind::NoInteger(value), .. }) => {
                self.unfit.push(Some(value));
                return;
            }
            Ending::RunError(RunError { kind: RunErrorKind::Overflow, .. }) => {
                self.unfit.push(None);
                return;
            }
            Ending::Nothing | Ending::Runaway(_) | Ending::RunError(_) => return,
        };
        let mut after = from.clone();
        if let (Some(before), Some(Action::Receive { message, .. })) = (&mut after.before, &outcome.action) {
            subject.settle(message, before);
        }
        after.state.go_on(&frame.bounds, next, outcome.action.as_ref().and_then(Action::taken));
        let mut bound = Vec::new();
        let mut accepts = |found| match found {
            Found::Bound(symbol, value) => {
                bound.push((symbol, value));
                true
            }
            Found::Unfit(answer) => {
                self.unfit.push(answer);
                false
            }
        };
        if !after.assume_and_tell(&frame.program, assumed, &mut accepts) {
            return;
        }
        if let Some(Action::Send { point, mut message, to }) = outcome.action {
            // What is assumed may say what is sent: `if $v == 1 then $v else 2`.
            for (symbol, value) in bound {
                if message.arguments.contains(&symbol) {
                    let same = Arc::make_mut(&mut message).arguments.iter_mut().filter(|it| **it == symbol);
                    same.for_each(|it| *it = value);
                }
            }
            self.sends.push(Sending { next: after, made, point, message, to });
            return;
        }
        let nothing = |event: &Event| match frame.program.point(event.point()).kind {
            PointKind::Receive { performative, .. } if matches!(event, Event::NothingThere(_)) => {
                Some(performative)
            }
            _ => None,
        };
        let missed = outcome.events.iter().filter_map(nothing).collect();
        after.normalise(frame, agent);
        self.silent.push(Silent { next: after, made, timeout, alone, missed });
    }

    /// Adds what happens if time runs out for a thread that waits, because what is `assumed` holds.
    fn time_out(
        &mut self,
        subject: Subject<'_>,
        from: &Hypothesis,
        (index, thread): (usize, usize),
        in_vain: &InVain,
    ) {
        let Subject { frame, agent, .. } = subject;
        debug_assert!(is_waitfor(&frame.program, from.state.control.place(thread)));
        let mut waiting = from.clone();
        if !waiting.assume(&frame.program, in_vain.assumed.clone()) {
            return;
        }
        for way in ways(frame, agent, &waiting, &waiting.state, thread, true) {
            self.take(subject, &waiting, index, way, Some(in_vain));
        }
    }

    /// Adds what happens if a block of messages arrives just now, and the thread takes the last of them; false if it
    /// does not.
    fn receive_late(
        &mut self,
        subject: Subject<'_>,
        from: &Hypothesis,
        (index, thread): (usize, usize),
        block: &[usize],
    ) -> bool {
        let Subject { frame, work, agent, .. } = subject;
        if !work.spend(from.weight()) {
            self.cut = true;
            return false;
        }
        let mut arrived = from.clone();
        arrived.deliver_pending(block);
        let Some(last) = block.last().map(|&last| &from.pending[last]) else { return false };
        let mut taken = false;
        for way in ways(frame, agent, &arrived, &arrived.state, thread, false) {
            let takes = matches!(
                &way.outcome.action,
                Some(Action::Receive { message, .. }) if Arc::ptr_eq(message, last)
            );
            if takes {
                taken = true;
                self.take(subject, &arrived, index, way, None);
            }
        }
        // What is on its way will arrive: it does not wait for anything else.
        self.at_rest &= !taken;
        taken
    }

    /// Adds what happens if the thread takes a message from before the log.
    fn receive_from_before(
        &mut self,
        subject: Subject<'_>,
        from: &Hypothesis,
        (index, thread): (usize, usize),
        message: Arc<Message>,
    ) {
        let Subject { frame, work, agent, .. } = subject;
        if !work.spend(from.weight()) {
            self.cut = true;
            return;
        }
        // It is older than all others.
        let mut alone = from.clone();
        alone.state.mailbox = Mailbox::default();
        alone.state.mailbox.push(message);
        for way in ways(frame, agent, &alone, &alone.state, thread, false) {
            if !matches!(way.outcome.action, Some(Action::Receive { .. })) {
                continue;
            }
            let known = self.silent.len();
            self.take(subject, &alone, index, way, None);
            for step in &mut self.silent[known..] {
                step.next.before.clone_from(&from.before);
                if !step.next.has_ended() {
                    step.next.state.mailbox = from.state.mailbox.clone();
                }
            }
        }
    }
}
