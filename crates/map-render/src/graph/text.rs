//! Graphs in characters: every node with the edges that leave it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Edge, EdgeKind, Graph, Mark, Node, Shape};
use crate::measure::clean;

/// Prints graphs, one below the other.
#[must_use]
pub fn text(graphs: &[Graph]) -> String {
    graphs.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(graph: &Graph) -> String {
    let mut text = format!("{}\n", clean(&graph.title));
    let mut leaving: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        leaving[edge.from].push(edge);
    }
    let names = names(&graph.nodes);
    for ((node, name), leaving) in graph.nodes.iter().zip(&names).zip(&leaving) {
        let mark = match node.mark {
            Mark::Plain => String::new(),
            mark => format!("  [{}]", mark.meaning()),
        };
        let detail = match node.detail.join("; ") {
            none if none.is_empty() => none,
            detail => format!("  {}", clean(&detail)),
        };
        let _ = writeln!(text, "  {name}{mark}{detail}");
        for edge in leaving {
            let _ = writeln!(text, "    {}", arrow(edge, &names[edge.to]));
        }
    }
    text
}

/// What each node is called here. Those that would be called the same are numbered.
fn names(nodes: &[Node]) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let plain: Vec<String> = nodes.iter().map(plain_name).collect();
    for name in &plain {
        *seen.entry(name.clone()).or_default() += 1;
    }
    let repeated: BTreeMap<String, usize> = seen.into_iter().filter(|(_, times)| *times > 1).collect();
    let mut left = repeated.clone();
    let numbered = |name: String| match left.get_mut(&name) {
        Some(times) => {
            *times -= 1;
            format!("{name} ({})", repeated[&name] - *times)
        }
        None => name,
    };
    plain.into_iter().map(numbered).collect()
}

fn plain_name(node: &Node) -> String {
    match node.shape {
        Shape::Initial => "start".to_owned(),
        Shape::State | Shape::End => joined(&node.label),
        Shape::Choice => "choice".to_owned(),
        Shape::Call => format!("call {}", joined(&node.label)),
        Shape::Bar => "par".to_owned(),
    }
}

fn arrow(edge: &Edge, to: &str) -> String {
    let arrow = match edge.kind {
        EdgeKind::Timeout | EdgeKind::Failure | EdgeKind::Crash => "┄▶",
        EdgeKind::Send | EdgeKind::Receive | EdgeKind::Ask | EdgeKind::Move => "─▶",
    };
    let label = joined(&edge.label);
    let space = if label.is_empty() { "" } else { "  " };
    let never = if edge.never { "  (never)" } else { "" };
    let path = if edge.highlighted { "  (on the path)" } else { "" };
    format!("{arrow} {to}{space}{label}{never}{path}")
}

fn joined(lines: &[String]) -> String {
    clean(&lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, EdgeKind, Graph, Mark, Node, Shape};
    use super::text;

    #[test]
    fn nodes_with_their_edges() {
        let node = |shape, label: &str| Node::new(shape, vec![label.to_owned()]);
        let nodes = vec![
            Node::new(Shape::Initial, Vec::new()),
            Node {
                detail: vec!["!A waits".to_owned(), "!B has ended".to_owned()],
                ..node(Shape::State, "1")
            },
            Node { mark: Mark::Good, ..node(Shape::End, "done\u{1b}") },
            Node::new(Shape::Choice, Vec::new()),
            Node::new(Shape::Choice, Vec::new()),
        ];
        let label = |words: &str| words.split('|').map(str::to_owned).collect();
        let edges = vec![
            Edge::new(0, 1, EdgeKind::Move, Vec::new()),
            Edge::new(1, 2, EdgeKind::Send, label("send m()|to !B")),
            Edge { never: true, ..Edge::new(1, 1, EdgeKind::Timeout, label("timeout")) },
            Edge::new(3, 4, EdgeKind::Move, Vec::new()),
        ];
        let graph = Graph { title: "%a".to_owned(), nodes, edges };
        let drawn = "\
%a
  start
    ─▶ 1
  1  !A waits; !B has ended
    ─▶ done\\u{1b}  send m() to !B
    ┄▶ 1  timeout  (never)
  done\\u{1b}  [good end]
  choice (1)
    ─▶ choice (2)
  choice (2)
";
        assert_eq!(text(std::slice::from_ref(&graph)), drawn);
        assert_eq!(text(&[graph.clone(), graph]), format!("{drawn}\n{drawn}"));
    }
}
