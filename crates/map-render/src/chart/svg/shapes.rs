//! The shapes that charts are drawn with.

use crate::chart::AgentEnd;
use crate::markup::Element;

/// A point.
pub(super) type At = (f64, f64);

pub(super) fn text(class: &'static str, x: f64, y: f64, said: &str) -> Element {
    Element::new("text").with("class", class).with("x", round(x)).with("y", round(y)).text(said)
}

pub(super) fn line(class: &'static str, from: At, to: At) -> Element {
    Element::new("line")
        .with("class", class)
        .with("x1", round(from.0))
        .with("y1", round(from.1))
        .with("x2", round(to.0))
        .with("y2", round(to.1))
}

/// A line through several points.
pub(super) fn lines(class: &'static str, points: &[At]) -> Element {
    Element::new("polyline").with("class", class).with("points", list(points))
}

pub(super) fn rect(class: &'static str, at: At, size: At) -> Element {
    Element::new("rect")
        .with("class", class)
        .with("x", round(at.0))
        .with("y", round(at.1))
        .with("width", round(size.0))
        .with("height", round(size.1))
}

/// The end of a line, moved back to make room for the arrowhead.
pub(super) fn shorter(from: At, to: At) -> At {
    let (dx, dy, long) = way(from, to);
    let back = 6.0_f64.min(long);
    (to.0 - dx * back, to.1 - dy * back)
}

/// An arrowhead.
pub(super) fn tip(class: &'static str, from: At, to: At) -> Element {
    let (dx, dy, _) = way(from, to);
    let (x, y) = (to.0 - dx * 9.0, to.1 - dy * 9.0);
    let points = [to, (x - dy * 4.0, y + dx * 4.0), (x + dy * 4.0, y - dx * 4.0)];
    Element::new("polygon").with("class", class).with("points", list(&points))
}

/// The unit vector from one point to another, and their distance.
fn way(from: At, to: At) -> (f64, f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy).max(0.1);
    (dx / long, dy / long, long)
}

pub(super) fn dot(class: &'static str, (x, y): At, radius: f64) -> Element {
    Element::new("circle").with("class", class).with("cx", round(x)).with("cy", round(y)).with("r", radius)
}

pub(super) fn diamond((x, y): At) -> Element {
    let points = [(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)];
    Element::new("polygon").with("class", "ask").with("points", list(&points))
}

pub(super) fn clock(at: At) -> Element {
    let (x, y) = at;
    let hand = |to: At| line("clock", at, to);
    Element::new("g").child(dot("clock", at, 5.5)).child(hand((x, y - 3.5))).child(hand((x + 2.5, y + 1.0)))
}

pub(super) fn cross((x, y): At) -> Element {
    let (low, high) = (round(y - 5.0), round(y + 5.0));
    let (left, right) = (round(x - 5.0), round(x + 5.0));
    let way = format!("M{left},{low} L{right},{high} M{left},{high} L{right},{low}");
    Element::new("path").with("class", "bad").with("d", way)
}

pub(super) fn end_mark(how: AgentEnd, at: At) -> Element {
    match how {
        AgentEnd::Done => rect("good", (at.0 - 5.0, at.1 - 5.0), (10.0, 10.0)).with("rx", 2),
        AgentEnd::Failed | AgentEnd::Crashed => cross(at),
    }
}

fn list(points: &[At]) -> String {
    let points = points.iter().map(|&(x, y)| format!("{},{}", round(x), round(y)));
    points.collect::<Vec<_>>().join(" ")
}

/// Rounds to a tenth of a pixel.
pub(super) fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
