//! MAP321: a procedure that is declared and asked by no scene of the file.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{File, OpKind};

use crate::walk;

/// Skips procedures for which others have been taken, according to the warnings found so far.
pub(super) fn find(file: &File, found: &mut Vec<Diagnostic>) {
    let mut asked: HashSet<&str> = HashSet::new();
    for clause in file.scenes().flat_map(|scene| &scene.clauses) {
        walk::operations(&clause.body, &mut |op| {
            if let OpKind::Ask { procedure, .. } = &op.kind {
                asked.insert(&procedure.text);
            }
        });
    }
    let misspelt = found.iter().filter(|warning| warning.code == Code::MisspeltProcedure);
    let meant: HashSet<Span> = misspelt.flat_map(|warning| &warning.labels).map(|label| label.span).collect();
    let never = file
        .procedures()
        .filter(|procedure| !asked.contains(&*procedure.name.text) && !meant.contains(&procedure.name.span));
    found.extend(never.map(|procedure| {
        let text = format!("`{}` is declared, but no scene asks it", procedure.name.text);
        let variables: Vec<String> = procedure.parameters.iter().map(|it| format!("${}", it.text)).collect();
        Diagnostic::new(Code::NeverAsked, procedure.name.span, text, "never asked").with_help(format!(
            "Ask it, as in `$v = {}({})`, or remove it",
            procedure.name.text,
            variables.join(", ")
        ))
    }));
}
