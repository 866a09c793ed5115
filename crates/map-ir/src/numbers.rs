//! Which procedures without a body are taken to answer numbers: those whose answers the text computes with or orders.

use crate::flow::Within;
use crate::{
    Alternative, Answer, Body, ClauseId, Comparison, ExpressionId, ExpressionKind, PointKind, ProcedureId,
    Program, RoleId, TracedValues, ValueFlow,
};

impl Program {
    /// The procedures without a body whose answers may get where an integer is needed (language reference, "Abstract
    /// values"). Verdicts rest on the assumption that such an answer is an integer there, and that no result passes 64
    /// bits.
    #[must_use]
    pub fn assumed_numbers(&self) -> Vec<ProcedureId> {
        let all = (0..self.procedures.len()).map(ProcedureId::new);
        let has_no_body = |id: &ProcedureId| self.procedure(*id).body == Body::Abstract;
        let is_computed_with =
            |id: &ProcedureId| ValueFlow::new(self, TracedValues::AnswersOf(*id)).reaches_integers(self);
        all.filter(has_no_body).filter(is_computed_with).collect()
    }
}

impl ValueFlow {
    /// Whether a traced value may be the operand of an operation on integers.
    fn reaches_integers(&self, program: &Program) -> bool {
        program.clauses.iter().enumerate().any(|(index, clause)| {
            let id = ClauseId::new(index);
            let role = program.part(clause.part).role;
            clause.points.clone().any(|point| {
                let point = &program.points[point].kind;
                let in_body = match point {
                    PointKind::Ask { procedure, .. } => self.body_computes(program, role, *procedure),
                    _ => false,
                };
                in_body || point.expressions().any(|it| self.computes(program, role, Within::Clause(id), it))
            })
        })
    }

    fn body_computes(&self, program: &Program, role: RoleId, procedure: ProcedureId) -> bool {
        let Body::Alternatives(alternatives) = &program.procedure(procedure).body else { return false };
        let computes = |id: ExpressionId| self.computes(program, role, Within::Body(procedure), id);
        alternatives.iter().any(|Alternative { guard, answer, updates, .. }| {
            let answers = match answer {
                Answer::Value(value) => computes(*value),
                Answer::In(_) => false,
            };
            answers || guard.is_some_and(computes) || updates.iter().any(|&(_, value)| computes(value))
        })
    }

    /// Whether an expression, or one within it, has an operand that must be an integer and may be a traced value.
    fn computes(&self, program: &Program, role: RoleId, within: Within, id: ExpressionId) -> bool {
        let computes = |id: ExpressionId| self.computes(program, role, within, id);
        let is_traced = |id: ExpressionId| self.expression(program, role, within, id);
        let kind = &program.expression(id).kind;
        let of_integers = match kind {
            ExpressionKind::Arithmetic(..) | ExpressionKind::Min(..) | ExpressionKind::Max(..) => true,
            ExpressionKind::Comparison(_, comparison, _) => {
                !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
            }
            ExpressionKind::If(..)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Not(_)
            | ExpressionKind::Constant(_)
            | ExpressionKind::Argument(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Cell(_)
            | ExpressionKind::Own => false,
        };
        kind.parts().into_iter().any(|part| of_integers && is_traced(part) || computes(part))
    }
}
