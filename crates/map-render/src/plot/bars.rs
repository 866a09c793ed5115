//! Values that are no integers: a bar for each.

use super::panel::{FINE, INK, Panel, RIGHT, TOP, number, percent, text};
use crate::markup::Element;
use crate::measure::{clean, shorten};

/// The most bars; the rarest values share the last one.
const BARS: usize = 16;

/// The height of a bar with its gap.
const ROW: f64 = 20.0;

/// Where bars begin, and the most columns of the names in front of them.
const START: f64 = 170.0;
const NAME: usize = 20;

/// Values with the number of runs that have each.
pub(super) struct Words<'a> {
    pub(super) name: &'a str,
    /// What is said of all of them.
    pub(super) fine: String,
    pub(super) runs: Vec<(String, u64)>,
}

pub(super) fn panel(words: &Words<'_>) -> Panel {
    let mut rows = words.runs.clone();
    rows.sort_by_key(|row| std::cmp::Reverse(row.1));
    if rows.len() > BARS {
        let rest = rows.split_off(BARS - 1);
        rows.push((format!("{} others", rest.len()), rest.iter().map(|row| row.1).sum()));
    }
    let all: u64 = rows.iter().map(|row| row.1).sum();
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    let drawn = rows.iter().enumerate().map(|(index, (name, runs))| {
        let y = TOP + index as f64 * ROW;
        let length = (RIGHT - START) * *runs as f64 / most as f64;
        let share = percent(*runs as f64 / all.max(1) as f64);
        let bar = Element::new("rect")
            .with("class", "bar")
            .with("fill", "#2f6fbf")
            .with("x", number(START))
            .with("width", number(length))
            .with("y", number(y + 2.0))
            .with("height", number(ROW - 5.0))
            .child(Element::new("title").text(format!("{}: {runs} runs, {share}", clean(name))));
        Element::new("g")
            .child(text(START - 8.0, y + 14.0, "end", INK, &shorten(name, NAME)))
            .child(bar)
            .child(text(START + length + 6.0, y + 14.0, "start", FINE, &share).with("class", "fine"))
    });
    Panel::new(words.name, &words.fine, TOP + rows.len() as f64 * ROW + 24.0, drawn)
}
