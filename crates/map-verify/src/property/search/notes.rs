//! What a thread records of the states it expands, besides steps to stored states.

use map_graph::BitSet;
use map_ir::AgentId;
use map_semantics::{Judgement, StepKind, Timeouts};

use super::steps::polls;
use crate::agents::Thread;
use crate::property::graph::Flags;
use crate::property::movers::Movers;
use crate::state::space::Space;
use crate::state::{Next, Successor};
use crate::together::wire::{Reader, put, put_words};

/// One thread's record of the current batch.
#[derive(Default)]
pub(crate) struct Notes {
    /// Steps that go wrong, state by state.
    halts: Vec<Halt>,
    /// For each state the movers to which a fair run owes a turn. If there may be more, depending on open
    /// comparisons, the largest possible set follows.
    turns: Vec<BitSet>,
    open: Open,
}

/// What was recorded of the state being expanded.
#[derive(Default)]
struct Open {
    /// Number of halts recorded before it.
    halts: usize,
    /// Number of its steps to stored states.
    targets: u32,
    /// The steps except crashes, without adjacent duplicates.
    steps: Vec<StepSource>,
    cut: bool,
}

/// The agent, thread and kind of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StepSource {
    agent: AgentId,
    thread: u32,
    kind: StepKind,
}

impl StepSource {
    /// The thread that takes it, in a state.
    fn thread<'s>(&self, space: &'s Space<'_>, words: &[u32]) -> &'s Thread {
        &space.local(space.id_of(words, self.agent)).outline().threads[self.thread as usize]
    }
}

/// A step that goes wrong.
#[derive(Clone, Copy)]
pub(super) struct Halt {
    /// Number of earlier steps of its state to stored states.
    pub(super) before: u32,
    made: StepSource,
    pub(super) flags: Flags,
}

impl Halt {
    /// Index of the agent that takes the step, which is no arrival.
    pub(super) fn agent(&self) -> u32 {
        self.made.agent.index() as u32
    }
}

/// What is recorded of an expanded state, and where.
#[derive(Clone, Copy, Default)]
pub(crate) struct Visit {
    halts: (u32, u32),
    turns: u32,
    /// Whether more movers may be owed a turn, depending on open comparisons.
    more_turns: bool,
    /// Whether a bound cuts off some step.
    pub(super) cut: bool,
    /// Whether a run may stay in the state for ever, and if so whether that depends on open comparisons.
    pub(super) stays: Option<bool>,
    /// Whether a run may end in the state, depending on open comparisons.
    pub(super) halts_there: bool,
}

impl Visit {
    /// Whether some run stays in the state, for any reason.
    pub(super) fn has_staying_run(self) -> bool {
        self.stays.is_some() || self.halts_there || self.halts.0 < self.halts.1
    }
}

impl Notes {
    /// Resets the record of the current state.
    pub(super) fn open(&mut self) {
        let Self { halts, open, .. } = self;
        halts.truncate(open.halts);
        open.targets = 0;
        open.steps.clear();
        open.cut = false;
    }

    /// Records a step.
    pub(super) fn step(&mut self, successor: &Successor<'_>) {
        let Self { halts, open, .. } = self;
        let label = &successor.step.label;
        let made = StepSource { agent: successor.agent, thread: label.thread, kind: label.kind };
        match successor.result {
            Next::State(_) => open.targets += 1,
            Next::Cut(_) | Next::TooLong => open.cut = true,
            Next::Overflow | Next::Runaway | Next::RunError => {
                let flags = Flags { unlucky: successor.unlucky, open: successor.compared, poll: false };
                halts.push(Halt { before: open.targets, made, flags });
            }
        }
        if made.kind != StepKind::Crash && open.steps.last() != Some(&made) {
            open.steps.push(made);
        }
    }

    /// Completes the record of a state.
    pub(super) fn close(&mut self, space: &Space<'_>, judgement: Judgement, words: &[u32]) -> Visit {
        let halts = self.close_halts(space, words);
        let turns = self.turns.len() as u32;
        let more_turns = self.note_turns(space, judgement, words);
        let nothing = self.open.steps.is_empty();
        let halts_there = judgement.may_stand_still && !nothing;
        // Polling in vain for ever differs from having no step left by the outcome of comparisons.
        let open = !nothing && judgement.polls_compared;
        let stays = (nothing || judgement.only_polls) && !(open && halts_there);
        Visit { halts, turns, more_turns, cut: self.open.cut, stays: stays.then_some(open), halts_there }
    }

