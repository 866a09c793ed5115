//! MAP304: a head that no call ever reaches, because an earlier one takes all that it would take.

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::TermKind;

use super::Study;
use crate::heads::plain_constant;

/// How many earlier heads are looked at.
const MAX_SEARCHED: usize = 256;

/// Returns the clauses whose heads are shadowed.
pub(super) fn find(study: &Study<'_>, found: &mut Vec<Diagnostic>) -> Vec<usize> {
    let mut shadowed = Vec::new();
    // Earlier heads of a part and arity: those that begin with a certain constant, and under `None` the others.
    let mut earlier: HashMap<(usize, usize, Option<&TermKind>), Vec<usize>> = HashMap::new();
    for (index, clause) in study.clauses() {
        let (part, arity) = (study.checked.clauses[index].part, clause.parameters.len());
        let entry = study.checked.parts[part].entry == index;
        let first = clause.parameters.first().and_then(plain_constant);
        let mut keys = vec![None];
        keys.extend(first.map(Some));
        let mut alike = keys.into_iter().filter_map(|key| earlier.get(&(part, arity, key)));
        let by = alike.find_map(|heads| {
            heads.iter().take(MAX_SEARCHED).copied().find(|&head| study.checked.takes_all_of(head, index))
        });
        match by {
            Some(by) if !entry => {
                shadowed.push(index);
                found.push(warning(study, index, by));
            }
            _ => earlier.entry((part, arity, first)).or_default().push(index),
        }
    }
    shadowed
}

fn warning(study: &Study<'_>, index: usize, by: usize) -> Diagnostic {
    let same = study.checked.takes_all_of(index, by);
    let text = match same {
        true => "this head takes the same calls as an earlier one, so its clause never runs",
        false => "an earlier head takes every call that this one would take, so its clause never runs",
    };
    let help = match same {
        true => "Remove one of the two clauses, or tell their heads apart",
        false => "Put this clause before the other: the first head that matches is taken",
    };
    Diagnostic::new(Code::ShadowedHead, study.clause(index).head_span, text, "no call comes so far")
        .with_label(study.clause(by).head_span, "taken by this head")
        .with_help(help)
}
