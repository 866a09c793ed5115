//! Follows one agent through the log: the set of states that it may be in.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use map_ir::{AgentId, PerformativeId, Program, RoleId};
use map_semantics::{AgentState, Ending, Message, Status, start};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::closure::{Closure, close};
use crate::folding::{Folded, owners};
use crate::hypothesis::{Found, Frame, Hypothesis};
use crate::mid_way::states_before;
use crate::orbits::Orbits;
use crate::pending::{Arrivals, MAX_UNDER_WAY, all_but, enqueue};
use crate::settings::Settings;
use crate::steps::{Sending, forced_receive};
use crate::subject::Subject;
use crate::work::Work;

/// A message as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedMessage {
    /// Who sent it.
    pub from: AgentId,
    /// To whom.
    pub to: Vec<AgentId>,
    /// The message.
    pub message: Arc<Message>,
    /// What identifies it in the log.
    pub id: Option<Arc<str>>,
}

/// The closures of sets of hypotheses of one agent.
type Memo = FxHashMap<Vec<Hypothesis>, Arc<Closure>>;

/// What the monitors of a scene share.
pub(crate) struct Shared {
    pub(crate) frame: Frame,
    pub(crate) arrivals: Arrivals,
    /// The maximum number of hypotheses of an agent at a line.
    pub(crate) limit: usize,
    /// If there are more of them, those that are permutations of each other are kept once.
    fold_from: usize,
    pub(crate) work: Work,
    /// By agent: what sets of hypotheses lead to. Conversations of one scene pass through the same sets.
    memo: Mutex<Vec<Memo>>,
}

/// The maximum number of sets that are remembered for an agent, and of their hypotheses and what can be sent: large
/// ones hardly occur twice.
const MAX_REMEMBERED: usize = 4_096;
const MAX_REMEMBERED_OPEN: usize = 64;
const MAX_SIZE: usize = 32;
const MAX_REMEMBERED_WEIGHT: usize = 1_024;

/// The maximum number of hypotheses of an agent that may be at rest for good.
const MAX_AT_REST: usize = 64;

/// The maximum [weight](Hypothesis::weight) of the hypotheses of an agent for each that may be kept, on average.
const MAX_WEIGHT: usize = 16;

/// Once something has been cut off, so much less is followed: nothing can be said against the agent any more, and what
/// explains the log is mostly found among few.
const AFTER_CUT: usize = 16;
const AFTER_CUT_WORK: u64 = 64;

impl Shared {
    pub(crate) fn new(frame: Frame, arrivals: Arrivals, settings: &Settings) -> Self {
        let memo = Mutex::new(vec![Memo::default(); frame.program.agents.len()]);
        let &Settings { limit, fold_from, work, stop, .. } = settings;
        Self { frame, arrivals, limit, fold_from, work: Work::new(work).until(stop), memo }
    }

    /// What an agent's hypotheses lead to.
    fn close(
        &self,
        agent: AgentId,
        hypotheses: &[Hypothesis],
        orbits: Option<&Orbits>,
        (limit, is_cut): (usize, bool),
    ) -> Closure {
        let work = self.work.share(if is_cut { AFTER_CUT_WORK } else { 1 });
        let closure = close(Subject { work: &work, ..self.subject(agent) }, hypotheses, orbits, limit);
        self.work.spend(work.spent());
        closure
    }

    pub(crate) fn subject(&self, agent: AgentId) -> Subject<'_> {
        Subject { frame: &self.frame, arrivals: self.arrivals, work: &self.work, agent }
    }

    fn memo(&self) -> MutexGuard<'_, Vec<Memo>> {
        self.memo.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The maximum number of hypotheses of an agent, of which something has been cut off before or not.
    pub(crate) fn limit(&self, is_cut: bool) -> usize {
        if is_cut { self.limit.div_ceil(AFTER_CUT) } else { self.limit }
    }

    pub(crate) fn closure(
        &self,
        agent: AgentId,
        hypotheses: &[Hypothesis],
        limit: (usize, bool),
    ) -> Arc<Closure> {
        if let Some(known) = self.memo()[agent.index()].get(hypotheses) {
            return Arc::clone(known);
        }
        let closure = Arc::new(self.close(agent, hypotheses, None, limit));
        let sends = closure.sends.iter().map(|it| &it.next);
        let sensitive = closure.sensitive.iter().map(|(hypothesis, _)| &**hypothesis);
        let alone = closure.alone.iter().map(|hypothesis| &**hypothesis);
        let kept = hypotheses.iter().chain(sends).chain(sensitive).chain(alone);
        let (mut size, mut weight) = (0, 0);
        for hypothesis in kept {
            size += 1;
            weight += hypothesis.weight();
        }
        // What is cut off depends on the limit.
        if !closure.cut && size <= MAX_SIZE && weight <= MAX_REMEMBERED_WEIGHT {
            let memo = &mut self.memo()[agent.index()];
            // There may be many scenes that grow.
            let most = if self.frame.is_open { MAX_REMEMBERED_OPEN } else { MAX_REMEMBERED };
            if memo.len() >= most {
                memo.clear();
            }
            memo.insert(hypotheses.to_vec(), Arc::clone(&closure));
        }
        closure
    }
}

