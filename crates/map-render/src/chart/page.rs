//! A chart as a self-contained HTML page.

use super::Chart;
use super::svg;
use crate::markup::Element;
use crate::measure::clean;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; background: #ffffff; color: #1f2328; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } }
h1 { font-size: 1.3rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
p { margin: 0 0 .6rem; max-width: 60rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
pre > span { display: block; min-height: 1.5em; padding-left: 6ch; text-indent: -6ch; }
.chart { overflow-x: auto; }
";

/// The text around a chart.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The title.
    pub title: &'a str,
    /// Paragraphs above the chart.
    pub above: &'a [String],
    /// Text below the chart, line by line: the story of the run.
    pub below: &'a str,
}

/// The page.
#[must_use]
pub fn print(chart: &Chart, around: &Around<'_>) -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    let head = Element::new("head")
        .child(Element::new("meta").with("charset", "utf-8"))
        .child(Element::new("meta").with("http-equiv", "Content-Security-Policy").with("content", policy))
        .child(
            Element::new("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
        )
        .child(Element::new("title").text(around.title))
        .child(Element::new("style").raw(STYLE));
    let mut body = Element::new("body")
        .child(Element::new("h1").text(around.title))
        .children(around.above.iter().map(|it| Element::new("p").text(it)))
        .child(Element::new("div").with("class", "chart").child(svg::draw(chart)));
    if !around.below.is_empty() {
        let lines = around.below.lines().map(|line| Element::new("span").text(clean(line)));
        body = body.child(Element::new("pre").children(lines));
    }
    let page = Element::new("html").with("lang", "en").child(head).child(body);
    format!("<!DOCTYPE html>\n{page}\n")
}
