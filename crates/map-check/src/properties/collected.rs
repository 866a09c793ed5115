//! What is to be collected of runs.

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Atom, Collectable, Event, ExpressionKind, Formula, FormulaKind, TermKind};

use super::measures;
use crate::CheckedScene;

/// The errors of what is to be collected in a scene; empty if each run has it and the scene has everything it
/// mentions.
#[must_use]
pub fn check_collected(checked: &CheckedScene<'_>, collected: &Collectable) -> Vec<Diagnostic> {
    match collected {
        Collectable::Value(value) if matches!(value.kind, ExpressionKind::Constant(_)) => {
            vec![refused(value.span, "this is the same in every run", "nothing to collect")]
        }
        Collectable::Value(value) => {
            let mut errors = Vec::new();
            measures::well_formed(checked.file, None, value, &mut errors);
            if errors.is_empty() {
                let formulas = measures::formulas_of(None, value);
                errors.extend(formulas.iter().flat_map(|formula| super::check_formula(checked, formula)));
            }
            errors
        }
        Collectable::Event(event) if variables(event).is_empty() => {
            let text = "there is no variable in this, so there is no value to collect";
            vec![refused(event.span, text, "no `$variable` in a message").with_help(
                "`count(..)` around an event counts it: `--collect 'count(!Name sends m(_) to _)'`",
            )]
        }
        Collectable::Event(event) => super::check_formula(checked, event),
    }
}

/// The variables in the message of an event, in order, each once.
#[must_use]
pub fn variables(event: &Formula) -> Vec<&str> {
    let FormulaKind::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) =
        &event.kind
    else {
        return Vec::new();
    };
    let mut found: Vec<&str> = Vec::new();
    for argument in &message.arguments {
        if let TermKind::Variable(name) = &argument.kind
            && !found.contains(&name.as_str())
        {
            found.push(name);
        }
    }
    found
}

fn refused(span: Span, text: &str, label: &str) -> Diagnostic {
    Diagnostic::new(Code::MisplacedInFormula, span, text, label).with_help(
        "Collect a cell, `!Name@cell`, `count(..)`, `total(..)`, or the variables of an event: `!Name sends m($p) to _`",
    )
}
