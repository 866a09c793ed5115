//! Judges one conversation: an instance of the scene, with a monitor for every agent.

use std::collections::VecDeque;
use std::sync::Arc;

use map_ir::{AgentId, PointId, Program};
use map_semantics::{Bounds, Message, Network, Timeouts};

use crate::blame::{Kind, Possible, kind, possible};
use crate::hypothesis::Frame;
use crate::monitor::{Fit, Monitor, Shared, Spoken};
use crate::pending::Arrivals;

/// How conversations are judged.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When messages arrive.
    pub arrivals: Arrivals,
    /// The maximum number of hypotheses of an agent at a line.
    pub limit: usize,
    /// The number of messages that may be lost.
    pub losses: u32,
    /// Whether the log is whole: whoever owes something at its end is to blame.
    pub complete: bool,
    /// How long, in nanoseconds of the log's time, an agent may owe something.
    pub deadline: Option<u64>,
}

/// The default of `--max-hypotheses`.
pub const MAX_HYPOTHESES: usize = 10_000;

impl Default for Settings {
    fn default() -> Self {
        Self { arrivals: Arrivals::Logged, limit: MAX_HYPOTHESES, losses: 0, complete: false, deadline: None }
    }
}

/// A scene under one cast, with what all of its conversations share.
pub struct Scene<'p> {
    shared: Shared<'p>,
    settings: Settings,
    first: Vec<Monitor>,
}

/// The maximum number of open activations of a thread, and of unread messages of an agent. Real systems are not bound by
/// what a verification explores; these only keep memory finite.
const DEPTH: u32 = 1_000;
const MAILBOX: u32 = 100_000;

impl<'p> Scene<'p> {
    /// Prepares a scene.
    #[must_use]
    pub fn new(program: &'p Program, settings: Settings) -> Self {
        let bounds = Bounds {
            depth: DEPTH,
            rounds: None,
            rounds_of: Vec::new(),
            mailbox: MAILBOX,
            timeouts: Timeouts::Any,
            network: Network::INSTANT,
        };
        let frame = Frame::new(program, bounds);
        let first = program.cast().map(|agent| Monitor::new(&frame, agent, settings.limit)).collect();
        let shared = Shared::new(frame, settings.arrivals, settings.limit);
        Self { shared, settings, first }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.shared.frame.program
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// Where and when a line of the log is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its number, from 1.
    pub line: u64,
    /// Its time in nanoseconds.
    pub time: Option<u64>,
}

/// A violation.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Where it is.
    pub mark: Mark,
    /// How the protocol is broken.
    pub kind: Kind,
    /// Who broke it, if an agent did.
    pub agent: Option<AgentId>,
    /// The message, if it is one.
    pub spoken: Option<Spoken>,
    /// What could have been sent instead.
    pub possible: Vec<Possible>,
    /// The agent's last line before, with its message.
    pub before: Option<(Mark, Spoken)>,
}

/// The verdict about a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A run explains the log, and all have ended.
    Conforms,
    /// The log is the beginning of what a run explains.
    SoFar,
    /// The same, and nothing can happen, though not all have ended.
    Stuck,
    /// No run explains it.
    Violated,
    /// A limit came first.
    Inconclusive,
}

impl Verdict {
    /// The words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::SoFar => "conforms so far",
            Self::Stuck => "stuck",
            Self::Violated => "violated",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// What an agent is up to at the end of the log.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It may have ended.
    Ended,
    /// It waits at these points.
    Waits(Vec<PointId>),
    /// It has to send one of these.
    Owes(Vec<Possible>),
    /// It has not sent these copies of its last message.
    OwesCopies(Arc<Message>, Vec<AgentId>),
    /// It has broken the protocol.
    Broke,
    /// Too much was cut off to tell.
    Unknown,
}

/// The report of a conversation.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict rests on values that the log does not show.
    pub possibly: bool,
    /// The violations, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// What each agent is up to.
    pub standings: Vec<Standing>,
    /// The number of messages sent.
    pub messages: u64,
    /// The largest number of hypotheses of an agent.
    pub hypotheses: usize,
    /// Messages that never arrived, though the log shows arrivals: the line of the send, and the recipient.
    pub never_arrived: Vec<(Mark, AgentId)>,
    /// Whether some states were not looked at: there may be ends that were not found.
    pub incomplete: bool,
    /// Where something was first cut off: agent and line.
    pub cut_at: Option<(AgentId, Mark)>,
}

/// What concerns an agent, in its own order.
#[derive(Clone, Debug)]
enum Own {
    Sends(Spoken),
    Receives(AgentId, Arc<Message>),
}

/// A conversation.
pub struct Conversation<'s, 'p> {
    scene: &'s Scene<'p>,
    monitors: Vec<Monitor>,
    /// By agent: its lines that wait for the send of a message that it has received.
    held: Vec<VecDeque<(Mark, Own)>>,
    /// Messages sent whose arrival has not been logged, with their recipients.
    under_way: VecDeque<(Mark, Arc<Message>, AgentId)>,
    last: Vec<Option<(Mark, Spoken)>>,
    owes_since: Vec<Option<u64>>,
    broke: Vec<bool>,
    violations: Vec<Violation>,
    cut_at: Option<(AgentId, Mark)>,
    messages: u64,
    now: Mark,
}

