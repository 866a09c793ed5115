//! Layered drawings of directed graphs: where nodes, edges and their labels go.
//!
//! The steps are those of K. Sugiyama, S. Tagawa and M. Toda, "Methods for Visual Understanding of Hierarchical System
//! Structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981: cycles are broken (`acyclic`), nodes get
//! ranks (`ranks`), edges that span several ranks get dummies there, of which one makes room for the label (`layered`);
//! then the nodes of each rank are put in an order with few crossings (`order`) and get coordinates (`coordinates`).
//!
//! Edges run straight down within the band of a rank, at the place of their dummy, and bend only between bands. So no edge
//! runs over a node or a label, whatever the graph is.

mod acyclic;
mod coordinates;
mod layered;
mod order;
mod ranks;
mod routes;

use self::layered::Layered;

/// Width and height, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A point, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Area {
    /// The upper left corner.
    pub at: Point,
    /// How large it is.
    pub size: Size,
}

/// What is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The sizes of the nodes.
    pub nodes: Vec<PlannedNode>,
    /// The edges.
    pub edges: Vec<PlannedEdge>,
}

/// A node to be drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlannedNode {
    /// How large it is.
    pub size: Size,
    /// Over which width in its middle edges may be attached.
    pub flat: f64,
}

/// An edge to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct PlannedEdge {
    /// Index of the node where it begins.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// The size of its label; nothing if it has none.
    pub label: Option<Size>,
}

/// A finished drawing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Layout {
    /// How large it is.
    pub size: Size,
    /// Where the nodes are.
    pub nodes: Vec<Area>,
    /// Where the edges run, from their beginning to their end.
    pub edges: Vec<Route>,
}

/// How an edge runs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Route {
    /// Where it begins.
    pub start: Point,
    /// How it goes on.
    pub segments: Vec<Segment>,
    /// Where its label stands.
    pub label: Option<Area>,
}

/// A piece of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// A straight line.
    Line(Point),
    /// A cubic Bézier curve: two control points, then its end.
    Curve(Point, Point, Point),
}

impl Segment {
    /// Where it ends.
    #[must_use]
    pub const fn end(self) -> Point {
        match self {
            Self::Line(end) | Self::Curve(_, _, end) => end,
        }
    }
}

impl Area {
    /// Whether two boxes have points in common, their borders aside.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let apart = |a: f64, a_size: f64, b: f64, b_size: f64| a + a_size <= b || b + b_size <= a;
        !apart(self.at.x, self.size.width, other.at.x, other.size.width)
            && !apart(self.at.y, self.size.height, other.at.y, other.size.height)
    }
}

/// Space between drawings of parts of a graph that do not hang together.
const GAP: f64 = 36.0;

/// Draws a graph. The same plan gives the same layout.
#[must_use]
pub fn layout(plan: &Plan) -> Layout {
    let mut whole = Layout {
        nodes: vec![Area::default(); plan.nodes.len()],
        edges: vec![Route::default(); plan.edges.len()],
        ..Layout::default()
    };
    let parts: Vec<(Part, Layout)> =
        connected(plan).into_iter().map(|part| (part.clone(), drawn(&part.plan))).collect();
    let area: f64 = parts.iter().map(|(_, it)| (it.size.width + GAP) * (it.size.height + GAP)).sum();
    let widest = parts.iter().map(|(_, it)| it.size.width).fold(0.0, f64::max);
    let shelf = widest.max(1.6 * area.sqrt());
    let (mut at, mut shelf_height) = (Point::default(), 0.0);
    for (part, drawing) in parts {
        if at.x > 0.0 && at.x + drawing.size.width > shelf {
            at = Point { x: 0.0, y: at.y + shelf_height + GAP };
            shelf_height = 0.0;
        }
        for (&index, area) in part.nodes.iter().zip(&drawing.nodes) {
            whole.nodes[index] = moved_area(*area, at);
        }
        for (&index, route) in part.edges.iter().zip(drawing.edges) {
            whole.edges[index] = moved(route, at);
        }
        whole.size.width = whole.size.width.max(at.x + drawing.size.width);
        whole.size.height = whole.size.height.max(at.y + drawing.size.height);
        shelf_height = drawing.size.height.max(shelf_height);
        at.x += drawing.size.width + GAP;
    }
    whole
}

/// Draws a graph that hangs together.
fn drawn(plan: &Plan) -> Layout {
    let backwards = acyclic::backwards(plan);
    let ranks = ranks::ranks(plan, &backwards);
    let mut layered = Layered::new(plan, &backwards, &ranks);
    order::order(&mut layered);
    let places = coordinates::places(&layered);
    routes::draw(plan, &layered, &places)
}

/// A part of a graph that hangs together, with the indices that its nodes and edges have in the whole.
#[derive(Clone, Debug, Default)]
struct Part {
    plan: Plan,
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

fn connected(plan: &Plan) -> Vec<Part> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); plan.nodes.len()];
    for edge in &plan.edges {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    let mut part_of = vec![usize::MAX; plan.nodes.len()];
    let mut parts = 0;
    for first in 0..plan.nodes.len() {
        if part_of[first] != usize::MAX {
            continue;
        }
        let mut todo = vec![first];
        part_of[first] = parts;
        while let Some(node) = todo.pop() {
            for &next in &neighbours[node] {
                if part_of[next] == usize::MAX {
                    part_of[next] = parts;
                    todo.push(next);
                }
            }
        }
        parts += 1;
    }
    let mut found = vec![Part::default(); parts];
    let mut number = vec![0; plan.nodes.len()];
    for (index, node) in plan.nodes.iter().enumerate() {
        let part = &mut found[part_of[index]];
        number[index] = part.nodes.len();
        part.nodes.push(index);
        part.plan.nodes.push(*node);
    }
    for (index, edge) in plan.edges.iter().enumerate() {
        let part = &mut found[part_of[edge.from]];
        part.edges.push(index);
        part.plan.edges.push(PlannedEdge { from: number[edge.from], to: number[edge.to], ..*edge });
    }
    found
}

fn moved(mut route: Route, by: Point) -> Route {
    let shift = |point: &mut Point| *point = moved_point(*point, by);
    shift(&mut route.start);
    for segment in &mut route.segments {
        match segment {
            Segment::Line(end) => shift(end),
            Segment::Curve(first, second, end) => [first, second, end].into_iter().for_each(shift),
        }
    }
    route.label = route.label.map(|area| moved_area(area, by));
    route
}

fn moved_point(point: Point, by: Point) -> Point {
    Point { x: point.x + by.x, y: point.y + by.y }
}

fn moved_area(area: Area, by: Point) -> Area {
    Area { at: moved_point(area.at, by), ..area }
}
