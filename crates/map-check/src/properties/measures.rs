//! MAP130: measures, their names, and what they read.

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{
    Atom, ComparisonOperator, Expression, ExpressionKind, File, Formula, FormulaKind, Item, Measure, Name,
    Quantifier, Quantity, QuantityKind, RangeOver, StatusWord, Term, TermKind,
};

use crate::bodies;
use crate::{show, suggest};

/// What a measure reads, as formulas about one moment that are right if the measure is. The variable of a measure `of`
/// a role stands for an agent in them, as it does behind a quantifier.
#[must_use]
pub fn formulas_of(of: Option<&RangeOver>, value: &Expression) -> Vec<Formula> {
    let mut found = Vec::new();
    read(value, &mut found);
    let Some(range) = of else { return found };
    let quantified = |formula: Formula| {
        let span = formula.span;
        Formula { kind: FormulaKind::Quantified(Quantifier::Forall, range.clone(), Box::new(formula)), span }
    };
    found.into_iter().map(quantified).collect()
}

/// A formula that is right if there is the role of a measure.
pub(super) fn role_alone(range: &RangeOver) -> Formula {
    let ended = Formula { kind: FormulaKind::Atom(Atom::Ended), span: range.variable.span };
    let kind = FormulaKind::Quantified(Quantifier::Forall, range.clone(), Box::new(ended));
    Formula { kind, span: range.variable.span }
}

fn read(value: &Expression, found: &mut Vec<Formula>) {
    let atom = |atom| Formula { kind: FormulaKind::Atom(atom), span: value.span };
    match &value.kind {
        ExpressionKind::Comparison { left, operator, right } => match (quantity(left), quantity(right)) {
            (Some(left), Some(right)) => found.push(atom(Atom::Comparison(left, *operator, right))),
            _ => [left, right].into_iter().for_each(|side| read(side, found)),
        },
        ExpressionKind::Reading(quantity) => found.push(compared(quantity)),
        ExpressionKind::Holds(formula) => found.push((**formula).clone()),
        // What is said of an agent shows whether there is one of this name.
        ExpressionKind::Constant(TermKind::Agent(name)) => {
            let agent = Term { kind: TermKind::Agent(name.clone()), span: value.span };
            found.push(atom(Atom::Status(StatusWord::Done, agent)));
        }
        _ => value.parts().into_iter().for_each(|part| read(part, found)),
    }
}

/// A formula about a quantity that is right if the quantity is.
fn compared(quantity: &Quantity) -> Formula {
    let nothing = Quantity { kind: QuantityKind::Term(TermKind::Integer(0)), span: quantity.span };
    let comparison = Atom::Comparison(quantity.clone(), ComparisonOperator::NotEqual, nothing);
    Formula { kind: FormulaKind::Atom(comparison), span: quantity.span }
}

/// An operand as a side of a comparison.
fn quantity(operand: &Expression) -> Option<Quantity> {
    let kind = match &operand.kind {
        ExpressionKind::Constant(constant) => QuantityKind::Term(constant.clone()),
        ExpressionKind::Parameter(name) => QuantityKind::Term(TermKind::Variable(name.clone())),
        ExpressionKind::Reading(quantity) => return Some((**quantity).clone()),
        _ => return None,
    };
    Some(Quantity { kind, span: operand.span })
}

/// Checks what does not depend on a scene.
pub(super) fn check(file: &File, errors: &mut Vec<Diagnostic>) {
    twice(file, errors);
    for measure in file.measures() {
        well_formed(file, measure.of.as_ref(), &measure.value, errors);
        for mentioned in mentioned(&measure.value) {
            let declared = file.measures().find(|it| it.name.text == mentioned.text);
            if let Some(later) = declared.filter(|it| it.span.start >= measure.span.start) {
                errors.push(uses_later(measure, mentioned, later));
            }
        }
    }
}

/// Checks an expression as of a measure.
pub(super) fn well_formed(
    file: &File,
    of: Option<&RangeOver>,
    value: &Expression,
    errors: &mut Vec<Diagnostic>,
) {
    let before = errors.len();
    let mut kinds = Vec::new();
    bodies::check_measured(value, &mut kinds);
    errors.extend(kinds.into_iter().map(|error| match error.span().and_then(|span| name_at(value, span)) {
        Some(name) => name_as_number(file, name, error),
        None => error,
    }));
    unbound(of, value, errors);
    if errors.len() == before {
        formulas_of(of, value).iter().for_each(|formula| super::well_formed(file, formula, errors));
    }
}

