//! The views of a scene: a least set that has every view of every configuration that some number of members can
//! reach.
//!
//! A view is a pair: what is shown of the fixed agents, and of the members that are seen, in any order. All views of
//! one configuration are in one class: their fixed agents are the same but for the names of members. So what a member
//! does that is not seen is found where it is: in the views of the same class in which it is seen, instead of any one
//! of those that are seen here.

use std::collections::{BTreeSet, VecDeque};

use map_ir::AgentId;
use map_semantics::{InitialChoices, SceneState, Status};

use crate::frame::Frame;
use crate::local::{MessageId, first};
use crate::steps::{Fault, Others};
use crate::table::{LocalId, Numbered, NumberedStep, NumberedThread, NumberedWay, StepResult, Table};

/// A view: the number of its [`Fixed`], and that of what is shown of the members that are seen.
pub(crate) type View = (u32, u32);

/// What is shown of each agent, by its place.
pub(crate) type Shown = Box<[LocalId]>;

/// What views show of the fixed agents.
pub(crate) struct Fixed {
    pub(crate) locals: Box<[LocalId]>,
    pub(crate) class: u32,
    /// Every member's name that they hold.
    pub(crate) names: Vec<AgentId>,
    /// Whether for every other member that they hold there is a view that could be its.
    pub(crate) supported: bool,
    /// The members that are seen in views of these fixed agents.
    seen: Vec<u32>,
}

/// A message that a member sends, as it is seen by others.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    /// Every member's name that the fixed agents hold.
    pub(crate) names: Vec<AgentId>,
    /// The members that are seen, each by itself.
    pub(crate) company: Vec<u32>,
    pub(crate) message: MessageId,
    pub(crate) to: Vec<usize>,
    pub(crate) others: Others,
}

/// For each fixed agent what members contribute to its counting cells: first those whose message it did not take
/// last, then
/// those whose it did.
pub(crate) type Contributions = Vec<[BTreeSet<Vec<i32>>; 2]>;

/// The views that may be of one configuration.
#[derive(Default)]
pub(crate) struct Class {
    pub(crate) fixed: Vec<u32>,
    explored: Numbered<View>,
    pub(crate) records: Numbered<Record>,
    /// Fixed agents that wait, in views whose members wait, too.
    pub(crate) quiet: Numbered<u32>,
    /// Views in which time might run out if all others were quiet.
    pending: Vec<View>,
    pub(crate) contributions: Contributions,
}

/// Why there are not all views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Incomplete {
    /// There would be too many.
    Many,
    /// The caller stopped it.
    Stopped,
    /// There is no first state.
    NoStart,
}

/// All views of a scene, and what can be seen in them.
pub(crate) struct Views<'f> {
    pub(crate) table: Table<'f>,
    pub(crate) frame: &'f Frame<'f>,
    keys: Numbered<Vec<(u32, Vec<MessageId>)>>,
    fixed_numbers: Numbered<Box<[LocalId]>>,
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) classes: Vec<Class>,
    seen: Numbered<Box<[LocalId]>>,
    pub(crate) views: Numbered<View>,
    queue: VecDeque<View>,
    /// The views before the first step.
    pub(crate) initial: Vec<View>,
    /// Faults that may occur, each with a view.
    pub(crate) faults: Vec<(Fault, View)>,
}

