//! Routes edges through the positions of their dummies.

use super::coordinates::Places;
use super::layered::{BESIDE, LOOP, Layered, loop_height};
use super::{Area, Layout, Plan, Point, Route, Segment, Size};

/// The least distance between two edges where they meet a node, if it is wide enough.
const APART: f64 = 14.0;

/// Computes the final layout from the coordinates.
pub(super) fn draw(plan: &Plan, layered: &Layered, places: &Places) -> Layout {
    let nodes: Vec<Area> = plan
        .nodes
        .iter()
        .enumerate()
        .map(|(node, planned)| {
            let (top, bottom) = places.bands[layered.rank_of[node]];
            let Size { width, height } = planned.size;
            let at = Point { x: places.x[node] - width / 2.0, y: f64::midpoint(top, bottom) - height / 2.0 };
            Area { at, size: planned.size }
        })
        .collect();
    let (starts, ends) = ports(plan, layered, places);
    let mut edges: Vec<Route> = layered
        .chains
        .iter()
        .enumerate()
        .map(|(edge, chain)| match chain.as_slice() {
            [] => Route::default(),
            chain => {
                let label = plan.edges[edge].label.zip(layered.labels[edge]);
                let label = label.map(|(size, item)| beside(layered, places, item, size));
                let down = line(layered, places, &nodes, chain, starts[edge], ends[edge]);
                let route = Route { label, ..down };
                if layered.backwards[edge] { turned(&route) } else { route }
            }
        })
        .collect();
    loops(plan, &nodes, &mut edges);
    let height = places.bands.last().map_or(0.0, |band| band.1);
    Layout { size: Size { width: places.width, height }, nodes, edges }
}

/// The x at which each edge leaves its upper node, and the x at which it meets its lower one.
fn ports(plan: &Plan, layered: &Layered, places: &Places) -> (Vec<f64>, Vec<f64>) {
    let (mut starts, mut ends) = (vec![0.0; plan.edges.len()], vec![0.0; plan.edges.len()]);
    let (mut leaving, mut coming) = (vec![Vec::new(); plan.nodes.len()], vec![Vec::new(); plan.nodes.len()]);
    for (edge, chain) in layered.chains.iter().enumerate() {
        if let ([first, second, ..], [.., before, last]) = (chain.as_slice(), chain.as_slice()) {
            leaving[*first].push((places.x[*second], edge));
            coming[*last].push((places.x[*before], edge));
        }
    }
    let spread = |wishes: Vec<Vec<(f64, usize)>>, found: &mut [f64]| {
        for (node, mut edges) in wishes.into_iter().enumerate() {
            edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let wishes: Vec<f64> = edges.iter().map(|edge| edge.0).collect();
            let ports = ports_of(places.x[node], plan.nodes[node].flat, &wishes);
            edges.into_iter().zip(ports).for_each(|((_, edge), port)| found[edge] = port);
        }
    };
    spread(leaving, &mut starts);
    // An edge without dummies is straight if it ends below its start.
    for edge in coming.iter_mut().flatten() {
        if layered.chains[edge.1].len() == 2 {
            edge.0 = starts[edge.1];
        }
    }
    spread(coming, &mut ends);
    (starts, ends)
}

/// The x at which edges meet a side of a node, as near to where they come from as its flat part allows, and apart from
/// each other. A single edge meets it in the middle, unless it can be straight.
fn ports_of(middle: f64, flat: f64, wishes: &[f64]) -> Vec<f64> {
    let gaps = wishes.len().saturating_sub(1) as f64;
    let apart = (flat / gaps.max(1.0)).min(APART);
    let (left, right) = (middle - flat / 2.0, middle + flat / 2.0);
    // The first port is at most so far to the right that the others fit beside it.
    let mut ports: Vec<f64> = Vec::new();
    for (index, &wish) in wishes.iter().enumerate() {
        let least = ports.last().map_or(left, |before| before + apart);
        let most = right - apart * (gaps - index as f64);
        let wish = if wishes.len() == 1 && (wish < left || wish > right) { middle } else { wish };
        ports.push(wish.max(least).min(most.max(least)));
    }
    ports
}

