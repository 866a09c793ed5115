//! Comparisons in a formula with values that may be abstract. Their truth would be open, so they are refused.

use map_check::formulas_of;
use map_diagnostics::{Code, Diagnostic, Span};
use map_ir::{Body, PerformativeId, Program, RoleId};
use map_syntax::ast::{
    Atom, Event, Formula, FormulaPart, Message, Name, Quantity, QuantityKind, RangeOver, Term, TermKind,
};

use super::PropertyCompiler;
use super::measured::unjudged;

/// Diagnoses the comparisons that cannot be checked.
pub(super) fn open_values(compiler: &PropertyCompiler<'_>, formula: &Formula) -> Vec<Diagnostic> {
    search(compiler, formula, &mut Vec::new())
}

/// The same, besides what is in the measures `seen`, which gets further ones.
fn search<'s>(
    compiler: &'s PropertyCompiler<'s>,
    formula: &Formula,
    seen: &mut Vec<&'s str>,
) -> Vec<Diagnostic> {
    let mut search = Search { compiler, program: compiler.program, found: Vec::new(), seen };
    formula.visit(&mut |part, around| match part {
        FormulaPart::Atom(Atom::Comparison(left, _, right)) => {
            search.quantity(left, around);
            search.quantity(right, around);
        }
        FormulaPart::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) => {
            search.message(message, around);
        }
        FormulaPart::Atom(_) | FormulaPart::Range(_) => {}
    });
    search.found
}

struct Search<'s, 'm> {
    compiler: &'s PropertyCompiler<'s>,
    program: &'s Program,
    found: Vec<Diagnostic>,
    /// The measures that were looked into.
    seen: &'m mut Vec<&'s str>,
}

impl Search<'_, '_> {
    fn message(&mut self, message: &Message, around: &[&RangeOver]) {
        let performatives = &self.program.performatives;
        let wanted = |it: &map_ir::Performative| {
            it.name == message.performative.text && it.arity == message.arguments.len()
        };
        let Some(performative) = performatives.iter().position(wanted) else { return };
        for (index, argument) in message.arguments.iter().enumerate() {
            let compared = argument.kind != TermKind::Wildcard;
            let performative = PerformativeId::new(performative);
            // A variable that an event binds may be compared with other values of the dialogue.
            let is_bound = |name: &str| around.iter().all(|range| range.variable.text != name);
            let bound = matches!(&argument.kind, TermKind::Variable(name) if is_bound(name));
            if bound
                && self.compiler.symbols.argument(performative, index)
                && !self.compiler.abstract_values.argument(performative, index)
            {
                self.found.push(fresh(message, argument.span));
            }
            if compared && self.compiler.abstract_values.argument(performative, index) {
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
                if self
                    .program
                    .cell_of(role, cell_id)
                    .is_some_and(|index| self.compiler.abstract_values.cell(role, index))
                {
                    let what = format!("the cell `@{}`", cell.text);
                    self.refuse(&what, quantity.span, "leave the comparison out");
                }
            }
            QuantityKind::Cost(cost, _) => {
                let declared = self.compiler.checked.file.costs().find(|it| it.name.text == cost.text);
                let charges = declared.map_or(&[][..], |declared| &declared.charges);
                charges
                    .iter()
                    .for_each(|charge| self.found.extend(open_values(self.compiler, &charge.event)));
            }
            QuantityKind::Measure(name, _) | QuantityKind::Sum(name) => self.measure(name, quantity.span),
            QuantityKind::Count(..)
            | QuantityKind::Times(_)
            | QuantityKind::Total(..)
            | QuantityKind::Moment(..)
            | QuantityKind::Term(_)
            | QuantityKind::Mailbox(_) => {}
        }
    }

    /// A measure that reads values that may be abstract is reported where it is used.
    fn measure(&mut self, name: &Name, used: Span) {
        let compiler = self.compiler;
        let Some(measure) = compiler.checked.file.measures().find(|it| it.name.text == name.text) else {
            return;
        };
        if self.seen.contains(&&*measure.name.text) {
            return;
        }
        self.seen.push(&measure.name.text);
        let formulas = formulas_of(measure.of.as_ref(), &measure.value);
        if formulas.iter().any(|formula| !search(compiler, formula, self.seen).is_empty()) {
            let text = format!("the measure `{}` reads what may be an unknown value", name.text);
            self.found.push(unjudged(used, &text).with_help(
                "Give the procedure that the value comes from a domain, `in 1..9`, or a definition, `= ..`",
            ));
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
                let agent = self.compiler.checked.agent_named(name)?;
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

fn fresh(message: &Message, span: Span) -> Diagnostic {
    let name = &message.performative.text;
    let text = format!("this argument of `{name}` may be a fresh value, which is another one in every run");
    Diagnostic::new(Code::AbstractInProperty, span, text, "a value that cannot be compared here")
        .with_help("Write `_`, which fits any value")
        .with_help("Or give the procedure that makes it a domain, `in { .. }` or `in 1..9`")
}
