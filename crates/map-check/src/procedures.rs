//! The decision procedures of a file: each is declared at most once and has one arity.

use std::collections::HashMap;

use indexmap::IndexMap;
use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Alternative, Answer, Body, File, Name, OpKind};

use crate::{ProcedureInfo, show, suggest, walk};

/// Whether a body has an alternative that is taken whatever the others say, and gives a value.
fn always_answers(body: &Body) -> bool {
    let Body::Alternatives(alternatives) = body else { return false };
    let last = |it: &Alternative| it.guard.is_none() && matches!(it.answer, Answer::Value(_));
    // An alternative before it may have no values to answer with.
    let of_values = |it: &Alternative| matches!(it.answer, Answer::Value(_));
    alternatives.last().is_some_and(last) && alternatives.iter().all(of_values)
}

/// All procedures that are declared or asked in any scene.
pub(crate) fn collect(file: &File, errors: &mut Vec<Diagnostic>) -> IndexMap<String, ProcedureInfo> {
    let mut known: IndexMap<String, ProcedureInfo> = IndexMap::new();
    for declared in file.procedures() {
        let name = &declared.name;
        if let Some(first) = known.get(&name.text) {
            errors.push(twice(name, first.span));
            continue;
        }
        let (arity, may_refuse, span) = (declared.parameters.len(), declared.may_refuse, name.span);
        let may_say_no = may_refuse && !declared.body.as_ref().is_some_and(always_answers);
        known.insert(name.text.clone(), ProcedureInfo { arity, may_refuse, may_say_no, span });
    }
    let declared = known.len();
    let mut mistaken = Vec::new();
    for clause in file.scenes().flat_map(|scene| &scene.clauses) {
        walk::operations(&clause.body, &mut |op| {
            let OpKind::Ask { variable, procedure, arguments } = &op.kind else { return };
            let Some(first) = known.get(&procedure.text) else {
                // An ask without a variable declares nothing: it may be a message without its arrow (MAP210).
                if variable.is_none() {
                    return;
                }
                let (arity, span) = (arguments.len(), procedure.span);
                let info = ProcedureInfo { arity, may_refuse: true, may_say_no: true, span };
                known.insert(procedure.text.clone(), info);
                return;
            };
            if first.arity != arguments.len() {
                mistaken.push((procedure, arguments.len()));
            }
        });
    }
    // Names by arity, for suggestions.
    let mut by_arity: HashMap<usize, Vec<&str>> = HashMap::new();
    for (name, info) in &known {
        by_arity.entry(info.arity).or_default().push(name);
    }
    for (name, used) in mistaken {
        let Some((index, _, first)) = known.get_full(&name.text) else { continue };
        let alike = by_arity.get(&used).into_iter().flatten().copied();
        errors.push(arity(name, used, first, index < declared, suggest::nearest(&name.text, alike)));
    }
    known
}

fn twice(name: &Name, first: Span) -> Diagnostic {
    let text = format!("the procedure `{}` is declared twice", name.text);
    Diagnostic::new(Code::ProcedureTwice, name.span, text, "declared again")
        .with_label(first, "first declared here")
        .with_help("Remove or rename one of the two declarations")
}

fn arity(name: &Name, used: usize, first: &ProcedureInfo, declared: bool, alike: Option<&str>) -> Diagnostic {
    let (used, expected) = (show::arguments(used), show::arguments(first.arity));
    let how = if declared { "declared" } else { "first used" };
    let text = format!("the procedure `{}` is asked with {used}, but {how} with {expected}", name.text);
    let error = Diagnostic::new(Code::ProcedureArity, name.span, text, format!("{used} here"))
        .with_label(first.span, format!("{how} with {expected}"));
    match alike {
        Some(alike) => {
            error.with_help(format!("Did you mean `{alike}`, which takes {used}?")).replaced_by(alike)
        }
        None if declared => error.with_help(format!("Ask it with {expected}, or change its declaration")),
        None => {
            error.with_help("Use one number of arguments everywhere, or another name for the other procedure")
        }
    }
}
