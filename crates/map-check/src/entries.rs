//! Checks that every part has exactly one entry clause.

use map_diagnostics::{Code, Diagnostic};

use crate::parts::{Parts, is_entry};
use crate::show;

pub(crate) fn check(parts: &Parts<'_>, errors: &mut Vec<Diagnostic>) {
    for (index, part) in parts.list.iter().enumerate() {
        let clauses = part.clauses.iter().filter_map(|&clause| parts.scene.clauses.get(clause));
        let mut entries = clauses.filter(|clause| is_entry(clause));
        let Some(first) = entries.next() else {
            errors.extend(no_entry(parts, index));
            continue;
        };
        for second in entries {
            let text = format!("`{}` has two entry clauses", parts.title(index));
            errors.push(
                Diagnostic::new(Code::TwoEntries, second.head_span, text, "another entry clause")
                    .with_label(first.head_span, "the first entry clause")
                    .with_note("A clause whose head has only an agent and a role is where its agents begin")
                    .with_help("Remove one of the two, or give it a further term and call it by that"),
            );
        }
    }
}

fn no_entry(parts: &Parts<'_>, index: usize) -> Option<Diagnostic> {
    let first = parts.first_clause(index)?;
    let (title, role) = (parts.title(index), parts.list[index].role);
    let who = parts.list[index].literal.map_or_else(|| "$x".to_owned(), |name| format!("!{name}"));
    let entry = format!("agent({who}, %{})", parts.role_name(role));
    let text = format!("`{title}` has no entry clause");
    let label = "all its clauses have further terms";
    if let Some(meant) = parts.meant_for(index) {
        let meant = parts.role_name(meant);
        return Some(
            Diagnostic::new(Code::NoEntry, first.head_span, text, label)
                .with_help(format!("Did you mean `%{meant}`?")),
        );
    }
    let mut error = Diagnostic::new(Code::NoEntry, first.head_span, text, label)
        .with_help(format!("Add a clause `{entry} = ..`: it is where `{title}` begins"));
    let others: Vec<String> =
        parts.of_role[role].iter().filter(|&&part| part != index).map(|&part| parts.title(part)).collect();
    if !others.is_empty() {
        error = error.with_note(format!(
            "The clauses for {} are of the same role, but a part of their own: their first term differs",
            show::list(others)
        ));
    }
    Some(error)
}
