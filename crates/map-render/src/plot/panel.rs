//! The frame of a plot: a title, fine print, and the place of what is drawn.

use crate::markup::Element;
use crate::measure::{clean, shorten};

/// The width of a picture, in pixels: it can be read on a telephone, too.
pub(super) const WIDTH: f64 = 520.0;

/// Where what is drawn begins and ends.
pub(super) const LEFT: f64 = 64.0;
pub(super) const RIGHT: f64 = 468.0;
pub(super) const TOP: f64 = 50.0;
pub(super) const BOTTOM: f64 = 224.0;

/// The height of a panel with an axis below.
pub(super) const HEIGHT: f64 = 276.0;

/// The colours of text, of fine print and of axes.
pub(super) const INK: &str = "#1f2328";
pub(super) const FINE: &str = "#57606a";
pub(super) const LINE_INK: &str = "#6e7781";

/// The most columns of a title and of a line of fine print.
const MAX_COLUMNS: usize = 62;

/// A plot and its height.
pub(super) struct Panel {
    pub(super) drawn: Element,
    pub(super) height: f64,
}

impl Panel {
    /// A panel with a title and fine print, of this height.
    pub(super) fn new(
        title: &str,
        fine: &str,
        height: f64,
        drawn: impl IntoIterator<Item = Element>,
    ) -> Self {
        let title = text(16.0, 20.0, "start", INK, title).with("font-weight", "bold");
        let fine = text(16.0, 37.0, "start", FINE, fine).with("class", "fine");
        Self { drawn: Element::new("g").child(title).child(fine).children(drawn), height }
    }
}

/// A line of text; `anchor` says which of its ends is at the place.
pub(super) fn text(x: f64, y: f64, anchor: &'static str, colour: &'static str, text: &str) -> Element {
    Element::new("text")
        .with("x", number(x))
        .with("y", number(y))
        .with("text-anchor", anchor)
        .with("fill", colour)
        .text(shorten(&clean(text), MAX_COLUMNS))
}

/// A coordinate, to a hundredth of a pixel: the same on every machine.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
