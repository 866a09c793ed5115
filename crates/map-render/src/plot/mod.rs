//! Plots of what was collected of many runs, and of sweeps. Colours stand in attributes, so that the pictures look
//! right in programs without style sheets; where there are some, they follow the reader's light or dark scheme.

mod axis;
mod bars;
mod histogram;
mod panel;
mod scatter;
mod series;

use map_session::{ManyRuns, SweptPoint, SweptRuns};
use map_simulate::{CollectedValue, Distribution, wilson};

pub use scatter::Pairs;

use self::bars::Words;
use self::histogram::{Integers, Shown};
use self::panel::{Panel, WIDTH, number};
use self::series::{SERIES, Series, Spot, Sweeping};
use crate::markup::Element;

/// The colours of the dark scheme.
const STYLE: &str = include_str!("style.css");

/// The most words that are followed along a sweep.
const WORDS: usize = 6;

/// What is drawn of each measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plot {
    /// Bars with the distribution function.
    Usual,
    /// Bars.
    Histogram,
    /// The distribution function.
    Ecdf,
}

/// A plot for each measure of many runs; without measures, one of the steps of a run.
#[must_use]
pub fn of_runs(played: &ManyRuns, plot: Plot) -> Element {
    let shown = match plot {
        Plot::Usual => Shown::Both,
        Plot::Histogram => Shown::Bars,
        Plot::Ecdf => Shown::Ecdf,
    };
    let mut panels = Vec::new();
    for (measure, found) in played.measures() {
        panels.extend(distribution(&measure.name, found, shown));
    }
    if panels.is_empty() {
        let steps = &played.statistics.steps;
        let runs = steps.iter().map(|(&steps, &runs)| (i64::try_from(steps).unwrap_or(i64::MAX), runs));
        let fine = format!("{} runs, mean {:.2}", played.statistics.runs, played.statistics.mean_steps());
        let integers = Integers { name: "steps", fine, runs: runs.collect() };
        panels.push(histogram::panel(&integers, shown));
    }
    picture(&headline(played), panels)
}

/// Two measures of each run.
#[must_use]
pub fn of_pairs(played: &ManyRuns, pairs: &Pairs) -> Element {
    picture(&headline(played), vec![scatter::panel(pairs)])
}

/// A plot for each measure along a sweep; without measures, one of the steps of a run.
///
/// # Panics
/// If no point was reached.
#[must_use]
pub fn of_sweep(swept: &SweptRuns) -> Element {
    let first = &swept.points[0].played;
    let measure = |name: &str| along(swept, name, &|point: &SweptPoint| point.measure(name).cloned());
    let mut panels: Vec<Panel> = swept.measures().into_iter().map(measure).collect();
    if panels.is_empty() {
        let of = |point: &SweptPoint| {
            let steps = point.played.statistics.steps.iter();
            let value = |steps: u64| CollectedValue::Integer(i64::try_from(steps).unwrap_or(i64::MAX));
            let values = steps.map(|(&steps, &runs)| (value(steps), runs)).collect();
            Some(Distribution { values, ..Distribution::default() })
        };
        panels.push(along(swept, "steps", &of));
    }
    picture(&headline(first), panels)
}

fn headline(played: &ManyRuns) -> String {
    let ManyRuns { scene, options, wanted, .. } = played;
    format!("{}: {wanted} runs, seed {}", scene.program.scene, options.seed)
}

/// The plots of a measure: of its integers, and of other values if it has any.
fn distribution(name: &str, found: &Distribution, shown: Shown) -> Vec<Panel> {
    let mut panels = Vec::new();
    let all = found.runs() + found.without + found.stopped;
    if let Some(moments) = found.moments() {
        let mut fine = format!("{} of {all} runs, mean {:.3}", moments.runs, moments.mean);
        if let Some((low, high)) = moments.interval {
            fine.push_str(&format!(" ({low:.3} .. {high:.3})"));
        }
        let integers = Integers { name, fine, runs: found.integers().collect() };
        panels.push(histogram::panel(&integers, shown));
    }
    let words: Vec<(String, u64)> =
        found.values.iter().filter_map(|(value, &runs)| Some((word(value)?, runs))).collect();
    if !words.is_empty() || panels.is_empty() {
        let runs: u64 = words.iter().map(|row| row.1).sum();
        let fine = format!("{runs} of {all} runs");
        panels.push(bars::panel(&Words { name, fine, runs: words }));
    }
    panels
}

/// A value that is no integer.
fn word(value: &CollectedValue) -> Option<String> {
    match value {
        CollectedValue::Integer(_) => None,
        CollectedValue::Word(word) => Some(word.clone()),
        CollectedValue::Unknown => Some("unknown".to_owned()),
    }
}

