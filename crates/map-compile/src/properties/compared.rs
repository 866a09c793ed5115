//! Comparisons in a formula with values that may be abstract. Their truth would be open, so they are refused.

use map_check::Checked;
use map_diagnostics::{Code, Diagnostic, Span};
use map_ir::{Body, PerformativeId, Program, RoleId, ValueFlow};
use map_syntax::ast::{
    Atom, Event, Formula, FormulaPart, Message, Quantity, QuantityKind, RangeOver, Term, TermKind,
};

/// Diagnoses the comparisons that cannot be checked.
pub(super) fn abstract_values(
    checked: &Checked<'_>,
    program: &Program,
    flow: &ValueFlow,
    formula: &Formula,
) -> Vec<Diagnostic> {
    let mut search = Search { checked, program, flow, found: Vec::new() };
    formula.visit(&mut |part, around| match part {
        FormulaPart::Atom(Atom::Comparison(left, _, right)) => {
            search.quantity(left, around);
            search.quantity(right, around);
        }
        FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) => {
            search.message(message);
        }
        FormulaPart::Atom(_) | FormulaPart::Range(_) => {}
    });
    search.found
}

struct Search<'s> {
    checked: &'s Checked<'s>,
    program: &'s Program,
    flow: &'s ValueFlow,
    found: Vec<Diagnostic>,
}

impl Search<'_> {
    fn message(&mut self, message: &Message) {
        let performatives = &self.program.performatives;
        let wanted = |it: &map_ir::Performative| {
            it.name == message.performative.text && it.arity == message.arguments.len()
        };
        let Some(performative) = performatives.iter().position(wanted) else { return };
        for (index, argument) in message.arguments.iter().enumerate() {
            let compared = argument.kind != TermKind::Wildcard;
            if compared && self.flow.argument(PerformativeId::new(performative), index) {
                let what = format!("this argument of `{}`", message.performative.text);
                self.refuse(&what, argument.span, "write `_`, which fits any value");
            }
        }
    }

    /// `around` are the enclosing ranges, outermost first.
    fn quantity(&mut self, quantity: &Quantity, around: &[&RangeOver]) {
        match &quantity.kind {
            QuantityKind::Cell(agent, cell) => {
                let cell_index = self.program.cells.iter().position(|it| *it == cell.text);
                let Some(cell_id) = cell_index.map(map_ir::CellId::new) else { return };
                let Some(role) = self.role_of(agent, around) else { return };
                if self.program.cell_of(role, cell_id).is_some_and(|index| self.flow.cell(role, index)) {
                    let what = format!("the cell `@{}`", cell.text);
                    self.refuse(&what, quantity.span, "leave the comparison out");
                }
            }
            QuantityKind::Count(..)
            | QuantityKind::Times(_)
            | QuantityKind::Total(..)
            | QuantityKind::Term(_)
            | QuantityKind::Mailbox(_) => {}
        }
    }

    fn role_of(&self, agent: &Term, around: &[&RangeOver]) -> Option<RoleId> {
        match &agent.kind {
            TermKind::Variable(name) => {
                let range = around.iter().rev().find(|range| range.variable.text == *name)?;
                let wanted = range.role()?;
                self.program.roles.iter().position(|role| *role == wanted.text).map(RoleId::new)
            }
            TermKind::Agent(name) => {
                let agent = self.checked.agent_named(name)?;
                Some(self.program.agents[agent].role)
            }
            _ => None,
        }
    }

    fn refuse(&mut self, what: &str, span: Span, other: &str) {
        let without_body: Vec<String> = self
            .program
            .procedures
            .iter()
            .filter(|procedure| procedure.body == Body::Abstract)
            .map(|procedure| format!("`{}`", procedure.name))
            .collect();
        let text =
            format!("{what} may come from a procedure without a body, so the comparison would be open");
        self.found.push(
            Diagnostic::new(Code::AbstractInProperty, span, text, "compared with a value nobody knows")
                .with_note(format!("Without a body are {}", without_body.join(", ")))
                .with_help("Give the procedure a domain, `in { .. }` or `in 1..9`, or a definition, `= ..`")
                .with_help(format!("Or {other}")),
        );
    }
}
