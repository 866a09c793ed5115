//! The words for answers about any number of agents.

use map_verify::{Verdict, ViolationKind};

/// A verdict for any number of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyVerdictWord {
    /// One that there is for a single number, too.
    Of(Verdict),
    /// No run fails or gets stuck; that all of them end is not proved.
    NothingGoesWrong,
    /// Nothing is proved.
    NoProof,
}

impl AnyVerdictWord {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Of(Verdict::Terminates),
        Self::Of(Verdict::TerminatesIfFair),
        Self::Of(Verdict::Violated(ViolationKind::Failure)),
        Self::Of(Verdict::Violated(ViolationKind::Deadlock)),
        Self::Of(Verdict::Violated(ViolationKind::MailboxOverflow)),
        Self::Of(Verdict::Violated(ViolationKind::RunawayRecursion)),
        Self::Of(Verdict::Violated(ViolationKind::RunError)),
        Self::Of(Verdict::Violated(ViolationKind::Livelock)),
        Self::NothingGoesWrong,
        Self::NoProof,
    ];

    /// The words of the reference.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Of(verdict) => verdict.words(),
            Self::NothingGoesWrong => "no failure and no deadlock",
            Self::NoProof => "no proof",
        }
    }
}

/// What is known of a property for any number of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPropertyWord {
    /// It holds for any number.
    Holds,
    /// It is violated with some number.
    Violated,
    /// It is not known.
    NotJudged,
}

impl AnyPropertyWord {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Violated, Self::NotJudged];

    /// The words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::NotJudged => "not judged",
        }
    }
}