/// Follows one agent.
#[derive(Clone)]
pub(crate) struct Monitor {
    pub(crate) agent: AgentId,
    /// The states after the last line that concerns the agent. Empty if it has violated the protocol.
    hypotheses: Vec<Hypothesis>,
    /// Whether something was cut off: then nothing can be said against it.
    pub(crate) cut: bool,
    /// The largest number of hypotheses so far.
    pub(crate) most: usize,
    /// Who cannot be told apart. Of the hypotheses that are permutations of each other, one is kept.
    orbits: Option<Box<Orbits>>,
    /// What its hypotheses lead to without a line of the log.
    closure: Option<Arc<Closure>>,
    /// The largest number of states that were explored for a line.
    pub(crate) explored: usize,
}

/// The result of a line for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Some hypothesis explains it.
    Fits,
    /// None does.
    Violated,
    /// None of those that were looked at does.
    Unknown,
}

impl Monitor {
    /// The monitor before the first line.
    pub(crate) fn new(frame: &Frame, agent: AgentId, limit: usize) -> Self {
        let mut monitor = Self {
            agent,
            hypotheses: Vec::new(),
            cut: false,
            most: 0,
            orbits: None,
            closure: None,
            explored: 0,
        };
        let mut seen = FxHashSet::default();
        for options in initial_options(&frame.program, agent) {
            if seen.len() >= limit {
                monitor.cut = true;
                break;
            }
            match first(frame, agent, &options) {
                Ok(hypothesis) => {
                    if seen.insert(hypothesis.clone()) {
                        monitor.hypotheses.push(hypothesis);
                    }
                }
                Err(cut) => monitor.cut |= cut,
            }
        }
        monitor.most = monitor.hypotheses.len();
        monitor
    }

    /// The monitor at the beginning of a log that begins in the middle.
    pub(crate) fn mid_way(shared: &Shared, agent: AgentId) -> Self {
        let mut monitor = Self::new(&shared.frame, agent, shared.limit);
        shared.work.renew();
        let starts = std::mem::take(&mut monitor.hypotheses);
        let (hypotheses, cut) = states_before(shared.subject(agent), starts, shared.limit);
        monitor.most = hypotheses.len();
        (monitor.hypotheses, monitor.cut) = (hypotheses, monitor.cut || cut);
        monitor
    }

    /// The monitor of an agent of which all is known and that has ended.
    pub(crate) fn ended(&self) -> Self {
        let mut hypotheses = self.hypotheses.clone();
        hypotheses.truncate(1);
        for it in &mut hypotheses {
            it.state.status = Status::Done;
            it.before = None;
        }
        Self { hypotheses, cut: false, orbits: None, closure: None, ..*self }
    }

    /// The states after the last line that concerns the agent.
    pub(crate) fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// Replaces the states by what they have become; `cut` if some of that was cut off.
    pub(crate) fn replace(&mut self, shared: &Shared, hypotheses: Vec<Hypothesis>, cut: bool) {
        self.hypotheses = hypotheses;
        self.cut |= cut;
        self.orbits = None;
        self.closure = None;
        self.bounded(shared);
    }

    /// Whether no hypothesis is left.
    pub(crate) fn is_lost(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Whether some hypothesis surely belongs to a run.
    pub(crate) fn is_certain(&self) -> bool {
        self.hypotheses.iter().any(Hypothesis::is_certain)
    }

    /// The last message, by hypothesis, with the recipients to whom no copy has been logged.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &(Arc<Message>, Vec<AgentId>)> {
        self.hypotheses.iter().filter_map(|it| it.copies.as_ref())
    }

