//! What the step relation leaves open, and who settles it.

use map_ir::{AgentId, ExpressionId, PerformativeId, PointId, ProcedureId, Value};

use crate::Mailbox;

/// An open question met while a step is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Does this decision say "no" (0) or answer (1)?
    Answer {
        /// The ask.
        point: PointId,
        /// The procedure.
        procedure: ProcedureId,
        /// Its arguments.
        arguments: &'a [Value],
    },
    /// Do all of these pairs come out equal (1) or not (0)? In every pair one value is abstract.
    Equal {
        /// The operation that compares.
        point: PointId,
        /// The pairs.
        pairs: &'a [(Value, Value)],
    },
    /// Does a condition over abstract values hold (1) or not (0)?
    Condition {
        /// The ask.
        point: PointId,
        /// The condition.
        condition: ExpressionId,
    },
    /// Which value of a domain is the answer?
    Domain {
        /// The ask.
        point: PointId,
        /// How many values there are, two or more.
        options: u32,
    },
    /// Which of the messages that match, or may match, is looked at first? Only where mailboxes are bags.
    Message {
        /// The receive.
        point: PointId,
        /// How many different ones there are, two or more.
        options: u32,
    },
    /// Is the copy for this agent lost (1) or not (0)? Only where messages may be lost.
    Loss {
        /// Whose copy.
        recipient: AgentId,
    },
    /// Whom does an abstract address mean? Option 0 is nobody.
    Recipients {
        /// The send.
        point: PointId,
        /// How many options there are, two or more.
        options: u32,
    },
}

impl Choice<'_> {
    /// The number of options, numbered from 0.
    #[must_use]
    pub fn options(&self) -> u32 {
        match self {
            Self::Answer { .. } | Self::Equal { .. } | Self::Condition { .. } | Self::Loss { .. } => 2,
            Self::Domain { options, .. }
            | Self::Message { options, .. }
            | Self::Recipients { options, .. } => *options,
        }
    }

    /// Whether the question is what an abstract value is equal to, not what a procedure answers or the network does.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        matches!(self, Self::Equal { .. } | Self::Condition { .. } | Self::Recipients { .. })
    }
}

/// An ask of a procedure without a body, with all that the asking agent knows.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Who asks.
    pub agent: AgentId,
    /// The ask.
    pub point: PointId,
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its arguments.
    pub arguments: &'a [Value],
    /// Whether it may say "no".
    pub may_refuse: bool,
    /// The variables of the clause that asks, as far as they are bound.
    pub variables: &'a [Option<Value>],
    /// The cells of the agent's memory.
    pub memory: &'a [Value],
    /// The messages it has not taken.
    pub mailbox: &'a Mailbox,
}

/// What comes of asking a procedure without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// "No".
    No,
    /// An abstract value.
    Unknown,
    /// This value.
    Value(Value),
    /// Whoever should answer does not, or says "no" where that is not allowed: a run error.
    Missing,
}

impl Reply {
    /// How a reply that came from outside is written among the options of a step; `position` says where a value stands
    /// in the list of values that goes with the trace. Nothing is written where the reply is the one there would be
    /// anyway.
    #[must_use]
    pub fn to_option(self, may_refuse: bool, position: impl FnOnce(Value) -> u32) -> Option<u32> {
        match self {
            Self::No => may_refuse.then_some(0),
            Self::Unknown => may_refuse.then_some(1),
            Self::Missing => Some(2),
            Self::Value(value) => Some(position(value).saturating_add(3)),
        }
    }

    /// The reply that an option stands for, the other way round; none if there is no such value.
    #[must_use]
    pub fn from_option(option: u32, values: &[Value]) -> Option<Self> {
        match option {
            0 => Some(Self::No),
            1 => Some(Self::Unknown),
            2 => Some(Self::Missing),
            _ => values.get(option as usize - 3).map(|&value| Self::Value(value)),
        }
    }
}

/// Settles open questions: the verifier one way after the other, the simulator at random, a replay as recorded.
pub trait Choices {
    /// Picks an option below [`Choice::options`].
    fn choose(&mut self, choice: &Choice<'_>) -> u32;

    /// What a procedure without a body answers. Unless somebody outside knows better, it says "no" if it may and
    /// [`Choices::choose`] picks that, and else its answer is abstract.
    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let Question { point, procedure, arguments, .. } = *question;
        if question.may_refuse && self.choose(&Choice::Answer { point, procedure, arguments }) == 0 {
            Reply::No
        } else {
            Reply::Unknown
        }
    }

    /// Takes note of how far a receive looks through the mailbox.
    fn look(&mut self, _: Look) {}
}

/// How far a receive looks through the messages of a performative, from the oldest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The performative.
    pub performative: PerformativeId,
    /// The arrival of the last message that it looks at; `None` if it looks for more than there are.
    pub last: Option<u64>,
}

/// Enumerates every way to settle the questions of one act: follows a prefix of options, takes option 0 afterwards,
/// and remembers what it was asked so that [`Path::advance`] can go on to the next way.
#[derive(Clone, Debug, Default)]
pub struct Path {
    taken: Vec<Taken>,
    position: usize,
    /// How far receives looked, each time that was further than before.
    pub(crate) looks: Vec<Look>,
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    option: u32,
    options: u32,
    is_comparison: bool,
    /// Whether what was found under the earlier options of this question allows the act to be without a step.
    stuck: Option<bool>,
}

impl Choices for Path {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let position = self.position;
        self.position += 1;
        match self.taken.get(position) {
            Some(taken) => taken.option,
            None => {
                let is_comparison = choice.is_comparison();
                self.taken.push(Taken { option: 0, options: choice.options(), is_comparison, stuck: None });
                0
            }
        }
    }

    fn look(&mut self, look: Look) {
        let before = self.looks.iter().rev().find(|it| it.performative == look.performative);
        let is_further = before.is_none_or(|Look { last: before, .. }| {
            before.is_some_and(|before| look.last.is_none_or(|last| last > before))
        });
        if is_further {
            self.looks.push(look);
        }
    }
}

impl Path {
    /// The first way of another act of an agent that has looked so far.
    pub(crate) fn having_looked(looks: Vec<Look>) -> Self {
        Self { looks, ..Self::default() }
    }

    /// The options taken so far.
    #[must_use]
    pub fn options(&self) -> Vec<u32> {
        self.taken.iter().map(|taken| taken.option).collect()
    }

    /// Whether some question on this path was an open comparison.
    #[must_use]
    pub fn compared(&self) -> bool {
        self.taken.iter().any(|taken| taken.is_comparison)
    }

    /// Goes on to the next way. `stuck` says whether the way just tried ended without a step. After the last way the
    /// result is `Err`: whether some outcomes of the comparisons leave no step under any of the answers.
    pub fn advance(&mut self, mut stuck: bool) -> Result<(), bool> {
        self.position = 0;
        while let Some(last) = self.taken.last_mut() {
            let so_far = match (last.stuck, last.is_comparison) {
                (None, _) => stuck,
                (Some(before), true) => before || stuck,
                (Some(before), false) => before && stuck,
            };
            last.stuck = Some(so_far);
            last.option += 1;
            if last.option < last.options {
                return Ok(());
            }
            stuck = so_far;
            self.taken.pop();
        }
        Err(stuck)
    }
}
