//! What honest agents answer in runs.

use map_ir::{Program, Truth, Value};
use map_semantics::{Choice, Choices, Question, Reply, honest_answer};

use crate::options::NoHonestAnswer;
use crate::random::{Random, drawn};

/// What the truth says to a question, drawn where it leaves that open.
///
/// # Errors
/// If that is no answer which the procedure allows.
pub(crate) fn honest_reply(
    program: &Program,
    truth: &Truth,
    question: &Question<'_>,
    random: &mut Random,
) -> Result<Reply, NoHonestAnswer> {
    let mut open = OpenTruth { random, is_unknown: false };
    let answer = honest_answer(program, truth, question, &mut open);
    if open.is_unknown {
        return Err(NoHonestAnswer::Unknown);
    }
    match answer.map_err(NoHonestAnswer::Error)? {
        None if question.may_refuse => Ok(Reply::No),
        None => Err(NoHonestAnswer::No),
        Some(Value::Abstract(_)) => Err(NoHonestAnswer::Unknown),
        Some(value) => match question.domain {
            Some(domain) if !domain.contains(&value) => Err(NoHonestAnswer::Outside(value)),
            // Traces have no word for it.
            None if value.symbol().is_some() => Err(NoHonestAnswer::Unknown),
            _ => Ok(Reply::Value(value)),
        },
    }
}

/// Draws values of domains, and notes that something unknown was compared. The choices of the run are not involved:
/// what the procedure answers in the end is one of them.
struct OpenTruth<'a> {
    random: &'a mut Random,
    is_unknown: bool,
}

impl Choices for OpenTruth<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        match choice {
            Choice::Domain { options, weights, .. } => drawn(self.random, *options, *weights),
            _ => {
                self.is_unknown = true;
                0
            }
        }
    }
}
