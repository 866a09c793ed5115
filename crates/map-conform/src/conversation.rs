//! Follows one conversation: an instance of the scene, with a monitor for every agent.

use std::collections::VecDeque;
use std::sync::Arc;

use map_ir::AgentId;
use map_semantics::Message;

use crate::blame::{Kind, PossibleSends, kind, possible};
use crate::doubt::Gaps;
use crate::monitor::{Fit, LoggedMessage, Monitor};
use crate::own::Own;
use crate::pending::{Arrivals, MAX_UNDER_WAY};
use crate::report::{Mark, Offence, UnknownMessage, UnloggedArrivals, Violation};
use crate::scene::Scene;
use crate::settings::Beginnings;
use crate::unfit::{UnfitAnswer, unfit_answer};
use crate::waiting::Waiting;
use crate::window::Window;

/// A conversation.
pub struct Conversation {
    pub(crate) scene: Arc<Scene>,
    /// The lines that wait for others, if clocks differ or logs were merged, and the conversation by the order of the
    /// log.
    pub(crate) window: Option<Window>,
    pub(crate) in_order: Option<Box<Self>>,
    /// The conversation by the order of the times, if these run back.
    pub(crate) by_time: Option<Box<Self>>,
    pub(crate) waiting: Waiting,
    /// Where they do first.
    pub(crate) runs_back: Option<Mark>,
    /// The scene with those who were there at its first line.
    first: Arc<Scene>,
    pub(crate) monitors: Vec<Monitor>,
    /// By agent: its lines that wait for the send of a message that it has received.
    pub(crate) held: Vec<VecDeque<(Mark, Own)>>,
    /// Messages sent whose arrival has not been logged, with their recipients.
    pub(crate) under_way: VecDeque<(Mark, Arc<Message>, AgentId)>,
    pub(crate) last: Vec<Option<(Mark, LoggedMessage)>>,
    pub(crate) owes_since: Vec<Option<Mark>>,
    /// The lines that cannot be used, and whom they put in doubt.
    pub(crate) gaps: Gaps,
    pub(crate) broke: Vec<bool>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) cut_at: Option<(AgentId, Mark)>,
    /// Whether it was cut off there because nobody wanted more.
    pub(crate) is_stopped: bool,
    /// By agent: the messages whose arrivals are not logged.
    pub(crate) unlogged: Vec<UnloggedArrivals>,
    pub(crate) messages: u64,
    /// By agent: the line with the first copy of its last message, and its last line if that may be to a whole role.
    told: Vec<(u64, u64)>,
    /// The lines so far, if they are kept.
    pub(crate) lines: Vec<Own>,
    /// Where they stand.
    pub(crate) marks: Vec<Mark>,
    /// Whether no more lines are looked at.
    is_given_up: bool,
    /// If its first line fits no beginning: the conversation as one that began before the log.
    pub(crate) mid_way: Option<Box<Self>>,
    /// If conversations may have begun before the log: the arrivals whose sends it has not shown.
    pub(crate) believed: Vec<(AgentId, Arc<Message>)>,
    pub(crate) now: Mark,
}

impl Conversation {
    /// A conversation before its first line.
    #[must_use]
    pub fn new(scene: &Arc<Scene>) -> Self {
        let mut conversation = Self::in_order(scene);
        if scene.settings.waits() {
            conversation.window = Some(Window::new(scene.settings.skew));
            conversation.in_order = Some(Box::new(Self::in_order(scene)));
        }
        conversation
    }

    /// A conversation that is judged by the order of the lines.
    pub(crate) fn in_order(scene: &Arc<Scene>) -> Self {
        let agents = scene.program().agents.len();
        let beginnings = scene.settings.beginnings;
        let is_open = scene.joining.is_some();
        let gaps = Gaps {
            lacks_beginning: is_open && beginnings == Beginnings::Before,
            may_lack_beginning: is_open && beginnings == Beginnings::Unsure,
            ..Gaps::new(agents)
        };
        Self {
            scene: Arc::clone(scene),
            window: None,
            in_order: None,
            by_time: None,
            waiting: Waiting::default(),
            runs_back: None,
            first: Arc::clone(scene),
            monitors: scene.first().to_vec(),
            held: vec![VecDeque::new(); agents],
            under_way: VecDeque::new(),
            last: vec![None; agents],
            owes_since: vec![None; agents],
            gaps,
            broke: vec![false; agents],
            violations: Vec::new(),
            cut_at: None,
            is_stopped: false,
            unlogged: vec![UnloggedArrivals::default(); agents],
            messages: 0,
            told: vec![(0, 0); agents],
            lines: Vec::new(),
            marks: Vec::new(),
            is_given_up: false,
            mid_way: None,
            believed: Vec::new(),
            now: Mark::default(),
        }
    }