/// The bare name that stands at this place.
fn name_at(value: &Expression, span: Span) -> Option<&str> {
    match &value.kind {
        ExpressionKind::Constant(TermKind::Name(name)) if value.span == span => Some(name),
        _ => value.parts().into_iter().find_map(|part| name_at(part, span)),
    }
}

/// A bare name where a number or a condition should be. Perhaps a measure is meant.
fn name_as_number(file: &File, name: &str, error: Diagnostic) -> Diagnostic {
    let Some(span) = error.span() else { return error };
    let text = format!("`{name}` is a name, not a number");
    let error = Diagnostic::new(Code::WrongKind, span, text, "only a name");
    if file.measures().any(|measure| measure.name.text == name) {
        let written = format!("measure({name})");
        return error.with_help(format!("Write `{written}` for the measure")).replaced_by(written);
    }
    if file.costs().any(|cost| cost.name.text == name) {
        let written = format!("cost({name})");
        return error.with_help(format!("Write `{written}` for the cost")).replaced_by(written);
    }
    error.with_help(format!("A cell is written `!Name@{name}`, a measure `measure({name})`"))
}

/// Reports variables that stand for nothing, outside of what is counted.
fn unbound(of: Option<&RangeOver>, value: &Expression, errors: &mut Vec<Diagnostic>) {
    let used: Option<(&str, Span)> = match &value.kind {
        ExpressionKind::Parameter(name) => Some((name, value.span)),
        ExpressionKind::Reading(quantity) => match &quantity.kind {
            QuantityKind::Cell(agent, _) | QuantityKind::Mailbox(agent) => variable(agent),
            QuantityKind::Cost(_, agent) | QuantityKind::Measure(_, agent) => {
                agent.as_ref().and_then(variable)
            }
            _ => None,
        },
        ExpressionKind::Holds(formula) => match &formula.kind {
            FormulaKind::Atom(Atom::Status(_, agent)) => variable(agent),
            _ => None,
        },
        _ => None,
    };
    let bound = of.map(|range| &*range.variable.text);
    if let Some((name, span)) = used.filter(|(name, _)| bound != Some(name)) {
        let text = format!("nothing says which agent `${name}` stands for");
        let error = Diagnostic::new(Code::NotQuantified, span, text, "bound by nothing");
        errors.push(match bound {
            Some(bound) => error.with_help(format!("Did you mean `${bound}`?")),
            None => error.with_help(format!(
                "A measure of each agent of a role is written `measure NAME of ${name} in %role = ..`"
            )),
        });
    }
    value.parts().into_iter().for_each(|part| unbound(of, part, errors));
}

fn variable(term: &Term) -> Option<(&str, Span)> {
    match &term.kind {
        TermKind::Variable(name) => Some((name, term.span)),
        _ => None,
    }
}

/// The measures that an expression names.
fn mentioned(value: &Expression) -> Vec<&Name> {
    match &value.kind {
        ExpressionKind::Reading(quantity) => match &quantity.kind {
            QuantityKind::Measure(name, _) | QuantityKind::Sum(name) => vec![name],
            _ => quantity.counted().map_or_else(Vec::new, mentioned_in),
        },
        ExpressionKind::Holds(formula) => mentioned_in(formula),
        _ => value.parts().into_iter().flat_map(mentioned).collect(),
    }
}

fn mentioned_in(formula: &Formula) -> Vec<&Name> {
    let mut found = Vec::new();
    formula.visit(&mut |part, _| {
        if let map_syntax::ast::FormulaPart::Atom(Atom::Comparison(left, _, right)) = part {
            found.extend([left, right].into_iter().filter_map(|side| match &side.kind {
                QuantityKind::Measure(name, _) | QuantityKind::Sum(name) => Some(name),
                _ => None,
            }));
        }
    });
    found
}

