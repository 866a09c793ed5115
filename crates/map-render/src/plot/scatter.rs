//! Two measures of each run: a dot for each pair of values, the larger the more runs have it.

use std::collections::BTreeMap;

use super::axis::{Scale, below, left, shown};
use super::panel::{BOTTOM, FINE, HEIGHT, LEFT, Panel, RIGHT, TOP, number, percent, text};
use crate::markup::Element;

/// The largest radius of a dot.
const RADIUS: f64 = 9.0;

/// The most places of dots across and up: pairs that are closer share a dot.
const PLACES: f64 = 64.0;

/// Two measures of the runs that have both.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// What stands across and up.
    pub names: (String, String),
    /// How many runs have two values.
    pub runs: BTreeMap<(i64, i64), u64>,
}

pub(super) fn panel(pairs: &Pairs) -> Panel {
    let Pairs { names: (across_name, up_name), runs } = pairs;
    let span = |values: &dyn Fn(&(i64, i64)) -> i64| {
        let all = || runs.keys().map(values);
        (all().min().unwrap_or(0) as f64, all().max().unwrap_or(0) as f64)
    };
    let across = Scale::new(span(&|pair| pair.0), (LEFT + 12.0, RIGHT - 12.0));
    let up = Scale::new(span(&|pair| pair.1), (BOTTOM - 12.0, TOP + 22.0));
    let mut dots: BTreeMap<(i64, i64), (f64, f64, u64)> = BTreeMap::new();
    for (&(x, y), &runs) in runs {
        let (x, y) = (across.at(x as f64), up.at(y as f64));
        let cell = |place: f64, width: f64| (place / width * PLACES).round() as i64;
        let key = (cell(x, RIGHT - LEFT), cell(y, BOTTOM - TOP));
        let dot = dots.entry(key).or_insert((x, y, 0));
        dot.2 += runs;
    }
    let all: u64 = runs.values().sum();
    let most = dots.values().map(|dot| dot.2).max().unwrap_or(1);
    let circles = dots.values().map(|&(x, y, runs)| {
        let radius = (RADIUS * (runs as f64 / most as f64).sqrt()).max(1.2);
        let share = percent(runs as f64 / all.max(1) as f64);
        Element::new("circle")
            .with("class", "dot")
            .with("fill", "#0969da")
            .with("fill-opacity", 0.6)
            .with("cx", number(x))
            .with("cy", number(y))
            .with("r", number(radius))
            .child(Element::new("title").text(format!("{runs} runs, {share}")))
    });
    let ticks = |scale: Scale| {
        scale.ticks(6, true).into_iter().map(|value| (value, shown(value))).collect::<Vec<_>>()
    };
    let drawn = [left(up, &ticks(up), (LEFT, RIGHT))].into_iter().chain(circles).chain([
        below(across, &ticks(across), BOTTOM, across_name),
        text(LEFT, TOP + 6.0, "start", FINE, up_name).with("class", "fine"),
        text(RIGHT, BOTTOM + 48.0, "end", FINE, "the area of a dot: how many runs").with("class", "fine"),
    ]);
    let fine = format!("{all} runs with both");
    Panel::new(&format!("{up_name} by {across_name}"), &fine, HEIGHT + 8.0, drawn)
}
