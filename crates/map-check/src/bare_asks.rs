//! MAP210: an ask without a variable names a declared procedure. Otherwise it cannot be told from a message whose arrow
//! was forgotten.

use std::collections::{HashMap, HashSet};

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{File, Name, OpKind, Scene, Term, TermKind};

use crate::{suggest, walk};

/// The names of the declared procedures.
pub(crate) fn declared(file: &File) -> HashSet<&str> {
    file.procedures().map(|it| &*it.name.text).collect()
}

pub(crate) fn check(file: &File, declared: &HashSet<&str>, scene: &Scene, errors: &mut Vec<Diagnostic>) {
    let mut asks = Vec::new();
    // The first send or receive of each message, with the word for it.
    let mut exchanged: HashMap<&str, (Span, &str)> = HashMap::new();
    for clause in &scene.clauses {
        walk::operations(&clause.body, &mut |op| match &op.kind {
            OpKind::Ask { variable: None, procedure, arguments } if !declared.contains(&*procedure.text) => {
                asks.push((op.span, procedure, arguments));
            }
            OpKind::Send { message, .. } => {
                exchanged.entry(&message.performative.text).or_insert((message.span, "sent"));
            }
            OpKind::Receive { message, .. } => {
                exchanged.entry(&message.performative.text).or_insert((message.span, "received"));
            }
            _ => {}
        });
    }
    for (span, procedure, arguments) in asks {
        errors.push(match exchanged.get(&*procedure.text) {
            Some(&(other, how)) => without_arrow(span, procedure, other, how),
            None => {
                let alike = file.procedures().filter(|it| it.parameters.len() == arguments.len());
                let near = suggest::nearest(&procedure.text, alike.map(|it| &*it.name.text));
                undeclared(span, procedure, arguments, near)
            }
        });
    }
}

/// The scene sends or receives messages of this name.
fn without_arrow(span: Span, name: &Name, other: Span, how: &str) -> Diagnostic {
    let name = &name.text;
    let text = format!("`{name}(..)` is neither sent nor received");
    Diagnostic::new(Code::MissingArrow, span, text, "an arrow and an address are missing behind this")
        .with_label(other, format!("a message of this name is {how} here"))
        .with_help(format!("`{name}(..) => agent($a, %role)` sends it, `<=` receives it"))
        .with_help(format!("if `{name}` is a decision as well, declare it: `decision {name}(..)`"))
}

fn undeclared(span: Span, name: &Name, arguments: &[Term], near: Option<&str>) -> Diagnostic {
    let (asked, name) = (name.span, &name.text);
    let text = format!("`{name}(..)` asks a procedure that is not declared");
    let error = Diagnostic::new(
        Code::MissingArrow,
        span,
        text,
        "only a declared procedure is asked without a variable",
    );
    if let Some(near) = near {
        return error.with_help(format!("did you mean `{near}`?")).with_replacement(asked, near);
    }
    error
        .with_help(format!("declare it outside the scene: `decision {name}({})`", parameters(arguments)))
        .with_help(format!(
            "if `{name}(..)` is a message, `{name}(..) => agent($a, %role)` sends it, `<=` receives it"
        ))
}

/// Parameters for a declaration, named after the arguments of the ask where those are different variables.
fn parameters(arguments: &[Term]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        names.push(match &argument.kind {
            TermKind::Variable(name) if !names.contains(&format!("${name}")) => format!("${name}"),
            _ => format!("$a{}", index + 1),
        });
    }
    names.join(", ")
}