    /// An agent joins, at its entry: the last one of this scene, in which all others are who they were.
    pub fn join(&mut self, scene: &Arc<Scene>) {
        let before = std::mem::replace(&mut self.scene, Arc::clone(scene));
        let newcomer = scene.newcomer();
        let role = scene.program().agent(newcomer).role;
        for (agent, monitor) in self.monitors.iter_mut().enumerate().filter(|(it, _)| !self.broke[*it]) {
            let (said_at, _) = self.told[agent];
            let others = self.told.iter().enumerate().filter(|(it, _)| *it != agent);
            // Who was there when that was sent would have been there when another one told all.
            let doubtful = others.into_iter().any(|(_, it)| it.1 > said_at);
            monitor.admit(&before.shared, newcomer, role, doubtful);
            // Its lines that wait for others come too late to tell who was there.
            monitor.cut |= !self.held[agent].is_empty();
        }
        self.monitors.push(scene.newcomers_monitor(&self.first));
        self.held.push(VecDeque::new());
        self.last.push(None);
        self.owes_since.push(None);
        // A line that cannot be used may have been theirs.
        self.gaps.doubts.push(self.gaps.first());
        self.broke.push(self.is_given_up);
        self.unlogged.push(UnloggedArrivals::default());
        self.told.push((0, 0));
    }

