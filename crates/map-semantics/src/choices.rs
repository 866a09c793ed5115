//! What the step relation leaves open, and who resolves it.

use map_ir::{
    AgentId, Arithmetic, Comparison, ExpressionId, PerformativeId, PointId, ProcedureId, Symbol, Value,
    Weights,
};

use crate::Mailbox;

/// An open question that arises while a step is computed.
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
    /// Are all of these pairs equal (1) or not (0)? One value of every pair is abstract.
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
        /// What is compared, and how; one of the two is abstract.
        compared: (Value, Comparison, Value),
    },
    /// Which value of a domain is the answer?
    Domain {
        /// The ask.
        point: PointId,
        /// The number of values, at least two.
        options: u32,
        /// How likely they are; `None` if equally.
        weights: Option<&'a Weights>,
    },
    /// Which of the messages that match, or may match, is tried first? Only where mailboxes are bags.
    Message {
        /// The receive.
        point: PointId,
        /// The number of different messages, at least two.
        options: u32,
    },
    /// Is the copy for this agent lost (1) or not (0)? Only where messages may be lost.
    Loss {
        /// The recipient of the copy.
        recipient: AgentId,
    },
    /// Whom does an abstract address mean? Option 0 is nobody.
    Recipients {
        /// The send.
        point: PointId,
        /// Name and role in the address; `None` is the wildcard. At least one is abstract.
        address: (Option<Value>, Option<Value>),
        /// The agents that each option means.
        sets: &'a [Vec<AgentId>],
        /// The number of options, at least two.
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

    /// Whether the question is what an abstract value equals, rather than what a procedure answers or the network does.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        matches!(self, Self::Equal { .. } | Self::Condition { .. } | Self::Recipients { .. })
    }
}

/// An ask of a procedure that has no body or answers from a domain, with everything that the asking agent knows. Of
/// procedures whose alternatives have domains only those with a truth are asked so.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The asking agent.
    pub agent: AgentId,
    /// The ask.
    pub point: PointId,
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its arguments.
    pub arguments: &'a [Value],
    /// Whether it may say "no".
    pub may_refuse: bool,
    /// The values of which it answers one, if it has a domain.
    pub domain: Option<&'a [Value]>,
    /// Whether that is the domain of an alternative whose guard holds, rather than that of the procedure.
    pub in_alternative: bool,
    /// The variables of the asking clause; `None` where unbound.
    pub variables: &'a [Option<Value>],
    /// The cells of the agent's memory.
    pub memory: &'a [Value],
    /// The messages it has not yet taken.
    pub mailbox: &'a Mailbox,
}

/// The answer of a procedure without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// "No".
    No,
    /// An abstract value.
    Unknown,
    /// This value.
    Value(Value),
    /// No answer where one is due, or "no" where that is not allowed: a run error.
    Missing,
}

impl Reply {
    /// Encodes a reply from outside as an option of a step. `position` gives the index of a value in the list of values
    /// that accompanies the trace. `None` if the reply is the one that would be given anyway.
    #[must_use]
    pub fn to_option(self, may_refuse: bool, position: impl FnOnce(Value) -> u32) -> Option<u32> {
        match self {
            Self::No if may_refuse => Some(0),
            Self::Unknown => may_refuse.then_some(1),
            // A "no" of a procedure that always answers is no answer.
            Self::No | Self::Missing => Some(2),
            Self::Value(value) => Some(position(value).saturating_add(3)),
        }
    }

    /// The inverse of [`Reply::to_option`]; `None` if there is no such value.
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

/// Resolves open questions: exhaustively for the verifier, at random for the simulator, as recorded for a replay.
pub trait Choices {
    /// Picks an option below [`Choice::options`].
    fn choose(&mut self, choice: &Choice<'_>) -> u32;

    /// What a procedure without a body answers. By default it says "no" if it may and [`Choices::choose`] picks that;
    /// otherwise its answer is abstract.
    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let Question { point, procedure, arguments, .. } = *question;
        if question.may_refuse && self.choose(&Choice::Answer { point, procedure, arguments }) == 0 {
            Reply::No
        } else {
            Reply::Unknown
        }
    }

    /// What a procedure answers that has a domain, as a whole: "no", or the value of the domain with this index. By
    /// default that is left to [`Choices::choose`].
    fn pick(&mut self, _: &Question<'_>) -> Option<Option<u32>> {
        None
    }

    /// Records how far a receive searches the mailbox.
    fn look(&mut self, _: Look) {}

    /// The value, if it is not to be chosen by [`Choice::Domain`]: an abstract one that stands for all of the domain.
    /// `fresh` is a symbol not in use. Only where symbols need not come from procedures without a body.
    fn member(&mut self, _domain: &[Value], _fresh: Symbol) -> Option<Value> {
        None
    }

    /// Records what an abstract value was computed from.
    fn derive(&mut self, _: ComputedValue) {}

    /// Whether two values are equal; `None` if that is open. Other than [`Value::equals`] only where one value stands
    /// for several, as in an abstraction: such a value is not known to equal itself.
    fn equals(&self, left: Value, right: Value) -> Option<bool> {
        left.equals(right)
    }
}

/// An abstract value that was computed: one operand is abstract, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputedValue {
    /// The value.
    pub result: Value,
    /// The operation.
    pub operation: Operation,
    /// Its operands.
    pub operands: (Value, Value),
}

/// What computes a [`ComputedValue`] value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// An operator.
    Arithmetic(Arithmetic),
    /// The smaller integer.
    Min,
    /// The larger integer.
    Max,
}

/// How far a receive searches the messages of a performative, from the oldest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The performative.
    pub performative: PerformativeId,
    /// The arrival number of the last message it examines; `None` if it searches past the last one.
    pub last: Option<u64>,
}

/// Enumerates every way to resolve the questions of one act: follows a prefix of options, takes option 0 afterwards,
/// and records the questions so that [`Path::advance`] can move on to the next way. A depth-first search by
/// re-execution.
#[derive(Clone, Debug, Default)]
pub struct Path {
    taken: Vec<Taken>,
    position: usize,
    /// How far receives searched; one entry each time that was further than before.
    pub(crate) looks: Vec<Look>,
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    option: u32,
    options: u32,
    is_comparison: bool,
    /// Whether the options of this question tried so far allow the act to come to nothing; `None` before the first is
    /// done.
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
    /// The first way of another act of an agent whose earlier acts searched this far.
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

    /// Moves on to the next way. `stuck` says whether the way just tried came to nothing. After the last way the result
    /// is `Err`, with whether some outcomes of the comparisons leave no step whatever the answers.
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

#[cfg(test)]
mod tests {
    use map_ir::Value;

    use super::Reply;

    #[test]
    fn replies_are_read_as_they_were_recorded() {
        let values = [Value::Integer(4), Value::Integer(7)];
        let recorded = |reply: Reply, may_refuse| {
            let option = reply.to_option(may_refuse, |value| {
                values.iter().position(|it| *it == value).expect("it is listed") as u32
            });
            option.map(|option| Reply::from_option(option, &values))
        };
        for reply in [Reply::No, Reply::Unknown, Reply::Missing, Reply::Value(Value::Integer(7))] {
            assert_eq!(recorded(reply, true), Some(Some(reply)), "{reply:?}");
        }
        // What would be answered anyway is not recorded, and a "no" that is not allowed ends the run as silence does.
        assert_eq!(recorded(Reply::Unknown, false), None);
        assert_eq!(recorded(Reply::No, false), Some(Some(Reply::Missing)));
    }
}
