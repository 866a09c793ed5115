//! Hands messages and events over to agents, and takes note of those who are at rest.

use map_ir::AgentId;

use crate::guard::{Guard, failed};
use crate::inbox::Delivery;
use crate::member::Posture;
use crate::names::resolve;
use crate::record::Entry;
use crate::refusal::{Denial, Misuse, MisuseKind, Refusal, RefusalKind};
use crate::rules::Moment;

impl Guard {
    /// Hands over the messages and events for an agent after a number, up to which it has received all. If it is `at
    /// rest`, it has nothing to send until something arrives.
    ///
    /// # Errors
    /// If there is no such agent, or that number has not been handed over.
    pub fn receive(
        &mut self,
        now: Moment,
        name: &str,
        agent: &str,
        after: u64,
        at_rest: bool,
    ) -> Result<Delivery, Denial> {
        self.advance(now);
        let agent = self.take_part(now, name, agent)?;
        let received = self.within(name, |guard| guard.receive_within(now, name, agent, after, at_rest));
        self.schedule(name);
        received.unwrap_or_else(|| Err(failed()))
    }

    /// The agent that somebody is who does something in a conversation, which is opened if it is not.
    pub(crate) fn take_part(&mut self, now: Moment, name: &str, agent: &str) -> Result<AgentId, Denial> {
        let is_new = !self.conversations.contains_key(name);
        self.admit(now, name)?;
        let rules = &self.rules;
        let Some(conversation) = self.conversations.get_mut(name) else { return Err(failed()) };
        if let Some(agent) = conversation.cast.agent_of(agent) {
            return Ok(agent);
        }
        let before = conversation.cast.clone();
        match resolve(rules, &mut conversation.cast, agent) {
            Ok(agent) => {
                self.note_names(now, name, &before);
                Ok(agent)
            }
            Err(misuse) => {
                if is_new {
                    self.withdraw(name);
                }
                Err(misuse.into())
            }
        }
    }

    pub(crate) fn receive_within(
        &mut self,
        now: Moment,
        name: &str,
        agent: AgentId,
        after: u64,
        at_rest: bool,
    ) -> Result<Delivery, Denial> {
        let Self { rules, conversations, output, .. } = self;
        let Some(conversation) = conversations.get_mut(name) else { return Err(failed()) };
        let agent_name = || rules.program().agent_name(agent).to_owned();
        let member = conversation.member(agent);
        if after > member.inbox.handed() {
            let text = format!("number {after} has not been handed over");
            return Err(Misuse::new(MisuseKind::NotHandedOver, text).into());
        }
        let kept = member.inbox.len();
        member.inbox.acknowledge(after);
        if member.inbox.len() < kept {
            output.record(
                now,
                Entry::Acknowledged { conversation: name.to_owned(), agent: agent_name(), upto: after },
            );
        }
        let items = member.inbox.batch(after);
        let Some(last) = items.last().map(|item| item.seq) else {
            return Ok(self.nothing_to_hand_over(now, name, agent, at_rest));
        };
        if last > member.inbox.handed() {
            member.hand_over(rules, last, now);
            output.record(
                now,
                Entry::Handed { conversation: name.to_owned(), agent: agent_name(), upto: last },
            );
            self.happen(name, now);
        }
        Ok(Delivery { items, debt: None, may_wait: false })
    }

    /// There is nothing for an agent: it waits, or owes something itself.
    pub(crate) fn nothing_to_hand_over(
        &mut self,
        now: Moment,
        name: &str,
        agent: AgentId,
        at_rest: bool,
    ) -> Delivery {
        let rules = &self.rules;
        let mut delivery = Delivery { items: Vec::new(), debt: None, may_wait: false };
        let Some(conversation) = self.conversations.get_mut(name) else { return delivery };
        if conversation.ending.is_some() || conversation.member(agent).is_silenced {
            return delivery;
        }
        if conversation.member(agent).posture == Posture::Owes && !conversation.is_unguarded {
            delivery.debt = Some(conversation.offer(rules, agent));
            return delivery;
        }
        delivery.may_wait = true;
        if at_rest && conversation.member(agent).posture == Posture::Free {
            self.note_rest(now, name, agent, true);
            self.happen(name, now);
        }
        delivery
    }

    pub(crate) fn note_rest(&mut self, now: Moment, name: &str, agent: AgentId, said: bool) {
        let Self { rules, conversations, output, .. } = self;
        let Some(conversation) = conversations.get_mut(name) else { return };
        if conversation.member(agent).rest(rules, now) {
            conversation.touched = conversation.touched.max(now);
            let agent = rules.program().agent_name(agent).to_owned();
            output.record(now, Entry::Rest { conversation: name.to_owned(), agent, said });
        }
    }

    /// The agent has nothing to send until something arrives or time runs out.
    ///
    /// # Errors
    /// If it owes a message, or takes no part any more.
    pub fn rest(&mut self, now: Moment, name: &str, agent: &str) -> Result<(), Denial> {
        self.advance(now);
        let agent = self.take_part(now, name, agent)?;
        let rested = self.within(name, |guard| guard.rest_within(now, name, agent));
        self.schedule(name);
        rested.unwrap_or_else(|| Err(failed()))
    }

    pub(crate) fn rest_within(&mut self, now: Moment, name: &str, agent: AgentId) -> Result<(), Denial> {
        let rules = &self.rules;
        let Some(conversation) = self.conversations.get_mut(name) else { return Err(failed()) };
        match conversation.out_of_it(rules, agent) {
            Some(refusal) if refusal.kind == RefusalKind::Rested => return Ok(()),
            Some(refusal) => return Err(refusal.into()),
            None if conversation.is_unguarded => return Ok(()),
            None => {}
        }
        if conversation.member(agent).posture == Posture::Owes {
            let offer = conversation.offer(rules, agent);
            let mut refusal =
                Refusal::new(RefusalKind::Fault(map_conform::Kind::Silent), "the agent owes a message");
            refusal.offer = Some(offer);
            return Err(refusal.into());
        }
        self.note_rest(now, name, agent, true);
        self.happen(name, now);
        Ok(())
    }
}
