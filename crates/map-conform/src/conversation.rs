//! Follows one conversation: an instance of the scene, with a monitor for every agent.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;

use crate::blame::{Kind, Possible, kind, possible};
use crate::monitor::{Fit, Monitor, Spoken};
use crate::pending::{Arrivals, MAX_UNDER_WAY};
use crate::report::{Mark, Unlogged, Violation};
use crate::scene::Scene;

/// What concerns an agent, in its own order.
#[derive(Clone, Debug)]
pub(crate) enum Own {
    Sends(Spoken),
    Receives(AgentId, Arc<Message>),
}

/// A conversation.
pub struct Conversation {
    pub(crate) scene: Rc<Scene>,
    pub(crate) monitors: Vec<Monitor>,
    /// By agent: its lines that wait for the send of a message that it has received.
    pub(crate) held: Vec<VecDeque<(Mark, Own)>>,
    /// Messages sent whose arrival has not been logged, with their recipients.
    pub(crate) under_way: VecDeque<(Mark, Arc<Message>, AgentId)>,
    pub(crate) last: Vec<Option<(Mark, Spoken)>>,
    pub(crate) owes_since: Vec<Option<u64>>,
    pub(crate) broke: Vec<bool>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) cut_at: Option<(AgentId, Mark)>,
    /// By agent: the messages whose arrivals are not logged.
    pub(crate) unlogged: Vec<Unlogged>,
    pub(crate) messages: u64,
    /// The lines so far, if they are kept.
    pub(crate) lines: Vec<Own>,
    /// Whether no more lines are looked at.
    is_given_up: bool,
    pub(crate) now: Mark,
}

impl Conversation {
    /// A conversation before its first line.
    #[must_use]
    pub fn new(scene: &Rc<Scene>) -> Self {
        let agents = scene.first.len();
        Self {
            scene: Rc::clone(scene),
            monitors: scene.first.clone(),
            held: vec![VecDeque::new(); agents],
            under_way: VecDeque::new(),
            last: vec![None; agents],
            owes_since: vec![None; agents],
            broke: vec![false; agents],
            violations: Vec::new(),
            cut_at: None,
            unlogged: vec![Unlogged::default(); agents],
            messages: 0,
            lines: Vec::new(),
            is_given_up: false,
            now: Mark::default(),
        }
    }

    /// The violations so far.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether all agents may have ended, every message is accounted for, and nothing can be sent any more: whatever
    /// follows breaks the protocol. `last` is the agent that is asked first.
    pub fn is_settled(&mut self, last: AgentId) -> bool {
        let scene = Rc::clone(&self.scene);
        let mut is_over = |agent: usize| self.monitors[agent].is_over(&scene.shared);
        self.violations.is_empty()
            && self.cut_at.is_none()
            && self.under_way.is_empty()
            && is_over(last.index())
            && (0..scene.first.len()).all(&mut is_over)
            && self.held.iter().all(VecDeque::is_empty)
    }

    /// A conversation that [has been settled](Self::is_settled) and forgotten, with its number of messages and its
    /// largest number of hypotheses.
    #[must_use]
    pub fn after_its_end(scene: &Rc<Scene>, messages: u64, hypotheses: usize) -> Self {
        let mut conversation = Self::new(scene);
        for monitor in &mut conversation.monitors {
            *monitor = monitor.ended();
            monitor.most = hypotheses;
        }
        conversation.messages = messages;
        conversation
    }

    /// What is left of the log is not looked at: too much is on its way.
    fn give_up(&mut self, agent: AgentId, mark: Mark) {
        self.cut_at.get_or_insert((agent, mark));
        self.broke.fill(true);
        self.held.iter_mut().for_each(VecDeque::clear);
        self.under_way.clear();
        self.is_given_up = true;
    }

    /// A line that says that a message was sent.
    pub fn send(&mut self, mark: Mark, spoken: Spoken) {
        self.now = mark;
        self.messages += 1;
        self.own(spoken.from, mark, Own::Sends(spoken));
    }

    /// A line that says that a message got into the mailbox of an agent.
    pub fn receive(&mut self, mark: Mark, to: AgentId, message: Arc<Message>) {
        self.now = mark;
        self.own(to, mark, Own::Receives(to, message));
    }

    /// A line of an agent that says something nobody in the scene says.
    pub fn unknown(&mut self, mark: Mark, agent: AgentId) {
        self.now = mark;
        self.messages += 1;
        self.violated(mark, agent, Kind::NotItsWord, None);
    }

