//! Checks where operators may stand in a formula and that its variables are quantified.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Atom, Event, Formula, FormulaKind, Quantity, QuantityKind, RangeOver, Term, TermKind};

use crate::suggest;

pub(super) fn check(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    Structure { variables: Vec::new(), errors }.formula(formula, Inside::Nothing);
}

/// The innermost enclosing operator that restricts a formula.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    /// Not inside any of the operators below.
    Nothing,
    /// A temporal operator.
    Temporal,
    /// `possible`.
    Possible,
    /// An event of `possible sequence`.
    Sequence,
    /// `count`.
    Count,
}

struct Structure<'f, 'e> {
    /// The variables of the enclosing quantifiers, outermost first.
    variables: Vec<&'f RangeOver>,
    errors: &'e mut Vec<Diagnostic>,
}

impl<'f> Structure<'f, '_> {
    fn formula(&mut self, formula: &'f Formula, inside: Inside) {
        match &formula.kind {
            FormulaKind::Temporal(operator, operand) => {
                self.temporal(formula.span, operator.word(), inside);
                self.formula(operand, Inside::Temporal);
            }
            FormulaKind::Until(left, right) => {
                self.temporal(formula.span, "until", inside);
                self.formula(left, Inside::Temporal);
                self.formula(right, Inside::Temporal);
            }
            FormulaKind::Unless(left, right) => {
                self.temporal(formula.span, "unless", inside);
                self.formula(left, Inside::Temporal);
                self.formula(right, Inside::Temporal);
            }
            FormulaKind::Precedes(left, right) => {
                self.temporal(formula.span, "precedes", inside);
                self.formula(left, Inside::Temporal);
                self.formula(right, Inside::Temporal);
            }
            FormulaKind::LeadsTo(left, right) => {
                self.temporal(formula.span, "leadsto", inside);
                self.formula(left, Inside::Temporal);
                self.formula(right, Inside::Temporal);
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
            FormulaKind::Not(operand) | FormulaKind::Before(operand) => self.formula(operand, inside),
            FormulaKind::Quantified(_, range, body) => {
                self.bind(range);
                self.formula(body, inside);
                self.variables.pop();
            }
            FormulaKind::Atom(atom) => self.atom(atom),
        }
    }

    fn event(&mut self, event: &'f Formula) {
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

    fn bind(&mut self, range: &'f RangeOver) {
        let name = &range.variable.text;
        if let Some(outer) = self.variables.iter().find(|outer| outer.variable.text == *name) {
            let text = format!("`${name}` stands for an agent already");
            self.errors.push(
                Diagnostic::new(Code::NotQuantified, range.variable.span, text, "bound again")
                    .with_label(outer.variable.span, "first bound here")
                    .with_help("Choose another name for one of the two"),
            );
        }
        self.variables.push(range);
    }

    fn atom(&mut self, atom: &'f Atom) {
        match atom {
            Atom::Ended => {}
            Atom::Status(_, agent) | Atom::In(agent, _) => self.subject(agent),
            Atom::Comparison(left, _, right) => {
                self.quantity(left);
                self.quantity(right);
            }
            Atom::Event(agent, event) => {
                self.term(agent);
                if let Event::Sends(message, other) | Event::Receives(message, other) = event {
                    for argument in &message.arguments {
                        self.term(argument);
                    }
                    self.term(other);
                }
            }
        }
    }

    fn quantity(&mut self, quantity: &'f Quantity) {
        match &quantity.kind {
            QuantityKind::Term(TermKind::Variable(name)) => self.variable(name, quantity.span),
            QuantityKind::Term(_) => {}
            QuantityKind::Cell(agent, _) | QuantityKind::Mailbox(agent) => self.subject(agent),
            QuantityKind::Count(range, body) => {
                self.bind(range);
                self.formula(body, Inside::Count);
                self.variables.pop();
            }
            QuantityKind::Times(body) | QuantityKind::Total(_, body) => self.formula(body, Inside::Count),
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
        self.term(agent);
    }

    fn term(&mut self, term: &Term) {
        if let TermKind::Variable(name) = &term.kind {
            self.variable(name, term.span);
        }
    }

    fn variable(&mut self, name: &str, span: Span) {
        if self.variables.iter().any(|range| range.variable.text == name) {
            return;
        }
        let error = Diagnostic::new(
            Code::NotQuantified,
            span,
            format!("nothing says which agents `${name}` stands for"),
            "not quantified",
        );
        let known = self.variables.iter().map(|range| &*range.variable.text);
        self.errors.push(match suggest::nearest(name, known) {
            Some(near) => error.with_help(format!("Did you mean `${near}`?")),
            None => error
                .with_help(format!(
                    "Write `forall ${name} in %role : ..` or `exists ${name} in %role : ..` around it"
                ))
                .with_note("The variables of clauses are not known in properties"),
        });
    }
}

/// Whether a formula mentions an event.
fn mentions_event(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Temporal(_, operand)
        | FormulaKind::Possible(operand)
        | FormulaKind::Before(operand)
        | FormulaKind::Not(operand) => mentions_event(operand),
        FormulaKind::Until(left, right)
        | FormulaKind::Unless(left, right)
        | FormulaKind::Precedes(left, right)
        | FormulaKind::LeadsTo(left, right) => mentions_event(left) || mentions_event(right),
        FormulaKind::Sequence(parts)
        | FormulaKind::Implies(parts)
        | FormulaKind::And(parts)
        | FormulaKind::Or(parts) => parts.iter().any(mentions_event),
        FormulaKind::Quantified(_, _, body) => mentions_event(body),
        FormulaKind::Atom(Atom::Event(..)) => true,
        FormulaKind::Atom(Atom::Comparison(left, _, right)) => [left, right]
            .into_iter()
            .any(|quantity| matches!(&quantity.kind, QuantityKind::Count(_, body) if mentions_event(body))),
        FormulaKind::Atom(_) => false,
    }
}
