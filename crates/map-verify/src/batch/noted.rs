//! What a thread notes of the steps that it finds.

use std::collections::BTreeMap;

use map_semantics::{BoundHit, Step, StepKind, Turn};

use super::Setting;
use crate::agents::LocalEnding;
use crate::coverage::Coverage;
use crate::report::ViolationKind;
use crate::search::{Site, mark};
use crate::space::{Judgement, Made, Next, Successor};
use crate::store::Key;

/// What was noted of a batch so far.
pub(crate) struct Noted {
    pub(crate) coverage: Coverage,
    pub(crate) sites: BTreeMap<ViolationKind, Site>,
    pub(crate) cut_by: Vec<BoundHit>,
    pub(crate) too_long: bool,
    /// Violations at the state being expanded: they count when all its steps are known, for the first one found is shown.
    pub(super) offers: BTreeMap<ViolationKind, Site>,
    /// States after a step of an agent whose step is in the coverage, by their ids.
    seen: Vec<bool>,
    /// Steps to states that are looked up when all steps of the chunk's states are known.
    pub(super) pending: Vec<Made>,
}

/// The state being expanded.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) state: u32,
    /// Its place in the batch.
    pub(super) rank: u32,
    /// Some shortest trace to it is free of open comparisons.
    pub(super) clean: bool,
    /// Length of the shortest traces to it.
    pub(super) depth: usize,
}

impl Noted {
    pub(crate) fn new(coverage: Coverage) -> Self {
        Self {
            coverage,
            sites: BTreeMap::new(),
            cut_by: Vec::new(),
            too_long: false,
            offers: BTreeMap::new(),
            seen: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Bytes of what is known of steps.
    pub(crate) fn bytes(&self) -> usize {
        self.seen.capacity()
    }

    /// Forgets what was offered at the state.
    pub(super) fn decline(&mut self) {
        if !self.offers.is_empty() {
            self.offers.clear();
        }
    }

    /// Keeps what was offered at the state: all its steps are known.
    pub(super) fn accept(&mut self) {
        if !self.offers.is_empty() {
            self.sites.append(&mut self.offers);
        }
    }

    /// A step to a state that is stored.
    pub(super) fn made(
        &mut self,
        setting: &Setting<'_>,
        source: Source,
        successor: &Successor<'_>,
        key: Key,
    ) {
        let Successor { agent, step, compared, unlucky, weight, .. } = *successor;
        let (agent, thread, kind) = (agent.index() as u32, step.label.thread, step.label.kind);
        self.pending.push(Made { key, agent, thread, weight, kind, compared, unlucky });
        self.happened(setting, source, successor);
    }

    /// Notes what a step that is made has shown.
    pub(super) fn happened(&mut self, setting: &Setting<'_>, source: Source, successor: &Successor<'_>) {
        self.record(successor);
        if let LocalEnding::State { ended: Some(false), .. } = successor.step.ending {
            self.offer_step(setting, source, ViolationKind::Failure, successor);
        }
    }

    /// Before steps are found that may lead agents to so many states.
    pub(crate) fn make_room(&mut self, after_count: usize) {
        self.seen.resize(after_count, false);
    }

    /// Notes what has run in a step that is made.
    pub(crate) fn record(&mut self, successor: &Successor<'_>) {
        let Successor { agent, step, .. } = *successor;
        if let Some(after) = successor.after.filter(|after| !self.seen[after.id as usize]) {
            self.seen[after.id as usize] = true;
            self.coverage.record(&step.label.ran, step.label.entered.iter().copied());
            self.coverage.record_act(agent, step.label.kind);
            for &performative in &after.kept.left {
                self.coverage.record_unread(performative, agent);
            }
        }
        for &(performative, recipient) in successor.dropped {
            self.coverage.record_unread(performative, recipient);
        }
    }

    /// A step that goes wrong or is cut; what it makes of its state.
    pub(super) fn not_made(
        &mut self,
        setting: &Setting<'_>,
        source: Source,
        successor: &Successor<'_>,
    ) -> u8 {
        let wrong = match successor.result {
            Next::State(_) => return 0,
            Next::Cut(bound) => {
                if !self.cut_by.contains(&bound) {
                    self.cut_by.push(bound);
                }
                return mark::CUT;
            }
            Next::TooLong => {
                self.too_long = true;
                return mark::CUT;
            }
            Next::Overflow => ViolationKind::MailboxOverflow,
            Next::Runaway => ViolationKind::RunawayRecursion,
            Next::RunError => ViolationKind::RunError,
        };
        self.coverage.record_act(successor.agent, successor.step.label.kind);
        self.offer_step(setting, source, wrong, successor);
        mark::WRONG
    }

    /// What is judged of a state when all its steps are known.
    pub(super) fn judge<W: AsRef<[u32]>>(
        &mut self,
        setting: &Setting<'_>,
        source: Source,
        judgement: Judgement,
        words: impl FnOnce() -> W,
    ) -> u8 {
        let deadlock = judgement.no_step || judgement.steps_may_vanish;
        if deadlock {
            let clean = source.clean && judgement.no_step;
            let site = Site { steps: source.depth, clean, state: Some(source.state), step: None };
            if self.is_best(setting, ViolationKind::Deadlock, &site) {
                self.offers.insert(ViolationKind::Deadlock, site);
            }
            for (performative, agent) in setting.system.unread(words().as_ref()) {
                self.coverage.record_unread(performative, agent);
            }
        }
        let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
        bit(judgement.all_done, mark::GOOD_END)
            | bit(judgement.some_failed, mark::FAILED)
            | bit(judgement.only_polls, mark::ONLY_POLLS)
            | bit(deadlock, mark::DEADLOCK)
    }

    /// Offers a violation that is a step out of the state being expanded.
    fn offer_step(
        &mut self,
        setting: &Setting<'_>,
        source: Source,
        kind: ViolationKind,
        successor: &Successor<'_>,
    ) {
        let clean = source.clean && !successor.compared;
        let steps = source.depth + 1;
        let mut site = Site { steps, clean, state: Some(source.state), step: None };
        if self.is_best(setting, kind, &site) {
            site.step = Some(step_of(successor));
            self.offers.insert(kind, site);
        }
    }

    /// Whether a violation is better than any that is known.
    fn is_best(&self, setting: &Setting<'_>, kind: ViolationKind, site: &Site) -> bool {
        [&self.offers, &self.sites, setting.sites].iter().all(|known| site.is_better(known.get(&kind)))
    }
}

pub(crate) fn step_of(successor: &Successor<'_>) -> Step {
    let label = &successor.step.label;
    let turn = match label.kind {
        StepKind::Timeout => Turn::Timeout,
        StepKind::Crash => Turn::Crash,
        _ => Turn::Act,
    };
    let mut options = label.options.clone();
    options.extend_from_slice(successor.losses);
    Step { agent: successor.agent, thread: label.thread as usize, turn, options }
}
