//! The shape of a tree of tree-sitter.

use tree_sitter::Node;

use super::list;

/// The shape of a node, without parentheses and comments.
#[must_use]
pub fn of_node(node: Node<'_>, text: &str) -> String {
    let written = || text[node.byte_range()].to_owned();
    let parts = || parts(node, text);
    match node.kind() {
        "cast" | "memory" => node.kind().to_owned(),
        "skip" => "skip".to_owned(),
        // Quotes, digits and escapes are not compared, only that there is a string or an integer.
        "string" => "\"\"".to_owned(),
        "integer" => written().parse::<i64>().map_or_else(|_| "?".to_owned(), |it| it.to_string()),
        "group" | "parentheses" => parts().remove(0),
        "possible" if node.named_child(0).is_some_and(|it| it.kind() == "event_sequence") => {
            parts().remove(0)
        }
        _ if node.named_child_count() == 0 && !["call", "arguments", "parameters"].contains(&node.kind()) => {
            written()
        }
        _ => list(&label(node, text), parts()),
    }
}

/// The shapes of the named children. Lists of arguments and the like are not nodes of their own in the other tree.
fn parts(node: Node<'_>, text: &str) -> Vec<String> {
    let mut cursor = node.walk();
    let children: Vec<_> = node.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
    let mut found = Vec::new();
    for child in children {
        match child.kind() {
            "arguments" | "parameters" | "message" | "pattern" | "address" | "clause_head" => {
                found.extend(parts(child, text));
            }
            _ => found.push(of_node(child, text)),
        }
    }
    found
}

fn label(node: Node<'_>, text: &str) -> String {
    let field = |name| node.child_by_field_name(name).map(|it| text[it.byte_range()].to_owned());
    let first_word = || node.child(0).map_or("", |it| it.kind()).to_owned();
    match node.kind() {
        "source_file" => "file".to_owned(),
        "sequence" => "then".to_owned(),
        "choice" => "or".to_owned(),
        "parallel" => "par".to_owned(),
        "comparison" | "sum" | "product" | "until" | "temporal" => field("operator").unwrap_or_default(),
        "minimum" => "min".to_owned(),
        "maximum" => "max".to_owned(),
        "conditional" => "if".to_owned(),
        "any_of" => "in".to_owned(),
        "value_set" => "set".to_owned(),
        "weighed_range" => "by".to_owned(),
        "alternative" => if field("guard").is_some() { "|" } else { "=" }.to_owned(),
        "event_sequence" => "sequence".to_owned(),
        "procedure" | "quantified" | "status" | "distribution" | "moment" => first_word(),
        "answers" => format!("answers {}", field("answer").unwrap_or_default()),
        kind => kind.to_owned(),
    }
}
