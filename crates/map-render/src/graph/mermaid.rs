//! Graphs as Mermaid flowcharts.

use std::fmt::Write as _;

use super::{Edge, Graph, Mark, Node, Shape};

/// Prints graphs, each as a subgraph.
#[must_use]
pub fn mermaid(graphs: &[Graph]) -> String {
    let mut text = String::from("flowchart TD\n");
    let mut edges = 0;
    for (index, graph) in graphs.iter().enumerate() {
        // A subgraph even for a single graph, because that is how Mermaid shows a title.
        let title = escaped(std::slice::from_ref(&graph.title));
        // A second line of a title would lie on the first node.
        let _ = writeln!(text, "  subgraph g{index}[\"{}\"]", title.replace(' ', "#160;"));
        // The direction of a subgraph is not that of the whole.
        let _ = writeln!(text, "    direction TB");
        for (number, node) in graph.nodes.iter().enumerate() {
            let _ = writeln!(text, "    g{index}n{number}{}", shaped(node));
        }
        for edge in &graph.edges {
            let arrow = if edge.never || edge.kind.is_dashed() { "-.->" } else { "-->" };
            let label = match edge.label.is_empty() {
                true => String::new(),
                false => format!("|\"{}\"|", escaped(&edge.label)),
            };
            let (from, to) = (edge.from, edge.to);
            let _ = writeln!(text, "    g{index}n{from} {arrow}{label} g{index}n{to}");
        }
        text.push_str("  end\n");
        for edge in &graph.edges {
            if let Some(style) = style(edge) {
                let _ = writeln!(text, "  linkStyle {edges} {style}");
            }
            edges += 1;
        }
    }
    let nodes = || {
        let of = |(index, graph): (usize, &Graph)| {
            let marked = graph.nodes.iter().enumerate().map(move |(number, node)| (node.mark, index, number));
            marked.collect::<Vec<_>>()
        };
        graphs.iter().enumerate().flat_map(of)
    };
    for mark in Mark::ALL.into_iter().filter(|&mark| mark != Mark::Plain) {
        let marked: Vec<String> = nodes()
            .filter(|&(it, ..)| it == mark)
            .map(|(_, index, number)| format!("g{index}n{number}"))
            .collect();
        if !marked.is_empty() {
            let (fill, border) = mark.colours();
            let class = mark.class();
            let _ = writeln!(text, "  classDef {class} fill:{fill},stroke:{border},color:#1f2328");
            let _ = writeln!(text, "  class {} {class}", marked.join(","));
        }
    }
    text
}

fn shaped(node: &Node) -> String {
    let label = escaped(&node.lines());
    match node.shape {
        Shape::Initial => "((\" \"))".to_owned(),
        Shape::State => format!("(\"{label}\")"),
        Shape::Choice => "{\" \"}".to_owned(),
        Shape::Call => format!("[[\"{label}\"]]"),
        Shape::Bar => "[\"par\"]".to_owned(),
        Shape::End => format!("(((\"{label}\")))"),
    }
}

fn style(edge: &Edge) -> Option<String> {
    let colour = if edge.never { "#9aa0a6" } else { edge.kind.colour() };
    edge.highlighted.then(|| format!("stroke:{colour},stroke-width:4px"))
}

/// Lines as the content of a quoted text. Every character that may have a meaning to Mermaid, Markdown or HTML is
/// written as its code point between `#` and `;`.
fn escaped(lines: &[String]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            text.push_str("<br/>");
        }
        for character in line.chars() {
            match character {
                ' ' | '$' | '%' | '!' | '(' | ')' | ',' | '.' | ':' | '=' | '-' | '?' | '/' => {
                    text.push(character);
                }
                character if character.is_alphanumeric() => text.push(character),
                character if character.is_control() => text.push('\u{fffd}'),
                character => {
                    let _ = write!(text, "#{};", u32::from(character));
                }
            }
        }
    }
    if text.is_empty() { " ".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_but_words_is_written_as_it_is() {
        let lines = ["say(\"<b>`x`#;\")".to_owned(), "end".to_owned()];
        assert_eq!(escaped(&lines), "say(#34;#60;b#62;#96;x#96;#35;#59;#34;)<br/>end");
    }
}