    /// Whether copies of the last message are missing under all hypotheses.
    pub(crate) fn lacks_copies(&self) -> bool {
        !self.is_lost() && self.hypotheses.iter().all(Hypothesis::lacks_copies)
    }

    /// Whether the agent may have ended, and cannot send anything unless more arrives.
    pub(crate) fn rests(&mut self, shared: &Shared) -> bool {
        // Copies of what has been said to a whole role may yet come, with those who get them. To look where very many
        // states lead to after each line would take too long.
        if self.cut
            || self.hypotheses.len() > MAX_AT_REST
            || self.hypotheses.iter().any(|it| it.copies.is_some() || it.said.is_some())
        {
            return false;
        }
        let closure = self.closure(shared);
        closure.may_end && closure.sends.is_empty() && !closure.cut
    }

    /// What its hypotheses lead to without a line of the log.
    pub(crate) fn closure(&mut self, shared: &Shared) -> Arc<Closure> {
        if let Some(closure) = &self.closure {
            return Arc::clone(closure);
        }
        let closure = self.compute_closure(shared);
        self.explored = self.explored.max(closure.explored);
        self.closure = Some(Arc::clone(&closure));
        closure
    }

    fn compute_closure(&mut self, shared: &Shared) -> Arc<Closure> {
        let limit = shared.limit(self.cut);
        if self.orbits.is_none() {
            let few = if self.may_fold(shared) { limit.min(shared.fold_from) } else { limit };
            let closure = shared.closure(self.agent, &self.hypotheses, (few, self.cut));
            if few == limit || !closure.cut {
                return closure;
            }
            self.fold(shared);
        }
        match &self.orbits {
            None => shared.closure(self.agent, &self.hypotheses, (limit, self.cut)),
            orbits => {
                let closure =
                    shared.close(self.agent, &self.hypotheses, orbits.as_deref(), (limit, self.cut));
                Arc::new(closure)
            }
        }
    }

    /// Admits an agent, with whom the scene is another one. It is `doubtful` whether they were there before.
    pub(crate) fn admit(&mut self, before: &Shared, newcomer: AgentId, role: RoleId, doubtful: bool) {
        let closure = self.closure(before);
        self.cut |= closure.cut;
        self.closure = None;
        let mut seen: FxHashSet<Hypothesis> = self.hypotheses.iter().cloned().collect();
        let alone = closure.alone.iter().map(|hypothesis| (**hypothesis).clone());
        self.hypotheses.extend(alone.filter(|hypothesis| seen.insert(hypothesis.clone())));
        self.hypotheses.iter_mut().for_each(|it| it.admit(newcomer, role, doubtful));
        self.bounded(before);
    }

    /// What the agent may have done without others, if it was there before the log names it. The log does not show that
    /// it was.
    pub(crate) fn may_have_been_alone(&mut self, alone: &Shared, mut before: Self) {
        let closure = before.closure(alone);
        self.cut |= closure.cut;
        for it in &closure.alone {
            let mut past = (**it).clone();
            past.rename(before.agent, self.agent);
            past.doubtful = true;
            self.hypotheses.push(past);
        }
    }

    /// Whether its last message may have gone to a whole role that agents may join.
    pub(crate) fn may_have_told_all(&self) -> bool {
        self.hypotheses.iter().any(|it| it.said.is_some())
    }

    /// A message has been sent to the agent, and may arrive at any time.
    pub(crate) fn will_arrive(&mut self, shared: &Shared, message: &Arc<Message>) {
        let message = &shared.frame.relevant(self.agent, message);
        let mentioned = self.tell_apart(shared, message, &[]);
        let arrivals = shared.arrivals;
        for hypothesis in self.hypotheses.iter_mut().filter(|it| !it.has_ended()) {
            if hypothesis.pending.len() >= MAX_UNDER_WAY {
                self.cut = true;
                continue;
            }
            enqueue(arrivals, &mut hypothesis.pending, Arc::new((**message).clone()));
        }
        self.closure = None;
        self.merge_again(shared, &mentioned);
    }