impl<'f> Views<'f> {
    pub(crate) fn new(frame: &'f Frame<'f>) -> Self {
        Self {
            table: Table::new(frame),
            frame,
            keys: Numbered::default(),
            fixed_numbers: Numbered::default(),
            fixed: Vec::new(),
            classes: Vec::new(),
            seen: Numbered::default(),
            views: Numbered::default(),
            queue: VecDeque::new(),
            initial: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Explores all views, or up to the first fault unless `keep_going` is set.
    ///
    /// # Errors
    /// If there are more than `most`, or `stop` says so.
    pub(crate) fn explore(
        &mut self,
        most: usize,
        keep_going: bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Incomplete> {
        self.begin()?;
        let mut rounds = 0_usize;
        while let Some(view) = self.queue.pop_front() {
            rounds += 1;
            if self.views.len() > most {
                return Err(Incomplete::Many);
            }
            if rounds.is_multiple_of(64) && stop() {
                return Err(Incomplete::Stopped);
            }
            self.explore_view(view);
            if !keep_going && !self.faults.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Incomplete> {
        let frame = self.frame;
        let matters = |cell: map_semantics::OpenCell<'_>| {
            cell.agent != frame.other
                && frame.slicing.cell_at(frame.program.agent(cell.agent).role, cell.index)
        };
        let mut initial = InitialChoices::new(frame.program, &matters, &|_| None);
        loop {
            let (state, _) = SceneState::start(frame.program, &frame.bounds, initial.options());
            let state = state.ok_or(Incomplete::NoStart)?;
            let mut local = |agent: map_ir::AgentId| {
                let shown = first(frame, agent, &state.agents[agent.index()]);
                shown.map(|local| self.table.local(local))
            };
            let shown: Option<Shown> = frame.shown.iter().map(|&agent| local(agent)).collect();
            let shown = shown.ok_or(Incomplete::NoStart)?;
            self.add(&shown);
            self.initial.push(self.view_of(&shown).expect("it was added"));
            if !initial.advance() {
                return Ok(());
            }
        }
    }

    /// Adds a view, if it is new.
    fn add(&mut self, shown: &[LocalId]) {
        let (fixed, seen) = shown.split_at(self.frame.fixed().len());
        let number = match self.fixed_numbers.get_index_of(fixed) {
            Some(number) => number as u32,
            None => self.add_fixed(fixed.into()),
        };
        let seen = match self.seen.get_index_of(seen) {
            Some(seen) => seen as u32,
            None => self.seen.insert_full(seen.into()).0 as u32,
        };
        if !self.views.insert((number, seen)) {
            return;
        }
        self.fixed[number as usize].seen.push(seen);
        if self.fixed[number as usize].supported {
            self.queue.push_back((number, seen));
        }
    }

    fn add_fixed(&mut self, locals: Box<[LocalId]>) -> u32 {
        let facts: Vec<_> = locals.iter().map(|&local| self.table.facts(local)).collect();
        let key = facts.iter().map(|facts| (facts.erased, facts.erased_mail.clone())).collect();
        let names = facts.iter().flat_map(|facts| facts.names.iter().copied()).collect();
        let class = self.keys.insert_full(key).0;
        if class == self.classes.len() {
            let contributions = vec![Default::default(); locals.len()];
            self.classes.push(Class { contributions, ..Class::default() });
        }
        let number = self.fixed.len() as u32;
        self.fixed_numbers.insert(locals.clone());
        let class = class as u32;
        self.fixed.push(Fixed { locals, class, names, supported: false, seen: Vec::new() });
        self.classes[class as usize].fixed.push(number);
        for waiting in self.classes[class as usize].fixed.clone() {
            if !self.fixed[waiting as usize].supported && self.is_supported(waiting, None) {
                self.fixed[waiting as usize].supported = true;
                let seen = self.fixed[waiting as usize].seen.clone();
                self.queue.extend(seen.into_iter().map(|seen| (waiting, seen)));
                self.note_contributions(waiting);
            }
        }
        number
    }

    /// Adds what the members that are seen have contributed; whether that is new.
    pub(crate) fn contribute(&self, number: u32, contributions: &mut Contributions) -> bool {
        let mut new = false;
        for (&local, known) in self.fixed[number as usize].locals.iter().zip(contributions) {
            let local = &self.table.locals[local as usize];
            if local.counts.is_empty() {
                continue;
            }
            for (place, &member) in self.frame.seen().iter().enumerate() {
                let of_it = local.counts.iter().map(|count| count.seen[place]).collect();
                new |= known[usize::from(local.last == Some(member))].insert(of_it);
            }
        }
        new
    }

    /// Notes what the members that are seen have contributed. If that is new, all views of the class may have more
    /// steps.
    fn note_contributions(&mut self, number: u32) {
        let class = self.fixed[number as usize].class as usize;
        let mut contributions = std::mem::take(&mut self.classes[class].contributions);
        let new = self.contribute(number, &mut contributions);
        self.classes[class].contributions = contributions;
        if new {
            self.queue.extend(self.classes[class].explored.iter().copied());
        }
    }

    /// What is shown of the members that are seen.
    pub(crate) fn seen(&self, (_, seen): View) -> &[LocalId] {
        &self.seen[seen as usize]
    }

    /// What is shown of each agent, by its place.
    pub(crate) fn shown(&self, view: View) -> Shown {
        let fixed = self.fixed[view.0 as usize].locals.iter();
        fixed.chain(self.seen(view)).copied().collect()
    }

    /// Whether a thread may count as waiting.
    pub(crate) fn may_wait(&self, number: u32, place: usize, thread: &NumberedThread) -> bool {
        thread.is_waitfor
            && thread.acts.iter().any(|way| {
                matches!(way.result, StepResult::ToNothing { .. })
                    && self.is_feasible(number, place, &way.constraints)
            })
    }

    fn explore_view(&mut self, view: View) {
        let (number, _) = view;
        let class = self.fixed[number as usize].class as usize;
        let agents = self.shown(view);
        let steps: Vec<_> = agents.iter().map(|&local| self.table.steps(local)).collect();
        if agents.iter().any(|&local| self.table.locals[local as usize].status == Status::Failed) {
            self.faults.push((Fault::Failure, view));
        }
        let mut quiet = true;
        let mut has_timeouts = false;
        for (place, threads) in steps.iter().enumerate() {
            for thread in threads.iter() {
                let waits = self.may_wait(number, place, thread);
                quiet &= waits;
                has_timeouts |= !thread.timeouts.is_empty();
                self.take(view, place, &thread.acts);
                if waits && self.frame.bounds.timeouts == map_semantics::Timeouts::Any {
                    self.take(view, place, &thread.timeouts);
                }
            }
        }
        if quiet && self.classes[class].quiet.insert(number) {
            for pending in std::mem::take(&mut self.classes[class].pending) {
                self.time_out(pending);
            }
        }
        if quiet && has_timeouts {
            self.time_out(view);
        }
        for record in 0..self.classes[class].records.len() {
            self.disturb(view, record);
        }
        self.classes[class].explored.insert(view);
    }

    /// Whether time may run out in a quiet view: the other members may be quiet, too.
    pub(crate) fn may_time_out(&self, number: u32) -> bool {
        let class = self.fixed[number as usize].class as usize;
        let quiet: BTreeSet<u32> = self.classes[class].quiet.iter().copied().collect();
        !self.frame.sabotage.never_quiet && self.is_supported(number, Some(&quiet))
    }

    fn time_out(&mut self, view: View) {
        let class = self.fixed[view.0 as usize].class as usize;
        if self.frame.bounds.timeouts == map_semantics::Timeouts::Any {
            return;
        }
        if !self.may_time_out(view.0) {
            self.classes[class].pending.push(view);
            return;
        }
        for (place, local) in self.shown(view).into_iter().enumerate() {
            for thread in self.table.steps(local).iter() {
                self.take(view, place, &thread.timeouts);
            }
        }
    }

    /// Takes all of these steps of an agent.
    fn take(&mut self, view: View, place: usize, ways: &[NumberedWay]) {
        for way in ways {
            if !self.is_feasible(view.0, place, &way.constraints) {
                continue;
            }
            match &way.result {
                StepResult::To(step) => self.follow(view, place, step),
                StepResult::ToNothing { .. } => {}
                StepResult::Wrong(fault) => self.faults.push((*fault, view)),
            }
        }
    }

    fn follow(&mut self, view: View, place: usize, step: &NumberedStep) {
        for shown in self.after(view, place, step) {
            self.add(&shown);
        }
        let is_member = place >= self.frame.fixed().len();
        if let (true, Some(sent)) = (is_member, &step.sent)
            && !self.frame.sabotage.no_others
        {
            let company = self.company(view);
            let Fixed { names, class, .. } = &self.fixed[view.0 as usize];
            let class = *class as usize;
            let record = Record {
                names: names.clone(),
                company,
                message: sent.message,
                to: sent.to.clone(),
                others: sent.others,
            };
            let (record, new) = self.classes[class].records.insert_full(record);
            if new {
                for disturbed in self.classes[class].explored.clone().into_iter() {
                    self.disturb(disturbed, record);
                }
            }
        }
    }

    /// Adds what a view may become by a message of a member that is not seen.
    fn disturb(&mut self, view: View, record: usize) {
        for shown in self.disturbed(view, record) {
            self.add(&shown);
        }
    }

    /// The views that are explored, in a fixed order.
    pub(crate) fn explored(&self) -> impl Iterator<Item = View> + '_ {
        self.views.iter().copied().filter(|&(number, _)| self.fixed[number as usize].supported)
    }

    /// Whether a view is explored.
    pub(crate) fn explored_view(&self, view: View) -> bool {
        self.views.contains(&view) && self.fixed[view.0 as usize].supported
    }

    /// The view that shows this, if it is known.
    pub(crate) fn view_of(&self, shown: &[LocalId]) -> Option<View> {
        let (fixed, seen) = shown.split_at(self.frame.fixed().len());
        let view = (self.fixed_numbers.get_index_of(fixed)? as u32, self.seen.get_index_of(seen)? as u32);
        self.views.contains(&view).then_some(view)
    }
}
