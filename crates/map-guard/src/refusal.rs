//! What a guard answers.

use map_conform::Kind;

use crate::foresight::Ahead;
use crate::inbox::Item;
use crate::offer::AgentOffer;
use crate::rules::Moment;

/// A message was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Its number; of a message that would be accepted, none.
    pub seq: Option<u64>,
    /// Whether it surely fits: it does not rest on values that nobody has seen.
    pub is_certain: bool,
    /// Whether it was delivered without having been judged.
    pub is_unguarded: bool,
    /// What is known of the conversation after it.
    pub ahead: Ahead,
}

/// Why a message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The conversation has ended, or expired.
    Closed,
    /// The agent was given up.
    Silenced,
    /// The agent has said, or was taken, to be at rest.
    Rested,
    /// It would fit had messages not arrived that the agent has not fetched.
    Stale,
    /// It would fit if time had run out.
    Early,
    /// It breaks the protocol like this.
    Fault(Kind),
    /// There may not be as many messages, or a property would be violated.
    Budget,
    /// No good end could be reached any more.
    Doomed,
    /// More would be kept than may be.
    Limit,
    /// It is not known whether it fits.
    Unsure,
}

impl RefusalKind {
    /// All kinds that can be answered.
    pub const ALL: [Self; 16] = [
        Self::Closed,
        Self::Silenced,
        Self::Rested,
        Self::Stale,
        Self::Early,
        Self::Fault(Kind::NotItsWord),
        Self::Fault(Kind::AfterItsEnd),
        Self::Fault(Kind::Repeated),
        Self::Fault(Kind::WrongRecipient),
        Self::Fault(Kind::WrongContent),
        Self::Fault(Kind::OutOfTurn),
        Self::Fault(Kind::UnfitAnswer),
        Self::Budget,
        Self::Doomed,
        Self::Limit,
        Self::Unsure,
    ];

    /// The word for it in answers and journals.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Silenced => "silenced",
            Self::Rested => "rested",
            Self::Stale => "stale",
            Self::Early => "early",
            Self::Fault(Kind::NotItsWord) => "not_its_word",
            Self::Fault(Kind::AfterItsEnd) => "after_its_end",
            Self::Fault(Kind::Repeated) => "repeated",
            Self::Fault(Kind::WrongRecipient) => "wrong_recipient",
            Self::Fault(Kind::WrongContent) => "wrong_content",
            Self::Fault(Kind::UnfitAnswer) => "unfit_answer",
            Self::Fault(Kind::OutOfTurn | Kind::Silent | Kind::NeverSent | Kind::Lost) => "out_of_turn",
            Self::Budget => "budget",
            Self::Doomed => "doomed",
            Self::Limit => "limit",
            Self::Unsure => "unsure",
        }
    }

    /// The kind with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A refusal, with what the agent may do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub kind: RefusalKind,
    /// A sentence.
    pub text: String,
    /// What the agent may do instead; `None` if it has no part in the conversation any more.
    pub offer: Option<AgentOffer>,
    /// Of what is [stale](RefusalKind::Stale): the messages and events that the agent has not fetched.
    pub unread: Vec<Item>,
    /// Of what is [early](RefusalKind::Early): whom the guard waits for before time can run out.
    pub waits_for: Vec<String>,
    /// Of what is [early](RefusalKind::Early): the earliest moment, if it is known.
    pub earliest: Option<Moment>,
}

impl Refusal {
    pub(crate) fn new(kind: RefusalKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            offer: None,
            unread: Vec::new(),
            waits_for: Vec::new(),
            earliest: None,
        }
    }
}

/// Why an operation is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// It is refused.
    Refused(Box<Refusal>),
    /// It cannot be understood.
    Misused(Misuse),
}

impl From<Refusal> for Denial {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Misuse> for Denial {
    fn from(misuse: Misuse) -> Self {
        Self::Misused(misuse)
    }
}

/// An operation that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse {
    /// The kind.
    pub kind: MisuseKind,
    /// A sentence.
    pub text: String,
}

/// How an operation cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MisuseKind {
    /// There is no such conversation.
    UnknownConversation,
    /// There is one already.
    KnownConversation,
    /// A name means no agent of the cast, or somebody else has that part.
    UnknownAgent,
    /// An argument is no value.
    NoValue,
    /// It is not clear to whom a message goes.
    NoRecipient,
    /// A number is beyond what was handed over.
    NotHandedOver,
}

impl MisuseKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::UnknownConversation,
        Self::KnownConversation,
        Self::UnknownAgent,
        Self::NoValue,
        Self::NoRecipient,
        Self::NotHandedOver,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::UnknownConversation => "unknown_conversation",
            Self::KnownConversation => "known_conversation",
            Self::UnknownAgent => "unknown_agent",
            Self::NoValue => "no_value",
            Self::NoRecipient => "no_recipient",
            Self::NotHandedOver => "not_handed_over",
        }
    }
}

impl Misuse {
    pub(crate) fn new(kind: MisuseKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}