/// Costs and measures have their names together: `--collect NAME` means either.
fn twice(file: &File, errors: &mut Vec<Diagnostic>) {
    let mut first: HashMap<&str, (&str, Span)> = HashMap::new();
    for item in &file.items {
        let (kind, Name { text: name, span }) = match item {
            Item::Cost(cost) => ("cost", &cost.name),
            Item::Measure(measure) => ("measure", &measure.name),
            _ => continue,
        };
        let Some(&(other, declared)) = first.get(&**name) else {
            first.insert(name, (kind, *span));
            continue;
        };
        let text = match kind == other {
            true => format!("the {kind} `{name}` is declared twice"),
            false => format!("`{name}` is a {other} already"),
        };
        let help = match (kind, other) {
            ("cost", "cost") => "Put all its prices into one declaration: those that fit one event add up",
            _ => "Rename one of the two",
        };
        errors.push(
            Diagnostic::new(Code::UnknownCost, *span, text, "declared again")
                .with_label(declared, "first declared here")
                .with_help(help),
        );
    }
}

fn uses_later(measure: &Measure, mentioned: &Name, later: &Measure) -> Diagnostic {
    let name = &mentioned.text;
    let error = |text: String| Diagnostic::new(Code::UnknownCost, mentioned.span, text, "not known here");
    if later.span == measure.span {
        return error(format!("the measure `{name}` uses itself"))
            .with_help("A measure is made of what happened, and of measures that stand above it");
    }
    error(format!("the measure `{name}` stands further down"))
        .with_label(later.name.span, "declared here")
        .with_help(format!("Move it up, above `{}`: a measure uses those above it", measure.name.text))
}

/// Reports a mention of a measure that nobody declares, or that is not `of` what the mention says. `whose` is the agent
/// of `measure(NAME, agent)`; `sum` says that its sum is meant.
pub(super) fn mention(
    file: &File,
    name: &Name,
    whose: Option<&Term>,
    sum: bool,
    errors: &mut Vec<Diagnostic>,
) {
    let Some(declared) = file.measures().find(|it| it.name.text == name.text) else {
        errors.push(undeclared(file, name));
        return;
    };
    let role = declared.of.as_ref().and_then(RangeOver::role).map(|role| &*role.text);
    let name_text = &name.text;
    let error = |text: String, label: &str| {
        Diagnostic::new(Code::UnknownCost, name.span, text, label)
            .with_label(declared.name.span, "declared here")
    };
    match (role, whose, sum) {
        (None, None, true) => errors.push(
            error(format!("`{name_text}` is one value, so there is nothing to add up"), "not `of` a role")
                .with_help(format!("Write `measure({name_text})`")),
        ),
        (Some(role), None, false) => errors.push(
            error(format!("each agent of `%{role}` has a `{name_text}` of its own"), "whose?").with_help(format!(
                "Write `measure({name_text}, $b)` for that of an agent, `sum({name_text})` for all of them together"
            )),
        ),
        (None, Some(_), _) => errors.push(
            error(format!("`{name_text}` is one value, not one of each agent"), "not `of` a role")
                .with_help(format!("Write `measure({name_text})`")),
        ),
        (None, None, false) | (Some(_), Some(_), _) | (Some(_), None, true) => {}
    }
}

fn undeclared(file: &File, name: &Name) -> Diagnostic {
    let text = format!("there is no measure `{}`", name.text);
    let error = Diagnostic::new(Code::UnknownCost, name.span, text, "not declared");
    if file.costs().any(|cost| cost.name.text == name.text) {
        return error.with_help(format!("It is a cost: write `cost({})`", name.text));
    }
    let known: Vec<&str> = file.measures().map(|it| &*it.name.text).collect();
    match suggest::nearest(&name.text, known.iter().copied()) {
        Some(near) => error.with_help(format!("Did you mean `{near}`?")).replaced_by(near),
        None if known.is_empty() => {
            error.with_help(format!("Declare it: `measure {} = count(!Name sends m(_) to _)`", name.text))
        }
        None => error.with_help(format!("The measures are {}", show::list(known))),
    }
}

/// A mention of a measure that reads what this scene does not have.
pub(super) fn of_other_scene(name: &Name) -> Diagnostic {
    let text = format!("the measure `{}` is about another scene", name.text);
    Diagnostic::new(Code::UnknownCost, name.span, text, "it reads what this scene does not have")
}