/// The route of an edge from its upper node down to its lower one.
fn line(layered: &Layered, places: &Places, nodes: &[Area], chain: &[usize], start: f64, end: f64) -> Route {
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let band = |item: usize| places.bands[layered.rank_of[item]];
    let mut at = Point { x: start, y: nodes[first].at.y + nodes[first].size.height };
    let mut route = Route { start: at, ..Route::default() };
    for pair in chain.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (bottom, top) = (band(from).1, band(to).0);
        let x = if to == last { end } else { places.x[to] };
        if bottom > at.y + 0.05 {
            at.y = bottom;
            route.segments.push(Segment::Line(at));
        }
        let target = Point { x, y: top };
        if (x - at.x).abs() < 0.05 {
            route.segments.push(Segment::Line(target));
        } else {
            let middle = f64::midpoint(at.y, top);
            let bends = (Point { x: at.x, y: middle }, Point { x, y: middle });
            route.segments.push(Segment::Curve(bends.0, bends.1, target));
        }
        at = target;
    }
    // Rounding may leave a distance in which no arrowhead has a direction.
    if nodes[last].at.y > at.y + 0.05 {
        route.segments.push(Segment::Line(Point { x: end, y: nodes[last].at.y }));
    }
    route
}

/// The area of an edge's label: to the right of the edge, in the middle of its band.
fn beside(layered: &Layered, places: &Places, item: usize, size: Size) -> Area {
    let (top, bottom) = places.bands[layered.rank_of[item]];
    let at = Point { x: places.x[item] + BESIDE, y: f64::midpoint(top, bottom) - size.height / 2.0 };
    Area { at, size }
}

/// The route reversed.
fn turned(route: &Route) -> Route {
    let mut points = vec![route.start];
    points.extend(route.segments.iter().map(|segment| segment.end()));
    let segments = route.segments.iter().enumerate().rev();
    let segments = segments
        .map(|(index, segment)| match *segment {
            Segment::Line(_) => Segment::Line(points[index]),
            Segment::Curve(first, second, _) => Segment::Curve(second, first, points[index]),
        })
        .collect();
    Route { start: points[points.len() - 1], segments, label: route.label }
}

/// Routes loops, one below the other to the right of their node.
fn loops(plan: &Plan, nodes: &[Area], edges: &mut [Route]) {
    let mut heights = vec![0.0; nodes.len()];
    let labels = || plan.edges.iter().enumerate().filter(|(_, edge)| edge.from == edge.to);
    for (_, edge) in labels() {
        heights[edge.from] += loop_height(edge.label.unwrap_or_default());
    }
    let mut done = vec![0.0; nodes.len()];
    for (index, edge) in labels() {
        let node = nodes[edge.from];
        let height = loop_height(edge.label.unwrap_or_default());
        let right = node.at.x + node.size.width;
        let middle = node.at.y + node.size.height / 2.0;
        let y = middle - heights[edge.from] / 2.0 + done[edge.from] + height / 2.0;
        done[edge.from] += height;
        let reach = (node.size.height / 2.0 - 4.0).max(0.0);
        let inside = |y: f64| y.clamp(middle - reach, middle + reach);
        let (start, end) = (Point { x: right, y: inside(y - 6.0) }, Point { x: right, y: inside(y + 6.0) });
        let out = |y: f64| Point { x: right + LOOP, y };
        edges[index] = Route {
            start,
            segments: vec![Segment::Curve(out(y - 10.0), out(y + 10.0), end)],
            label: edge.label.map(|size| Area {
                at: Point { x: right + LOOP + BESIDE - 2.0, y: y - size.height / 2.0 },
                size,
            }),
        };
    }
}
