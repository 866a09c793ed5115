//! The sections about several searches of a scene, each a table: with several casts, with what the searches took over
//! the casts, or in every weather.

use super::{Report, VerdictText, said, scrolled, section};
use crate::markup::Element;
use crate::measure::shorten;

/// A search of several, and what was found.
#[derive(Clone, Debug)]
pub struct SearchRow {
    /// The cast, as in `bidder=2`, or the weather.
    pub name: String,
    /// Number of states searched.
    pub states: u64,
    /// How long that took, in seconds.
    pub seconds: f64,
    /// What was found.
    pub verdict: VerdictText,
}

/// The style of the plot; its colours are those of the page.
const STYLE: &str = ".map-plot text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.map-plot .page { fill: none; } .map-plot .decade { stroke: var(--line); } .map-plot .end { text-anchor: end; }
.map-plot .middle { text-anchor: middle; } .map-plot polyline { fill: none; stroke: var(--link); stroke-width: 2; }
.map-plot circle { fill: var(--link); }";

/// The size of the plot of one quantity, in pixels; what is on its left, above and below it.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 170.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 30.0;

/// The most casts that are named below a plot, and the most columns of a name.
const MAX_NAMED: usize = 5;
const MAX_COLUMNS: usize = 12;

/// The powers of ten.
const POWERS: [&str; 13] = [
    "1", "10", "100", "1,000", "10,000", "100,000", "10^6", "10^7", "10^8", "10^9", "10^10", "10^11", "10^12",
];

/// The section about every weather; none if there was one.
pub(super) fn weathers(report: &Report) -> Option<Element> {
    let section = || section("weathers", "In each weather").child(table(&report.weathers));
    (!report.weathers.is_empty()).then(section)
}

fn table(rows: &[SearchRow]) -> Element {
    let row = |it: &SearchRow| {
        Element::new("tr")
            .child(Element::new("th").with("scope", "row").child(Element::new("code").text(&it.name)))
            .child(Element::new("td").text(format!("{} states", it.states)))
            .child(Element::new("td").text(format!("{:.3} s", it.seconds)))
            .child(Element::new("td").child(said(&it.verdict)))
    };
    Element::new("table").child(Element::new("tbody").children(rows.iter().map(row)))
}

/// The section about several casts; none if there was one.
pub(super) fn casts(report: &Report) -> Option<Element> {
    let casts = &report.casts;
    if casts.is_empty() {
        return None;
    }
    let table = table(casts);
    let states: Vec<f64> = casts.iter().map(|cast| cast.states as f64).collect();
    let milliseconds: Vec<f64> = casts.iter().map(|cast| cast.seconds * 1000.0).collect();
    let size = (LEFT + WIDTH + 40.0, 2.0 * (TOP + HEIGHT + BOTTOM));
    let plot = Element::svg("map-plot", size, "States and time over the casts", STYLE)
        .child(plot("states", casts, &states, 0.0))
        .child(plot("milliseconds", casts, &milliseconds, size.1 / 2.0));
    let section = section("casts", "With each cast").child(table);
    Some(match casts.len() {
        1 => section,
        _ => section.child(scrolled("figure", "What the search took").child(plot)),
    })
}

/// A quantity over the casts, on a logarithmic scale whose lines are powers of ten.
fn plot(title: &str, casts: &[SearchRow], values: &[f64], y: f64) -> Element {
    let logs: Vec<f64> = values.iter().map(|value| value.max(1.0).log10()).collect();
    let decades = logs.iter().fold(1.0, |most: f64, log| most.max(log.ceil()));
    let x_of = |index: usize| LEFT + WIDTH * (index as f64 + 0.5) / casts.len() as f64;
    let y_of = |log: f64| TOP + HEIGHT * (1.0 - log / decades);
    let text = |class: &'static str, x: f64, y: f64, text: &str| {
        Element::new("text")
            .with("class", class)
            .with("x", format!("{x:.0}"))
            .with("y", format!("{y:.0}"))
            .text(text)
    };
    let mut drawn = Element::new("g").with("transform", format!("translate(0 {y:.0})")).child(text(
        "title",
        LEFT,
        TOP - 12.0,
        title,
    ));
    for decade in 0..=decades as i32 {
        let y = y_of(f64::from(decade));
        let line = Element::new("line")
            .with("class", "decade")
            .with("x1", LEFT)
            .with("x2", LEFT + WIDTH)
            .with("y1", format!("{y:.1}"))
            .with("y2", format!("{y:.1}"));
        drawn = drawn.child(line).child(text(
            "end",
            LEFT - 8.0,
            y + 4.0,
            POWERS.get(decade as usize).unwrap_or(&""),
        ));
    }
    let every = casts.len().div_ceil(MAX_NAMED);
    for (index, cast) in casts.iter().enumerate().filter(|(index, _)| index % every == 0) {
        let name = shorten(&cast.name, MAX_COLUMNS);
        drawn = drawn.child(text("middle", x_of(index), TOP + HEIGHT + 20.0, &name));
    }
    let place = |(index, log): (usize, &f64)| (x_of(index), y_of(*log));
    let places: Vec<(f64, f64)> = logs.iter().enumerate().map(place).collect();
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    drawn = drawn.child(Element::new("polyline").with("points", points.join(" ")));
    let dot = |&(x, y): &(f64, f64)| {
        Element::new("circle").with("cx", format!("{x:.1}")).with("cy", format!("{y:.1}")).with("r", 3)
    };
    drawn.children(places.iter().map(dot))
}
