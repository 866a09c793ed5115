//! What a thread records of the steps that it finds.

use std::collections::BTreeMap;

use map_ir::{AgentId, PerformativeId, PointId, PointKind, Program};

use super::site::{Place, Site};
use crate::mark;
use map_semantics::Judgement;

use crate::agents::{End, Label};
use crate::coverage::Coverage;
use crate::explore::Source;
use crate::report::ViolationKind;
use crate::state::{Next, Successor};

/// One thread's record of the current batch.
pub(crate) struct Notes {
    pub(super) coverage: Coverage,
    pub(super) sites: BTreeMap<ViolationKind, Site>,
    /// Violations at the state being expanded. They become valid once all its steps are known, since an incomplete
    /// expansion is repeated.
    offers: BTreeMap<ViolationKind, Site>,
    /// Marks of the state being expanded.
    marks: u8,
    /// By successor id ([`After::id`](crate::agents::After::id)): whether its step is in the coverage.
    seen: Vec<bool>,
}

/// The best violation of each kind.
pub(super) type Sites = BTreeMap<ViolationKind, Site>;

impl Notes {
    pub(super) fn new(coverage: Coverage) -> Self {
        Self { coverage, sites: Sites::new(), offers: Sites::new(), marks: 0, seen: Vec::new() }
    }

    /// Bytes of `seen`.
    pub(super) fn bytes(&self) -> usize {
        self.seen.capacity()
    }

    /// Makes room for successor ids below `after_count`.
    pub(super) fn make_room(&mut self, after_count: usize) {
        self.seen.resize(after_count, false);
    }

    /// Resets the notes of the current state.
    pub(super) fn open(&mut self) {
        self.marks = 0;
        if !self.offers.is_empty() {
            self.offers.clear();
        }
    }

    /// Notes a step of the program. `source` is the state, and whether some shortest trace to it is free of open
    /// comparisons; `known` are the best violations of earlier batches.
    pub(super) fn step(
        &mut self,
        program: &Program,
        source: (Source, bool),
        known: &Sites,
        successor: &Successor<'_>,
    ) {
        let wrong = match successor.result {
            Next::State(_) => {
                self.record(successor);
                if let End::State { ended: Some(false), .. } = successor.step.end() {
                    self.offer_step(source, known, ViolationKind::Failure, successor);
                }
                return;
            }
            Next::Cut(_) | Next::TooLong => {
                self.marks |= mark::CUT;
                return;
            }
            Next::Overflow => ViolationKind::MailboxOverflow,
            Next::Runaway => ViolationKind::RunawayRecursion,
            Next::RunError => ViolationKind::RunError,
        };
        self.record_wrong(program, successor);
        self.offer_step(source, known, wrong, successor);
        self.marks |= mark::WRONG;
    }

    /// Records the coverage of a step that leads to a state.
    fn record(&mut self, successor: &Successor<'_>) {
        let Successor { agent, step, .. } = *successor;
        if let Some(after) = successor.after.filter(|after| !self.seen[after.id as usize]) {
            self.seen[after.id as usize] = true;
            let Label { ran, failed, entered, .. } = step.label;
            self.coverage.record(ran, failed.iter().copied(), entered.iter().copied());
            self.coverage.record_act(agent, step.label.kind);
            self.coverage.record_compared(step.label.compared);
            for &performative in &after.kept.left {
                self.coverage.record_unread(performative, agent);
            }
        }
        for &(performative, recipient) in successor.dropped {
            self.coverage.record_unread(performative, recipient);
        }
    }

    /// Notes what has run in a step up to where it goes wrong: where a mailbox overflows that is the send.
    fn record_wrong(&mut self, program: &Program, successor: &Successor<'_>) {
        let Label { kind, ran, failed, entered, .. } = successor.step.label;
        let kind_of = |point: PointId| &program.point(point).kind;
        let is_send = |&point: &PointId| matches!(kind_of(point), PointKind::Send { .. });
        let end = match successor.result {
            Next::Overflow => ran.iter().position(is_send).map_or(ran.len(), |send| send + 1),
            _ => ran.len(),
        };
        let calls = ran[..end].iter().filter(|&&point| matches!(kind_of(point), PointKind::Call { .. }));
        let entered = entered.iter().copied().take(calls.count());
        self.coverage.record(&ran[..end], failed.iter().copied(), entered);
        self.coverage.record_act(successor.agent, *kind);
    }

    /// What is judged of a state when all its steps are known: its marks. `unread` says what lies in its mailboxes.
    pub(super) fn close<U: Iterator<Item = (PerformativeId, AgentId)>>(
        &mut self,
        (source, is_clean): (Source, bool),
        known: &Sites,
        judgement: Judgement,
        unread: impl FnOnce() -> U,
    ) -> u8 {
        let deadlock = judgement.may_be_deadlock();
        if deadlock {
            let clean = is_clean && judgement.is_deadlock();
            let site = Site { steps: source.depth, clean, place: Place::State(source.state), step: None };
            if self.is_best(known, ViolationKind::Deadlock, &site) {
                self.offers.insert(ViolationKind::Deadlock, site);
            }
            for (performative, agent) in unread() {
                self.coverage.record_unread(performative, agent);
            }
        }
        if !self.offers.is_empty() {
            self.sites.append(&mut self.offers);
        }
        let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
        self.marks
            | bit(judgement.good_end, mark::GOOD_END)
            | bit(judgement.some_failed, mark::FAILED)
            | bit(judgement.only_polls, mark::ONLY_POLLS)
            | bit(deadlock, mark::DEADLOCK)
    }

    /// Offers a violation by a step of the state being expanded.
    fn offer_step(
        &mut self,
        (source, is_clean): (Source, bool),
        known: &Sites,
        kind: ViolationKind,
        successor: &Successor<'_>,
    ) {
        let clean = is_clean && !successor.compared;
        let steps = source.depth + 1;
        let mut site = Site { steps, clean, place: Place::State(source.state), step: None };
        if self.is_best(known, kind, &site) {
            site.step = Some(successor.as_step());
            self.offers.insert(kind, site);
        }
    }

    /// Whether a violation is better than all known ones.
    fn is_best(&self, known: &Sites, kind: ViolationKind, site: &Site) -> bool {
        [&self.offers, &self.sites, known].iter().all(|known| site.is_better(known.get(&kind)))
    }
}
