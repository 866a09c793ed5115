//! A chart as an SVG picture. Sending and receiving are two points: the arrow of a message that is not received at once
//! runs beside its recipient's lifeline while it waits in the mailbox.
//!
//! Every row is a group of the class `row` with the attribute `data-step`, for pages that step through a chart.

mod draw;
mod lanes;
mod layout;
mod said;
mod shapes;

use crate::markup::Element;

use self::draw::Drawing;
use self::layout::Layout;
use super::Chart;

/// The style of a chart; neutral colours follow the reader's light or dark scheme.
const STYLE: &str = include_str!("svg/style.css");

/// The chart as an `svg` element, for a page or, printed, a file of its own.
#[must_use]
pub fn draw(chart: &Chart) -> Element {
    let layout = Layout::new(chart);
    let title = format!("{}: {} steps", chart.scene, chart.rows.last().map_or(0, |row| row.last));
    let picture = Drawing { chart, layout: &layout }.all();
    Element::svg("map-chart", (layout.width, layout.height), &title, STYLE).children(picture)
}
