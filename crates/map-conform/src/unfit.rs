//! Answers that break what verdicts take for granted: where the file computes with an answer or orders it, it is a
//! number of a size that what is computed from it fits in 64 bits.

use map_ir::{AgentId, PointKind, ProcedureId, Program, Value};

use crate::closure::Closure;
use crate::hypothesis::{Found, Frame};
use crate::monitor::{LoggedMessage, matched_if};

/// An answer that a breach of the protocol is put down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfitAnswer {
    /// The agent that goes wrong because of it.
    pub agent: AgentId,
    /// What it is, if it is no number; `None` if it is too large.
    pub value: Option<Value>,
    /// The procedures without a body that may have given it, each with an agent that asks it.
    pub asked: Vec<(ProcedureId, AgentId)>,
    /// Whether it may be another one, or come from elsewhere.
    pub possibly: bool,
}

/// The answer because of which nothing explains what an agent said, or that it says nothing; `None` if it is to blame
/// itself.
pub(crate) fn unfit_answer(
    frame: &Frame,
    closure: &Closure,
    agent: AgentId,
    spoken: Option<&LoggedMessage>,
) -> Option<UnfitAnswer> {
    let program = &frame.program;
    let shown = spoken.map(|spoken| shown(frame, closure, spoken)).unwrap_or_default();
    // What a message of its own shows was answered to itself; where it goes wrong it may have been told.
    let (values, asked) = if shown.is_empty() {
        if !closure.goes_wrong() {
            return None;
        }
        (&closure.unfit, asked_for_numbers(program, program.cast()))
    } else {
        (&shown, asked_for_numbers(program, std::iter::once(agent)))
    };
    let value = *values.first()?;
    let in_file = match value {
        Some(Value::Name(id)) => id.index() < program.names.len(),
        Some(Value::Text(id)) => id.index() < program.texts.len(),
        // It is not known which of the operands is an answer.
        _ => true,
    };
    let possibly = in_file || values.len() > 1 || asked.len() > 1;
    (!asked.is_empty()).then_some(UnfitAnswer { agent, value, asked, possibly })
}

/// The answers that a message shows and that are not fit for what the file does with them, each once.
fn shown(frame: &Frame, closure: &Closure, spoken: &LoggedMessage) -> Vec<Option<Value>> {
    let mut all = Vec::new();
    for send in &closure.sends {
        let mut unfit = Vec::new();
        let mut accepts = |found| {
            if let Found::Unfit(answer) = found {
                unfit.push(answer);
            }
            true
        };
        if matched_if(frame, spoken.from, send, spoken, &mut accepts).is_some() {
            all.append(&mut unfit);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The procedures whose answers are taken to be numbers, with those of the agents that ask them.
fn asked_for_numbers(
    program: &Program,
    agents: impl Iterator<Item = AgentId>,
) -> Vec<(ProcedureId, AgentId)> {
    let numbers = program.assumed_numbers();
    let mut asked = Vec::new();
    for agent in agents {
        for &clause in &program.part(program.agent(agent).part).clauses {
            for point in program.clause(clause).points.clone() {
                if let PointKind::Ask { procedure, .. } = program.points[point].kind
                    && numbers.contains(&procedure)
                    && !asked.contains(&(procedure, agent))
                {
                    asked.push((procedure, agent));
                }
            }
        }
    }
    asked
}
