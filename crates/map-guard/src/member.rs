//! An agent of a conversation: what it may be doing, what it sees of it, and what waits for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_conform::{Follower, LoggedMessage, Stance, Trial};
use map_ir::{AgentId, PointId};
use map_semantics::{AgentState, Message};

use crate::inbox::{Entry, Inbox, ItemKind};
use crate::refusal::{Acceptance, RefusalKind};
use crate::rules::{Arrival, Moment, Rules};

/// What an agent sees of its conversation.
#[derive(Clone)]
pub(crate) enum Sight {
    /// Everything: all that has arrived was handed over.
    Everything,
    /// All but what has not been handed over: the agent as it is by what it has seen.
    Behind(Box<Follower>),
    /// Something has not been handed over, and no run in which it arrives later has what the agent has done since.
    Unclear,
}

/// Whether an agent is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Posture {
    /// It can send nothing before a message arrives or time runs out, or has said so.
    AtRest,
    /// It may send something, and may be at rest.
    Free,
    /// It has to send something.
    Owes,
    /// Too much was cut off to tell.
    Unsure,
}

/// The answer that a key was given.
#[derive(Clone, Debug)]
pub(crate) enum KeyedAnswer {
    Accepted(Acceptance),
    Refused(RefusalKind, String),
}

/// An agent of a conversation.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) agent: AgentId,
    pub(crate) follower: Follower,
    pub(crate) sight: Sight,
    pub(crate) inbox: Inbox,
    pub(crate) stance: Stance,
    pub(crate) posture: Posture,
    /// Since when the posture is what it is.
    pub(crate) since: Moment,
    /// Whether it has been reported that the agent owes a message for too long.
    pub(crate) is_silent: bool,
    /// Whether it was given up.
    pub(crate) is_silenced: bool,
    /// Its last message.
    pub(crate) last: Option<LoggedMessage>,
    /// How many messages it has sent.
    pub(crate) sent: u64,
    pub(crate) keys: BTreeMap<String, KeyedAnswer>,
    /// The places at which it waits, if they are known.
    waits: Option<Vec<PointId>>,
    /// The places at which it makes no difference that time runs out.
    pub(crate) in_vain: Vec<PointId>,
    /// Whether the conversation is over, so that nothing is judged any more.
    is_released: bool,
}

impl Member {
    pub(crate) fn new(rules: &Rules, agent: AgentId, now: Moment) -> Self {
        let mut follower = Follower::new(rules.of(agent), &rules.scene, agent);
        let stance = follower.stance(rules.of(agent));
        let mut member = Self {
            agent,
            follower,
            sight: Sight::Everything,
            inbox: Inbox::default(),
            stance,
            posture: Posture::AtRest,
            since: now,
            is_silent: false,
            is_silenced: false,
            last: None,
            sent: 0,
            keys: BTreeMap::new(),
            waits: None,
            in_vain: Vec::new(),
            is_released: false,
        };
        member.settle(rules, now, true);
        member
    }

    /// Nothing is judged any more: what is needed for that only is freed. The last message is kept: it may have ended
    /// the conversation, and is still asked for.
    pub(crate) fn release(&mut self) {
        self.is_released = true;
        self.follower = self.follower.released();
        self.sight = Sight::Everything;
        self.waits = None;
        self.in_vain = Vec::new();
        self.inbox.forget_meanings();
    }

    /// Looks at what the agent can do now. `again`: it has just done something itself, so that its time begins anew.
    pub(crate) fn settle(&mut self, rules: &Rules, now: Moment, again: bool) {
        self.stance = self.follower.stance(rules.of(self.agent));
        let posture = match self.stance {
            _ if self.follower.rests() => Posture::AtRest,
            Stance { is_unsure: true, .. } => Posture::Unsure,
            Stance { owes: true, .. } => Posture::Owes,
            Stance { can_send: true, .. } => Posture::Free,
            _ => Posture::AtRest,
        };
        if again || posture != self.posture {
            self.since = now;
            self.is_silent = false;
        }
        self.posture = posture;
        self.waits = None;
    }

    /// The places at which it waits with a timeout, at rest.
    pub(crate) fn waits(&mut self, rules: &Rules) -> &[PointId] {
        let (follower, agent) = (&self.follower, self.agent);
        self.waits.get_or_insert_with(|| follower.waits(rules.of(agent)))
    }

    /// Whether there is something for the agent that changes what it may be doing once it is handed over.
    pub(crate) fn awaits_handing(&self, rules: &Rules) -> bool {
        rules.arrival(self.agent) == Arrival::Fetched
            && self.inbox.unread().any(|entry| entry.message.is_some())
    }

