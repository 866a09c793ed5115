//! Graphs as SVG pictures.

use std::fmt::Write as _;

use super::layout::{Area, Layout, Plan, PlannedEdge, PlannedNode, Point, Route, Segment, Size, layout};
use super::{Edge, Graph, Mark, Node, Shape};
use crate::markup::Element;
use crate::measure::{clean, shorten, width};

/// The style of a graph; neutral colours follow the reader's light or dark scheme.
const STYLE: &str = include_str!("svg/style.css");

/// The width of a column and the height of a line, in pixels: for a monospaced font of 12 pixels, with a little to
/// spare.
const COLUMN: f64 = 7.3;
const LINE: f64 = 15.0;

/// Longer lines are shortened; a tooltip shows the whole text.
const MAX_COLUMNS: usize = 44;

/// Nodes are widened for at most this many edges on one side.
const MAX_ATTACHED: usize = 16;

/// The margin around a picture.
const MARGIN: f64 = 12.0;

/// The height of a title.
const TITLE: f64 = 30.0;

/// Draws graphs, one below the other, as an `svg` element, for a page or, printed, a file of its own.
#[must_use]
pub fn draw(graphs: &[Graph]) -> Element {
    let mut drawn = Vec::new();
    let mut size = Size { width: 0.0, height: MARGIN };
    for graph in graphs {
        let layout = laid_out(graph);
        let legend = legend(graph);
        let title = text_size(std::slice::from_ref(&graph.title)).width;
        let y = size.height;
        drawn.push(title_of(graph, Point { x: MARGIN, y: y + 16.0 }));
        drawn.push(legend.0.with("transform", format!("translate({MARGIN:.0} {:.0})", y + TITLE)));
        let top = y + TITLE + legend.1.height;
        let picture = picture(graph, &layout);
        drawn.push(picture.with("transform", format!("translate({MARGIN:.0} {top:.0})")));
        let width = layout.size.width.max(title).max(legend.1.width) + 2.0 * MARGIN;
        size = Size { width: size.width.max(width), height: top + layout.size.height + 2.0 * MARGIN };
    }
    let (width, height) = (size.width.ceil(), size.height.ceil());
    let titles: Vec<&str> = graphs.iter().map(|graph| graph.title.as_str()).collect();
    Element::svg("map-graph", (width, height), &titles.join("; "), STYLE).children(drawn)
}

/// The layout of a graph.
#[must_use]
pub fn laid_out(graph: &Graph) -> Layout {
    let (mut leaving, mut coming) = (vec![0_usize; graph.nodes.len()], vec![0_usize; graph.nodes.len()]);
    for edge in &graph.edges {
        leaving[edge.from] += 1;
        coming[edge.to] += 1;
    }
    let degrees = leaving.iter().zip(&coming).map(|(leaving, coming)| *leaving.max(coming));
    let nodes = graph.nodes.iter().zip(degrees).map(|(node, degree)| planned(node, degree)).collect();
    let planned_edge = |edge: &Edge| {
        let label = (!edge.label.is_empty()).then(|| text_size(&edge.label));
        PlannedEdge { from: edge.from, to: edge.to, label }
    };
    layout(&Plan { nodes, edges: graph.edges.iter().map(planned_edge).collect() })
}

/// The size of a node that has at most `degree` edges on either side.
fn planned(node: &Node, degree: usize) -> PlannedNode {
    let text = text_size(&node.lines());
    let room = (10 * degree.min(MAX_ATTACHED) + 20) as f64;
    let (width, height, flat) = match node.shape {
        Shape::Initial => (14.0, 14.0, 0.0),
        Shape::Choice => (20.0, 20.0, 0.0),
        Shape::Bar => (84.0, 6.0, 70.0),
        Shape::State | Shape::End => {
            let width = (text.width + 18.0).max(34.0).max(room);
            (width, text.height + 9.0, width - 20.0)
        }
        Shape::Call => (text.width + 30.0, text.height + 11.0, text.width),
    };
    PlannedNode { size: Size { width, height }, flat }
}

