//! The values of acts and calls, which may be computed.

use map_ir::{Operand, PointId};

use super::ask::exclude_each_other;
use super::expression::{Case, EvalContext};
use super::{Branches, SymbolicThread, Tree, Walker};
use crate::refusal::Reason;
use crate::term::Term;

impl Walker<'_> {
    /// Continues with the values of the operands of an act or call, in every way in which they may come out.
    pub(super) fn with_operands(
        &mut self,
        mut thread: SymbolicThread,
        point: PointId,
        operands: &[Operand],
        mut go_on: impl FnMut(&mut Self, SymbolicThread, Vec<Term>) -> Tree,
    ) -> Tree {
        let computed = operands.iter().filter_map(|it| match it {
            Operand::Expression(id) => Some(*id),
            Operand::Constant(_) | Operand::Variable(_) | Operand::Own => None,
        });
        let cases = self.values_cases(&mut EvalContext { arguments: &[], thread: &mut thread }, computed);
        let cases: Vec<_> = cases.into_iter().map(|Case { condition, result }| (condition, result)).collect();
        let branches = Branches::compared(!exclude_each_other(&cases));
        let options = cases.iter().map(|(condition, _)| (condition.clone(), thread.clone())).collect();
        self.split(branches, options, |walker, index, thread| match &cases[index].1 {
            Err(wrong) => walker.go_wrong(thread, point, *wrong),
            Ok(values) => {
                // The symbol of an unknown value is chosen when a procedure answers.
                let is_unknown = values.iter().any(|value| matches!(value, Term::Abstract(_)));
                if is_unknown && walker.layout.symbols {
                    walker.refuse(Reason::Computed, Some(walker.program.point(point).span));
                }
                let mut values = values.iter();
                let value = |operand: &Operand| match operand {
                    Operand::Expression(_) => values.next().expect("each was computed").clone(),
                    known => walker.term(&thread, *known),
                };
                let terms = operands.iter().map(value).collect();
                go_on(walker, thread, terms)
            }
        })
    }
}