    /// Something has been accepted for the agent.
    pub(crate) fn deliver(&mut self, rules: &Rules, entry: Entry, now: Moment) {
        match (&entry.message, rules.arrival(self.agent)) {
            (Some(message), Arrival::Strict) => {
                self.look_back();
                arrive(rules, self.agent, &mut self.follower, message);
            }
            (Some(message), Arrival::Pushed) => self.follower.arrive(rules.of(self.agent), message),
            (Some(_), Arrival::Fetched) | (None, _) => {}
        }
        self.inbox.push(entry);
        self.in_vain.clear();
        // Who may send something has news to think about; who owes something owes it since then.
        self.settle(rules, now, self.posture == Posture::Free);
    }

    /// Keeps what the agent sees, before something happens that it has not seen.
    fn look_back(&mut self) {
        if matches!(self.sight, Sight::Everything) {
            self.sight = Sight::Behind(Box::new(self.follower.clone()));
        }
    }

    /// What is in the inbox up to this number is handed over.
    pub(crate) fn hand_over(&mut self, rules: &Rules, upto: u64, now: Moment) {
        if self.is_released {
            self.inbox.hand_over(upto);
            return;
        }
        for entry in self.inbox.hand_over(upto) {
            if let (Some(message), Arrival::Fetched) = (&entry.message, rules.arrival(self.agent)) {
                arrive(rules, self.agent, &mut self.follower, message);
            }
            if let Sight::Behind(seen) = &mut self.sight {
                see(rules, self.agent, seen, &entry);
            }
        }
        if self.inbox.is_read() {
            self.sight = Sight::Everything;
        }
        self.settle(rules, now, false);
    }

    /// The agent has sent a message that fits.
    pub(crate) fn follow(&mut self, rules: &Rules, after: Follower, message: &LoggedMessage, now: Moment) {
        self.follower = after;
        if let Sight::Behind(seen) = &mut self.sight {
            self.sight = match seen.attempt(rules.of(self.agent), message) {
                Trial::Fits(after) => Sight::Behind(after),
                Trial::Unexplained | Trial::Unknown => Sight::Unclear,
            };
        }
        self.note_sent(message);
        self.settle(rules, now, true);
    }

    pub(crate) fn note_sent(&mut self, message: &LoggedMessage) {
        self.sent += 1;
        self.last = Some(message.clone());
        self.in_vain.clear();
    }

    /// The agent is at rest; false if it cannot be.
    pub(crate) fn rest(&mut self, rules: &Rules, now: Moment) -> bool {
        let follow = rules.of(self.agent);
        if !self.follower.rest(follow) {
            return false;
        }
        if let Sight::Behind(seen) = &mut self.sight
            && !seen.rest(follow)
        {
            self.sight = Sight::Unclear;
        }
        self.settle(rules, now, false);
        true
    }

    /// Everybody is at rest, and so is the agent.
    pub(crate) fn come_to_rest(&mut self, rules: &Rules, now: Moment) {
        self.follower.come_to_rest(rules.of(self.agent));
        self.settle(rules, now, false);
    }

    /// Time runs out for the agent at a place.
    pub(crate) fn run_out(&mut self, rules: &Rules, place: PointId, entry: Entry, now: Moment) {
        self.look_back();
        let follow = rules.of(self.agent);
        let mut before = self.follower.clone();
        // What it does until it is at rest is not what time running out does.
        before.come_to_rest(follow);
        self.follower.run_out(follow, place);
        if self.follower.is_where(&before) {
            self.in_vain.push(place);
        } else {
            self.in_vain.clear();
        }
        self.inbox.push(entry);
        self.settle(rules, now, true);
    }

    /// The agent is given up: nothing arrives any more.
    pub(crate) fn silence(&mut self) {
        self.is_silenced = true;
        self.inbox.clear();
    }
}

/// The states in which an agent that has just sent a message may be; none if they are not known.
pub(crate) fn states_of(after: &Follower) -> Vec<&AgentState> {
    if after.is_cut() { Vec::new() } else { after.states().collect() }
}

/// What an entry means to the agent that sees it.
fn see(rules: &Rules, agent: AgentId, seen: &mut Follower, entry: &Entry) {
    match (&entry.message, &entry.item.kind) {
        (Some(message), _) => arrive(rules, agent, seen, message),
        (None, ItemKind::Timeout(place)) => seen.run_out(rules.of(agent), *place),
        (None, ItemKind::Message { .. }) => {}
    }
}

/// A message arrives for an agent, and is taken if the agent cannot but take it.
fn arrive(rules: &Rules, agent: AgentId, follower: &mut Follower, message: &Arc<Message>) {
    let follow = rules.of(agent);
    follower.arrive(follow, message);
    if rules.takes_forced() {
        follower.take_forced(follow);
    }
}
