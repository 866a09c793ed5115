//! MAP115: a body uses only parameters of its procedure, whose names are distinct.

use indexmap::IndexMap;
use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{ExpressionKind, Procedure};

use super::visit;
use crate::{show, suggest};

pub(super) fn check(procedure: &Procedure, errors: &mut Vec<Diagnostic>) {
    let mut known: IndexMap<&str, Span> = IndexMap::new();
    for parameter in &procedure.parameters {
        if let Some(&first) = known.get(&*parameter.text) {
            let text =
                format!("the procedure `{}` has two parameters `${}`", procedure.name.text, parameter.text);
            errors.push(
                Diagnostic::new(Code::Parameter, parameter.span, text, "declared again")
                    .with_label(first, "first declared here")
                    .with_help("Rename one of the two"),
            );
        } else {
            known.insert(&parameter.text, parameter.span);
        }
    }
    // The mistake is often in the head, so each name is reported only once.
    let mut reported: Vec<&str> = Vec::new();
    visit::expressions(procedure, &mut |expression| {
        if let ExpressionKind::Parameter(name) = &expression.kind
            && !known.contains_key(&**name)
            && !reported.contains(&&**name)
        {
            reported.push(name);
            errors.push(unknown(procedure, &known, name, expression.span));
        }
    });
}

fn unknown(procedure: &Procedure, known: &IndexMap<&str, Span>, name: &str, span: Span) -> Diagnostic {
    let owner = &procedure.name.text;
    let text = format!("the procedure `{owner}` has no parameter `${name}`");
    let error = Diagnostic::new(Code::Parameter, span, text, "unknown parameter");
    if let Some(near) = suggest::nearest(name, known.keys().copied()) {
        let written = format!("${near}");
        let edits = uses(procedure, name).into_iter().map(|span| (span, written.clone())).collect();
        let error = error
            .with_help(format!("Did you mean `{written}`?"))
            .with_fix(format!("Write `{written}`"), edits);
        return match known.get(near) {
            Some(&declared) => error.with_label(declared, "declared here"),
            None => error,
        };
    }
    let error =
        error.with_note("A body knows its parameters and the cells of the asking agent, nothing else");
    if known.is_empty() {
        return error.with_help(format!("Add a parameter: `{owner}(${name})`"));
    }
    let parameters = show::list(known.keys().map(|name| format!("${name}")));
    error.with_help(format!("The procedure has {parameters}; or add a parameter `${name}`"))
}

/// Where a body uses a parameter, in source order.
fn uses(procedure: &Procedure, name: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    visit::expressions(procedure, &mut |expression| {
        if matches!(&expression.kind, ExpressionKind::Parameter(used) if used == name) {
            spans.push(expression.span);
        }
    });
    spans.sort();
    spans
}
