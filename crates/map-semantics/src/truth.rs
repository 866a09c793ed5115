//! What an honest agent answers (language reference, "Truths").

use map_ir::{Answer, Program, Symbol, Truth, Value};

use crate::expression::Evaluation;
use crate::outcome::RunError;
use crate::{Choice, Choices, Question};

/// The honest answer to a question that the truth is about; `None` is "no". `choices` settles what the truth leaves
/// open: which value of a domain, and comparisons with abstract values. What is computed from an abstract value is
/// abstract.
///
/// # Errors
/// If it cannot be computed.
pub fn honest_answer(
    program: &Program,
    truth: &Truth,
    question: &Question<'_>,
    choices: &mut dyn Choices,
) -> Result<Option<Value>, RunError> {
    let role = program.agent(question.agent).role;
    // What is computed from an unknown value is unknown, too; nothing else will have these symbols.
    let mut fresh = Symbol(1 << 31);
    let mut evaluation = Evaluation {
        expressions: &truth.expressions,
        point: question.point,
        own: Value::Agent(question.agent),
        arguments: question.arguments,
        variables: &[],
        cells: &|cell| program.cell_of(role, cell).map(|index| question.memory[index]),
        choices,
        assumptions: &mut Vec::new(),
        nonzero: &mut Vec::new(),
        fresh: &mut fresh,
    };
    for alternative in &truth.alternatives {
        let holds = match alternative.guard {
            Some(guard) => evaluation.condition(guard)?,
            None => true,
        };
        if !holds {
            continue;
        }
        let domain = match &alternative.answer {
            Answer::Value(value) => return evaluation.value(*value).map(Some),
            Answer::In(domain) => domain,
        };
        return Ok(match **domain {
            [] => None,
            [only] => Some(only),
            _ => {
                let (point, options) = (question.point, domain.len() as u32);
                let choice = Choice::Domain { point, options, weights: domain.weights() };
                Some(domain[choices.choose(&choice) as usize])
            }
        });
    }
    Ok(None)
}