    /// Records which of the state's halts are polls; returns the range of its halts.
    fn close_halts(&mut self, space: &Space<'_>, words: &[u32]) -> (u32, u32) {
        let start = std::mem::replace(&mut self.open.halts, self.halts.len());
        for Halt { made, flags, .. } in &mut self.halts[start..] {
            flags.poll = made.kind != StepKind::Timeout && polls(made.thread(space, words));
        }
        (start as u32, self.halts.len() as u32)
    }

    /// Records the movers to which a fair run owes a turn; whether there may be more, depending on open comparisons.
    fn note_turns(&mut self, space: &Space<'_>, judgement: Judgement, words: &[u32]) -> bool {
        let Self { turns, open, .. } = self;
        let movers = Movers::new(space.program.agents.len(), space.bounds);
        let (mut enabled, mut at_most) = (BitSet::new(movers.count()), BitSet::new(movers.count()));
        for made in &open.steps {
            let thread = made.thread(space, words);
            let doubtful = match space.bounds.timeouts {
                Timeouts::Quiescent => judgement.waiting_compared,
                Timeouts::Any => thread.waiting_compared,
            };
            let (surely, perhaps) = match made.kind {
                StepKind::Timeout => (!doubtful && !thread.timeout_may_vanish, true),
                _ => (!thread.waiting && !thread.act_may_vanish, !polls(thread)),
            };
            let mover = movers.number(made.agent, thread.sender);
            if surely {
                enabled.insert(mover);
            }
            if perhaps {
                at_most.insert(mover);
            }
        }
        let more = enabled != at_most;
        turns.push(enabled);
        if more {
            turns.push(at_most);
        }
        more
    }

    /// The steps of a state that go wrong, in order.
    pub(super) fn halts(&self, visit: Visit) -> &[Halt] {
        &self.halts[visit.halts.0 as usize..visit.halts.1 as usize]
    }

    /// The agents to which a fair run owes a turn in a state; and the largest set that open comparisons allow, if it
    /// is larger.
    pub(super) fn turns(&self, visit: Visit) -> (&BitSet, Option<&BitSet>) {
        let turns = &self.turns[visit.turns as usize..];
        (&turns[0], visit.more_turns.then(|| &turns[1]))
    }

    /// Appends what is recorded of a state, for another process.
    pub(super) fn write(&self, visit: Visit, out: &mut Vec<u8>) {
        let halts = self.halts(visit);
        put(out, halts.len() as u64);
        for halt in halts {
            let numbers = [halt.before, halt.agent(), u32::from(halt.flags.bits())];
            numbers.iter().for_each(|&it| put(out, u64::from(it)));
        }
        let (enabled, at_most) = self.turns(visit);
        put_set(out, enabled);
        put_set(out, at_most.unwrap_or(enabled));
        let stays = visit.stays.map_or(0, |open| 1 + u8::from(open));
        out.extend([u8::from(visit.more_turns), u8::from(visit.cut), stays, u8::from(visit.halts_there)]);
    }

    /// Takes in what another process has recorded of a state.
    pub(super) fn read(&mut self, from: &mut Reader<'_>) -> Visit {
        let (start, turns) = (self.halts.len() as u32, self.turns.len() as u32);
        for _ in 0..from.number() {
            let (before, agent) = (from.word(), AgentId::new(from.number() as usize));
            // Whether it is a poll is among the flags already.
            let made = StepSource { agent, thread: 0, kind: StepKind::Timeout };
            self.halts.push(Halt { before, made, flags: Flags::of(from.number() as u8) });
        }
        let [enabled, at_most] = [read_set(from), read_set(from)];
        let [more_turns, cut, stays, halts_there] = [(); 4].map(|()| from.number());
        self.turns.push(enabled);
        if more_turns != 0 {
            self.turns.push(at_most);
        }
        Visit {
            halts: (start, self.halts.len() as u32),
            turns,
            more_turns: more_turns != 0,
            cut: cut != 0,
            stays: stays.checked_sub(1).map(|open| open != 0),
            halts_there: halts_there != 0,
        }
    }

    /// Resets the record after a batch.
    pub(super) fn clear(&mut self) {
        self.halts.clear();
        self.turns.clear();
        self.open.halts = 0;
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.halts.capacity() * size_of::<Halt>() + self.turns.capacity() * (size_of::<BitSet>() + 16)
    }
}

fn put_set(out: &mut Vec<u8>, set: &BitSet) {
    put(out, set.bound() as u64);
    let members: Vec<u32> = (0..set.bound()).filter(|&it| set.contains(it)).map(|it| it as u32).collect();
    put_words(out, &members);
}

fn read_set(from: &mut Reader<'_>) -> BitSet {
    let mut set = BitSet::new(from.number() as usize);
    from.words().into_iter().for_each(|member| set.insert(member as usize));
    set
}
