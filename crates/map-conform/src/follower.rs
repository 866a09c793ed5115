//! Follows one agent for somebody who stands between the agents: a message is tried before it is delivered, and whoever
//! follows says when time runs out.

use std::sync::Arc;

use map_ir::{AgentId, PointId, PointKind, Program};
use map_semantics::{AgentState, Message};

use crate::blame::{Kind, kind};
use crate::hypothesis::Hypothesis;
use crate::monitor::{Fit, LoggedMessage, Monitor, Shared};
use crate::offer::{Offer, offers};
use crate::pending::Arrivals;
use crate::scene::Scene;
use crate::settings::Settings;
use crate::steps::{resting, timed_out};
use crate::unfit::{UnfitAnswer, unfit_answer};

/// How agents are followed; agents of one scene that are told of their messages in the same way share it.
pub struct FollowRules {
    /// Where time runs out only when the follower is told.
    told: Shared,
    /// Where time may run out whenever a thread waits.
    free: Shared,
    /// Whether messages are pushed to the agent: nobody knows when it looks at them, nor when its time runs out.
    is_pushed: bool,
}

impl FollowRules {
    /// For agents who fetch their messages, and are told when time runs out.
    #[must_use]
    pub fn fetching(scene: &Scene) -> Self {
        Self::new(scene, Arrivals::Sent, false)
    }

    /// For agents to whom messages are pushed: these arrive at any time, and so may time run out.
    #[must_use]
    pub fn pushed(scene: &Scene) -> Self {
        Self::new(scene, Arrivals::Late, true)
    }

    fn new(scene: &Scene, arrivals: Arrivals, is_pushed: bool) -> Self {
        let free = scene.shared.frame.clone();
        let mut told = free.clone();
        told.time_runs_out = false;
        // An offer names everybody to whom something may be sent, not one of those who cannot be told apart.
        let settings = Settings { fold_from: usize::MAX, ..scene.settings.clone() };
        Self {
            told: Shared::new(told, arrivals, &settings),
            free: Shared::new(free, arrivals, &settings),
            is_pushed,
        }
    }

    /// What is shared by the agents, with the work for another operation.
    fn renewed(&self) -> &Shared {
        let own = if self.is_pushed { &self.free } else { &self.told };
        own.work.renew();
        own
    }

    /// Like [`FollowRules::renewed`], if time runs out only when the follower is told.
    fn renewed_told(&self) -> &Shared {
        self.told.work.renew();
        &self.told
    }

    /// Like [`FollowRules::renewed`], if time may run out whenever a thread waits.
    fn renewed_free(&self) -> &Shared {
        self.free.work.renew();
        &self.free
    }

    fn program(&self) -> &Program {
        &self.told.frame.program
    }
}

/// What an agent can do before a message arrives or time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stance {
    /// Whether it can send something.
    pub can_send: bool,
    /// Whether it has to: it cannot come to rest.
    pub owes: bool,
    /// Whether it may have ended.
    pub may_have_ended: bool,
    /// Whether something was cut off, so that it may be otherwise.
    pub is_unsure: bool,
}

/// What comes of a message that is tried.
pub enum Trial {
    /// It fits; the agent as it is after it.
    Fits(Box<Follower>),
    /// No hypothesis explains it.
    Unexplained,
    /// None of those that were looked at does.
    Unknown,
}

/// Follows one agent.
#[derive(Clone)]
pub struct Follower {
    monitor: Monitor,
    /// Whether it has said, or was taken, to be at rest, since it was last concerned by anything.
    rests: bool,
}

impl Follower {
    /// The agent at the beginning.
    #[must_use]
    pub fn new(rules: &FollowRules, scene: &Scene, agent: AgentId) -> Self {
        let monitor = Monitor::new(&rules.told.frame, agent, scene.settings.limit);
        Self { monitor, rests: false }
    }

    /// What is left of it when nothing more is judged: it takes little memory.
    #[must_use]
    pub fn released(&self) -> Self {
        Self { monitor: self.monitor.ended(), rests: false }
    }

    fn agent(&self) -> AgentId {
        self.monitor.agent
    }

