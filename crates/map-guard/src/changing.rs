//! What changes a conversation: the same when it happens and when a journal is read again.

use std::sync::Arc;

use map_conform::{Follower, LoggedMessage};
use map_ir::{AgentId, PointId};
use serde_json::Value as Json;

use crate::conversation::Conversation;
use crate::inbox::{Entry, Item, ItemKind};
use crate::member::{KeyedAnswer, Member, states_of};
use crate::refusal::Acceptance;
use crate::rules::{Arrival, Moment, Rules};

/// A message that was accepted.
pub(crate) struct AcceptedMessage {
    pub(crate) seq: u64,
    /// The name of the sender.
    pub(crate) from: String,
    pub(crate) performative: String,
    /// The arguments as they were given.
    pub(crate) args: Arc<Vec<Json>>,
    /// The message in the terms of the scene.
    pub(crate) message: LoggedMessage,
    /// The sender after it; `None` if nobody knows.
    pub(crate) after: Option<Box<Follower>>,
    pub(crate) key: Option<String>,
    pub(crate) acceptance: Acceptance,
}

/// That time has run out for an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeoutEvent {
    pub(crate) seq: u64,
    pub(crate) agent: AgentId,
    pub(crate) place: PointId,
    /// Whether others may not have been at rest.
    pub(crate) early: bool,
}

impl Conversation {
    /// Delivers a message that was accepted; returns those who get it.
    pub(crate) fn accept(&mut self, rules: &Rules, now: Moment, sent: AcceptedMessage) -> Vec<AgentId> {
        self.touched = self.touched.max(now);
        self.messages += 1;
        self.timeouts = 0;
        self.is_doubtful |= !sent.acceptance.is_certain;
        let states = sent.after.as_deref().map(states_of).unwrap_or_default();
        self.spent = rules.budgets.after(rules.meaning(), &self.spent, &sent.message, &states);
        let sender = self.member(sent.message.from);
        match sent.after {
            Some(after) => sender.follow(rules, *after, &sent.message, now),
            None => {
                sender.note_sent(&sent.message);
                self.is_unguarded = true;
            }
        }
        if let Some(key) = sent.key {
            self.member(sent.message.from).keys.insert(key, KeyedAnswer::Accepted(sent.acceptance));
        }
        let mut told = Vec::new();
        for &to in sent.message.to.iter().filter(|&&to| to != sent.message.from) {
            let member = &mut self.members[to.index()];
            if member.is_silenced {
                continue;
            }
            let kind = ItemKind::Message {
                from: sent.from.clone(),
                performative: sent.performative.clone(),
                args: Arc::clone(&sent.args),
            };
            let item = Item { seq: sent.seq, kind };
            member.deliver(rules, Entry { item, message: Some(Arc::clone(&sent.message.message)) }, now);
            told.push(to);
        }
        told
    }

    /// An agent owes a message for too long.
    pub(crate) fn silent(&mut self, agent: AgentId, gave_up: bool) {
        let member = self.member(agent);
        member.is_silent = true;
        if gave_up {
            member.silence();
        }
    }

    /// Time runs out for an agent, if it waits at this place: because everybody is at rest, if it is not `early`.
    pub(crate) fn run_out(&mut self, rules: &Rules, now: Moment, event: TimeoutEvent) {
        let TimeoutEvent { seq, agent, place, early } = event;
        self.touched = self.touched.max(now);
        self.timeouts = self.timeouts.saturating_add(1);
        let is_told = |member: &Member| !member.is_silenced && rules.arrival(member.agent) != Arrival::Pushed;
        for member in
            self.members.iter_mut().filter(|member| !early && member.agent != agent && is_told(member))
        {
            member.come_to_rest(rules, now);
        }
        let entry = Entry { item: Item { seq, kind: ItemKind::Timeout(place) }, message: None };
        self.member(agent).run_out(rules, place, entry, now);
    }
}
