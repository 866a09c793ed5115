//! How an agent breaks a protocol.

use std::sync::Arc;

use map_ir::{AgentId, PointId, PointKind, Program, Value};
use map_semantics::Message;
use rustc_hash::FxHashSet;

use crate::closure::Closure;
use crate::hypothesis::Frame;
use crate::monitor::{LoggedMessage, matched};

/// How an agent breaks a protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its role never says that.
    NotItsWord,
    /// It had ended.
    AfterItsEnd,
    /// It said just that before.
    Repeated,
    /// It may say that to somebody else.
    WrongRecipient,
    /// It may say that to them with other arguments.
    WrongContent,
    /// It may say that at other times.
    OutOfTurn,
    /// What it was answered is computed with or ordered, and is no number, or too large a one; who answers is to blame.
    UnfitAnswer,
    /// It says nothing though it has to.
    Silent,
    /// A message arrived that nobody had sent; no agent is to blame.
    NeverSent,
    /// More messages never arrived than the network may lose; no agent is to blame.
    Lost,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::NotItsWord,
        Self::AfterItsEnd,
        Self::Repeated,
        Self::WrongRecipient,
        Self::WrongContent,
        Self::OutOfTurn,
        Self::UnfitAnswer,
        Self::Silent,
        Self::NeverSent,
        Self::Lost,
    ];

    /// The words for it in a report.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotItsWord => "not its word",
            Self::AfterItsEnd => "after its end",
            Self::Repeated => "repeated",
            Self::WrongRecipient => "wrong recipient",
            Self::WrongContent => "wrong content",
            Self::OutOfTurn => "out of turn",
            Self::UnfitAnswer => "unfit answer",
            Self::Silent => "silent",
            Self::NeverSent => "never sent",
            Self::Lost => "never arrived",
        }
    }

    /// The word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotItsWord => "not_its_word",
            Self::AfterItsEnd => "after_its_end",
            Self::Repeated => "repeated",
            Self::WrongRecipient => "wrong_recipient",
            Self::WrongContent => "wrong_content",
            Self::OutOfTurn => "out_of_turn",
            Self::UnfitAnswer => "unfit_answer",
            Self::Silent => "silent",
            Self::NeverSent => "never_sent",
            Self::Lost => "never_arrived",
        }
    }
}

/// Something an agent could have sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// The send in the source; `None` if it is the rest of a message, of which some recipients have their copies.
    pub point: Option<PointId>,
    /// The message; arguments that are open are abstract or fresh.
    pub message: Arc<Message>,
    /// The recipients.
    pub to: Vec<AgentId>,
}

/// What an agent could send, without repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PossibleSends {
    /// The first of them, at most 64.
    pub listed: Vec<Possible>,
    /// The number of others.
    pub more: usize,
}

impl PossibleSends {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.listed.len() + self.more
    }
}

/// The maximum number of possible sends that are listed.
const MAX_POSSIBLE: usize = 64;

/// What could be sent: `copies` of the last message, and what comes next.
pub(crate) fn possible<'a>(
    copies: impl Iterator<Item = &'a (Arc<Message>, Vec<AgentId>)>,
    closure: &Closure,
) -> PossibleSends {
    let mut found = PossibleSends::default();
    let mut seen = FxHashSet::default();
    let copies =
        copies.map(|(message, to)| Possible { point: None, message: Arc::clone(message), to: to.clone() });
    let sends = closure.sends.iter().map(|it| Possible {
        point: Some(it.point),
        message: Arc::clone(&it.message),
        to: it.to.clone(),
    });
    for it in copies.chain(sends) {
        // Open arguments are shown alike.
        let arguments = it.message.arguments.iter().map(|value| value.symbol().is_none().then_some(*value));
        let arguments: Vec<Option<Value>> = arguments.collect();
        let is_new = seen.insert((it.point, it.message.performative, it.to.clone(), arguments));
        match is_new {
            true if found.listed.len() < MAX_POSSIBLE => found.listed.push(it),
            true => found.more += 1,
            false => {}
        }
    }
    found
}

/// How a message breaks the protocol that no hypothesis explains. `before` is the sender's last message.
pub(crate) fn kind(
    frame: &Frame,
    closure: &Closure,
    before: Option<&LoggedMessage>,
    spoken: &LoggedMessage,
) -> Kind {
    if !says(&frame.program, spoken) {
        return Kind::NotItsWord;
    }
    if before.is_some_and(|it| it.message == spoken.message && it.to == spoken.to) {
        return Kind::Repeated;
    }
    if closure.has_ended {
        return Kind::AfterItsEnd;
    }
    let performative = spoken.message.performative;
    let mut candidates = closure.sends.iter().filter(|it| it.message.performative == performative);
    let mut right_content = candidates.clone().filter(|it| {
        let elsewhere = LoggedMessage { to: it.to.clone(), ..spoken.clone() };
        matched(frame, spoken.from, it, &elsewhere).is_some()
    });
    if right_content.next().is_some() {
        Kind::WrongRecipient
    } else if candidates.any(|it| spoken.to.iter().all(|to| it.to.contains(to))) {
        Kind::WrongContent
    } else {
        Kind::OutOfTurn
    }
}

/// Whether some clause of the sender's part sends such a message at all.
fn says(program: &Program, spoken: &LoggedMessage) -> bool {
    let part = program.part(program.agent(spoken.from).part);
    let points =
        part.clauses.iter().flat_map(|&clause| &program.points[program.clause(clause).points.clone()]);
    let mut sends = points.filter_map(|point| match &point.kind {
        PointKind::Send { performative, .. } => Some(*performative),
        _ => None,
    });
    sends.any(|it| it == spoken.message.performative)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use map_ir::{AgentId, PerformativeId, Value};
    use map_semantics::Message;

    use super::possible;
    use crate::closure::Closure;

    #[test]
    fn many_possible_sends_are_counted_and_none_twice() {
        let send = |to: usize| {
            let (sender, performative) = (AgentId::new(0), PerformativeId::new(0));
            let arguments = vec![Value::Integer(7)];
            (Arc::new(Message { performative, sender, arguments }), vec![AgentId::new(to)])
        };
        let sends: Vec<_> = (1..=70).chain(1..=70).map(send).collect();
        let found = possible(sends.iter(), &Closure::default());
        assert_eq!((found.listed.len(), found.more, found.count()), (64, 6, 70));
    }
}
