//! MAP130 and MAP131: costs, and the prices in them.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Atom, Charge, Event, File, FormulaKind, Name, TermKind};

use crate::{show, suggest};

/// The names of the costs that every text has, unless it declares others of these names.
pub const BUILT_IN_COSTS: [&str; 3] = ["steps", "messages", "rounds"];

/// Checks what does not depend on a scene.
pub(super) fn check_prices(file: &File, errors: &mut Vec<Diagnostic>) {
    file.costs().flat_map(|cost| &cost.charges).for_each(|charge| price(charge, errors));
}

/// Reports a cost that a formula names and nobody declares.
pub(super) fn undeclared(file: &File, cost: &Name, errors: &mut Vec<Diagnostic>) {
    let declared = file.costs().map(|it| &*it.name.text);
    let known: Vec<&str> = declared.chain(BUILT_IN_COSTS).collect();
    if known.contains(&&*cost.text) {
        return;
    }
    let text = format!("there is no cost `{}`", cost.text);
    let error = Diagnostic::new(Code::UnknownCost, cost.span, text, "not declared");
    if file.measures().any(|measure| measure.name.text == cost.text) {
        errors.push(error.with_help(format!("It is a measure: write `measure({})`", cost.text)));
        return;
    }
    errors.push(match suggest::nearest(&cost.text, known.iter().copied()) {
        Some(near) => error.with_help(format!("Did you mean `{near}`?")).replaced_by(near),
        None if known.len() == BUILT_IN_COSTS.len() => {
            error.with_help(format!("Declare it: `cost {} {{ _ asks procedure = 1 }}`", cost.text))
        }
        None => error.with_help(format!("The costs are {}", show::list(known))),
    });
}

/// Checks that the variables of an event are those of its price.
fn price(Charge { event, price, .. }: &Charge, errors: &mut Vec<Diagnostic>) {
    let arguments = match &event.kind {
        FormulaKind::Atom(Atom::Event(_, Event::Sends(message, _) | Event::Receives(message, _))) => {
            &*message.arguments
        }
        _ => &[],
    };
    let paid = match &price.kind {
        TermKind::Integer(number) if *number < 0 => {
            errors.push(
                Diagnostic::new(Code::NoPrice, price.span, "a price is never negative", "less than 0")
                    .with_help("What an agent gains is no cost: add it up with `total($x : ..)`"),
            );
            return;
        }
        TermKind::Variable(name) => Some(name),
        _ => None,
    };
    let is_paid = |kind: &TermKind| matches!(kind, TermKind::Variable(name) if Some(name) == paid);
    let places = arguments.iter().filter(|argument| is_paid(&argument.kind)).count();
    if let Some(name) = paid.filter(|_| places != 1) {
        let text = match places {
            0 => format!("`${name}` is no variable of the message"),
            _ => format!("`${name}` stands more than once in the message"),
        };
        let help = match arguments {
            [] => "An event without a message has a fixed price: write an integer".to_owned(),
            _ => format!("Write `${name}` for the argument that is the price, and `_` for the others"),
        };
        errors.push(Diagnostic::new(Code::NoPrice, price.span, text, "which value?").with_help(help));
        return;
    }
    for argument in arguments {
        if let TermKind::Variable(name) = &argument.kind
            && !is_paid(&argument.kind)
        {
            let text = format!("`${name}` is not the price");
            let error = Diagnostic::new(Code::NoPrice, argument.span, text, "any value");
            errors.push(error.with_help("Write `_`, which fits any value").replaced_by("_"));
        }
    }
}