impl<'s, 'p> Conversation<'s, 'p> {
    /// A conversation before its first line.
    #[must_use]
    pub fn new(scene: &'s Scene<'p>) -> Self {
        let agents = scene.first.len();
        Self {
            scene,
            monitors: scene.first.clone(),
            held: vec![VecDeque::new(); agents],
            under_way: VecDeque::new(),
            last: vec![None; agents],
            owes_since: vec![None; agents],
            broke: vec![false; agents],
            violations: Vec::new(),
            cut_at: None,
            messages: 0,
            now: Mark::default(),
        }
    }

    /// The violations so far.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether every agent has ended, so that nothing that conforms can follow.
    pub fn has_ended(&mut self) -> bool {
        self.monitors.iter_mut().all(|it| it.closure(&self.scene.shared).has_ended)
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

    fn violated(&mut self, mark: Mark, agent: AgentId, kind: Kind, spoken: Option<Spoken>) {
        let closure = self.monitors[agent.index()].closure(&self.scene.shared);
        self.violations.push(Violation {
            mark,
            kind,
            agent: Some(agent),
            spoken,
            possible: possible(&closure),
            before: self.last[agent.index()].clone(),
        });
        self.broke[agent.index()] = true;
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

    fn owes(&mut self, agent: AgentId) -> bool {
        let monitor = &mut self.monitors[agent.index()];
        let closure = monitor.closure(&self.scene.shared);
        let is_known = !monitor.cut && !closure.cut;
        monitor.missing_copies().is_some() || is_known && !closure.comes_to_rest
    }

    /// Blames an agent that has owed something for too long by now.
    fn check_deadline(&mut self, agent: AgentId, now: Mark) {
        let late = match (self.scene.settings.deadline, self.owes_since[agent.index()], now.time) {
            (Some(deadline), Some(since), Some(now)) => now.saturating_sub(since) > deadline,
            _ => false,
        };
        if late && !self.broke[agent.index()] {
            self.violated(now, agent, Kind::Silent, None);
        }
    }

    /// The report at this point of the log.
    #[must_use]
    pub fn report(mut self) -> Report {
        let Settings { losses, complete, .. } = self.scene.settings;
        let now = self.now;
        for agent in self.scene.program().cast() {
            self.check_deadline(agent, now);
        }
        self.blame_nobody(losses, complete);
        let (mut standings, mut all_end, mut certain) = (Vec::new(), true, true);
        let mut can_happen = !self.under_way.is_empty();
        let mut incomplete = false;
        for agent in self.scene.program().cast() {
            if self.broke[agent.index()] {
                let blamed = self.violations.iter().any(|it| it.agent == Some(agent));
                standings.push(if blamed { Standing::Broke } else { Standing::Unknown });
                all_end = false;
                continue;
            }
            let monitor = &mut self.monitors[agent.index()];
            let closure = monitor.closure(&self.scene.shared);
            let missing = monitor.missing_copies().cloned();
            let (lost, cut) = (monitor.is_lost(), monitor.cut || closure.cut);
            incomplete |= cut;
            certain &= if closure.may_end { closure.certainly_ends } else { monitor.is_certain() };
            all_end &= closure.may_end;
            can_happen |= cut || !closure.sends.is_empty() || missing.is_some();
            standings.push(if lost {
                Standing::Unknown
            } else if closure.may_end {
                Standing::Ended
            } else if let Some((message, left)) = missing {
                Standing::OwesCopies(message, left)
            } else if closure.comes_to_rest || cut {
                Standing::Waits(closure.waits_at.clone())
            } else {
                Standing::Owes(possible(&closure))
            });
            if lost {
                self.cut_at.get_or_insert((agent, now));
            }
            if complete && matches!(standings.last(), Some(Standing::Owes(_) | Standing::OwesCopies(..))) {
                self.violated(now, agent, Kind::Silent, None);
                standings.pop();
                standings.push(Standing::Broke);
            }
        }
        let verdict = if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.cut_at.is_some() {
            Verdict::Inconclusive
        } else if all_end {
            Verdict::Conforms
        } else if can_happen {
            Verdict::SoFar
        } else {
            Verdict::Stuck
        };
        let possibly = !certain && matches!(verdict, Verdict::Conforms | Verdict::SoFar | Verdict::Stuck);
        Report {
            verdict,
            possibly,
            violations: self.violations,
            standings,
            messages: self.messages,
            hypotheses: self.monitors.iter().map(|it| it.most).max().unwrap_or(0),
            never_arrived: self.under_way.iter().map(|(mark, _, to)| (*mark, *to)).collect(),
            cut_at: self.cut_at,
            incomplete,
        }
    }

    /// Adds the violations for which no agent is to blame.
    fn blame_nobody(&mut self, losses: u32, complete: bool) {
        let nobody = |mark, kind, spoken| Violation {
            mark,
            kind,
            agent: None,
            spoken,
            possible: Vec::new(),
            before: None,
        };
        for held in &self.held {
            if let Some((mark, Own::Receives(to, message))) = held.front() {
                let (from, to, message) = (message.sender, vec![*to], Arc::clone(message));
                self.violations.push(nobody(*mark, Kind::NeverSent, Some(Spoken { from, to, message })));
            }
        }
        if complete && self.under_way.len() > losses as usize {
            let (mark, message, to) = &self.under_way[0];
            let spoken = Spoken { from: message.sender, to: vec![*to], message: Arc::clone(message) };
            let lost = nobody(*mark, Kind::Lost, Some(spoken));
            self.violations.push(lost);
        }
    }
}