fn text_size(lines: &[String]) -> Size {
    let columns = lines.iter().map(|line| width(&shown(line))).max().unwrap_or(0);
    Size { width: columns as f64 * COLUMN, height: lines.len() as f64 * LINE }
}

/// A line as it is drawn.
fn shown(line: &str) -> String {
    shorten(&clean(line), MAX_COLUMNS)
}

fn title_of(graph: &Graph, at: Point) -> Element {
    Element::new("text").with("class", "title").with("x", at.x).with("y", at.y).text(clean(&graph.title))
}

/// A legend for the colours of marked nodes, except those whose shape explains them; and its size.
fn legend(graph: &Graph) -> (Element, Size) {
    let has_sign = |node: &Node| matches!(node.shape, Shape::End | Shape::Initial);
    let marked = |mark: Mark| graph.nodes.iter().any(|node| node.mark == mark && !has_sign(node));
    let marks = Mark::ALL.into_iter().filter(|&mark| !mark.meaning().is_empty() && marked(mark));
    let (mut group, mut x) = (Element::new("g").with("class", "legend"), 0.0);
    for mark in marks {
        let swatch =
            Element::new("rect").with("x", number(x)).with("y", 1).with("width", 12).with("height", 12);
        let text = Element::new("text").with("x", number(x + 18.0)).with("y", 11).text(mark.meaning());
        group = group.child(Element::new("g").with("class", mark.class()).child(swatch).child(text));
        x += 18.0 + (width(mark.meaning()) + 3) as f64 * COLUMN;
    }
    (group, Size { width: x, height: if x > 0.0 { 24.0 } else { 0.0 } })
}

fn picture(graph: &Graph, layout: &Layout) -> Element {
    // Highlighted edges come last, so that no other hides them.
    let (last, first): (Vec<_>, Vec<_>) =
        graph.edges.iter().zip(&layout.edges).partition(|(edge, _)| edge.highlighted);
    let edges = first.into_iter().chain(last).map(|(edge, route)| edge_drawn(edge, route));
    let nodes = graph.nodes.iter().zip(&layout.nodes).map(|(node, area)| node_drawn(node, area));
    Element::new("g").children(edges).children(nodes)
}

fn node_drawn(node: &Node, area: &Area) -> Element {
    let (Point { x, y }, Size { width, height }) = (area.at, area.size);
    let (middle_x, middle_y) = (x + width / 2.0, y + height / 2.0);
    let lines = node.lines();
    let group =
        Element::new("g").with("class", format!("node {} {}", shape_class(node.shape), node.mark.class()));
    // A page marks where agents stand.
    let group = match node.place {
        Some(place) => group.with("data-place", place),
        None => group,
    };
    let group = match node.state {
        Some(state) => group.with("data-state", state),
        None => group,
    };
    let rect = |inset: f64, round: f64| {
        Element::new("rect")
            .with("x", number(x + inset))
            .with("y", number(y + inset))
            .with("width", number(width - 2.0 * inset))
            .with("height", number(height - 2.0 * inset))
            .with("rx", number(round))
    };
    let drawn = match node.shape {
        Shape::Initial => group.child(
            Element::new("circle")
                .with("cx", number(middle_x))
                .with("cy", number(middle_y))
                .with("r", number(width / 2.0)),
        ),
        Shape::State => group.child(rect(0.0, 8.0)),
        Shape::Choice => {
            let mut path = String::new();
            let _ = write!(
                path,
                "M{} {}L{} {}L{} {}L{} {}Z",
                number(middle_x),
                number(y),
                number(x + width),
                number(middle_y),
                number(middle_x),
                number(y + height),
                number(x),
                number(middle_y)
            );
            group.child(Element::new("path").with("d", path))
        }
        Shape::Call => {
            let side = |at: f64| {
                let (top, bottom) = (number(y), number(y + height));
                Element::new("path").with("d", format!("M{0} {top}L{0} {bottom}", number(at)))
            };
            group.child(rect(0.0, 0.0)).child(side(x + 6.0)).child(side(x + width - 6.0))
        }
        Shape::Bar => group.child(rect(0.0, 2.0)),
        Shape::End => {
            let round = if lines.len() > 1 { 12.0 } else { height / 2.0 };
            group.child(rect(0.0, round)).child(rect(3.0, round - 3.0))
        }
    };
    let drawn = match explained(&lines) {
        Some(text) => drawn.child(Element::new("title").text(text)),
        None => drawn,
    };
    let top = middle_y - lines.len() as f64 * LINE / 2.0;
    drawn.children(text_lines(&lines, middle_x, top, "middle"))
}