    /// A message arrives.
    pub(crate) fn arrive(&mut self, shared: &Shared, message: &Arc<Message>) {
        if self.hypotheses.iter().all(Hypothesis::has_ended) {
            return;
        }
        let message = &shared.frame.relevant(self.agent, message);
        // It may turn out only now that there are too many states to keep them all.
        self.closure(shared);
        let mentioned = self.tell_apart(shared, message, &[]);
        let closure = self.closure(shared);
        self.cut |= closure.cut;
        self.closure = None;
        let missed = |it: &&(Arc<Hypothesis>, Option<Vec<PerformativeId>>)| {
            it.1.as_ref().is_none_or(|missed| missed.contains(&message.performative))
        };
        let mut all = std::mem::take(&mut self.hypotheses);
        all.extend(closure.sensitive.iter().filter(missed).map(|(hypothesis, _)| (**hypothesis).clone()));
        let mut seen = FxHashSet::default();
        for mut hypothesis in all {
            match map_semantics::deliver(&shared.frame.bounds, &mut hypothesis.state, message) {
                map_semantics::Delivery::Delivered | map_semantics::Delivery::Dropped => {}
                map_semantics::Delivery::Overflow => {
                    self.cut = true;
                    continue;
                }
            }
            if seen.insert(hypothesis.clone()) {
                self.hypotheses.push(hypothesis);
            }
        }
        self.merge_again(shared, &mentioned);
        self.bounded(shared);
    }

    /// Replaces the states in which the agent cannot but take a message by those after it, again and again.
    pub(crate) fn take_forced(&mut self, shared: &Shared) {
        if self.orbits.is_some() {
            return;
        }
        let subject = shared.subject(self.agent);
        let mut seen = FxHashSet::default();
        for mut hypothesis in std::mem::take(&mut self.hypotheses) {
            while let Some(next) = forced_receive(subject, &hypothesis) {
                hypothesis = next;
                self.closure = None;
            }
            if seen.insert(hypothesis.clone()) {
                self.hypotheses.push(hypothesis);
            }
        }
    }

    /// Delivers all pending messages of `sender` except the last `open`.
    pub(crate) fn deliver_all_but(&mut self, shared: &Shared, sender: AgentId, open: usize) {
        let of_sender =
            |it: &Hypothesis| it.pending.iter().filter(|message| message.sender == sender).count();
        if self.hypotheses.iter().all(|it| of_sender(it) <= open) {
            return;
        }
        self.closure(shared);
        self.single_out(shared, &[sender]);
        let closure = self.closure(shared);
        self.cut |= closure.cut;
        self.closure = None;
        let mut all = std::mem::take(&mut self.hypotheses);
        // What happened because they had not arrived has happened.
        all.extend(closure.sensitive.iter().map(|(hypothesis, _)| (**hypothesis).clone()));
        let mut seen = FxHashSet::default();
        for hypothesis in all {
            for block in all_but(&hypothesis.pending, sender, open, &mut self.cut) {
                let mut next = hypothesis.clone();
                next.deliver_pending(&block);
                if seen.insert(next.clone()) {
                    self.hypotheses.push(next);
                }
            }
        }
        self.merge_again(shared, &[sender]);
        self.bounded(shared);
    }

    /// The agent sends a message.
    pub(crate) fn send(&mut self, shared: &Shared, spoken: &LoggedMessage) -> Fit {
        self.closure(shared);
        let mentioned = self.tell_apart(shared, &spoken.message, &spoken.to);
        let closure = self.closure(shared);
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        let copies =
            self.hypotheses.iter().filter_map(|it| copy(it, spoken).or_else(|| late_copy(it, spoken)));
        let sends = closure.sends.iter().filter_map(|it| matched(&shared.frame, self.agent, it, spoken));
        for hypothesis in copies.chain(sends) {
            if seen.insert(hypothesis.clone()) {
                next.push(hypothesis);
            }
        }
        self.cut |= closure.cut;
        if next.is_empty() {
            // The hypotheses stay: what it could have done instead is told from them.
            return if self.cut { Fit::Unknown } else { Fit::Violated };
        }
        self.hypotheses = next;
        self.closure = None;
        self.merge_again(shared, &mentioned);
        self.bounded(shared);
        Fit::Fits
    }

