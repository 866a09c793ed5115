//! A measure along a sweep: the mean with its interval, over the band from 5 to 95 % of the runs.

use super::axis::{Scale, below, left, shown};
use super::panel::{BOTTOM, FINE, HEIGHT, LEFT, Panel, RIGHT, TOP, number, text};
use crate::markup::Element;

/// The colours of series.
const COLOURS: [&str; 6] = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#cf222e", "#57606a"];
const LINES: [&str; 6] = ["s0", "s1", "s2", "s3", "s4", "s5"];
const AREAS: [&str; 6] = ["f0", "f1", "f2", "f3", "f4", "f5"];

/// The most series that are drawn.
pub(super) const SERIES: usize = COLOURS.len();

/// What is drawn at a point.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The index of the value of what is swept.
    pub(super) at: usize,
    pub(super) mean: f64,
    pub(super) interval: (f64, f64),
    /// 5 and 95 % of the runs have at most so much.
    pub(super) band: Option<(f64, f64)>,
}

/// Spots that belong together.
pub(super) struct Series {
    /// Empty if there is no other.
    pub(super) name: String,
    pub(super) spots: Vec<Spot>,
}

/// A measure along a sweep.
pub(super) struct Sweeping<'a> {
    pub(super) title: &'a str,
    pub(super) fine: String,
    /// What is swept, and its values in source form.
    pub(super) swept: &'a str,
    pub(super) values: &'a [String],
    pub(super) series: Vec<Series>,
    /// Whether these are shares, from 0 to 1.
    pub(super) shares: bool,
}

pub(super) fn panel(sweeping: &Sweeping<'_>) -> Panel {
    let Sweeping { title, fine, swept, values, series, shares } = sweeping;
    let places = places(values);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for spot in series.iter().flat_map(|series| &series.spots) {
        let (from, to) = spot.band.unwrap_or(spot.interval);
        low = low.min(from).min(spot.interval.0);
        high = high.max(to).max(spot.interval.1);
    }
    let (low, high) = if *shares { (0.0, 1.0) } else { (low, high) };
    let legend = if series.iter().any(|it| !it.name.is_empty()) { series.len().div_ceil(3) } else { 0 };
    let down = if legend > 0 { legend as f64 * 16.0 + 8.0 } else { 0.0 };
    let first = places.first().copied().unwrap_or(0.0);
    let last = places.last().copied().unwrap_or(0.0);
    let (first, last) = places.iter().fold((first, last), |(low, high), &it| (low.min(it), high.max(it)));
    let across = Scale::new((first, last), (LEFT + 12.0, RIGHT - 12.0));
    let up = Scale::new(if low <= high { (low, high) } else { (0.0, 1.0) }, (BOTTOM + down, TOP + down));
    let marks = up.ticks(5, false).into_iter().map(|value| {
        let label = if *shares { format!("{} %", shown(value * 100.0)) } else { shown(value) };
        (value, label)
    });
    let mut drawn = vec![left(up, &marks.collect::<Vec<_>>(), (LEFT, RIGHT))];
    for (index, one) in series.iter().enumerate().take(SERIES) {
        drawn.push(of_series(one, (index, series.len()), &places, (across, up)));
        if legend > 0 {
            drawn.push(in_legend(&one.name, index));
        }
    }
    drawn.push(below(across, &labels(values, &places), BOTTOM + down, swept));
    let meaning = match (shares, series.iter().flat_map(|it| &it.spots).any(|spot| spot.band.is_some())) {
        (true, _) => "share of runs, with its interval",
        (false, true) => "mean with its interval; band: 5 to 95 % of the runs",
        (false, false) => "mean with its interval",
    };
    drawn.push(text(RIGHT, BOTTOM + down + 48.0, "end", FINE, meaning).with("class", "fine"));
    Panel::new(title, fine, HEIGHT + 8.0 + down, drawn)
}

/// Where the values stand: numbers to scale, others at equal distances.
fn places(values: &[String]) -> Vec<f64> {
    let numbers: Option<Vec<f64>> =
        values.iter().map(|it| it.parse().ok().filter(|it: &f64| it.is_finite())).collect();
    numbers.unwrap_or_else(|| (0..values.len()).map(|index| index as f64).collect())
}

/// As many labels as there is room for.
fn labels(values: &[String], places: &[f64]) -> Vec<(f64, String)> {
    let longest = values.iter().map(String::len).max().unwrap_or(1).clamp(2, 14);
    let room = ((RIGHT - LEFT) / (longest as f64 * 8.0 + 10.0)).max(1.0) as usize;
    let every = values.len().div_ceil(room).max(1);
    let labelled = values.iter().zip(places).step_by(every);
    labelled.map(|(value, &place)| (place, crate::measure::shorten(value, 14))).collect()
}

fn of_series(
    series: &Series,
    (index, all): (usize, usize),
    places: &[f64],
    (across, up): (Scale, Scale),
) -> Element {
    let mut spots: Vec<&Spot> = series.spots.iter().collect();
    spots.sort_by(|one, other| places[one.at].total_cmp(&places[other.at]));
    let point = |at: usize, value: f64| format!("{} {}", number(across.at(places[at])), number(up.at(value)));
    let (colour, line, area) = (COLOURS[index], LINES[index], AREAS[index]);
    let mut group = Element::new("g");
    let banded: Vec<(usize, (f64, f64))> = spots.iter().filter_map(|it| Some((it.at, it.band?))).collect();
    if !banded.is_empty() {
        let forth = banded.iter().map(|&(at, (low, _))| point(at, low));
        let back = banded.iter().rev().map(|&(at, (_, high))| point(at, high));
        let path = format!("M {} Z", forth.chain(back).collect::<Vec<_>>().join(" L "));
        let band = Element::new("path").with("class", area).with("d", path).with("fill", colour);
        group = group.child(band.with("fill-opacity", number(0.18 / all.min(SERIES) as f64)));
    }
    let stroke =
        |element: Element| element.with("class", line).with("stroke", colour).with("stroke-width", 1.5);
    for spot in &spots {
        let (x, (low, high)) = (number(across.at(places[spot.at])), spot.interval);
        let whisker = Element::new("line").with("x1", &x).with("x2", &x);
        let whisker = whisker.with("y1", number(up.at(low))).with("y2", number(up.at(high)));
        let said = format!("{} ({} .. {})", shown(spot.mean), shown(low), shown(high));
        let dot = Element::new("circle")
            .with("class", area)
            .with("fill", colour)
            .with("cx", &x)
            .with("cy", number(up.at(spot.mean)))
            .with("r", 3)
            .child(Element::new("title").text(said));
        group = group.child(stroke(whisker)).child(dot);
    }
    let means: Vec<String> = spots.iter().map(|spot| point(spot.at, spot.mean)).collect();
    match means.is_empty() {
        true => group,
        false => {
            let path =
                Element::new("path").with("d", format!("M {}", means.join(" L "))).with("fill", "none");
            group.child(stroke(path))
        }
    }
}

fn in_legend(name: &str, index: usize) -> Element {
    let (x, y) = (LEFT + (index % 3) as f64 * 140.0, TOP + (index / 3) as f64 * 16.0 + 8.0);
    let swatch = Element::new("rect")
        .with("class", AREAS[index])
        .with("fill", COLOURS[index])
        .with("x", number(x))
        .with("y", number(y - 9.0))
        .with("width", 10)
        .with("height", 10);
    let name = crate::measure::shorten(name, 16);
    Element::new("g").child(swatch).child(text(x + 16.0, y, "start", FINE, &name).with("class", "fine"))
}