    /// The violations so far.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        // What a later beginning explains is not certain, and if the times run back, what is certain is known only in
        // the end.
        let in_doubt = self.by_time.is_some()
            || self.mid_way.as_ref().is_some_and(|mid_way| mid_way.violations.is_empty());
        if in_doubt { &[] } else { &self.violations }
    }

    /// The lines so far with their places, if they are kept.
    pub(crate) fn take_lines(&mut self) -> Vec<(Mark, Own)> {
        if let Some(in_order) = &mut self.in_order {
            return in_order.take_lines();
        }
        let (marks, lines) = (std::mem::take(&mut self.marks), std::mem::take(&mut self.lines));
        marks.into_iter().zip(lines).collect()
    }

    /// Whether all agents may have ended, every message is accounted for, and nothing can be sent any more: whatever
    /// follows breaks the protocol. `last` is the agent that is asked first.
    pub fn settles(&mut self, last: AgentId) -> bool {
        let scene = Arc::clone(&self.scene);
        let mut is_over = |agent: usize| self.monitors[agent].rests(&scene.shared);
        self.violations.is_empty()
            && self.by_time.is_none()
            && self.cut_at.is_none()
            && self.under_way.is_empty()
            && self.window.as_ref().is_none_or(Window::is_empty)
            && is_over(last.index())
            && (0..scene.program().agents.len()).all(&mut is_over)
            && scene.has_all_parts()
            && self.held.iter().all(VecDeque::is_empty)
    }

    /// A conversation that [has been settled](Self::settles) and forgotten, with its number of messages and its
    /// largest number of hypotheses.
    #[must_use]
    pub fn after_its_end(scene: &Arc<Scene>, messages: u64, hypotheses: usize) -> Self {
        let mut conversation = Self::in_order(scene);
        conversation.gaps = Gaps::new(scene.program().agents.len());
        for monitor in &mut conversation.monitors {
            *monitor = monitor.ended();
            monitor.most = hypotheses;
        }
        conversation.messages = messages;
        conversation
    }

    /// What is left of the log is not looked at: too much is on its way.
    pub(crate) fn give_up(&mut self, agent: AgentId, mark: Mark) {
        self.window.iter_mut().for_each(Window::clear);
        self.cut_at.get_or_insert((agent, mark));
        self.broke.fill(true);
        self.held.iter_mut().for_each(VecDeque::clear);
        self.under_way.clear();
        self.is_given_up = true;
    }

    /// A line that says that a message was sent.
    pub fn send(&mut self, mark: Mark, spoken: LoggedMessage) {
        self.line(spoken.from, mark, Own::Sends(spoken));
    }

    /// A line of an agent.
    pub(crate) fn line(&mut self, agent: AgentId, mark: Mark, own: Own) {
        self.now = mark;
        self.line_by_time(agent, mark, &own);
        self.scene.shared.work.renew();
        let is_first = self.gaps.first_line.is_none();
        if is_first {
            self.gaps.first_line = Some(mark);
            self.note_all_owing(mark);
        }
        self.messages += u64::from(!matches!(own, Own::Receives(..)));
        if let Some(in_order) = &mut self.in_order {
            in_order.line(agent, mark, own.clone());
        }
        match self.window {
            Some(_) => self.skewed(agent, mark, own),
            None => self.line_in_order(agent, mark, own, is_first),
        }
    }

    /// A line that needs not wait for others. If it is the first and fits no beginning, the conversation may have begun
    /// before the log.
    fn line_in_order(&mut self, agent: AgentId, mark: Mark, own: Own, is_first: bool) {
        if !(is_first && self.may_begin_before()) {
            if let Some(mid_way) = &mut self.mid_way {
                mid_way.line(agent, mark, own.clone());
            }
            return self.own(agent, mark, own);
        }
        self.own(agent, mark, own.clone());
        if !self.violations.is_empty() || !self.held[agent.index()].is_empty() {
            let mut mid_way = Self::in_order(self.scene.mid_way());
            mid_way.line(agent, mark, own);
            self.mid_way = Some(Box::new(mid_way));
        }
    }

    /// Whether the log may lack the beginning.
    fn may_begin_before(&self) -> bool {
        let is_closed = self.scene.joining.is_none();
        is_closed && self.scene.settings.beginnings == Beginnings::Unsure && self.messages <= 1
    }

    /// A line that says that a message got into the mailbox of an agent.
    pub fn receive(&mut self, mark: Mark, to: AgentId, message: Arc<Message>) {
        self.line(to, mark, Own::Receives(to, message));
    }

    /// A line of an agent that says something nobody in the scene says.
    pub fn unknown(&mut self, mark: Mark, agent: AgentId, said: UnknownMessage) {
        self.line(agent, mark, Own::Unknown(agent, Arc::new(said)));
    }

    pub(crate) fn own(&mut self, agent: AgentId, mark: Mark, own: Own) {
        if self.is_given_up {
            return;
        }
        if self.held[agent.index()].len() >= MAX_UNDER_WAY || self.under_way.len() >= MAX_UNDER_WAY {
            return self.give_up(agent, mark);
        }
        self.keep(mark, &own);
        self.held[agent.index()].push_back((mark, own));
        self.release(agent);
    }

    /// Judges the lines of an agent that need not wait any more, and those of others that waited for them.
    pub(crate) fn release(&mut self, agent: AgentId) {
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
                        match sent {
                            Some(at) => drop(self.under_way.remove(at)),
                            // The line that sends it may be one that cannot be used.
                            None if self.scene.settings.beginnings == Beginnings::Before => {
                                self.believed.push((to, Arc::clone(&message)));
                            }
                            None if self.is_doubtful(to) && self.is_doubtful(message.sender) => {}
                            None => break,
                        }
                        self.arrives(mark, to, &message);
                    }
                    Own::Unknown(agent, said) if !self.broke[agent.index()] => {
                        let has_other_arguments = !said.arities.is_empty();
                        let kind = if has_other_arguments { Kind::WrongContent } else { Kind::NotItsWord };
                        self.violated(mark, agent, kind, Offence::Unknown(said));
                    }
                    Own::Unknown(..) => {}
                }
                self.held[agent.index()].pop_front();
            }
        }
    }

    fn sends(&mut self, mark: Mark, spoken: &LoggedMessage) {
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
                    self.violated(mark, agent, kind, Offence::Message(spoken.clone()));
                }
                Fit::Unknown => {
                    self.is_stopped |= self.cut_at.is_none() && self.scene.shared.work.is_stopped();
                    self.cut_at.get_or_insert((agent, mark));
                    self.broke[agent.index()] = true;
                }
            }
        }
        let is_copy = self.last[agent.index()].as_ref().is_some_and(|(_, it)| it.message == spoken.message);
        let (said_at, told_at) = &mut self.told[agent.index()];
        *said_at = if is_copy { *said_at } else { mark.line };
        if self.monitors[agent.index()].may_have_told_all() {
            *told_at = mark.line;
        }
        self.last[agent.index()] = Some((mark, spoken.clone()));
        self.note_answer(agent, mark);
        for &to in spoken.to.iter().filter(|&&to| to != agent) {
            match arrivals {
                Arrivals::Logged => self.put_under_way(mark, &spoken.message, to),
                // It arrives by the time of its recipient.
                _ if self.window.is_some() => {}
                Arrivals::Sent => self.arrives(mark, to, &spoken.message),
                Arrivals::Late | Arrivals::Unordered => self.may_arrive(mark, to, &spoken.message),
            }
        }
    }

    /// A message has been sent whose arrival the log shows, if it has not shown it already.
    fn put_under_way(&mut self, mark: Mark, message: &Arc<Message>, to: AgentId) {
        match self.believed.iter().position(|(agent, believed)| *agent == to && believed == message) {
            Some(at) => drop(self.believed.remove(at)),
            None => self.under_way.push_back((mark, Arc::clone(message), to)),
        }
    }

    /// A message may arrive from now on.
    pub(crate) fn may_arrive(&mut self, mark: Mark, to: AgentId, message: &Arc<Message>) {
        self.unlogged[to.index()].add(mark, message);
        self.monitors[to.index()].will_arrive(&self.scene.shared, message);
        self.note_owing(to, mark);
    }

    fn arrives(&mut self, mark: Mark, to: AgentId, message: &Arc<Message>) {
        self.check_deadline(to, mark);
        if !self.broke[to.index()] {
            self.monitors[to.index()].arrive(&self.scene.shared, message);
        }
        self.note_owing(to, mark);
    }

    pub(crate) fn violated(&mut self, mark: Mark, agent: AgentId, kind: Kind, offence: Offence) {
        let (index, possible) = (agent.index(), self.possible(agent));
        let before = self.last[index].clone();
        let unfit = match (&kind, &offence) {
            (Kind::NotItsWord, _) | (_, Offence::Unknown(_)) => None,
            (_, Offence::Message(spoken)) => self.unfit_answer(agent, Some(spoken)),
            (_, Offence::Nothing) => self.unfit_answer(agent, None),
        };
        let (kind, to_blame) = match unfit {
            Some(_) => (Kind::UnfitAnswer, None),
            None => (kind, Some(agent)),
        };
        self.note_first_line();
        let (agent, gap) = (to_blame, self.gaps.doubt(agent, mark));
        let debt = None;
        self.violations.push(Violation { mark, kind, agent, unfit, offence, possible, before, gap, debt });
        self.broke[index] = true;
    }

    /// An arrival whose send the log does not show does not fit as the first line.
    pub(crate) fn note_first_line(&mut self) {
        let mut fronts = self.held.iter().filter_map(VecDeque::front);
        if fronts.any(|(mark, own)| matches!(own, Own::Receives(..)) && self.gaps.is_first_line(*mark)) {
            self.gaps.first_line_does_not_fit();
        }
    }

    /// The answer that an agent's breach is put down to, if there is one.
    pub(crate) fn unfit_answer(
        &mut self,
        agent: AgentId,
        spoken: Option<&LoggedMessage>,
    ) -> Option<UnfitAnswer> {
        let closure = self.monitors[agent.index()].closure(&self.scene.shared);
        unfit_answer(&self.scene.shared.frame, &closure, agent, spoken)
    }

    /// What an agent could send next.
    pub(crate) fn possible(&mut self, agent: AgentId) -> PossibleSends {
        let monitor = &mut self.monitors[agent.index()];
        let closure = monitor.closure(&self.scene.shared);
        possible(monitor.copies(), &closure)
    }

    pub(crate) fn owes(&mut self, agent: AgentId) -> bool {
        let monitor = &mut self.monitors[agent.index()];
        let closure = monitor.closure(&self.scene.shared);
        let is_known = !monitor.cut && !closure.cut;
        monitor.lacks_copies() || is_known && !closure.comes_to_rest
    }
}