    /// Drops the hypotheses under which copies of the last message are missing; returns whether any is left.
    pub(crate) fn require_complete_multicast(&mut self) -> bool {
        self.hypotheses.retain(|it| it.copies.is_none());
        self.closure = None;
        !self.is_lost()
    }

    fn bounded(&mut self, shared: &Shared) {
        if self.hypotheses.len() > shared.fold_from && self.orbits.is_none() && self.may_fold(shared) {
            self.fold(shared);
        }
        self.most = self.most.max(self.hypotheses.len());
        let limit = shared.limit(self.cut);
        let mut weight = 0;
        let fits = |it: &&Hypothesis| {
            weight += it.weight();
            weight <= limit.saturating_mul(MAX_WEIGHT)
        };
        // One is always kept: it shows that the agent may go on.
        let kept = self.hypotheses.iter().take(limit).take_while(fits).count().max(1);
        if self.hypotheses.len() > kept {
            self.cut = true;
            self.hypotheses.truncate(kept);
        }
    }
}

/// Agents that cannot be told apart.
impl Monitor {
    /// Whether there may be any.
    fn may_fold(&self, shared: &Shared) -> bool {
        shared.fold_from < usize::MAX && !shared.frame.interchangeable.is_empty()
    }

    /// Finds out who cannot be told apart.
    fn fold(&mut self, shared: &Shared) {
        let orbits = owners(&shared.frame, &self.hypotheses);
        self.folded(shared, orbits, |folded| {
            folded.merge_all();
            folded.orbits.classes().next().is_some()
        });
    }

    /// Tells the agents apart that a message mentions, and a part of a class that it goes to; returns them.
    fn tell_apart(&mut self, shared: &Shared, message: &Message, to: &[AgentId]) -> Vec<AgentId> {
        let Some(orbits) = &self.orbits else { return Vec::new() };
        let mut mentioned = orbits.mentioned(message);
        self.single_out(shared, &mentioned);
        let Some(orbits) = &mut self.orbits else { return mentioned };
        if message.sender != self.agent {
            orbits.learn(&shared.frame.program, message);
        }
        let mut parts: Vec<Vec<AgentId>> = Vec::new();
        for class in orbits.classes() {
            let part: Vec<AgentId> = class.iter().copied().filter(|member| to.contains(member)).collect();
            if !part.is_empty() && part.len() < class.len() {
                mentioned.push(part[0]);
                parts.push(part);
            }
        }
        for part in parts {
            let Some(orbits) = self.orbits.take() else { break };
            self.folded(shared, *orbits, |folded| {
                folded.divide(&part);
                true
            });
        }
        mentioned
    }

    /// Leaves each of these agents alone in its class.
    fn single_out(&mut self, shared: &Shared, agents: &[AgentId]) {
        for &agent in agents {
            let is_alone = |orbits: &Orbits| orbits.class_of(agent).is_none();
            let Some(orbits) = self.orbits.take_if(|orbits| !is_alone(orbits)) else { continue };
            self.folded(shared, *orbits, |folded| {
                folded.divide(&[agent]);
                true
            });
        }
    }

    /// Finds out whether agents that were told apart still can be.
    fn merge_again(&mut self, shared: &Shared, agents: &[AgentId]) {
        let Some(orbits) = self.orbits.take() else { return };
        self.folded(shared, *orbits, |folded| {
            folded.merge_again(agents);
            // Where nothing is left that could be exchanged, classes are not needed any more.
            !folded.is_blank()
        });
    }