    fn own(&mut self, agent: AgentId, mark: Mark, own: Own) {
        if self.is_given_up {
            return;
        }
        if self.held[agent.index()].len() >= MAX_UNDER_WAY || self.under_way.len() >= MAX_UNDER_WAY {
            return self.give_up(agent, mark);
        }
        self.keep(&own);
        self.held[agent.index()].push_back((mark, own));
        let mut ready = vec![agent];
        while let Some(agent) = ready.pop() {
            while let Some((mark, own)) = self.held[agent.index()].front().cloned() {
                match own {
                    Own::Sends(spoken) => {
                        ready.extend(&spoken.to);
                        self.sends(mark, &spoken);
                    }
                    Own::Receives(to, message) => {
                        let sent =
                            self.under_way.iter().position(|(_, it, its)| *its == to && *it == message);
                        let Some(at) = sent else { break };
                        self.under_way.remove(at);
                        self.arrives(mark, to, &message);
                    }
                }
                self.held[agent.index()].pop_front();
            }
        }
    }

    fn sends(&mut self, mark: Mark, spoken: &Spoken) {
        let arrivals = self.scene.settings.arrivals;
        let agent = spoken.from;
        self.check_deadline(agent, mark);
        if !self.broke[agent.index()] {
            match self.monitors[agent.index()].send(&self.scene.shared, spoken) {
                Fit::Fits => {}
                Fit::Violated => {
                    let closure = self.monitors[agent.index()].closure(&self.scene.shared);
                    let before = self.last[agent.index()].as_ref().map(|(_, it)| it);
                    let kind = kind(&self.scene.shared.frame, &closure, before, spoken);
                    self.violated(mark, agent, kind, Some(spoken.clone()));
                }
                Fit::Unknown => {
                    self.cut_at.get_or_insert((agent, mark));
                    self.broke[agent.index()] = true;
                }
            }
        }
        self.last[agent.index()] = Some((mark, spoken.clone()));
        self.note_owing(agent, mark);
        for &to in spoken.to.iter().filter(|&&to| to != agent) {
            match arrivals {
                Arrivals::Logged => self.under_way.push_back((mark, Arc::clone(&spoken.message), to)),
                Arrivals::Sent => self.arrives(mark, to, &spoken.message),
                Arrivals::Late | Arrivals::Unordered => {
                    self.unlogged[to.index()].add(mark, &spoken.message);
                    self.monitors[to.index()].will_arrive(arrivals, &spoken.message);
                    self.note_owing(to, mark);
                }
            }
        }
    }

    fn arrives(&mut self, mark: Mark, to: AgentId, message: &Arc<Message>) {
        self.check_deadline(to, mark);
        if !self.broke[to.index()] {
            self.monitors[to.index()].arrive(&self.scene.shared, message);
        }
        self.note_owing(to, mark);
    }

    pub(crate) fn violated(&mut self, mark: Mark, agent: AgentId, kind: Kind, spoken: Option<Spoken>) {
        let possible = self.possible(agent);
        let before = self.last[agent.index()].clone();
        self.violations.push(Violation { mark, kind, agent: Some(agent), spoken, possible, before });
        self.broke[agent.index()] = true;
    }

    /// What an agent could send next.
    pub(crate) fn possible(&mut self, agent: AgentId) -> Vec<Possible> {
        let monitor = &mut self.monitors[agent.index()];
        let closure = monitor.closure(&self.scene.shared);
        possible(monitor.copies(), &closure)
    }

    /// Notes since when an agent has to say something.
    fn note_owing(&mut self, agent: AgentId, mark: Mark) {
        if self.scene.settings.deadline.is_none() || self.broke[agent.index()] {
            return;
        }
        let owes = self.owes(agent);
        let since = &mut self.owes_since[agent.index()];
        *since = if owes { since.or(mark.time) } else { None };
    }

    pub(crate) fn owes(&mut self, agent: AgentId) -> bool {
        let monitor = &mut self.monitors[agent.index()];
        let closure = monitor.closure(&self.scene.shared);
        let is_known = !monitor.cut && !closure.cut;
        monitor.lacks_copies() || is_known && !closure.comes_to_rest
    }

    /// Blames an agent that has owed something for too long by now.
    pub(crate) fn check_deadline(&mut self, agent: AgentId, now: Mark) {
        let late = match (self.scene.settings.deadline, self.owes_since[agent.index()], now.time) {
            (Some(deadline), Some(since), Some(now)) => now.saturating_sub(since) > deadline,
            _ => false,
        };
        if late && !self.broke[agent.index()] {
            self.violated(now, agent, Kind::Silent, None);
        }
    }
}
