//! What surrounds the rows that can happen next: a line above them, and a box for those that are not drawn.

use super::draw::{Drawing, INSET};
use super::layout::MORE;
use super::shapes::{line, rect, text};
use crate::markup::Element;

impl Drawing<'_> {
    /// The line above what can happen next, and the box below it.
    pub(super) fn around_next(&self) -> Vec<Element> {
        let (outlook, top) = self.layout.next;
        if outlook.is_empty(self.chart) {
            return Vec::new();
        }
        let above = line("lifeline", (8.0, top), (self.layout.width - 8.0, top));
        let mut out = vec![above, text("number", 10.0, top + 14.0, "next")];
        if outlook.hidden > 0 {
            let top = self.layout.end_of_rows - 4.0 - MORE;
            let size = (self.layout.width - 16.0, MORE - 2.0 * INSET);
            let more = Element::new("g").with("class", "next").with("data-more", outlook.hidden);
            let said = format!("and {} more", outlook.hidden);
            let box_of_them = rect("fold", (8.0, top + INSET), size).with("rx", 4);
            // To the left, where it is seen however wide the chart is.
            out.push(more.child(box_of_them).child(text("folded", 20.0, top + MORE / 2.0 + 4.0, &said)));
        }
        out
    }
}
