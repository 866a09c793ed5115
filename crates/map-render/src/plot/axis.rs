//! Axes: where a value stands, and which values are written.

use super::panel::{FINE, INK, LINE_INK, number, text};
use crate::markup::Element;

/// An interval of values, and where it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The values at both ends; they differ.
    from: f64,
    to: f64,
    /// The places of these values, in pixels.
    start: f64,
    end: f64,
}

impl Scale {
    /// Values from `from` to `to` between two places. A single value stands in the middle.
    pub(super) fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> Self {
        let (from, to) = if from < to { (from, to) } else { (from - 0.5, from + 0.5) };
        Self { from, to, start, end }
    }

    /// Where a value stands.
    pub(super) fn at(self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// Round values, at most `most` and at least two of them if there is room; `whole` for integers only.
    pub(super) fn ticks(self, most: usize, whole: bool) -> Vec<f64> {
        let rough = (self.to - self.from) / most.max(2) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|it| it * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        let step = if whole { step.max(1.0) } else { step };
        let first = (self.from / step).ceil();
        let count = ((self.to / step).floor() - first).max(0.0) as usize;
        (0..=count.min(2 * most)).map(|index| (first + index as f64) * step + 0.0).collect()
    }
}

/// The numbers below a panel, with a name.
pub(super) fn below(scale: Scale, ticks: &[(f64, String)], bottom: f64, name: &str) -> Element {
    let line = Element::new("line")
        .with("class", "axis")
        .with("stroke", LINE_INK)
        .with("x1", number(scale.start))
        .with("x2", number(scale.end))
        .with("y1", number(bottom))
        .with("y2", number(bottom));
    let labels = ticks.iter().map(|(value, label)| {
        text(scale.at(*value), bottom + 16.0, "middle", FINE, label).with("class", "fine")
    });
    let middle = f64::midpoint(scale.start, scale.end);
    Element::new("g").child(line).children(labels).child(text(middle, bottom + 33.0, "middle", INK, name))
}

/// Lines across a panel with their numbers, left of it.
pub(super) fn left(scale: Scale, ticks: &[(f64, String)], (start, end): (f64, f64)) -> Element {
    let lines = ticks.iter().map(|(value, _)| {
        Element::new("line")
            .with("class", "grid")
            .with("stroke", "#d0d7de")
            .with("x1", number(start))
            .with("x2", number(end))
            .with("y1", number(scale.at(*value)))
            .with("y2", number(scale.at(*value)))
    });
    let labels = ticks.iter().map(|(value, label)| {
        text(start - 6.0, scale.at(*value) + 4.0, "end", FINE, label).with("class", "fine")
    });
    Element::new("g").children(lines).children(labels)
}

/// A number for people: with as many places as it needs, and powers of ten if it is long.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || size > 0.0 && size < 1e-4 {
        return format!("{value:.2e}").replace(".00e", "e");
    }
    let text = format!("{:.4}", value + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Scale, shown};

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |from, to, most, whole| Scale::new((from, to), (0.0, 100.0)).ticks(most, whole);
        assert_eq!(ticks(0.0, 100.0, 5, false), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(1.0, 3.0, 8, true), [1.0, 2.0, 3.0]);
        assert_eq!(ticks(-7.0, 12.0, 4, true), [-5.0, 0.0, 5.0, 10.0]);
        // A single value, and the largest ones.
        assert_eq!(ticks(5.0, 5.0, 4, true), [5.0]);
        let wide = ticks(i64::MIN as f64, i64::MAX as f64, 5, true);
        assert!(wide.len() >= 2 && wide.iter().all(|it| it.is_finite()), "{wide:?}");
        let middle = Scale::new((5.0, 5.0), (0.0, 100.0)).at(5.0);
        assert!((middle - 50.0).abs() < 1e-9);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.25, 3.0, -0.0, 12345.0, 1e12, 0.00001].map(shown),
            ["0.25", "3", "0", "12345", "1e12", "1e-5"]
        );
    }
}
