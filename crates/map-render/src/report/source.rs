//! The source of the dialogue, marked with what ran and what did not.

use super::{OperationCoverage, Report, scrolled, section};
use crate::markup::Element;

/// The section; `None` if there is no source.
pub(super) fn section_of(report: &Report) -> Option<Element> {
    if report.source.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut start = 0;
    for line in report.source.split_inclusive('\n') {
        lines.push(drawn(lines.len() + 1, line.trim_end_matches(['\n', '\r']), start, &report.coverage));
        start += line.len();
    }
    let legend = Element::new("p")
        .child(Element::new("span").with("class", "ran").text("ran in some run"))
        .text(", ")
        .child(Element::new("del").with("class", "never").text("ran in none"))
        .text(" of those searched.");
    let listing = Element::new("pre").with("class", "source").children(lines);
    Some(section("source", "The dialogue").child(legend).child(scrolled("div", "Source").child(listing)))
}

/// A line that starts at the byte `start` of the source.
fn drawn(number: usize, line: &str, start: usize, coverage: &[OperationCoverage]) -> Element {
    let end = start + line.len();
    let first = coverage.partition_point(|it| it.end <= start);
    let mut drawn = Element::new("span")
        .with("class", "line")
        .child(Element::new("span").with("class", "number").text(format!("{number:>4} ")));
    let mut at = start;
    for covered in coverage[first..].iter().take_while(|it| it.start < end) {
        let (from, to) = (covered.start.clamp(at, end), covered.end.clamp(at, end));
        let piece = |from: usize, to: usize| line.get(from - start..to - start).unwrap_or_default();
        let marked = match covered.ran {
            true => Element::new("span").with("class", "ran"),
            false => {
                Element::new("del").with("class", "never").with("title", "ran in none of the runs searched")
            }
        };
        drawn = drawn.text(piece(at, from)).child(marked.text(piece(from, to)));
        at = to;
    }
    drawn.text(line.get(at - start..).unwrap_or_default()).text("\n")
}
