//! Plots of a sweep as SVG: states, CPU seconds and memory, one above the other, with logarithmic axes.

use map_explain::grouped;
use map_render::markup::Element;

use super::measure::Limit;
use super::results::{Curve, Point, Sweep};
use super::{Plan, Subject, curves};

const WIDTH: f64 = 860.0;
const LEFT: f64 = 86.0;
const PLOT: f64 = 540.0;
const TOP: f64 = 64.0;
const HEIGHT: f64 = 220.0;
/// The distance between the tops of two panels.
const PITCH: f64 = HEIGHT + 64.0;

/// Colours that are distinguishable on white and on black.
const COLOURS: [&str; 9] =
    ["#3b78e7", "#e07b1f", "#1f9d61", "#9b5de0", "#b08a2e", "#808a94", "#17a2b8", "#d6459a", "#d64545"];

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-size:16px;font-weight:600}\
    .head{font-weight:600}.back{fill:#fff}.grid{stroke:#d8dee4;fill:none}.limit{stroke:#6e7781;stroke-dasharray:2 4}\
    .line{fill:none;stroke-width:2}.mark{stroke-width:1.5}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}}";

/// The quantity shown in one panel.
struct Quantity {
    title: &'static str,
    of: fn(&Point) -> f64,
    /// Formats a value on the axis.
    label: fn(f64) -> String,
    /// The limit under which it was measured, if any.
    limit: fn() -> Option<f64>,
}

const QUANTITIES: [Quantity; 3] = [
    Quantity {
        title: "States",
        of: |point| point.states as f64,
        label: |it| grouped(it as u64),
        limit: || None,
    },
    Quantity {
        title: "CPU seconds",
        // The resolution of the clock is a millisecond.
        of: |point| point.cpu_seconds.max(0.001),
        label: |it| if it < 1.0 { format!("{it}") } else { grouped(it as u64) },
        limit: || Some(f64::from(Limit::STUDY.seconds)),
    },
    Quantity {
        title: "Memory of the process, MiB",
        of: |point| point.memory_bytes as f64 / 1_048_576.0,
        label: |it| grouped(it as u64),
        limit: || Some(f64::from(Limit::STUDY.mebibytes)),
    },
];

/// A logarithmic axis from one value to another, `length` pixels long.
struct Axis {
    low: f64,
    high: f64,
    length: f64,
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()) * self.length
    }
}

/// The three plots of a sweep.
pub(crate) fn plot(plan: &Plan, sweep: &Sweep) -> String {
    let count = |point: (u32, u32)| f64::from(if plan.axis == "bids" { point.1 } else { point.0 });
    let across =
        Axis { low: count(plan.points[0]), high: count(plan.points[plan.points.len() - 1]), length: PLOT };
    let height = TOP + PITCH * QUANTITIES.len() as f64;
    let mut picture = Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("viewBox", format!("0 0 {WIDTH} {height}"))
        .with("width", WIDTH)
        .with("height", height)
        .with("role", "img")
        .child(Element::new("title").text(plan.title))
        .child(Element::new("style").raw(STYLE))
        .child(Element::new("rect").with("class", "back").with("width", WIDTH).with("height", height))
        .child(text(LEFT, 26.0, "start", plan.title).with("class", "title"));
    for (index, quantity) in QUANTITIES.iter().enumerate() {
        let panel = panel(plan, sweep, quantity, &across, &count);
        picture = picture.child(panel.with("transform", shift(LEFT, TOP + PITCH * index as f64)));
    }
    let legend = legend(plan, sweep).with("transform", shift(LEFT + PLOT + 24.0, TOP + 8.0));
    format!("{}\n", picture.child(legend))
}

