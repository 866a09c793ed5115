//! The results of the static checks of a scene: its tables and the occurrences of variables.

use map_check::{CheckedScene, Occurrence};
use map_diagnostics::{SourceFile, Span};
use map_syntax::ast::Clause;

use super::tree::Tree;
use super::{listed, span, start};

/// The tables of a checked scene, one after the other; numbers in brackets are indices into them.
#[must_use]
pub fn names(source: &SourceFile, checked: &CheckedScene<'_>) -> String {
    let mut tree = Tree::new();
    tree.line(format_args!("scene {}  {}", checked.scene.name.text, span(source, checked.scene.span)));
    section(&mut tree, "roles", checked.roles.iter().map(|role| format!("%{role}")));
    section(&mut tree, "parts", (0..checked.parts.len()).map(|index| part(checked, index)));
    let heads = checked.scene.clauses.iter().zip(&checked.clauses);
    let clauses = heads.map(|(clause, info)| {
        let head = super::one_line(source.slice(clause.head_span));
        format!("{head}  part [{}]  {}", info.part, span(source, clause.span))
    });
    section(&mut tree, "clauses", clauses);
    let agents = checked.agents.iter().map(|agent| format!("!{}  part [{}]", agent.name, agent.part));
    section(&mut tree, "agents", agents);
    let procedures = checked.procedures.iter().map(|(name, info)| {
        let refuses = if info.may_refuse { "may say no" } else { "always answers" };
        format!("{name}/{}  {refuses}  {}", info.arity, span(source, info.span))
    });
    section(&mut tree, "procedures", procedures);
    tree.line("occurrences of variables");
    tree.deeper();
    for (index, clause) in checked.scene.clauses.iter().enumerate() {
        tree.line(format_args!("in clause [{index}]"));
        tree.deeper();
        for line in occurrences(source, checked, clause) {
            tree.line(line);
        }
        tree.back();
    }
    tree.back();
    tree.finish()
}

fn section(tree: &mut Tree, title: &str, rows: impl Iterator<Item = String>) {
    tree.line(title);
    tree.deeper();
    for (index, row) in rows.enumerate() {
        tree.line(format_args!("[{index}] {row}"));
    }
    tree.back();
}

fn part(checked: &CheckedScene<'_>, index: usize) -> String {
    let part = &checked.parts[index];
    let who = part.literal.as_ref().map_or_else(|| "$..".to_owned(), |name| format!("!{name}"));
    let role = checked.roles.get_index(part.role).map_or("", String::as_str);
    let numbers = |list: &mut dyn Iterator<Item = usize>| listed(list.map(|it| format!("[{it}]")));
    format!(
        "agent({who}, %{role})  clauses {}, entry [{}]  agents {}",
        numbers(&mut part.clauses.iter().copied()),
        part.entry,
        numbers(&mut part.agents.clone()),
    )
}

/// The occurrences inside a clause, in the order of the text.
fn occurrences(source: &SourceFile, checked: &CheckedScene<'_>, clause: &Clause) -> Vec<String> {
    let inside = |at: u32| (clause.span.start..clause.span.end).contains(&at);
    let mut found: Vec<(u32, Occurrence)> =
        checked.occurrences.iter().map(|(&at, &it)| (at, it)).filter(|&(at, _)| inside(at)).collect();
    found.sort_unstable_by_key(|&(at, _)| at);
    let lines = found.into_iter().map(|(at, occurrence)| {
        let does = match occurrence {
            Occurrence::Binds => "binds",
            Occurrence::Compares => "compares",
            Occurrence::Value => "value",
        };
        format!("{}  {}  {does}", start(source, at), variable(source, Span::new(at, clause.span.end)))
    });
    lines.collect()
}

/// The variable at the start of a piece of source, with its sigil.
fn variable(source: &SourceFile, from: Span) -> &str {
    let text = source.slice(from);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.char_indices().skip(1).find(|&(_, c)| !is_name(c)).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