const fn shape_class(shape: Shape) -> &'static str {
    match shape {
        Shape::Initial => "initial",
        Shape::State => "state",
        Shape::Choice => "choice",
        Shape::Call => "call",
        Shape::Bar => "bar",
        Shape::End => "end",
    }
}

/// The whole text, if it is shortened in the drawing.
fn explained(lines: &[String]) -> Option<String> {
    lines.iter().any(|line| shown(line) != *line).then(|| lines.join(" "))
}

fn text_lines(lines: &[String], x: f64, top: f64, anchor: &'static str) -> Vec<Element> {
    let line = |(index, line): (usize, &String)| {
        let y = top + (index as f64 + 1.0) * LINE - 4.0;
        let text = Element::new("text").with("x", number(x)).with("y", number(y));
        let text = if anchor == "middle" { text.with("text-anchor", anchor) } else { text };
        text.text(shown(line))
    };
    lines.iter().enumerate().map(line).collect()
}

fn edge_drawn(edge: &Edge, route: &Route) -> Element {
    let mut class = format!("edge {}", edge.kind.class());
    for (is, word) in
        [(edge.kind.is_dashed(), " dashed"), (edge.never, " never"), (edge.highlighted, " shown")]
    {
        class.push_str(if is { word } else { "" });
    }
    let (line, head) = path(route);
    let mut group = Element::new("g")
        .with("class", class)
        .child(Element::new("path").with("d", line))
        .child(Element::new("path").with("class", "head").with("d", head));
    if let Some(text) = explained(&edge.label) {
        group = group.child(Element::new("title").text(text));
    }
    match &route.label {
        Some(label) => group.children(text_lines(&edge.label, label.at.x, label.at.y, "start")),
        None => group,
    }
}

/// The paths of an edge's line and of its arrowhead.
fn path(route: &Route) -> (String, String) {
    let point = |at: Point| format!("{} {}", number(at.x), number(at.y));
    let mut line = format!("M{}", point(route.start));
    let (mut from, mut end) = (route.start, route.start);
    for segment in &route.segments {
        let _ = match *segment {
            Segment::Line(to) => write!(line, "L{}", point(to)),
            Segment::Curve(first, second, to) => {
                write!(line, "C{} {} {}", point(first), point(second), point(to))
            }
        };
        from = match *segment {
            Segment::Line(_) => end,
            Segment::Curve(_, second, _) => second,
        };
        end = segment.end();
    }
    let (dx, dy) = (end.x - from.x, end.y - from.y);
    let length = dx.hypot(dy).max(1e-6);
    let (dx, dy) = (dx / length, dy / length);
    let corner = |side: f64| Point { x: end.x - 8.0 * dx - side * dy, y: end.y - 8.0 * dy + side * dx };
    (line, format!("M{}L{}L{}Z", point(end), point(corner(3.5)), point(corner(-3.5))))
}

/// A coordinate with one decimal.
fn number(value: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (value * 10.0).round() / 10.0 + 0.0
}