fn panel(
    plan: &Plan,
    sweep: &Sweep,
    quantity: &Quantity,
    across: &Axis,
    count: &dyn Fn((u32, u32)) -> f64,
) -> Element {
    let values = || curves(plan, sweep).flat_map(|(_, curve)| curve.points.iter().map(quantity.of));
    let highest = values().chain((quantity.limit)()).fold(1.0, f64::max);
    let up = Axis {
        low: 10_f64.powf(values().fold(highest, f64::min).log10().floor()),
        high: 10_f64.powf(highest.log10().ceil()),
        length: HEIGHT,
    };
    let mut panel = Element::new("g").child(text(0.0, -10.0, "start", quantity.title).with("class", "head"));
    let mut decade = up.low;
    while decade <= up.high * 1.01 {
        let y = HEIGHT - up.at(decade);
        panel = panel.child(line((0.0, y), (PLOT, y)).with("class", "grid")).child(text(
            -8.0,
            y + 4.0,
            "end",
            &(quantity.label)(decade),
        ));
        decade *= 10.0;
    }
    for tick in [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0] {
        if (across.low..=across.high).contains(&tick) {
            let x = across.at(tick);
            panel = panel.child(line((x, 0.0), (x, HEIGHT)).with("class", "grid")).child(text(
                x,
                HEIGHT + 18.0,
                "middle",
                &format!("{tick}"),
            ));
        }
    }
    panel = panel.child(text(PLOT, HEIGHT + 36.0, "end", plan.axis));
    if let Some(limit) = (quantity.limit)() {
        let y = HEIGHT - up.at(limit);
        panel = panel.child(line((0.0, y), (PLOT, y)).with("class", "limit")).child(text(
            PLOT - 4.0,
            y - 5.0,
            "end",
            "limit",
        ));
    }
    // The first curve, with all reductions, is drawn on top of the others.
    let mut drawn: Vec<(usize, &Curve)> = curves(plan, sweep).collect();
    drawn.reverse();
    panel.children(drawn.into_iter().map(|(index, curve)| {
        let at = |point: &Point| {
            (across.at(count((point.bidders, point.bids))), HEIGHT - up.at((quantity.of)(point)))
        };
        stroke(plan, index, &curve.points.iter().map(at).collect::<Vec<_>>(), curve.stopped.is_some())
    }))
}

/// A curve with a mark at every point, and a cross beyond its last if it was stopped there.
fn stroke(plan: &Plan, index: usize, points: &[(f64, f64)], stopped: bool) -> Element {
    let colour = COLOURS[index % COLOURS.len()];
    let way: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut way =
        Element::new("polyline").with("class", "line").with("stroke", colour).with("points", way.join(" "));
    if matches!(plan.series[index].of, Subject::Spin { .. }) {
        way = way.with("stroke-dasharray", "7 4");
    }
    if index == 0 {
        way = way.with("stroke-width", "3.5").with("style", "stroke-width:3.5");
    }
    let marks = points.iter().map(|&at| mark(index, colour, at));
    let end = points.last().filter(|_| stopped).map(|&(x, y)| {
        let cross = format!("M{:.1},{:.1}l10,10m0,-10l-10,10", x - 5.0, y - 5.0);
        Element::new("path").with("d", cross).with("stroke", colour).with("class", "line")
    });
    Element::new("g").child(way).children(marks).children(end)
}

/// A mark. Sizes and fills differ, so that coinciding curves can be told apart.
fn mark(index: usize, colour: &str, (x, y): (f64, f64)) -> Element {
    let radius = [3.0, 6.5, 4.5, 3.0, 4.5][index % 5];
    let fill = if index.is_multiple_of(3) { colour } else { "none" };
    Element::new("circle")
        .with("class", "mark")
        .with("cx", format!("{x:.1}"))
        .with("cy", format!("{y:.1}"))
        .with("r", radius)
        .with("stroke", colour)
        .with("fill", fill)
}

fn legend(plan: &Plan, sweep: &Sweep) -> Element {
    let entries = curves(plan, sweep).enumerate().map(|(place, (index, curve))| {
        let y = 24.0 * place as f64;
        let sample = stroke(plan, index, &[(0.0, y), (16.0, y), (32.0, y)], false);
        Element::new("g").child(sample).child(text(42.0, y + 4.0, "start", &curve.name))
    });
    let below = 24.0 * curves(plan, sweep).count() as f64;
    let cross = Element::new("path")
        .with("d", format!("M11,{}l10,10m0,-10l-10,10", below - 5.0))
        .with("class", "limit");
    Element::new("g")
        .children(entries)
        .child(cross.with("style", "stroke-dasharray:none;stroke-width:2"))
        .child(text(42.0, below + 4.0, "start", "the next meets a limit"))
}

fn text(x: f64, y: f64, anchor: &str, content: &str) -> Element {
    Element::new("text")
        .with("x", format!("{x:.1}"))
        .with("y", format!("{y:.1}"))
        .with("text-anchor", anchor)
        .text(content)
}

fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Element {
    Element::new("line")
        .with("x1", format!("{x1:.1}"))
        .with("y1", format!("{y1:.1}"))
        .with("x2", format!("{x2:.1}"))
        .with("y2", format!("{y2:.1}"))
}

fn shift(x: f64, y: f64) -> String {
    format!("translate({x} {y})")
}
