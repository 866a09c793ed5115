//! MAP323: a property that asks at the first moment what has happened, though nothing has.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Atom, File, Formula, FormulaKind, QuantityKind};

pub(super) fn find(file: &File, found: &mut Vec<Diagnostic>) {
    found.extend(file.properties().filter_map(|property| {
        let (span, mark) = asked_at_first(&property.formula)?;
        let text =
            format!("`{}` is about the first moment, when nothing has happened yet", property.name.text);
        Some(
            Diagnostic::new(Code::FirstMoment, span, text, mark)
                .with_help("For every moment of a run write `always ..`, for some moment `eventually ..`"),
        )
    }));
}

/// The first part of a formula that is about what has happened, and only at the moment at which the formula itself is
/// judged; and what is known of it if that is the first one.
fn asked_at_first(formula: &Formula) -> Option<(Span, &'static str)> {
    match &formula.kind {
        FormulaKind::Temporal(..)
        | FormulaKind::Until(..)
        | FormulaKind::Unless(..)
        | FormulaKind::Precedes(..)
        | FormulaKind::LeadsTo(..)
        | FormulaKind::Possible(_)
        | FormulaKind::Sequence(_) => None,
        FormulaKind::Before(_) | FormulaKind::Atom(Atom::Event(..)) => Some((formula.span, "never so")),
        FormulaKind::Atom(Atom::Comparison(left, _, right)) => {
            let counts = |kind: &QuantityKind| {
                matches!(kind, QuantityKind::Times(_) | QuantityKind::Total(..) | QuantityKind::Cost(..))
            };
            let quantity = [left, right].into_iter().find(|side| counts(&side.kind));
            quantity.map(|side| (side.span, "always 0"))
        }
        FormulaKind::Implies(_)
        | FormulaKind::And(_)
        | FormulaKind::Or(_)
        | FormulaKind::Not(_)
        | FormulaKind::Quantified(..)
        | FormulaKind::Atom(_) => formula.parts().into_iter().find_map(asked_at_first),
    }
}
