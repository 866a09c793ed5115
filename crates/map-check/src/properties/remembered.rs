//! What `before`, `count(..)`, `total(..)`, `first(..)` and `last(..)` look back at: of earlier moments only events are
//! remembered.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Atom, Formula, FormulaKind, MomentWord, Quantity, QuantityKind};

/// The operator that looks back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Back {
    Before,
    Count,
    Total,
    /// `first` or `last`.
    Moment(MomentWord),
    /// `precedes` with a variable on both sides: its left side may have held before.
    Precedes,
}

impl Back {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Count => "count",
            Self::Total => "total",
            Self::Moment(word) => word.word(),
            Self::Precedes => "precedes",
        }
    }
}

/// Reports what is not made of events and values.
pub(super) fn check(formula: &Formula, back: Back, errors: &mut Vec<Diagnostic>) {
    Check { back, errors }.formula(formula);
}

struct Check<'e> {
    back: Back,
    errors: &'e mut Vec<Diagnostic>,
}

impl Check<'_> {
    fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Temporal(operator, _) => self.operator(formula.span, operator.word()),
            FormulaKind::Until(..) => self.operator(formula.span, "until"),
            FormulaKind::Unless(..) => self.operator(formula.span, "unless"),
            FormulaKind::Precedes(..) => self.operator(formula.span, "precedes"),
            FormulaKind::LeadsTo(..) => self.operator(formula.span, "leadsto"),
            FormulaKind::Possible(_) | FormulaKind::Sequence(_) => self.operator(formula.span, "possible"),
            FormulaKind::Before(_) => self.operator(formula.span, "before"),
            FormulaKind::Implies(parts) | FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part));
            }
            FormulaKind::Not(operand) | FormulaKind::Quantified(_, _, operand) => self.formula(operand),
            FormulaKind::Atom(Atom::Event(..)) => {}
            FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
                self.quantity(left);
                self.quantity(right);
            }
            FormulaKind::Atom(Atom::Ended | Atom::Status(..) | Atom::In(..)) => self.state(formula.span),
        }
    }

    fn quantity(&mut self, quantity: &Quantity) {
        match &quantity.kind {
            QuantityKind::Term(_) => {}
            QuantityKind::Cell(..) | QuantityKind::Mailbox(_) => self.state(quantity.span),
            QuantityKind::Count(..) | QuantityKind::Times(_) => self.operator(quantity.span, "count"),
            QuantityKind::Total(..) => self.operator(quantity.span, "total"),
            QuantityKind::Cost(..) => self.operator(quantity.span, "cost"),
            QuantityKind::Moment(word, ..) => self.operator(quantity.span, word.word()),
            QuantityKind::Measure(..) => self.operator(quantity.span, "measure"),
            QuantityKind::Sum(_) => self.operator(quantity.span, "sum"),
        }
    }

    fn operator(&mut self, span: Span, word: &str) {
        let back = self.back.word();
        let text = format!("`{word}` cannot stand in `{back}`, which looks back at events");
        self.errors.push(
            Diagnostic::new(Code::MisplacedInFormula, span, text, "not here")
                .with_note("Of each earlier moment only its events are remembered")
                .with_help(format!("Leave `{word}` out, or put it around the whole")),
        );
    }

    fn state(&mut self, span: Span) {
        let text = format!("`{}` looks back at events, and this is about a state", self.back.word());
        let error = Diagnostic::new(Code::MisplacedInFormula, span, text, "no event")
            .with_note("Of each earlier moment only its events are remembered, not its state");
        self.errors.push(match self.back {
            Back::Precedes => error.with_help(
                "Without a variable that both sides share, the left side of `precedes` may be about states",
            ),
            _ => {
                error.with_help("Name the event that brings the state about, such as `!Name sends m(_) to _`")
            }
        });
    }
}
