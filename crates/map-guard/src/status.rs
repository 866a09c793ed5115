//! What is known of a conversation.

use map_ir::PointId;

use crate::conversation::{Conversation, Ending};
use crate::member::Posture;
use crate::names::shown;
use crate::rules::{Moment, Rules};

/// What is known of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// How it stands.
    pub state: ConversationState,
    /// How many messages were accepted.
    pub messages: u64,
    /// Whether an acceptance rested on values that nobody had seen.
    pub is_doubtful: bool,
    /// Whether messages are delivered without being judged.
    pub is_unguarded: bool,
    /// The agents, in the order of the cast.
    pub members: Vec<MemberStatus>,
}

/// How a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationState {
    /// It goes on.
    Open,
    /// Nothing can happen any more, and not all have ended.
    Stuck,
    /// It is over.
    Over(Ending),
}

/// How an agent stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberStatus {
    /// Its name in the file.
    pub agent: String,
    /// Its name in the conversation.
    pub name: String,
    /// What it does.
    pub state: MemberState,
    /// Since when.
    pub since: Moment,
    /// Until when, if that is known.
    pub until: Option<Moment>,
    /// The points at which it waits, if it is at rest.
    pub waits_at: Vec<PointId>,
    /// How many messages and events it has not acknowledged.
    pub undelivered: usize,
}

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberState {
    /// It may have ended, and can send nothing.
    Ended,
    /// It is at rest: it waits.
    Waits,
    /// It may send something, and may be at rest: the conversation waits until it has done the one or said the other.
    Free,
    /// It owes a message.
    Owes,
    /// It owes a message for too long.
    Silent,
    /// It was given up.
    GivenUp,
    /// Nobody knows.
    Unknown,
}

impl MemberState {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Ended, Self::Waits, Self::Free, Self::Owes, Self::Silent, Self::GivenUp, Self::Unknown];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Waits => "waits",
            Self::Free => "free",
            Self::Owes => "owes",
            Self::Silent => "silent",
            Self::GivenUp => "given_up",
            Self::Unknown => "unknown",
        }
    }
}

impl Conversation {
    /// What is known of it.
    pub(crate) fn status(&mut self, rules: &Rules) -> Status {
        let untils: Vec<Option<Moment>> =
            rules.program().cast().map(|agent| self.until(rules, agent)).collect();
        let Self { cast, members, .. } = self;
        let of_member = |(member, until): (&mut crate::member::Member, Option<Moment>)| {
            let state = match member.posture {
                _ if member.is_silenced => MemberState::GivenUp,
                Posture::AtRest if member.stance.may_have_ended => MemberState::Ended,
                Posture::AtRest => MemberState::Waits,
                Posture::Free => MemberState::Free,
                Posture::Owes if member.is_silent => MemberState::Silent,
                Posture::Owes => MemberState::Owes,
                Posture::Unsure => MemberState::Unknown,
            };
            let waits = matches!(state, MemberState::Waits | MemberState::Free);
            let waits_at = if waits { member.follower.waits_at(rules.of(member.agent)) } else { Vec::new() };
            MemberStatus {
                agent: rules.program().agent_name(member.agent).to_owned(),
                name: shown(rules, cast, member.agent).to_owned(),
                state,
                since: member.since,
                until,
                waits_at,
                undelivered: member.inbox.len(),
            }
        };
        let members: Vec<MemberStatus> = members.iter_mut().zip(untils).map(of_member).collect();
        let state = match self.ending {
            Some(ending) => ConversationState::Over(ending),
            None if self.is_stuck => ConversationState::Stuck,
            None => ConversationState::Open,
        };
        Status {
            state,
            messages: self.messages,
            is_doubtful: self.is_doubtful,
            is_unguarded: self.is_unguarded,
            members,
        }
    }
}
