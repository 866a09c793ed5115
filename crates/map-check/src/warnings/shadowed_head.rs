//! MAP304: a head that no call ever reaches, because an earlier head matches every call that it matches.

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::TermKind;

use super::LintContext;
use crate::heads::plain_constant;

/// The number of earlier heads examined for each head.
const MAX_SEARCHED: usize = 256;

/// Returns the clauses whose heads are shadowed.
pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) -> Vec<usize> {
    let mut shadowed = Vec::new();
    // Earlier heads by part, arity and leading constant; `None` for those without one.
    let mut earlier: HashMap<(usize, usize, Option<&TermKind>), Vec<usize>> = HashMap::new();
    for (index, clause) in cx.clauses() {
        let (part, arity) = (cx.checked.clauses[index].part, clause.parameters.len());
        let entry = cx.checked.parts[part].entry == index;
        let first = clause.parameters.first().and_then(plain_constant);
        let mut keys = vec![None];
        keys.extend(first.map(Some));
        let mut alike = keys.into_iter().filter_map(|key| earlier.get(&(part, arity, key)));
        let by = alike.find_map(|heads| {
            heads.iter().take(MAX_SEARCHED).copied().find(|&head| cx.checked.takes_all_of(head, index))
        });
        match by {
            Some(by) if !entry => {
                shadowed.push(index);
                found.push(warning(cx, index, by));
            }
            _ => earlier.entry((part, arity, first)).or_default().push(index),
        }
    }
    shadowed
}

fn warning(cx: &LintContext<'_>, index: usize, by: usize) -> Diagnostic {
    let same = cx.checked.takes_all_of(index, by);
    let text = match same {
        true => "this head takes the same calls as an earlier one, so its clause never runs",
        false => "an earlier head takes every call that this one would take, so its clause never runs",
    };
    let help = match same {
        true => "Remove one of the two clauses, or tell their heads apart",
        false => "Put this clause before the other: the first head that matches is taken",
    };
    Diagnostic::new(Code::ShadowedHead, cx.clause(index).head_span, text, "no call comes so far")
        .with_label(cx.clause(by).head_span, "taken by this head")
        .with_help(help)
}
