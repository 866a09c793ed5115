//! MAP312: a clause that is never called.

use map_diagnostics::{Code, Diagnostic};

use super::{Study, words};
use crate::{Analysis, show};

/// For every clause whether it is an entry or called, perhaps by way of others, from an entry.
pub(super) fn reached(analysis: &Analysis<'_>) -> Vec<bool> {
    let checked = analysis.checked();
    let callees = callees(analysis);
    let mut reached = vec![false; checked.clauses.len()];
    for part in &checked.parts {
        mark(part.entry, &callees, &mut reached);
    }
    reached
}

/// Says nothing of clauses that were found to be shadowed, and nothing of those that only such clauses call as are
/// never called themselves.
pub(super) fn find(study: &Study<'_>, shadowed: &[usize], found: &mut Vec<Diagnostic>) {
    let callees = callees(&study.analysis);
    let mut explained = study.reached.clone();
    for &clause in shadowed {
        mark(clause, &callees, &mut explained);
    }
    let called_by_another =
        |clause: usize| study.analysis.callers()[clause].iter().any(|&caller| caller != clause);
    let mut report = |clause: usize, explained: &mut Vec<bool>| {
        if !explained[clause] {
            mark(clause, &callees, explained);
            found.push(warning(study, clause));
        }
    };
    for (index, _) in study.clauses().filter(|&(index, _)| !called_by_another(index)) {
        report(index, &mut explained);
    }
    // What is left are clauses that call each other in a circle.
    for (index, _) in study.clauses() {
        report(index, &mut explained);
    }
}

fn callees(analysis: &Analysis<'_>) -> Vec<Vec<usize>> {
    let mut callees = vec![Vec::new(); analysis.checked().clauses.len()];
    for call in analysis.calls() {
        callees[call.caller].extend(call.candidates.iter().map(|candidate| candidate.clause));
    }
    callees
}

fn mark(start: usize, callees: &[Vec<usize>], marked: &mut [bool]) {
    let mut open = vec![start];
    while let Some(clause) = open.pop() {
        if !std::mem::replace(&mut marked[clause], true) {
            open.extend(&callees[clause]);
        }
    }
}

fn warning(study: &Study<'_>, index: usize) -> Diagnostic {
    let (clause, part) = (study.clause(index), study.checked.clauses[index].part);
    let title = words::title(study.checked, part);
    let call = show::call(&clause.parameters);
    let recursive = study.analysis.callers()[index].contains(&index);
    let (text, label) = match recursive {
        true => (format!("this clause of `{title}` is called by itself only"), "nothing else calls it"),
        false => (format!("this clause of `{title}` is never called"), "no call of the part comes here"),
    };
    let entry = study.clause(study.checked.parts[part].entry).head_span;
    Diagnostic::new(Code::NeverCalled, clause.head_span, text, label)
        .with_label(entry, format!("`{title}` begins here"))
        .with_help(format!("Call it, as in `{call}`, or remove it"))
}
