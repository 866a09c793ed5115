//! Which arguments of a message can matter to whom it is sent to.

use std::sync::Arc;

use map_ir::{AgentId, Body, Goto, PerformativeId, PointKind, Program, Slicing, Slot, Test, Value};
use map_semantics::Message;

/// Which arguments can matter: those that a receive tests, or that it binds to a variable that is live then.
#[derive(Clone, Debug)]
pub(crate) struct Relevance {
    /// By part and performative, the arguments that cannot matter.
    irrelevant: Vec<Vec<Vec<usize>>>,
}

impl Relevance {
    pub(crate) fn new(program: &Program, slicing: &Slicing) -> Self {
        // What an agent has been sent is not fresh.
        let all_matter = program.procedures.iter().any(|procedure| procedure.body == Body::Fresh);
        let arity = |index: usize| program.performatives[index].arity;
        let of_part = |clauses: &[map_ir::ClauseId]| {
            let mut irrelevant: Vec<Vec<usize>> = (0..program.performatives.len())
                .map(|index| if all_matter { Vec::new() } else { (0..arity(index)).collect() })
                .collect();
            for &clause in clauses {
                for point in program.clause(clause).points.clone() {
                    let PointKind::Receive { performative, pattern, ok, .. } = &program.points[point].kind
                    else {
                        continue;
                    };
                    let matters = |place: usize| {
                        let tested = pattern.tests.iter().any(|test| match *test {
                            Test::Operand(at, _) => at as usize == place,
                            Test::Same(at, other) => at as usize == place || other as usize == place,
                        });
                        let slot_matters = |slot: Slot| match *ok {
                            _ if slicing.is_pinned(clause) => true,
                            Goto::Point(next) => slicing.live(next).contains(&slot),
                            Goto::SideEnd(_) => slicing.variable(clause, slot),
                            Goto::Return(_) => false,
                        };
                        let mut bindings = pattern.bindings.iter();
                        tested || bindings.any(|&(at, slot)| at as usize == place && slot_matters(slot))
                    };
                    irrelevant[performative.index()].retain(|&place| !matters(place));
                }
            }
            irrelevant
        };
        Self { irrelevant: program.parts.iter().map(|part| of_part(&part.clauses)).collect() }
    }

    /// The message with 0 in the place of what does not matter to its recipient.
    pub(crate) fn of(&self, program: &Program, recipient: AgentId, message: &Arc<Message>) -> Arc<Message> {
        let part = program.agent(recipient).part;
        let irrelevant = self.places(part.index(), message.performative);
        if irrelevant.is_empty() {
            return Arc::clone(message);
        }
        let mut relevant = (**message).clone();
        for &place in irrelevant {
            if let Some(argument) = relevant.arguments.get_mut(place) {
                *argument = Value::Integer(0);
            }
        }
        Arc::new(relevant)
    }

    fn places(&self, part: usize, performative: PerformativeId) -> &[usize] {
        &self.irrelevant[part][performative.index()]
    }
}
