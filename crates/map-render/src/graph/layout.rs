//! Layered layout of directed graphs: the positions of nodes, edges and labels.
//!
//! The phases are those of K. Sugiyama, S. Tagawa and M. Toda, "Methods for Visual Understanding of Hierarchical System
//! Structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981: cycles are broken (`acyclic`); nodes
//! get ranks (`ranks`); edges that span several ranks get a dummy node in each, one of which makes room for the label
//! (`layered`); then each rank is put in an order with few crossings (`order`), and its nodes get coordinates
//! (`coordinates`, `straight`).
//!
//! Edges run straight down within the band of a rank, at the place of their dummy, and bend only between bands. So no
//! edge ever crosses a node or a label.

mod acyclic;
mod coordinates;
mod layered;
mod order;
mod ranks;
mod routes;
mod straight;

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

/// An axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Area {
    /// The upper left corner.
    pub at: Point,
    /// Its size.
    pub size: Size,
}

/// A graph to be laid out.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The sizes of the nodes.
    pub nodes: Vec<PlannedNode>,
    /// The edges.
    pub edges: Vec<PlannedEdge>,
}

/// A node to be laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlannedNode {
    /// Its size.
    pub size: Size,
    /// The width, centred, over which edges may be attached.
    pub flat: f64,
}

/// An edge to be laid out.
#[derive(Clone, Copy, Debug)]
pub struct PlannedEdge {
    /// Index of its source node.
    pub from: usize,
    /// Index of its target node.
    pub to: usize,
    /// The size of its label, if it has one.
    pub label: Option<Size>,
}

/// A finished layout.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Layout {
    /// The size of the drawing.
    pub size: Size,
    /// The areas of the nodes.
    pub nodes: Vec<Area>,
    /// The routes of the edges, from source to target.
    pub edges: Vec<Route>,
}

/// The route of an edge.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Route {
    /// Its start.
    pub start: Point,
    /// Its segments, each from the end of the one before.
    pub segments: Vec<Segment>,
    /// The area of its label, if it has one.
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
    /// Its end.
    #[must_use]
    pub const fn end(self) -> Point {
        match self {
            Self::Line(end) | Self::Curve(_, _, end) => end,
        }
    }
}

impl Area {
    /// Whether the interiors of two areas intersect.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let apart = |a: f64, a_size: f64, b: f64, b_size: f64| a + a_size <= b || b + b_size <= a;
        !apart(self.at.x, self.size.width, other.at.x, other.size.width)
            && !apart(self.at.y, self.size.height, other.at.y, other.size.height)
    }
}

/// Space between the drawings of connected components.
const GAP: f64 = 36.0;

/// Lays out a graph: each connected component by itself, then the components on shelves, from the left and downwards.
/// The same plan gives the same layout.
#[must_use]
pub fn layout(plan: &Plan) -> Layout {
    let mut whole = Layout {
        nodes: vec![Area::default(); plan.nodes.len()],
        edges: vec![Route::default(); plan.edges.len()],
        ..Layout::default()
    };
    let components: Vec<(Component, Layout)> =
        components(plan).into_iter().map(|it| (it.clone(), layout_connected(&it.plan))).collect();
    let area: f64 = components.iter().map(|(_, it)| (it.size.width + GAP) * (it.size.height + GAP)).sum();
    let widest = components.iter().map(|(_, it)| it.size.width).fold(0.0, f64::max);
    let shelf = widest.max(1.6 * area.sqrt());
    let (mut at, mut shelf_height) = (Point::default(), 0.0);
    for (component, drawing) in components {
        if at.x > 0.0 && at.x + drawing.size.width > shelf {
            at = Point { x: 0.0, y: at.y + shelf_height + GAP };
            shelf_height = 0.0;
        }
        for (&index, area) in component.nodes.iter().zip(&drawing.nodes) {
            whole.nodes[index] = moved_area(*area, at);
        }
        for (&index, route) in component.edges.iter().zip(drawing.edges) {
            whole.edges[index] = moved(route, at);
        }
        whole.size.width = whole.size.width.max(at.x + drawing.size.width);
        whole.size.height = whole.size.height.max(at.y + drawing.size.height);
        shelf_height = drawing.size.height.max(shelf_height);
        at.x += drawing.size.width + GAP;
    }
    whole
}

/// Lays out a connected graph.
fn layout_connected(plan: &Plan) -> Layout {
    let backwards = acyclic::backwards(plan);
    let ranks = ranks::ranks(plan, &backwards);
    let mut layered = Layered::new(plan, &backwards, &ranks);
    order::order(&mut layered);
    let places = coordinates::places(&layered);
    routes::draw(plan, &layered, &places)
}

/// A connected component of a graph, with the indices that its nodes and edges have in the whole.
#[derive(Clone, Debug, Default)]
struct Component {
    plan: Plan,
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

fn components(plan: &Plan) -> Vec<Component> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); plan.nodes.len()];
    for edge in &plan.edges {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    let mut component_of = vec![usize::MAX; plan.nodes.len()];
    let mut count = 0;
    for first in 0..plan.nodes.len() {
        if component_of[first] != usize::MAX {
            continue;
        }
        let mut todo = vec![first];
        component_of[first] = count;
        while let Some(node) = todo.pop() {
            for &next in &neighbours[node] {
                if component_of[next] == usize::MAX {
                    component_of[next] = count;
                    todo.push(next);
                }
            }
        }
        count += 1;
    }
    let mut found = vec![Component::default(); count];
    let mut number = vec![0; plan.nodes.len()];
    for (index, node) in plan.nodes.iter().enumerate() {
        let component = &mut found[component_of[index]];
        number[index] = component.nodes.len();
        component.nodes.push(index);
        component.plan.nodes.push(*node);
    }
    for (index, edge) in plan.edges.iter().enumerate() {
        let component = &mut found[component_of[edge.from]];
        component.edges.push(index);
        component.plan.edges.push(PlannedEdge { from: number[edge.from], to: number[edge.to], ..*edge });
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
