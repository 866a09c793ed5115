//! What a thread notes of the states that it expands, beside the steps to stored states.

use map_graph::BitSet;
use map_ir::AgentId;
use map_semantics::{Judgement, StepKind, Timeouts};

use super::steps::polls;
use crate::agents::Thread;
use crate::property::graph::Nature;
use crate::state::space::Space;
use crate::state::{Next, Successor};

/// What was noted of the batch so far.
#[derive(Default)]
pub(crate) struct Notes {
    /// Steps that go wrong, state by state.
    halts: Vec<Halt>,
    /// For each state the agents that have to be given their turn, as bits; behind them, where more have to be if open
    /// comparisons come out so, all of those.
    turns: Vec<BitSet>,
    open: Open,
}

/// What was noted of the state being expanded.
#[derive(Default)]
struct Open {
    /// How many halts were noted before it.
    halts: usize,
    /// How many steps lead to stored states.
    targets: u32,
    /// The steps but for crashes. Of those that follow each other and are made in the same way one is there.
    steps: Vec<Made>,
    cut: bool,
}

/// How a step is made.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Made {
    agent: AgentId,
    thread: u32,
    kind: StepKind,
}

impl Made {
    /// What is known of the thread that makes it, in a state.
    fn thread<'s>(&self, space: &'s Space<'_>, words: &[u32]) -> &'s Thread {
        &space.local(space.id_of(words, self.agent)).outline().threads[self.thread as usize]
    }
}

/// A step that goes wrong.
#[derive(Clone, Copy)]
pub(super) struct Halt {
    /// How many steps of its state lead to stored states and come before it.
    pub(super) before: u32,
    made: Made,
    pub(super) nature: Nature,
}

impl Halt {
    /// The agent that makes the step, by its index.
    pub(super) fn agent(&self) -> u32 {
        self.made.agent.index() as u32
    }
}

/// What is noted of an expanded state, and where.
#[derive(Clone, Copy, Default)]
pub(crate) struct Visit {
    halts: (u32, u32),
    turns: u32,
    /// Whether more agents have to be given their turn if open comparisons come out so.
    more_turns: bool,
    /// A bound cuts some step.
    pub(super) cut: bool,
    /// A run may stay in the state for ever; whether that rests on open comparisons.
    pub(super) stays: Option<bool>,
    /// A run may end in the state, if open comparisons come out so.
    pub(super) halts_there: bool,
}

impl Visit {
    /// Whether some run stays in the state, in whatever way.
    pub(super) fn has_staying_run(self) -> bool {
        self.stays.is_some() || self.halts_there || self.halts.0 < self.halts.1
    }
}

impl Notes {
    /// Before a state is expanded.
    pub(super) fn open(&mut self) {
        let Self { halts, open, .. } = self;
        halts.truncate(open.halts);
        open.targets = 0;
        open.steps.clear();
        open.cut = false;
    }

    /// Notes a step.
    pub(super) fn step(&mut self, successor: &Successor<'_>) {
        let Self { halts, open, .. } = self;
        let label = &successor.step.label;
        let made = Made { agent: successor.agent, thread: label.thread, kind: label.kind };
        match successor.result {
            Next::State(_) => open.targets += 1,
            Next::Cut(_) | Next::TooLong => open.cut = true,
            Next::Overflow | Next::Runaway | Next::RunError => {
                let nature = Nature { unlucky: successor.unlucky, open: successor.compared, poll: false };
                halts.push(Halt { before: open.targets, made, nature });
            }
        }
        if made.kind != StepKind::Crash && open.steps.last() != Some(&made) {
            open.steps.push(made);
        }
    }

    /// Notes what the steps of a state come to.
    pub(super) fn close(&mut self, space: &Space<'_>, judgement: Judgement, words: &[u32]) -> Visit {
        let halts = self.close_halts(space, words);
        let turns = self.turns.len() as u32;
        let more_turns = self.note_turns(space, judgement, words);
        let nothing = self.open.steps.is_empty();
        let halts_there = judgement.may_stand_still && !nothing;
        // To be refused for ever is one thing; that comparisons leave nothing that could happen is another.
        let open = !nothing && judgement.waiting_compared;
        let stays = (nothing || judgement.only_polls) && !(open && halts_there);
        Visit { halts, turns, more_turns, cut: self.open.cut, stays: stays.then_some(open), halts_there }
    }

    /// Notes which steps that go wrong are polls; which are those of the state.
    fn close_halts(&mut self, space: &Space<'_>, words: &[u32]) -> (u32, u32) {
        let start = std::mem::replace(&mut self.open.halts, self.halts.len());
        for Halt { made, nature, .. } in &mut self.halts[start..] {
            nature.poll = made.kind != StepKind::Timeout && polls(made.thread(space, words));
        }
        (start as u32, self.halts.len() as u32)
    }

    /// Notes whom a fair run has to give a turn; whether it has to give it to more if open comparisons come out so.
    fn note_turns(&mut self, space: &Space<'_>, judgement: Judgement, words: &[u32]) -> bool {
        let Self { turns, open, .. } = self;
        let agents = space.program.agents.len();
        let (mut enabled, mut at_most) = (BitSet::new(agents), BitSet::new(agents));
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
            if surely {
                enabled.insert(made.agent.index());
            }
            if perhaps {
                at_most.insert(made.agent.index());
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

    /// The agents that have to be given their turn in a state; and those that have to be if open comparisons come out so, if
    /// these are more.
    pub(super) fn turns(&self, visit: Visit) -> (&BitSet, Option<&BitSet>) {
        let turns = &self.turns[visit.turns as usize..];
        (&turns[0], visit.more_turns.then(|| &turns[1]))
    }

    /// Before a batch.
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
