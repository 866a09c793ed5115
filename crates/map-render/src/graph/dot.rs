//! Graphs in DOT, the language of Graphviz.

use std::fmt::Write as _;

use super::{Edge, Graph, Mark, Node, Shape};

/// Prints graphs; if there are several, each is a cluster.
#[must_use]
pub fn dot(graphs: &[Graph]) -> String {
    let mut text = String::from("digraph map {\n");
    text.push_str("  node [fontname=\"monospace\", fontsize=11, style=filled, fillcolor=\"#ffffff\"];\n");
    text.push_str("  edge [fontname=\"monospace\", fontsize=10];\n");
    for (index, graph) in graphs.iter().enumerate() {
        let title = quoted(std::slice::from_ref(&graph.title));
        let _ = match graphs.len() {
            1 => writeln!(text, "  label={title}; labelloc=t; fontname=\"monospace\";"),
            _ => writeln!(text, "  subgraph cluster_{index} {{\n  label={title}; fontname=\"monospace\";"),
        };
        for (number, node) in graph.nodes.iter().enumerate() {
            let _ = writeln!(text, "  g{index}n{number} [{}];", node_attributes(node));
        }
        for edge in &graph.edges {
            let (from, to) = (edge.from, edge.to);
            let _ = writeln!(text, "  g{index}n{from} -> g{index}n{to} [{}];", edge_attributes(edge));
        }
        if graphs.len() > 1 {
            text.push_str("  }\n");
        }
    }
    text.push_str("}\n");
    text
}

fn node_attributes(node: &Node) -> String {
    let (fill, border) = node.mark.colours();
    let marked = match node.mark {
        Mark::Plain => String::new(),
        _ => format!(", fillcolor=\"{fill}\", color=\"{border}\""),
    };
    match node.shape {
        Shape::Initial => "shape=point, width=0.15, fillcolor=\"#000000\", label=\"\"".to_owned(),
        Shape::State => {
            format!("shape=box, style=\"rounded,filled\", label={}{marked}", quoted(&node.lines()))
        }
        Shape::Choice => "shape=diamond, width=0.25, height=0.25, label=\"\"".to_owned(),
        Shape::Call => format!("shape=component, label={}{marked}", quoted(&node.lines())),
        Shape::Bar => {
            "shape=box, width=0.9, height=0.06, fixedsize=true, fillcolor=\"#000000\", label=\"\"".to_owned()
        }
        Shape::End => {
            format!(
                "shape=box, style=\"rounded,filled\", peripheries=2, label={}{marked}",
                quoted(&node.lines())
            )
        }
    }
}

fn edge_attributes(edge: &Edge) -> String {
    let colour = if edge.never { "#9aa0a6" } else { edge.kind.colour() };
    let mut attributes = format!("label={}, color=\"{colour}\", fontcolor=\"{colour}\"", quoted(&edge.label));
    if edge.never {
        attributes.push_str(", style=dotted");
    } else if edge.kind.is_dashed() {
        attributes.push_str(", style=dashed");
    }
    if edge.highlighted {
        attributes.push_str(", penwidth=3");
    }
    attributes
}

/// Lines as a quoted string. DOT strings end only at a quote; in labels a backslash starts an escape, so it is doubled.
fn quoted(lines: &[String]) -> String {
    let mut text = String::from("\"");
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            text.push_str("\\n");
        }
        for character in line.chars() {
            match character {
                '"' => text.push_str("\\\""),
                '\\' => text.push_str("\\\\"),
                // Graphviz decodes HTML entities in every label.
                '&' => text.push_str("&amp;"),
                character if character.is_control() => text.push('\u{fffd}'),
                character => text.push(character),
            }
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_backslashes_and_entities_stay_text() {
        let lines = ["a\"];b[\\n".to_owned(), "&lt;\n".to_owned()];
        assert_eq!(quoted(&lines), r#""a\"];b[\\n\n&amp;lt;�""#);
    }
}
