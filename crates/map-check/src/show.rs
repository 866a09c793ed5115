//! Terms and lists of names as they appear in diagnostics.

use map_syntax::ast::{Name, Term, TermKind};

/// The number of names a list shows before it says how many more there are.
const MAX_LISTED: usize = 6;

/// The largest remainder it counts, so that a file full of errors about a long list stays cheap.
const MAX_COUNTED: usize = 100;

/// A term as the author wrote it.
pub(crate) fn term(term: &Term) -> String {
    constant(&term.kind)
}

/// A term without its span, as the author wrote it.
pub(crate) fn constant(term: &TermKind) -> String {
    match term {
        TermKind::Variable(name) => format!("${name}"),
        TermKind::Agent(name) => format!("!{name}"),
        TermKind::Role(name) => format!("%{name}"),
        TermKind::Name(name) => name.clone(),
        TermKind::Integer(value) => value.to_string(),
        TermKind::Text(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{}\"", escaped.replace('\n', "\\n").replace('\t', "\\t"))
        }
        TermKind::Wildcard => "_".to_owned(),
        TermKind::Expression(_) => "..".to_owned(),
    }
}

/// A call with these arguments.
pub(crate) fn call(arguments: &[Term]) -> String {
    format!("agent({})", arguments.iter().map(term).collect::<Vec<_>>().join(", "))
}

/// An ask of a procedure.
pub(crate) fn ask(variable: Option<&Name>, procedure: &Name, arguments: &[Term]) -> String {
    let arguments = arguments.iter().map(term).collect::<Vec<_>>().join(", ");
    let into = variable.map_or_else(String::new, |it| format!("${} = ", it.text));
    format!("{into}{}({arguments})", procedure.text)
}

/// "`a`, `b` and `c`"; long lists are shortened.
pub(crate) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut names = names.into_iter();
    let mut shown: Vec<String> =
        names.by_ref().take(MAX_LISTED).map(|name| format!("`{}`", name.as_ref())).collect();
    match names.take(MAX_COUNTED).count() {
        0 => {}
        MAX_COUNTED => shown.push("many more".to_owned()),
        more => shown.push(format!("{more} more")),
    }
    match shown.pop() {
        Some(last) if shown.is_empty() => last,
        Some(last) => format!("{} and {last}", shown.join(", ")),
        None => String::new(),
    }
}

/// "1 argument", "2 arguments".
pub(crate) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