    /// Changes the classes; `change` says whether they are to be kept.
    fn folded(&mut self, shared: &Shared, orbits: Orbits, change: impl FnOnce(&mut Folded<'_>) -> bool) {
        let hypotheses = std::mem::take(&mut self.hypotheses);
        let mut folded = Folded { subject: shared.subject(self.agent), orbits, hypotheses, cut: false };
        let is_kept = change(&mut folded);
        self.closure = None;
        self.cut |= folded.cut;
        self.orbits = is_kept.then(|| Box::new(folded.orbits));
        self.hypotheses = folded.hypotheses;
    }
}

/// The options for the cells of an agent that may start with several values, one after the other.
pub(crate) fn initial_options(program: &Program, agent: AgentId) -> impl Iterator<Item = Vec<u32>> {
    let cells = map_semantics::open_cells(program).filter(|cell| cell.agent == agent);
    let sizes: Vec<u32> = cells.map(|cell| cell.values.len() as u32).collect();
    // Like an odometer.
    std::iter::successors(Some(vec![0; sizes.len()]), move |options| {
        let at = (0..sizes.len()).rev().find(|&at| options[at] + 1 < sizes[at])?;
        let mut next = options.clone();
        next[at] += 1;
        next[at + 1..].fill(0);
        Some(next)
    })
}

/// The state in which an agent starts with these options for its cells; else whether a bound is the reason.
pub(crate) fn first(frame: &Frame, agent: AgentId, mut options: &[u32]) -> Result<Hypothesis, bool> {
    match start(&frame.program, &frame.bounds, agent, &mut options).ending {
        Ending::State(next) => {
            let mut hypothesis = Hypothesis::new(AgentState::new(next));
            hypothesis.normalise(frame, agent);
            Ok(hypothesis)
        }
        Ending::Cut(_) | Ending::TooLong(_) => Err(true),
        Ending::Nothing | Ending::Runaway(_) | Ending::RunError(_) => Err(false),
    }
}

/// The hypothesis after a copy of its last message.
fn copy(from: &Hypothesis, spoken: &LoggedMessage) -> Option<Hypothesis> {
    let (missing, said) = (from.copies.as_ref(), from.said.as_ref());
    let message = missing.map(|it| &it.0).or(said.map(|it| &it.message))?;
    let left = missing.map_or(&[][..], |it| &it.1);
    let since = said.map_or(&[][..], |it| &it.since);
    let is_late = |to: &AgentId| since.iter().any(|it| it.0 == *to);
    let is_one = **message == *spoken.message
        && !spoken.to.is_empty()
        && spoken.to.iter().all(|to| left.contains(to) || is_late(to));
    is_one.then(|| {
        let mut next = from.clone();
        let left: Vec<AgentId> = left.iter().copied().filter(|it| !spoken.to.contains(it)).collect();
        next.copies = (!left.is_empty()).then(|| (Arc::clone(message), left));
        next.doubtful |= since.iter().any(|it| it.1 && spoken.to.contains(&it.0));
        if let Some(said) = &mut next.said {
            said.since.retain(|it| !spoken.to.contains(&it.0));
        }
        next
    })
}

/// The hypothesis after a copy of a message of which the others came before the log begins.
fn late_copy(from: &Hypothesis, spoken: &LoggedMessage) -> Option<Hypothesis> {
    let (performative, to) = from.before.as_ref()?.copied.as_ref()?;
    let is_one = *performative == spoken.message.performative
        && !spoken.to.is_empty()
        && spoken.to.iter().all(|recipient| to.contains(recipient));
    is_one.then(|| {
        let left: Vec<AgentId> = to.iter().copied().filter(|it| !spoken.to.contains(it)).collect();
        let mut next = from.clone();
        next.copies = (!left.is_empty()).then(|| (Arc::clone(&spoken.message), left));
        next.note_own();
        next
    })
}

/// The hypothesis after a send, if it can be the one in the log.
pub(crate) fn matched(
    frame: &Frame,
    agent: AgentId,
    send: &Sending,
    spoken: &LoggedMessage,
) -> Option<Hypothesis> {
    matched_if(frame, agent, send, spoken, &mut |found| matches!(found, Found::Bound(..)))
}

/// The same, if what turns out about values is accepted.
pub(crate) fn matched_if(
    frame: &Frame,
    agent: AgentId,
    send: &Sending,
    spoken: &LoggedMessage,
    accepts: &mut dyn FnMut(Found) -> bool,
) -> Option<Hypothesis> {
    let is_candidate = send.message.performative == spoken.message.performative
        && !spoken.to.is_empty()
        && spoken.to.iter().all(|to| send.to.contains(to));
    if !is_candidate {
        return None;
    }
    let mut next = send.next.clone();
    let equal = next.says(&frame.program, &send.message, &spoken.message)?;
    if !next.assume_and_tell(&frame.program, equal, accepts) {
        return None;
    }
    let left: Vec<AgentId> = send.to.iter().copied().filter(|it| !spoken.to.contains(it)).collect();
    next.copies = (!left.is_empty()).then(|| (Arc::clone(&spoken.message), left));
    next.note_own();
    next.said = frame.said(send.point, &spoken.message, &send.to);
    next.normalise(frame, agent);
    Some(next)
}