/// The values of the `sweep`th thing that is swept, in order.
fn values(swept: &SweptRuns, sweep: usize) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for point in &swept.points {
        if let Some(value) = point.at.get(sweep).filter(|value| !values.contains(value)) {
            values.push(value.clone());
        }
    }
    values
}

/// A measure along a sweep: its mean or, if it has no integers, how often it has each value.
fn along(swept: &SweptRuns, title: &str, of: &dyn Fn(&SweptPoint) -> Option<Distribution>) -> Panel {
    let (along, others) = (values(swept, 0), values(swept, 1));
    let found: Vec<(&SweptPoint, Distribution)> =
        swept.points.iter().filter_map(|point| Some((point, of(point)?))).collect();
    let index = |point: &SweptPoint| along.iter().position(|it| Some(it) == point.at.first()).unwrap_or(0);
    let is_integer = found.iter().any(|(_, found)| found.moments().is_some());
    let lines: Vec<String> = match (others.is_empty(), is_integer) {
        (false, _) => others.clone(),
        (true, true) => vec![String::new()],
        (true, false) => frequent(&found),
    };
    let is_of = |point: &SweptPoint, line: &String| others.is_empty() || point.at.get(1) == Some(line);
    let spot = |point: &SweptPoint, found: &Distribution, line: &String| match is_integer {
        true => mean(index(point), found),
        // With a second sweep it is how many runs have a value at all.
        false => Some(share(index(point), found, others.is_empty().then_some(line))),
    };
    let series = lines.iter().take(SERIES).map(|line| {
        let spots = found.iter().filter(|(point, _)| is_of(point, line));
        let name = match swept.names.get(1) {
            Some(name) => format!("{name}={line}"),
            None => line.clone(),
        };
        Series { name, spots: spots.filter_map(|(point, found)| spot(point, found, line)).collect() }
    });
    let series: Vec<Series> = series.collect();
    let mut fine = format!("along {}", swept.names.join(" and "));
    if lines.len() > SERIES {
        fine.push_str(&format!("; {} of {} lines are drawn", SERIES, lines.len()));
    }
    let swept = swept.names.first().map_or("", String::as_str);
    series::panel(&Sweeping { title, fine, swept, values: &along, series, shares: !is_integer })
}

fn mean(at: usize, found: &Distribution) -> Option<Spot> {
    let moments = found.moments()?;
    let interval = moments.interval.unwrap_or((moments.mean, moments.mean));
    let band = found.quantile(5).zip(found.quantile(95)).map(|(low, high)| (low as f64, high as f64));
    Some(Spot { at, mean: moments.mean, interval, band })
}

/// The share of the runs that have this value, or any.
fn share(at: usize, found: &Distribution, value: Option<&String>) -> Spot {
    let all = found.runs() + found.without + found.stopped;
    let has = |it: &CollectedValue| value.is_none_or(|value| word(it).as_ref() == Some(value));
    let runs: u64 = found.values.iter().filter(|(value, _)| has(value)).map(|(_, runs)| runs).sum();
    let mean = if all == 0 { 0.0 } else { runs as f64 / all as f64 };
    Spot { at, mean, interval: wilson(runs, all), band: None }
}

/// The most frequent values at all points together.
fn frequent(found: &[(&SweptPoint, Distribution)]) -> Vec<String> {
    let mut words: Vec<(String, u64)> = Vec::new();
    for (value, &runs) in found.iter().flat_map(|(_, found)| &found.values) {
        let Some(word) = word(value) else { continue };
        match words.iter_mut().find(|known| known.0 == word) {
            Some(known) => known.1 += runs,
            None => words.push((word, runs)),
        }
    }
    words.sort_by_key(|word| std::cmp::Reverse(word.1));
    words.into_iter().take(WORDS).map(|word| word.0).collect()
}

/// Panels below each other.
fn picture(title: &str, panels: Vec<Panel>) -> Element {
    let height = panels.iter().map(|panel| panel.height).sum::<f64>() + 8.0;
    let mut svg = Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("class", "map-plot")
        .with("viewBox", format!("0 0 {WIDTH} {}", number(height)))
        .with("width", WIDTH)
        .with("height", number(height))
        .with("font-family", "ui-monospace, \"DejaVu Sans Mono\", Menlo, Consolas, monospace")
        .with("font-size", 12)
        .with("role", "img")
        .child(Element::new("title").text(title))
        .child(Element::new("style").raw(STYLE))
        .child(
            Element::new("rect")
                .with("class", "page")
                .with("fill", "#ffffff")
                .with("width", WIDTH)
                .with("height", number(height)),
        );
    let mut y = 0.0;
    for panel in panels {
        svg = svg.child(panel.drawn.with("transform", format!("translate(0 {})", number(y))));
        y += panel.height;
    }
    svg
}
