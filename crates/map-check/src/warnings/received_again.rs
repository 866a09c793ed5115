//! MAP322: a variable that one receive binds and the next one compares, with no use in between. In MAP as published
//! (section 3 of the paper) a receive binds its variables anew, so texts in that style mean another value.

use std::collections::HashMap;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Clause, OpKind, Term, TermKind};

use super::LintContext;
use crate::{CheckedScene, Occurrence, walk};

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (_, clause) in cx.clauses() {
        found.extend(pairs(cx.checked, clause).into_iter().map(|pair| warning(&pair)));
    }
}

/// A variable that is received twice.
struct Pair<'a> {
    name: &'a str,
    bound: Span,
    compared: Span,
}

/// The pairs of a clause. Two occurrences belong together that follow each other in the text: where one is in another
/// alternative than the other, the second binds, and is none.
fn pairs<'a>(checked: &CheckedScene<'_>, clause: &'a Clause) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    // Variables whose last occurrence is the argument of a receive that binds it.
    let mut received: HashMap<&'a str, Span> = HashMap::new();
    walk::operations(&clause.body, &mut |op| match &op.kind {
        OpKind::Receive { message, from } => {
            for argument in &message.arguments {
                let TermKind::Variable(name) = &argument.kind else { continue };
                match (checked.occurrences.get(&argument.span.start), received.remove(name.as_str())) {
                    (Some(Occurrence::Binds), _) => _ = received.insert(name, argument.span),
                    // Within one message it asks for equal arguments.
                    (Some(Occurrence::Compares), Some(bound)) if bound.start < message.span.start => {
                        pairs.push(Pair { name, bound, compared: argument.span });
                    }
                    _ => {}
                }
            }
            forget(&mut received, [&from.agent, &from.role]);
        }
        OpKind::Send { message, to } => {
            forget(&mut received, message.arguments.iter().chain([&to.agent, &to.role]));
        }
        OpKind::Call { arguments } => forget(&mut received, arguments),
        OpKind::Ask { variable, arguments, .. } => {
            forget(&mut received, arguments);
            if let Some(variable) = variable {
                received.remove(variable.text.as_str());
            }
        }
        _ => {}
    });
    pairs
}

/// The variables in these terms are used.
fn forget<'a>(received: &mut HashMap<&'a str, Span>, terms: impl IntoIterator<Item = &'a Term>) {
    for term in terms {
        walk::variables(term, &mut |name, _| _ = received.remove(name));
    }
}

fn warning(pair: &Pair<'_>) -> Diagnostic {
    let &Pair { name, bound, compared } = pair;
    let text = format!("`${name}` has a value already, so this receive takes only a message with that value");
    Diagnostic::new(Code::ReceivedAgain, compared, text, "compared, not bound again")
        .with_label(bound, "bound here, and not used in between")
        .with_help(format!("For any value, give one of the two another name, such as `${name}2`"))
        .with_help("If the same value is meant, add `// map: allow(MAP322)`")
}