    /// Whether it has said, or was taken, to be at rest.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.rests
    }

    /// Whether some hypothesis surely belongs to a run.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.monitor.is_certain()
    }

    /// Whether something was cut off on the way here: nothing can be said against the agent any more.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.monitor.cut
    }

    /// Whether no hypothesis is left.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.monitor.is_lost()
    }

    /// The states that it may have been in when something last concerned it.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &AgentState> {
        self.monitor.hypotheses().iter().map(|hypothesis| &hypothesis.state)
    }

    /// The largest number of states that were explored at once.
    #[must_use]
    pub fn explored(&self) -> usize {
        self.monitor.explored
    }

    /// Whether the two are in the same hypotheses.
    #[must_use]
    pub fn is_where(&self, other: &Self) -> bool {
        let (own, its) = (self.monitor.hypotheses(), other.monitor.hypotheses());
        own.len() == its.len() && own.iter().all(|hypothesis| its.contains(hypothesis))
    }

    /// What comes of a message, with all of its recipients.
    pub fn attempt(&mut self, rules: &FollowRules, message: &LoggedMessage) -> Trial {
        self.tried(rules.renewed(), message)
    }

    /// Whether a message would fit if time had run out for the agent as often as it likes.
    #[must_use]
    pub fn fits_early(&self, rules: &FollowRules, message: &LoggedMessage) -> bool {
        let mut early = Self { rests: false, ..self.clone() };
        let free = rules.renewed_free();
        early.monitor.replace(free, self.monitor.hypotheses().to_vec(), false);
        matches!(early.tried(free, message), Trial::Fits(_))
    }

    fn tried(&mut self, shared: &Shared, message: &LoggedMessage) -> Trial {
        // What follows from the hypotheses is kept with them.
        let closure = self.monitor.closure(shared);
        let mut after = self.clone();
        let fit = if self.rests { Fit::Violated } else { after.monitor.send(shared, message) };
        match fit {
            Fit::Fits if after.monitor.require_complete_multicast() => {
                after.rests = false;
                Trial::Fits(Box::new(after))
            }
            Fit::Fits | Fit::Violated if !self.monitor.cut && !closure.cut => Trial::Unexplained,
            Fit::Fits | Fit::Violated | Fit::Unknown => Trial::Unknown,
        }
    }

    /// How a message that does not fit breaks the protocol, and the answer that it is put down to, if it is. `before`
    /// is the agent's last message.
    pub fn breach(
        &mut self,
        rules: &FollowRules,
        before: Option<&LoggedMessage>,
        message: &LoggedMessage,
    ) -> (Kind, Option<UnfitAnswer>) {
        let shared = rules.renewed();
        let closure = self.monitor.closure(shared);
        let kind = kind(&shared.frame, &closure, before, message);
        let unfit = unfit_answer(&shared.frame, &closure, self.agent(), Some(message));
        match unfit {
            Some(_) if kind != Kind::NotItsWord => (Kind::UnfitAnswer, unfit),
            _ => (kind, None),
        }
    }

    /// What the agent could send now.
    pub fn offers(&mut self, rules: &FollowRules) -> Vec<Offer> {
        if self.rests {
            return Vec::new();
        }
        let closure = self.monitor.closure(rules.renewed());
        offers(rules.program(), &closure)
    }

    /// What the agent could send if time had run out for it as often as it likes.
    #[must_use]
    pub fn early_offers(&self, rules: &FollowRules) -> Vec<Offer> {
        let mut early = self.clone();
        let free = rules.renewed_free();
        early.monitor.replace(free, self.monitor.hypotheses().to_vec(), false);
        offers(rules.program(), &early.monitor.closure(free))
    }

    /// The points at which the agent waits, if it is at rest.
    #[must_use]
    pub fn waits_at(&mut self, rules: &FollowRules) -> Vec<PointId> {
        self.monitor.closure(rules.renewed()).waits_at.clone()
    }

    /// A message arrives: at once, or from now on if messages are pushed.
    pub fn arrive(&mut self, rules: &FollowRules, message: &Arc<Message>) {
        if rules.is_pushed {
            self.monitor.will_arrive(rules.renewed(), message);
        } else {
            self.monitor.arrive(rules.renewed(), message);
        }
        self.rests = false;
    }

    /// The agent is taken to have received what it cannot but receive. What may happen stays the same, and fewer states
    /// are kept: those of an agent that only listens do not become more with each message. Nothing changes if messages
    /// are pushed: it is not known then which have arrived.
    pub fn take_forced(&mut self, rules: &FollowRules) {
        if !rules.is_pushed {
            self.monitor.take_forced(rules.renewed());
        }
    }

    /// What the agent can do before a message arrives or time runs out.
    pub fn stance(&mut self, rules: &FollowRules) -> Stance {
        let told = rules.renewed_told();
        let closure = if rules.is_pushed {
            let limit = (told.limit(self.monitor.cut), self.monitor.cut);
            told.closure(self.agent(), self.monitor.hypotheses(), limit)
        } else {
            self.monitor.closure(told)
        };
        let is_unsure = self.monitor.cut || closure.cut || self.monitor.is_lost();
        Stance {
            can_send: !self.rests && !closure.sends.is_empty(),
            owes: !is_unsure && !closure.comes_to_rest,
            may_have_ended: closure.may_end,
            is_unsure,
        }
    }

    /// The agent says, or is taken, to be at rest: it sends nothing until something concerns it. Returns whether it
    /// may be; if not, nothing changes.
    pub fn rest(&mut self, rules: &FollowRules) -> bool {
        if !self.rests {
            self.rests = self.come_to_rest(rules);
        }
        self.rests
    }

    /// The agent has come to rest by itself: only the hypotheses in which it may be remain. Returns whether there are
    /// any; if not, nothing changes.
    pub fn come_to_rest(&mut self, rules: &FollowRules) -> bool {
        let (resting, is_cut) = self.resting(rules);
        let may_rest = !resting.is_empty();
        if may_rest {
            self.monitor.replace(rules.renewed(), resting, is_cut);
        }
        may_rest
    }

    fn resting(&self, rules: &FollowRules) -> (Vec<Hypothesis>, bool) {
        let told = rules.renewed_told();
        resting(told.subject(self.agent()), self.monitor.hypotheses(), told.limit(self.monitor.cut))
    }

    /// The waits, by place, at which time may run out while the agent is at rest: not where every run would go wrong.
    #[must_use]
    pub fn waits(&self, rules: &FollowRules) -> Vec<PointId> {
        let (resting, _) = self.resting(rules);
        let places = resting.iter().filter(|hypothesis| !hypothesis.has_ended()).flat_map(|hypothesis| {
            let control = &hypothesis.state.control;
            control.threads().map(|thread| control.place(thread))
        });
        let has_timeout = |place: &PointId| {
            matches!(rules.program().point(*place).kind, PointKind::Wait { timeout: Some(_), .. })
        };
        let mut places: Vec<PointId> = places.filter(has_timeout).collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|&place| {
            let mut after = self.clone();
            after.run_out(rules, place);
            !after.is_lost() || after.is_cut()
        });
        places
    }

    /// Whether the agent may have ended, or can do nothing any more unless a message arrives or time runs out.
    #[must_use]
    pub fn may_rest(&self, rules: &FollowRules) -> bool {
        !self.resting(rules).0.is_empty()
    }

    /// Time runs out for the agent, which is at rest, if it waits at this place. Where it does not, nothing happens.
    pub fn run_out(&mut self, rules: &FollowRules, place: PointId) {
        let (resting, mut is_cut) = self.resting(rules);
        let free = rules.renewed_free();
        let mut all: Vec<Hypothesis> = Vec::new();
        for hypothesis in resting {
            let control = &hypothesis.state.control;
            let waits_there = control.threads().any(|thread| control.place(thread) == place);
            let next = if hypothesis.has_ended() || !waits_there {
                vec![hypothesis]
            } else {
                let (next, cut) = timed_out(free.subject(self.agent()), &hypothesis, place);
                is_cut |= cut;
                next
            };
            for hypothesis in next {
                if !all.contains(&hypothesis) {
                    all.push(hypothesis);
                }
            }
        }
        self.monitor.replace(rules.renewed(), all, is_cut);
        self.rests = false;
    }
}
