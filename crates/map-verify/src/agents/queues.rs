//! Steps of agents, and deliveries to them, by the numbers of what their states are made of: where mailboxes are queues and
//! states are interned as they are. Debug builds compare what comes of it with what comes of the states themselves.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{AgentState, Ending, Resolved, Status};

use super::alike::{Common, CommonEnding, CommonStep};
use super::intern::first_occurrence;
use super::local::{Kept, Outline, Received};
use super::states::{Parts, status_of};
use super::steps::Told;
use super::{After, Agents, Brief, LocalEnding, LocalStep, Places, Sent, StateId, position_or_push};

impl Agents<'_> {
    /// Whether mailboxes are queues and states are interned as they are.
    pub(super) fn has_queues(&self) -> bool {
        self.only_symbols() && !self.bounds.network.unordered
    }

    /// The steps of a state, by what it has in common with others.
    pub(super) fn steps_by_numbers(&mut self, id: StateId) -> (Arc<Outline>, Vec<LocalStep>) {
        let (parts, messages) = self.states.parts_and_messages(id);
        let performative_of = |message| self.states.message(message).performative;
        let known = self.alike.find(parts, messages, performative_of);
        let common = known.unwrap_or_else(|| self.find_common(id));
        let steps = common.steps.iter().map(|step| self.own_step(id, &common, step)).collect();
        (Arc::clone(&common.outline), steps)
    }

    fn find_common(&mut self, id: StateId) -> Arc<Common> {
        let (agent, before, found) = self.steps_of(id);
        let outline = self.outline(&before, &found);
        let mut steps = Vec::new();
        for (index, thread) in found.threads.into_iter().enumerate() {
            for resolved in thread.acts.into_iter().chain(thread.timeouts) {
                steps.push(self.common_step(agent, index as u32, &before, resolved));
            }
        }
        let crash = found.crash.map(|outcome| Resolved { outcome, options: Vec::new(), compared: false });
        steps.extend(crash.map(|crash| self.common_step(agent, 0, &before, crash)));
        let symbols = self.brief(id).symbols;
        let common = Arc::new(Common { outline, steps: steps.into(), symbols });
        let (parts, messages) = self.states.parts_and_messages(id);
        let performative_of = |message| self.states.message(message).performative;
        self.alike.keep((parts, messages), performative_of, &found.looks, &common);
        common
    }

    fn common_step(
        &mut self,
        agent: AgentId,
        thread: u32,
        before: &AgentState,
        found: Resolved,
    ) -> CommonStep {
        let Told { label, sent, ending, taken, .. } = self.told(agent, thread, found);
        let ending = match ending {
            Ending::State(next) => {
                let mut symbols = Vec::new();
                let mut state = AgentState::new(next);
                state.rename_symbols(&mut |symbol| first_occurrence(&mut symbols, symbol));
                // The mailbox was made anew: messages are numbered from 0 on.
                let older = |arrival: u64| before.mailbox.iter().take(arrival as usize);
                let taken = taken.map(|(performative, arrival)| {
                    let before = older(arrival).filter(|it| it.performative == performative).count();
                    (performative, before as u32)
                });
                let parts = self.states.parts(agent, &state);
                CommonEnding::State { parts, symbols: symbols.into(), taken }
            }
            Ending::Cut(bound) => CommonEnding::Cut(bound),
            Ending::Runaway(_) => CommonEnding::Runaway,
            Ending::TooLong(_) => CommonEnding::TooLong,
            Ending::RunError(_) => CommonEnding::RunError,
            Ending::Nothing => unreachable!("agent_steps leaves out what is no step"),
        };
        CommonStep { label, sent, ending }
    }

    /// A step of a state that is like others.
    fn own_step(&mut self, id: StateId, common: &Common, step: &CommonStep) -> LocalStep {
        let own = self.brief(id).symbols;
        // New symbols follow those of the state.
        let numbered = |&symbol: &u32| match symbol.checked_sub(common.symbols) {
            None => symbol,
            Some(new) => own + new,
        };
        let sent = step.sent.as_ref().map(|sent| {
            let symbols: Box<[u32]> = sent.symbols.iter().map(numbered).collect();
            match symbols == sent.symbols {
                true => Arc::clone(sent),
                false => self.steps.sent.share(Sent { symbols, ..Sent::clone(sent) }),
            }
        });
        let ending = match &step.ending {
            CommonEnding::State { parts, symbols, taken } => {
                let symbols = symbols.iter().map(numbered).collect();
                let after = self.own_after(id, parts, symbols, *taken);
                LocalEnding::State { after, more: None, ended: ended(status_of(parts)) }
            }
            CommonEnding::Cut(bound) => LocalEnding::Cut(*bound),
            CommonEnding::Runaway => LocalEnding::Runaway,
            CommonEnding::TooLong => LocalEnding::TooLong,
            CommonEnding::RunError => LocalEnding::RunError,
        };
        LocalStep { label: Arc::clone(&step.label), sent, ending }
    }

    /// What becomes of a state by a step to these parts, which hold these of its symbols.
    fn own_after(
        &mut self,
        id: StateId,
        parts: &Parts,
        mut symbols: Vec<u32>,
        taken: Option<(PerformativeId, u32)>,
    ) -> After {
        let mut mailbox = std::mem::take(&mut self.mailbox);
        mailbox.clear();
        mailbox.extend_from_slice(self.states.parts_and_messages(id).1);
        if let Some((performative, older)) = taken {
            let is_one = |&message: &u32| self.states.message(message).performative == performative;
            let mut of_it = mailbox.iter().enumerate().filter(|(_, message)| is_one(message));
            let (place, _) = of_it.nth(older as usize).expect("what was looked at is there");
            mailbox.remove(place);
        }
        let mut left = Vec::new();
        let status = status_of(parts);
        if status != Status::Running {
            if ended(status).is_some() {
                left.extend(mailbox.iter().map(|&message| self.states.message(message).performative));
                left.sort_unstable();
                left.dedup();
            }
            mailbox.clear();
        }
        for message in &mut mailbox {
            *message = self.states.renamed(*message, |symbol| position_or_push(&mut symbols, symbol));
        }
        let next = self.intern_by_numbers(parts, &mailbox, symbols.len() as u32);
        self.mailbox = mailbox;
        self.afters += 1;
        let counts = Places::default();
        let kept = Kept { symbols: symbols.into(), names: Box::default(), counts, left: left.into() };
        After { id: self.afters - 1, next, kept: self.steps.kept.share(kept) }
    }

    /// What becomes of a running agent when a message is put at the end of its mailbox. What is new in it gets the next
    /// numbers: no other message is named anew.
    pub(super) fn append(&mut self, recipient: StateId, message: u32, pattern: u32) -> (StateId, Received) {
        let brief = self.brief(recipient);
        assert_eq!(brief.status, Status::Running, "only running agents are delivered to");
        let pattern = &self.patterns[pattern as usize];
        let symbols = pattern.iter().fold(brief.symbols, |symbols, &symbol| symbols.max(symbol + 1));
        let message = self.states.renamed(message, |symbol| pattern[symbol as usize]);
        let (parts, messages) = self.states.parts_and_messages(recipient);
        let parts = *parts;
        let mut mailbox = std::mem::take(&mut self.mailbox);
        mailbox.clear();
        mailbox.extend_from_slice(messages);
        mailbox.push(message);
        let next = self.intern_by_numbers(&parts, &mailbox, symbols);
        self.mailbox = mailbox;
        let counts = Places::default();
        (next, Received { symbols: (0..symbols).collect(), names: Box::default(), counts })
    }

    fn intern_by_numbers(&mut self, parts: &Parts, mailbox: &[u32], symbols: u32) -> StateId {
        let (id, new) = self.states.insert_numbers(parts, mailbox);
        if new {
            let (status, mailbox) = (status_of(parts), mailbox.len() as u32);
            self.add_row(Brief::new(status, symbols, mailbox), Vec::new());
        }
        id
    }

    /// Compares the steps of a state with those made of the state itself.
    ///
    /// # Panics
    /// If they differ.
    pub(super) fn compare_steps(&mut self, id: StateId, outline: &Outline, steps: &[LocalStep]) {
        let afters = self.afters;
        let (its_outline, its_steps) = self.steps_of_state(id);
        self.afters = afters;
        let are_like =
            steps.len() == its_steps.len() && steps.iter().zip(&its_steps).all(|(a, b)| a.is_like(b));
        assert!(are_like && *outline == *its_outline, "steps of {:?}", self.state(id));
    }
}

/// Whether an agent has ended, but not by a crash, and if so with success.
pub(super) fn ended(status: Status) -> Option<bool> {
    match status {
        Status::Running | Status::Crashed => None,
        Status::Done => Some(true),
        Status::Failed => Some(false),
    }
}
