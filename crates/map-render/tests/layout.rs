//! Invariants of every layout: nothing overlaps, every edge joins its nodes, and the same plan gives the same picture.

use map_check::{CheckOptions, check};
use map_diagnostics::SourceFile;
use map_ir::{PartId, Program};
use map_library::PROTOCOLS;
use map_render::graph::layout::{
    Area, Layout, Plan, PlannedEdge, PlannedNode, Point, Route, Segment, Size, layout,
};
use map_render::graph::{Graph, Shape, roles, svg};

/// The overlap that rounding may cause.
const SLACK: f64 = 0.01;

fn programs() -> impl Iterator<Item = (String, Program)> {
    PROTOCOLS.iter().flat_map(|protocol| {
        protocol.versions().map(|version| {
            let source = SourceFile::new(version.name, version.text);
            let parsed = map_syntax::parse(&source);
            let (checked, errors) = check(&parsed.file, &CheckOptions::default());
            let checked = checked.unwrap_or_else(|| panic!("{}: {errors:?}", version.name));
            (format!("{}/{}", protocol.name, version.name), map_compile::compile(&checked))
        })
    })
}

fn role_graphs(program: &Program) -> Vec<Graph> {
    let parts = (0..program.parts.len()).map(PartId::new);
    parts.map(|part| roles::role_graph(program, part, None).expect("it is small")).collect()
}

#[test]
fn every_role_of_the_library_is_drawn_well() {
    let mut drawn = 0;
    for (name, program) in programs() {
        for graph in role_graphs(&program) {
            let name = format!("{name} {}", graph.title);
            let ends: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
            holds(&name, &ends, &svg::laid_out(&graph));
            let drawn_twice = [0, 1].map(|_| svg::draw(std::slice::from_ref(&graph)).to_string());
            assert_eq!(drawn_twice[0], drawn_twice[1], "{name}");
            drawn += 1;
        }
    }
    assert!(drawn > 100, "only {drawn} graphs");
}

/// Of the edges of all roles at least two fifths are straight lines; Graphviz draws 36 % so.
#[test]
fn many_edges_are_straight() {
    let (mut straight, mut all) = (0, 0);
    for graph in programs().flat_map(|(_, program)| role_graphs(&program)) {
        let edges = svg::laid_out(&graph).edges;
        let is_straight =
            |route: &&Route| route.segments.iter().all(|segment| matches!(segment, Segment::Line(_)));
        straight += edges.iter().filter(is_straight).count();
        all += edges.len();
    }
    assert!(straight * 5 >= all * 2, "{straight} of {all}");
}

/// Every node of a role graph is reachable, and every node but the ends has an edge that leaves it.
#[test]
fn every_state_of_a_role_is_reached_and_left() {
    for (name, program) in programs() {
        for graph in role_graphs(&program) {
            let mut reached = vec![false; graph.nodes.len()];
            let is_root = |node: usize| !graph.edges.iter().any(|edge| edge.to == node);
            let mut todo: Vec<usize> = (0..graph.nodes.len())
                .filter(|&node| matches!(graph.nodes[node].shape, Shape::Initial | Shape::Call))
                .filter(|&node| is_root(node))
                .collect();
            while let Some(node) = todo.pop() {
                if !std::mem::replace(&mut reached[node], true) {
                    todo.extend(graph.edges.iter().filter(|edge| edge.from == node).map(|edge| edge.to));
                }
            }
            assert!(reached.iter().all(|&it| it), "{name} {}: {graph:?}", graph.title);
            let stops = graph.nodes.iter().enumerate().filter(|(_, node)| node.shape != Shape::End);
            for (index, node) in stops {
                let goes_on = graph.edges.iter().any(|edge| edge.from == index);
                assert!(goes_on || node.label == ["calls for ever"], "{name} {}: {node:?}", graph.title);
            }
        }
    }
}

#[test]
fn random_graphs_are_drawn_well() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let nodes = 1 + random.below(40);
        let edges = random.below(2 * nodes + 4);
        let plan = Plan {
            nodes: (0..nodes)
                .map(|_| {
                    let size = Size { width: 10.0 + random.length(90), height: 6.0 + random.length(30) };
                    PlannedNode { size, flat: random.length(100).min(size.width - 8.0) }
                })
                .collect(),
            edges: (0..edges)
                .map(|_| {
                    let label = Size { width: 5.0 + random.length(200), height: 15.0 + random.length(30) };
                    let label = (random.below(3) > 0).then_some(label);
                    PlannedEdge { from: random.below(nodes), to: random.below(nodes), label }
                })
                .collect(),
        };
        let drawn = layout(&plan);
        let ends: Vec<_> = plan.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        holds(&format!("seed {seed}"), &ends, &drawn);
        assert_eq!(drawn, layout(&plan), "seed {seed}");
    }
}

