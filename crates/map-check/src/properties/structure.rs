//! Checks where operators may stand in a formula.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Atom, Formula, FormulaKind, Quantity, QuantityKind, Term, TermKind};

use super::remembered::{self, Back};

pub(super) fn check(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    Structure { errors }.formula(formula, Inside::Nothing);
}

/// The innermost enclosing operator that restricts a formula.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    /// Not inside any of the operators below.
    Nothing,
    /// A temporal operator.
    Temporal,
    /// A side of `precedes`.
    Precedes,
    /// `possible`.
    Possible,
    /// An event of `possible sequence`.
    Sequence,
    /// `count`.
    Count,
}

struct Structure<'e> {
    errors: &'e mut Vec<Diagnostic>,
}

impl Structure<'_> {
    fn formula(&mut self, formula: &Formula, inside: Inside) {
        match &formula.kind {
            FormulaKind::Temporal(operator, operand) => {
                self.temporal(formula.span, operator.word(), inside);
                self.formula(operand, Inside::Temporal);
            }
            FormulaKind::Until(left, right) => {
                self.temporal(formula.span, "until", inside);
                self.sides(left, right, Inside::Temporal);
            }
            FormulaKind::Unless(left, right) => {
                self.temporal(formula.span, "unless", inside);
                self.sides(left, right, Inside::Temporal);
            }
            FormulaKind::LeadsTo(left, right) => {
                self.temporal(formula.span, "leadsto", inside);
                self.sides(left, right, Inside::Temporal);
            }
            FormulaKind::Precedes(left, right) => {
                self.temporal(formula.span, "precedes", inside);
                self.sides(left, right, Inside::Precedes);
            }
            FormulaKind::Possible(operand) => {
                self.possible(formula.span, inside);
                self.formula(operand, Inside::Possible);
            }
            FormulaKind::Sequence(events) => {
                self.possible(formula.span, inside);
                for event in events {
                    self.event(event);
                }
            }
            FormulaKind::Implies(parts) | FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                for part in parts {
                    self.formula(part, inside);
                }
            }
            FormulaKind::Not(operand) | FormulaKind::Quantified(_, _, operand) => {
                self.formula(operand, inside);
            }
            FormulaKind::Before(operand) => remembered::check(operand, Back::Before, self.errors),
            FormulaKind::Atom(atom) => self.atom(atom),
        }
    }

    fn sides(&mut self, left: &Formula, right: &Formula, inside: Inside) {
        self.formula(left, inside);
        self.formula(right, inside);
    }

    fn event(&mut self, event: &Formula) {
        if !mentions_event(event) {
            self.errors.push(
                Diagnostic::new(
                    Code::MisplacedInFormula,
                    event.span,
                    "a sequence is one of events, and this is none",
                    "no event",
                )
                .with_help("Name what somebody does, such as `!Name sends m(_) to _`")
                .with_help("For a state that can be reached write `possible f`, without `sequence`"),
            );
        }
        self.formula(event, Inside::Sequence);
    }

    fn temporal(&mut self, span: Span, word: &str, inside: Inside) {
        let place = match inside {
            Inside::Count => "`count` counts at one moment",
            Inside::Precedes => "both sides of `precedes` are about one moment",
            Inside::Sequence => "an event of a sequence happens at one moment",
            Inside::Nothing | Inside::Temporal | Inside::Possible => return,
        };
        let text = format!("`{word}` speaks of other moments, but {place}");
        self.errors.push(
            Diagnostic::new(Code::MisplacedInFormula, span, text, "not here")
                .with_help(format!("Leave `{word}` out, or put it around the whole")),
        );
    }

    fn possible(&mut self, span: Span, inside: Inside) {
        if inside == Inside::Nothing {
            return;
        }
        let text = "`possible` speaks of all runs, so it cannot stand in what is said of one of them";
        self.errors.push(
            Diagnostic::new(Code::MisplacedInFormula, span, text, "inside another operator")
                .with_help(
                    "Put `possible` first, behind quantifiers, `and`, `or`, `not` and `implies` at most",
                )
                .with_help("That `g` can be reached whenever `f` has happened is written `f leadsto g`"),
        );
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Ended | Atom::Event(..) => {}
            Atom::Status(_, agent) | Atom::In(agent, _) => self.subject(agent),
            Atom::Comparison(left, _, right) => {
                self.quantity(left);
                self.quantity(right);
            }
        }
    }

    fn quantity(&mut self, quantity: &Quantity) {
        match &quantity.kind {
            QuantityKind::Term(_) | QuantityKind::Cost(..) | QuantityKind::Sum(_) => {}
            QuantityKind::Measure(_, agent) => agent.iter().for_each(|agent| self.subject(agent)),
            QuantityKind::Cell(agent, _) | QuantityKind::Mailbox(agent) => self.subject(agent),
            QuantityKind::Count(_, body) => self.formula(body, Inside::Count),
            QuantityKind::Times(body) => remembered::check(body, Back::Count, self.errors),
            QuantityKind::Total(_, body) => remembered::check(body, Back::Total, self.errors),
            QuantityKind::Moment(word, _, body) => remembered::check(body, Back::Moment(*word), self.errors),
        }
    }

    /// Checks the subject of a statement about a single agent, which must not be `_`.
    fn subject(&mut self, agent: &Term) {
        if agent.kind == TermKind::Wildcard {
            self.errors.push(
                Diagnostic::new(
                    Code::WildcardValue,
                    agent.span,
                    "`_` stands for anybody in events only",
                    "which agent?",
                )
                .with_help("Name the agent, or write `exists $x in %role : ..` with `$x` in place of `_`"),
            );
        }
    }
}

/// Whether a formula mentions an event of its own moment.
fn mentions_event(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Before(_) => false,
        FormulaKind::Atom(Atom::Event(..)) => true,
        FormulaKind::Atom(Atom::Comparison(left, _, right)) => [left, right]
            .into_iter()
            .any(|quantity| matches!(&quantity.kind, QuantityKind::Count(_, body) if mentions_event(body))),
        _ => formula.parts().into_iter().any(mentions_event),
    }
}
