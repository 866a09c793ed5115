//! The steps of agent states as they are kept: one after the other in one list, and what many have in common, once.

use std::sync::Arc;

use map_ir::{AgentId, ClauseId, PerformativeId, PointId};
use map_semantics::{BoundHit, StepKind};

use super::once::Shared;
use super::sizes::{PIECE, make_room};
use super::{Places, StateId};
use crate::reduced::ample::Firmness;

/// A step of one agent as a patch of the global state. Symbols are numbered as in the state before; new ones follow.
pub(crate) struct LocalStep {
    pub(crate) label: Arc<Label>,
    pub(crate) sent: Option<Arc<Sent>>,
    pub(crate) ending: LocalEnding,
}

impl LocalStep {
    /// Whether it is the same step where messages are not counted, whatever the number of the state after it.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        use LocalEnding::{Cut, RunError, Runaway, State, TooLong};
        let ends_alike = match (&self.ending, &other.ending) {
            (State { after: a, more: None, ended }, State { after: b, more: None, ended: other }) => {
                (a.next, &a.kept, ended) == (b.next, &b.kept, other)
            }
            (Cut(bound), Cut(other)) => bound == other,
            (Runaway, Runaway) | (RunError, RunError) | (TooLong, TooLong) => true,
            _ => false,
        };
        ends_alike && self.label == other.label && self.sent == other.sent
    }
}

/// What happens in a step, but for what it leads to.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) thread: u32,
    pub(crate) kind: StepKind,
    /// Whether it rests on an open comparison.
    pub(crate) compared: bool,
    /// How what was open was settled.
    pub(crate) options: Vec<u32>,
    pub(crate) ran: Vec<PointId>,
    pub(crate) entered: Vec<ClauseId>,
}

pub(crate) enum LocalEnding {
    State {
        after: After,
        /// What comes of it instead if it takes a message of which there are more: where these are counted.
        more: Option<Box<(u32, After)>>,
        /// Whether the agent ends by this step, but not by a crash, and if so with success.
        ended: Option<bool>,
    },
    Cut(BoundHit),
    Runaway,
    RunError,
    TooLong,
}

/// The agent's state after a step.
pub(crate) struct After {
    /// Its number among all that were computed.
    pub(crate) id: u32,
    pub(crate) next: StateId,
    pub(crate) kept: Arc<Kept>,
}

/// What an agent holds after a step.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Kept {
    pub(crate) symbols: Box<[u32]>,
    /// Which names of interchangeable agents it holds beside its own.
    pub(crate) names: Box<[AgentId]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
    /// The performatives of what the agent leaves unread by ending.
    pub(crate) left: Box<[PerformativeId]>,
}

/// What an agent holds after a message was put into its mailbox.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Received {
    /// Which symbols, and which names but its own, by its numbering and that of the pattern.
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[u32]>,
    /// How many messages it holds of each kind.
    pub(crate) counts: Places,
}

/// A message and whom it goes to.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Sent {
    pub(crate) message: u32,
    pub(crate) performative: PerformativeId,
    pub(crate) symbols: Box<[u32]>,
    pub(crate) names: Box<[AgentId]>,
    /// Classes of interchangeable agents to all of which it goes, but for the sender.
    pub(crate) classes: Box<[usize]>,
    /// Agents that no other can stand for.
    pub(crate) to: Box<[AgentId]>,
    /// Interchangeable agents, as the sender names them.
    pub(crate) named: Box<[AgentId]>,
}

/// What is known of the threads of an agent state.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outline {
    pub(crate) threads: Box<[Thread]>,
    pub(crate) all_waiting: bool,
    /// Some thread waits only if open comparisons come out so.
    pub(crate) waiting_compared: bool,
    /// Whether the last of its steps is its crash, if agents may crash.
    pub(crate) crashes: bool,
    pub(crate) firmness: Firmness,
}

#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    /// Numbers of steps.
    pub(crate) acts: u32,
    pub(crate) timeouts: u32,
    pub(crate) waiting: bool,
    pub(crate) waiting_compared: bool,
    pub(crate) act_may_vanish: bool,
    pub(crate) timeout_may_vanish: bool,
}

/// All steps of one interned agent state.
#[derive(Clone, Copy)]
pub(crate) struct Locals<'t> {
    outline: &'t Outline,
    /// Thread by thread, acts before timeouts; then the crash. Those of other states may follow.
    steps: &'t [LocalStep],
}

impl<'t> Locals<'t> {
    pub(crate) fn outline(self) -> &'t Outline {
        self.outline
    }

    /// The threads with their acts and timeouts.
    pub(crate) fn threads(self) -> impl Iterator<Item = (&'t Thread, &'t [LocalStep], &'t [LocalStep])> {
        let mut rest = self.steps;
        self.outline.threads.iter().map(move |thread| {
            let (acts, behind) = rest.split_at(thread.acts as usize);
            let (timeouts, behind) = behind.split_at(thread.timeouts as usize);
            rest = behind;
            (thread, acts, timeouts)
        })
    }

    pub(crate) fn acts(self) -> impl Iterator<Item = &'t LocalStep> {
        self.threads().flat_map(|(_, acts, _)| acts)
    }

    pub(crate) fn crash(self) -> Option<&'t LocalStep> {
        let others: u32 = self.outline.threads.iter().map(|thread| thread.acts + thread.timeouts).sum();
        self.outline.crashes.then(|| &self.steps[others as usize])
    }
}

/// Where the steps of an agent state are.
pub(super) struct Place {
    outline: Arc<Outline>,
    first: u32,
}

/// The steps of all agent states, and what they have in common.
#[derive(Default)]
pub(super) struct Steps {
    steps: Vec<LocalStep>,
    /// How many of them have another end.
    more: usize,
    pub(super) outlines: Shared<Outline>,
    pub(super) labels: Shared<Label>,
    pub(super) sent: Shared<Sent>,
    pub(super) kept: Shared<Kept>,
}

impl Steps {
    /// Adds the steps of a state in the order of [`Locals`].
    pub(super) fn add(&mut self, outline: Arc<Outline>, steps: Vec<LocalStep>) -> Place {
        let first = u32::try_from(self.steps.len()).expect("steps of agents are fewer than 2^32");
        let has_more = |step: &LocalStep| matches!(step.ending, LocalEnding::State { more: Some(_), .. });
        self.more += steps.iter().filter(|&step| has_more(step)).count();
        make_room(&mut self.steps, steps.len());
        self.steps.extend(steps);
        Place { outline, first }
    }

    pub(super) fn at<'t>(&'t self, place: &'t Place) -> Locals<'t> {
        Locals { outline: &place.outline, steps: &self.steps[place.first as usize..] }
    }

    pub(super) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<LocalStep>()
            + self.more * (size_of::<(u32, After)>() + PIECE)
            + self.outlines.bytes()
            + self.labels.bytes()
            + self.sent.bytes()
            + self.kept.bytes()
    }
}