#[test]
fn a_chain_is_straight_and_nothing_is_nothing() {
    assert_eq!(layout(&Plan::default()), Layout::default());
    let node = PlannedNode { size: Size { width: 20.0, height: 10.0 }, flat: 10.0 };
    let edge = |from| PlannedEdge { from, to: from + 1, label: None };
    let drawn = layout(&Plan { nodes: vec![node; 5], edges: (0..4).map(edge).collect() });
    assert!(drawn.nodes.iter().all(|area| area.at.x == 0.0));
    let straight = |route: &Route| matches!(route.segments.as_slice(), [Segment::Line(end)] if end.x == 10.0);
    assert!(drawn.edges.iter().all(straight), "{:?}", drawn.edges);
}

fn holds(name: &str, ends: &[(usize, usize)], drawn: &Layout) {
    let labels: Vec<&Area> = drawn.edges.iter().filter_map(|route| route.label.as_ref()).collect();
    let boxes: Vec<&Area> = drawn.nodes.iter().chain(labels.iter().copied()).collect();
    for (index, one) in boxes.iter().enumerate() {
        let inside = one.at.x >= -SLACK
            && one.at.y >= -SLACK
            && one.at.x + one.size.width <= drawn.size.width + SLACK
            && one.at.y + one.size.height <= drawn.size.height + SLACK;
        assert!(inside, "{name}: {one:?} is outside {:?}", drawn.size);
        for other in &boxes[index + 1..] {
            assert!(!shrunk(one).overlaps(&shrunk(other)), "{name}: {one:?} lies on {other:?}");
        }
    }
    assert_eq!(drawn.edges.len(), ends.len(), "{name}");
    for (route, &(from, to)) in drawn.edges.iter().zip(ends) {
        let mut at = route.start;
        for segment in &route.segments {
            if let Segment::Line(end) = segment {
                let length = (end.x - at.x).hypot(end.y - at.y);
                assert!(length > SLACK, "{name}: the edge from {from} to {to} has no direction at {at:?}");
            }
            at = segment.end();
        }
        let points = points(route);
        assert!(points.len() > 1, "{name}: an edge from {from} to {to} is not drawn");
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!(touches(&drawn.nodes[from], first), "{name}: {first:?} is not at {:?}", drawn.nodes[from]);
        assert!(touches(&drawn.nodes[to], last), "{name}: {last:?} is not at {:?}", drawn.nodes[to]);
        for point in points {
            let on = boxes.iter().find(|area| contains(&shrunk(area), point));
            assert!(on.is_none(), "{name}: the edge from {from} to {to} runs over {on:?} at {point:?}");
        }
    }
}

/// Points along a route, close to each other.
fn points(route: &Route) -> Vec<Point> {
    let mut all = vec![route.start];
    for segment in &route.segments {
        let from = all[all.len() - 1];
        let (first, second, to) = match *segment {
            Segment::Line(to) => (from, to, to),
            Segment::Curve(first, second, to) => (first, second, to),
        };
        all.extend((1..=32).map(|step| {
            let t = f64::from(step) / 32.0;
            let along = |a: f64, b: f64, c: f64, d: f64| {
                let s = 1.0 - t;
                a * s * s * s + 3.0 * b * s * s * t + 3.0 * c * s * t * t + d * t * t * t
            };
            Point { x: along(from.x, first.x, second.x, to.x), y: along(from.y, first.y, second.y, to.y) }
        }));
    }
    all
}

fn touches(area: &Area, point: Point) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 0.5;
    let (left, top) = (area.at.x, area.at.y);
    let (right, bottom) = (left + area.size.width, top + area.size.height);
    let between = |low: f64, it: f64, high: f64| low - 0.5 < it && it < high + 0.5;
    between(left, point.x, right)
        && between(top, point.y, bottom)
        && (near(point.x, left) || near(point.x, right) || near(point.y, top) || near(point.y, bottom))
}

fn contains(area: &Area, point: Point) -> bool {
    area.at.x < point.x
        && point.x < area.at.x + area.size.width
        && area.at.y < point.y
        && point.y < area.at.y + area.size.height
}

fn shrunk(area: &Area) -> Area {
    Area {
        at: Point { x: area.at.x + SLACK, y: area.at.y + SLACK },
        size: Size { width: area.size.width - 2.0 * SLACK, height: area.size.height - 2.0 * SLACK },
    }
}

/// A small generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn length(&mut self, bound: usize) -> f64 {
        self.below(bound) as f64
    }
}
