//! MAP312: a clause that is never called.

use map_diagnostics::{Code, Diagnostic};

use super::{LintContext, words};
use crate::{Analysis, show};

/// Whether each clause is an entry clause or reachable from one by calls.
pub(super) fn reached(analysis: &Analysis<'_>) -> Vec<bool> {
    let checked = analysis.checked();
    let callees = callees(analysis);
    let mut reached = vec![false; checked.clauses.len()];
    for part in &checked.parts {
        mark(part.entry, &callees, &mut reached);
    }
    reached
}

/// Skips clauses reported as shadowed, and clauses that are called only by clauses that are themselves reported.
pub(super) fn find(cx: &LintContext<'_>, shadowed: &[usize], found: &mut Vec<Diagnostic>) {
    let callees = callees(&cx.analysis);
    let mut explained = cx.reached.clone();
    for &clause in shadowed {
        mark(clause, &callees, &mut explained);
    }
    let called_by_another =
        |clause: usize| cx.analysis.callers()[clause].iter().any(|&caller| caller != clause);
    let mut report = |clause: usize, explained: &mut Vec<bool>| {
        if !explained[clause] {
            mark(clause, &callees, explained);
            found.push(warning(cx, clause));
        }
    };
    for (index, _) in cx.clauses().filter(|&(index, _)| !called_by_another(index)) {
        report(index, &mut explained);
    }
    // The remaining clauses are on cycles of calls, or reachable from such cycles.
    for (index, _) in cx.clauses() {
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

fn warning(cx: &LintContext<'_>, index: usize) -> Diagnostic {
    let (clause, part) = (cx.clause(index), cx.checked.clauses[index].part);
    let title = words::title(cx.checked, part);
    let call = show::call(&clause.parameters);
    let recursive = cx.analysis.callers()[index].contains(&index);
    let (text, label) = match recursive {
        true => (format!("this clause of `{title}` is called by itself only"), "nothing else calls it"),
        false => (format!("this clause of `{title}` is never called"), "no call of the part comes here"),
    };
    let entry = cx.clause(cx.checked.parts[part].entry).head_span;
    Diagnostic::new(Code::NeverCalled, clause.head_span, text, label)
        .with_label(entry, format!("`{title}` begins here"))
        .with_help(format!("Call it, as in `{call}`, or remove it"))
}
