//! The distribution of integers: bars, and the share of runs up to each value.

use super::axis::{Scale, below, left, shown};
use super::panel::{BOTTOM, FINE, HEIGHT, LEFT, Panel, RIGHT, TOP, number, percent, text};
use crate::markup::Element;

/// The most bars.
const BARS: i128 = 40;

/// The width of a bar at most, in pixels.
const WIDEST: f64 = 72.0;

/// What is drawn of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Bars,
    Ecdf,
    Both,
}

/// Integers with the number of runs that have each, in order.
pub(super) struct Integers<'a> {
    pub(super) name: &'a str,
    /// What is said of all of them.
    pub(super) fine: String,
    pub(super) runs: Vec<(i64, u64)>,
}

/// A bar: the values from the first to the last, and the runs that have one.
struct Bar {
    from: i128,
    to: i128,
    runs: u64,
}

/// Bars of equal width, those without runs left out.
fn bars(runs: &[(i64, u64)]) -> (Vec<Bar>, i128) {
    let (Some(&(first, _)), Some(&(last, _))) = (runs.first(), runs.last()) else { return (Vec::new(), 1) };
    let (first, last) = (i128::from(first), i128::from(last));
    let width = (last - first) / BARS + 1;
    let mut bars: Vec<Bar> = Vec::new();
    for &(value, runs) in runs {
        let from = first + (i128::from(value) - first) / width * width;
        match bars.last_mut().filter(|bar| bar.from == from) {
            Some(bar) => bar.runs += runs,
            None => bars.push(Bar { from, to: from + width - 1, runs }),
        }
    }
    (bars, width)
}

pub(super) fn panel(integers: &Integers<'_>, what: Shown) -> Panel {
    let (bars, width) = bars(&integers.runs);
    let all: u64 = bars.iter().map(|bar| bar.runs).sum();
    let share = |runs: u64| runs as f64 / all.max(1) as f64;
    let first = bars.first().map_or(0, |bar| bar.from) as f64;
    let last = bars.last().map_or(0, |bar| bar.to) as f64;
    // Half a value of room, so that each bar stands around its value.
    let across = Scale::new((first - 0.5, last + 0.5), (LEFT, RIGHT));
    let highest = bars.iter().map(|bar| share(bar.runs)).fold(0.0, f64::max);
    let top = if what == Shown::Ecdf { 1.0 } else { highest };
    let up = Scale::new((0.0, if top > 0.0 { top } else { 1.0 }), (BOTTOM, TOP));
    let mut drawn = vec![left(up, &percents(up), (LEFT, RIGHT))];
    if what != Shown::Ecdf {
        drawn.extend(bars.iter().map(|bar| drawn_bar(bar, (across, up), share(bar.runs), width)));
    }
    if what != Shown::Bars {
        let up = Scale::new((0.0, 1.0), (BOTTOM, TOP));
        drawn.push(ecdf(&integers.runs, (across, up), all));
        if what == Shown::Both {
            drawn.extend([0.0, 0.5, 1.0].map(|at| {
                let label = percent(at).replace(".0", "");
                text(RIGHT + 6.0, up.at(at) + 4.0, "start", "#bc4c00", &label).with("class", "right")
            }));
        }
    }
    let ticks = across.ticks(8, true).into_iter().map(|value| (value, shown(value)));
    drawn.push(below(across, &ticks.collect::<Vec<_>>(), BOTTOM, integers.name));
    let legend = match what {
        Shown::Bars => "share of runs",
        Shown::Ecdf => "share of runs with at most this value",
        Shown::Both => "bars: share of runs; line, right: with at most this value",
    };
    drawn.push(text(RIGHT, BOTTOM + 48.0, "end", FINE, legend).with("class", "fine"));
    Panel::new(integers.name, &integers.fine, HEIGHT + 8.0, drawn)
}

fn percents(scale: Scale) -> Vec<(f64, String)> {
    scale.ticks(4, false).into_iter().map(|value| (value, format!("{} %", shown(value * 100.0)))).collect()
}

fn drawn_bar(bar: &Bar, (across, up): (Scale, Scale), share: f64, width: i128) -> Element {
    let (from, to) = (across.at(bar.from as f64 - 0.5), across.at(bar.to as f64 + 0.5));
    let gap = ((to - from) / 8.0).min(2.0).max((to - from - WIDEST) / 2.0);
    let values = if width == 1 { bar.from.to_string() } else { format!("{} .. {}", bar.from, bar.to) };
    Element::new("rect")
        .with("class", "bar")
        .with("fill", "#2f6fbf")
        .with("x", number(from + gap))
        .with("width", number(to - from - 2.0 * gap))
        .with("y", number(up.at(share)))
        .with("height", number(BOTTOM - up.at(share)))
        .child(Element::new("title").text(format!("{values}: {} runs, {}", bar.runs, percent(share))))
}

/// Steps up to the share of the runs that have at most each value. Of many values, only those are drawn that are apart
/// by a visible step.
fn ecdf(runs: &[(i64, u64)], (across, up): (Scale, Scale), all: u64) -> Element {
    let mut below = 0;
    let mut path = format!("M {} {}", number(LEFT), number(BOTTOM));
    let mut at = (LEFT, BOTTOM);
    for &(value, runs) in runs {
        below += runs;
        let (x, y) = (across.at(value as f64), up.at(below as f64 / all.max(1) as f64));
        if (x - at.0).abs() + (y - at.1).abs() >= 0.5 {
            path.push_str(&format!(" H {} V {}", number(x), number(y)));
            at = (x, y);
        }
    }
    path.push_str(&format!(" V {} H {}", number(TOP), number(RIGHT)));
    Element::new("path")
        .with("class", "ecdf")
        .with("d", path)
        .with("fill", "none")
        .with("stroke", "#bc4c00")
        .with("stroke-width", 1.6)
}
