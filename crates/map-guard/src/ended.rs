//! Conversations that are over: monitors are freed, and what is left can be kept in one record.

use std::sync::Arc;

use map_conform::agent_named;
use map_ir::PointId;

use crate::conversation::{Conversation, Ending};
use crate::foresight::Ahead;
use crate::guard::Guard;
use crate::inbox::{Item, ItemKind};
use crate::member::{KeyedAnswer, Member, Posture};
use crate::record::{Entry, Record};
use crate::refusal::{Acceptance, RefusalKind};
use crate::replay::{ReplayError, error};
use crate::rules::{Moment, Rules};
use crate::summary::{EndedConversation, EndedItem, EndedKey, EndedMember};

impl Conversation {
    /// It is over: what only judges messages is freed.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.cast = self.cast.agents_only();
        self.members.iter_mut().for_each(Member::release);
    }

    /// All that may still be asked of it.
    fn kept(&self, rules: &Rules, name: &str, ending: Ending) -> Vec<Entry> {
        let mut entries = vec![Entry::Ended(self.summary(rules, name, ending))];
        for member in &self.members {
            let agent = || rules.program().agent_name(member.agent).to_owned();
            let conversation = || name.to_owned();
            let items = member.inbox.items().map(EndedItem::of);
            entries.extend(items.map(|item| Entry::Undelivered {
                conversation: conversation(),
                agent: agent(),
                item,
            }));
            let keys = member.keys.iter().map(|(key, answer)| EndedKey::of(key, answer));
            entries.extend(keys.map(|answer| Entry::Answered {
                conversation: conversation(),
                agent: agent(),
                answer,
            }));
        }
        entries
    }

    fn summary(&self, rules: &Rules, name: &str, ending: Ending) -> EndedConversation {
        let agents = self.members.iter().map(|member| EndedMember {
            agent: rules.program().agent_name(member.agent).to_owned(),
            name: self.cast.real_name(member.agent).map(str::to_owned),
            sent: member.sent,
            ended: member.stance.may_have_ended,
            owes: member.posture == Posture::Owes,
            gave_up: member.is_silenced,
            handed: member.inbox.handed(),
        });
        EndedConversation {
            conversation: name.to_owned(),
            why: ending.word().to_owned(),
            messages: self.messages,
            doubtful: self.is_doubtful,
            unguarded: self.is_unguarded,
            agents: agents.collect(),
        }
    }
}

impl EndedItem {
    fn of(item: &Item) -> Self {
        let seq = item.seq;
        match &item.kind {
            ItemKind::Message { from, performative, args } => Self::Message {
                seq,
                from: from.clone(),
                performative: performative.clone(),
                args: args.to_vec(),
            },
            ItemKind::Timeout(place) => Self::Timeout { seq, place: place.index() as u32 },
        }
    }

    /// The item.
    pub(crate) fn item(self, rules: &Rules) -> Result<Item, ReplayError> {
        match self {
            Self::Message { seq, from, performative, args } => {
                let args = Arc::new(args);
                Ok(Item { seq, kind: ItemKind::Message { from, performative, args } })
            }
            Self::Timeout { place, .. } if place as usize >= rules.program().points.len() => {
                Err(error("time runs out at a place that there is not"))
            }
            Self::Timeout { seq, place } => {
                Ok(Item { seq, kind: ItemKind::Timeout(PointId::new(place as usize)) })
            }
        }
    }
}

impl EndedKey {
    fn of(key: &str, answer: &KeyedAnswer) -> Self {
        let key = key.to_owned();
        match answer {
            KeyedAnswer::Accepted(Acceptance { seq, is_certain, is_unguarded, ahead: _ }) => {
                Self::Accepted { key, seq: *seq, certain: *is_certain, unguarded: *is_unguarded }
            }
            KeyedAnswer::Refused(kind, text) => {
                Self::Refused { key, kind: kind.word().to_owned(), text: text.clone() }
            }
        }
    }

    /// The key, and the answer that it was given.
    pub(crate) fn answer(self) -> Result<(String, KeyedAnswer), ReplayError> {
        match self {
            Self::Refused { key, kind, text } => {
                let kind = RefusalKind::named(&kind).ok_or_else(|| error(format!("nothing is {kind}")))?;
                Ok((key, KeyedAnswer::Refused(kind, text)))
            }
            Self::Accepted { key, seq, certain, unguarded } => {
                let acceptance =
                    Acceptance { seq, is_certain: certain, is_unguarded: unguarded, ahead: Ahead::Unasked };
                Ok((key, KeyedAnswer::Accepted(acceptance)))
            }
        }
    }
}

/// What a segment of a journal begins with, so that those before it need not be read.
pub struct CarriedOver {
    /// The first record. Behind it come those of conversations that are [live](Guard::is_live), as they were.
    pub first: Record,
    /// The records behind these: the conversations that are over.
    pub ended: Vec<Record>,
}

impl Guard {
    /// Whether a conversation goes on, so that all records about it are needed after a restart.
    #[must_use]
    pub fn is_live(&self, name: &str) -> bool {
        let conversation = self.conversations.get(name);
        conversation.is_some_and(|it| matches!(it.ending, None | Some(Ending::Failed)))
    }

    /// What a segment of a journal begins with. All records that were taken have to be in it, or before it.
    pub fn carry_over(&mut self, now: Moment, digest: String) -> CarriedOver {
        let Self { rules, conversations, output, .. } = self;
        let first = Entry::Carried { digest, upto: output.seq };
        let mut ended = Vec::new();
        for (name, conversation) in conversations.iter() {
            let Some(ending) = conversation.ending.filter(|&it| it != Ending::Failed) else { continue };
            for entry in conversation.kept(rules, name, ending) {
                output.seq += 1;
                ended.push(Record { seq: output.seq, time: conversation.touched, entry });
            }
        }
        CarriedOver { first: Record { seq: 0, time: now, entry: first }, ended }
    }

    /// A conversation that is over, from its record.
    pub(crate) fn replay_ended(
        &mut self,
        time: Moment,
        ended: &EndedConversation,
    ) -> Result<(), ReplayError> {
        let why = Ending::ALL.into_iter().find(|ending| ending.word() == ended.why);
        let why = why.ok_or_else(|| error(format!("no conversation has {}", ended.why)))?;
        let mut conversation = Conversation::new(&self.rules, time);
        conversation.end(why);
        conversation.messages = ended.messages;
        conversation.is_doubtful = ended.doubtful;
        conversation.is_unguarded = ended.unguarded;
        for its in &ended.agents {
            let agent = agent_named(self.rules.program(), &its.agent)
                .ok_or_else(|| error(format!("there is no agent {}", its.agent)))?;
            if let Some(name) = &its.name {
                let bound = conversation.cast.bind(self.rules.program(), name, agent);
                bound.map_err(|fault| error(fault.text))?;
            }
            let member = conversation.member(agent);
            member.sent = its.sent;
            member.stance.may_have_ended = its.ended;
            member.posture = if its.owes { Posture::Owes } else { Posture::AtRest };
            member.is_silenced = its.gave_up;
            member.inbox.hand_over(its.handed);
        }
        self.conversations.insert(ended.conversation.clone(), conversation);
        Ok(())
    }
}
