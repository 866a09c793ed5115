//! A chart as an SVG picture. Sending and receiving are two points: the arrow of a message that is not received at once
//! runs beside its recipient's lifeline while it waits in the mailbox.
//!
//! Every row is a group of the class `row` with the attribute `data-step`, for pages that step through a chart. A step
//! that can be taken next is a group of the class `next` with its number as `data-next`; if some are not drawn, a last
//! group has their number as `data-more`.

mod draw;
mod lanes;
mod layout;
mod next;
mod said;
mod shapes;

use crate::markup::Element;

use self::draw::Drawing;
use self::layout::Layout;
use super::Chart;
use super::next::{Next, Outlook};

/// The style of a chart; neutral colours follow the reader's light or dark scheme.
const STYLE: &str = include_str!("svg/style.css");

/// The style of what can happen next, where there is any.
const NEXT_STYLE: &str = include_str!("svg/next.css");

/// The chart as an `svg` element, for a page or, printed, a file of its own.
#[must_use]
pub fn draw(chart: &Chart) -> Element {
    picture(chart, Outlook::none(chart))
}

/// The same with what can happen next below what has happened, for a page where one of these steps can be chosen.
#[must_use]
pub fn draw_with_next(chart: &Chart, next: &Next) -> Element {
    let (chart, outlook) = next.below(chart);
    picture(&chart, outlook).child(Element::new("style").raw(NEXT_STYLE))
}

fn picture(chart: &Chart, outlook: Outlook) -> Element {
    let layout = Layout::new(chart, outlook);
    let steps = chart.rows[..outlook.from].last().map_or(0, |row| row.last);
    let title = format!("{}: {steps} steps", chart.scene);
    let picture = Drawing { chart, layout: &layout }.all();
    Element::svg("map-chart", (layout.width, layout.height), &title, STYLE).children(picture)
}
