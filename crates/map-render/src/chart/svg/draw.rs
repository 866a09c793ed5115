//! Draws a chart according to its layout.

use map_ir::AgentId;

use super::lanes::{Way, distance, space};
use super::layout::{ABOVE, BELOW, CHARACTER, HEAD, LINE, LOOP, Layout, Place, TOP, head_width, number};
use super::said::{Words, in_full};
use super::shapes::{At, clock, cross, diamond, dot, end_mark, line, lines, rect, round, shorter, text, tip};
use crate::chart::{Act, AgentEnd, Chart, Fate, Row, What, fold};
use crate::markup::Element;
use crate::measure::width;

/// The size of the cut corners of an arrow.
const CORNER: f64 = 4.0;

/// How far in front of its recipient's lifeline a message gets lost.
const SHORT: f64 = 12.0;

/// The height of the upper and of the lower edge of the box for folded steps within its row.
pub(super) const INSET: f64 = 5.0;

pub(super) struct Drawing<'c> {
    pub(super) chart: &'c Chart,
    pub(super) layout: &'c Layout,
}

impl Drawing<'_> {
    /// All elements, from back to front.
    pub(super) fn all(&self) -> Vec<Element> {
        let mut all: Vec<Element> = self.layout.agents.iter().map(|&agent| self.lifeline(agent)).collect();
        all.extend(self.frame());
        let rows = self.chart.rows.iter().zip(&self.layout.rows).enumerate();
        all.extend(rows.map(|(index, (row, place))| self.row(index, row, place)));
        all.extend(self.around_next());
        all.extend(self.waits());
        all.extend(self.below_all());
        all.push(self.heads());
        all
    }

    /// The names, in front of everything, so that a page can keep them in sight when it scrolls.
    fn heads(&self) -> Element {
        let under = rect("page", (0.0, 0.0), (self.layout.width, TOP + HEAD + 2.0));
        let heads = self.layout.agents.iter().map(|&agent| self.head(agent));
        Element::new("g").with("class", "heads").child(under).children(heads)
    }

    fn head(&self, agent: AgentId) -> Element {
        let lifeline = self.chart.lifeline(agent);
        let (x, wide) = (self.layout.x(agent), head_width(self.chart, agent));
        let middle =
            |class: &'static str, y: f64, said: &str| text(class, x, y, said).with("text-anchor", "middle");
        Element::new("g")
            .child(rect("head", (x - wide / 2.0, TOP), (wide, HEAD)).with("rx", 5))
            .child(middle("name", TOP + 16.0, &lifeline.name))
            .child(middle("role", TOP + 31.0, &lifeline.role))
    }

    /// The height at which an agent ends, if it does.
    fn end_of(&self, agent: AgentId) -> Option<(AgentEnd, f64)> {
        let (how, row) = self.chart.lifeline(agent).end?;
        let at = match row {
            Some(row) => {
                let place = &self.layout.rows[row];
                if self.is_folded(row) { place.bottom } else { place.at }
            }
            None => TOP + HEAD + 10.0,
        };
        Some((how, at))
    }

    fn is_folded(&self, row: usize) -> bool {
        matches!(self.chart.rows[row].what, What::Folded { .. })
    }

    fn lifeline(&self, agent: AgentId) -> Element {
        let x = self.layout.x(agent);
        let bottom = match self.end_of(agent) {
            Some((_, at)) => at,
            None => self.layout.foot,
        };
        let group = Element::new("g").child(line("lifeline", (x, TOP + HEAD), (x, bottom)));
        match (self.chart.lifeline(agent).end, self.end_of(agent)) {
            // The end is drawn with its row, unless that is folded.
            (Some((_, Some(row))), _) if !self.is_folded(row) => group,
            (_, Some((how, at))) => group.child(end_mark(how, (x, at))),
            _ => group,
        }
    }

    /// A frame around the rows that are repeated for ever.
    fn frame(&self) -> Option<Element> {
        let from = self.chart.repeated_from?;
        let top = self.layout.rows.get(from)?.top - LOOP + 4.0;
        let bottom = self.layout.end_of_rows + 2.0;
        let frame = rect("loop", (6.0, top), (self.layout.width - 12.0, bottom - top)).with("rx", 4);
        let words = ["repeated", "for ever"].into_iter().enumerate();
        let words = words.map(|(index, it)| text("looped", 14.0, top + 16.0 + LINE * index as f64, it));
        Some(Element::new("g").child(frame).children(words))
    }

    /// A row: a background to point at, then arrows, marks and words.
    fn row(&self, index: usize, row: &Row, place: &Place) -> Element {
        let group = Element::new("g");
        let mut group = match self.layout.is_next(index) {
            true => group.with("class", "row next").with("data-next", row.first),
            false => group.with("class", "row").with("data-step", row.first),
        };
        if row.first != row.last {
            group = group.with("data-last", row.last);
        }
        let whole = rect("whole", (0.0, place.top), (self.layout.width, place.bottom - place.top));
        let group = group.child(whole).child(Element::new("title").text(in_full(self.chart, row)));
        match &row.what {
            What::Folded { .. } => group.children(self.folded(index, row, place)),
            What::Step { agent, .. } => group
                .children(self.arrows(row, place, *agent))
                .children(self.words(index, row, place, *agent)),
        }
    }

    /// A box for folded steps; it covers what passes behind it. Then the messages sent in it and received below.
    fn folded(&self, index: usize, row: &Row, place: &Place) -> Vec<Element> {
        let size = (self.layout.width - 16.0, place.bottom - place.top - 2.0 * INSET);
        let middle = (self.layout.width + self.layout.gutter) / 2.0;
        let said = fold::summary(row);
        let left = middle - CHARACTER * width(&said) as f64 / 2.0;
        let said = match left < 12.0 {
            true => text("folded", 12.0, place.at + 4.0, &said),
            false => text("folded", middle, place.at + 4.0, &said).with("text-anchor", "middle"),
        };
        let sent = self.chart.copies.iter().enumerate().filter(|(_, copy)| copy.sent == index);
        let arrows = sent.flat_map(|(copy, _)| self.arrow(copy, (self.turn(copy), place.bottom - INSET)));
        let fold = rect("fold", (8.0, place.top + INSET), size).with("rx", 4);
        [fold, said].into_iter().chain(arrows).collect()
    }

    /// The arrows and the mark of a row.
    fn arrows(&self, row: &Row, place: &Place, agent: AgentId) -> Vec<Element> {
        let mut out = Vec::new();
        if let Some(Act::Send(copies)) = row.act() {
            out.extend(copies.iter().flat_map(|&copy| self.arrow(copy, self.start(copy, copies, place.at))));
        }
        let at = (self.layout.x(agent), place.at);
        out.push(match (row.ends(), &row.wrong, row.act()) {
            (Some(how), _, _) => end_mark(how, at),
            (None, Some(_), _) => cross(at),
            (None, None, Some(Act::Ask(_))) => diamond(at),
            (None, None, Some(Act::Timeout)) => clock(at),
            (None, None, Some(Act::Move)) => dot("move", at, 3.5),
            (None, None, _) => dot("dot", at, 3.0),
        });
        out
    }

    /// Where the arrow of one of several copies starts: at the sender, or where it leaves a longer arrow of the same
    /// kind in the same direction.
    fn start(&self, index: usize, copies: &[usize], y: f64) -> At {
        let from = self.layout.x(self.chart.copies[index].from);
        let reach = |copy: usize| self.layout.x(self.chart.copies[copy].to) - from;
        let is_received = |copy: usize| matches!(self.chart.copies[copy].fate, Fate::Received(_));
        let is_longer = |other: usize| {
            reach(other) * reach(index) > 0.0
                && reach(other).abs() > reach(index).abs()
                && is_received(other) == is_received(index)
        };
        let is_part = copies.iter().any(|&other| is_longer(other));
        (if is_part { self.turn(index) } else { from }, y)
    }

    /// The x at which the arrow of a copy turns away from the row in which it is sent, or ends.
    fn turn(&self, index: usize) -> f64 {
        let copy = &self.chart.copies[index];
        let to = self.layout.x(copy.to);
        let back = if to > self.layout.x(copy.from) { -1.0 } else { 1.0 };
        let before = match (self.layout.lanes.ways[index], copy.fate) {
            (Way::Lane(lane), _) if self.is_folded(copy.sent) => distance(lane),
            (Way::Lane(lane), _) => distance(lane) + CORNER,
            (_, Fate::Lost | Fate::Undelivered) => 2.0 * SHORT,
            (_, Fate::Dropped) => 2.0,
            (_, Fate::Unread) if self.layout.is_next(copy.sent) => 2.0,
            (_, Fate::Unread | Fate::Received(_)) => 4.0,
        };
        to + back * before
    }

    /// The arrow of a copy.
    fn arrow(&self, index: usize, from: At) -> Vec<Element> {
        let copy = &self.chart.copies[index];
        let to = self.layout.x(copy.to);
        let back = if to > self.layout.x(copy.from) { -1.0 } else { 1.0 };
        let turn = (self.turn(index), from.1);
        match (self.layout.lanes.ways[index], copy.fate) {
            (Way::Straight, Fate::Received(row)) => {
                let end = (to + back * 5.0, self.layout.rows[row].at);
                vec![line("arrow", from, shorter(from, end)), tip("tip", from, end)]
            }
            (Way::Lane(lane), Fate::Received(row)) => {
                let (x, place) = (to + back * distance(lane), &self.layout.rows[row]);
                let mut points = vec![from];
                if !self.is_folded(copy.sent) {
                    points.extend([turn, (x, from.1 + CORNER)]);
                }
                let end = if self.is_folded(row) {
                    (x, place.top + INSET)
                } else {
                    points.extend([(x, place.at - CORNER), (x - back * CORNER, place.at)]);
                    (to + back * 5.0, place.at)
                };
                let before = points[points.len() - 1];
                points.push(shorter(before, end));
                vec![lines("arrow", &points), tip("tip", before, end)]
            }
            (_, fate) if fate == Fate::Dropped || fate == Fate::Unread && self.layout.is_next(copy.sent) => {
                let before = (turn.0 + back * 9.0, turn.1);
                vec![line("arrow unread", from, before), tip("tip", before, turn)]
            }
            (_, Fate::Lost | Fate::Undelivered) => {
                let end = (to + back * SHORT, from.1 + 8.0);
                vec![lines("arrow unread", &[from, turn, end]), cross(end)]
            }
            (_, Fate::Unread | Fate::Dropped | Fate::Received(_)) => {
                vec![line("arrow unread", from, turn), dot("open", (to, from.1), 4.0)]
            }
        }
    }

    /// The number and the words of a row.
    fn words(&self, index: usize, row: &Row, place: &Place, agent: AgentId) -> Vec<Element> {
        let number = number(row, self.layout.is_next(index));
        let number = text("number", self.layout.gutter - 12.0, place.at + 4.0, &number);
        let mut out = vec![number.with("text-anchor", "end")];
        let said = &place.said;
        let top = place.at - ABOVE - LINE * said.above.len().saturating_sub(1) as f64;
        let (x, [left, right]) = (self.layout.x(agent), place.offsets);
        out.extend(beside(x, if said.left { -left } else { right }, top, &said.above));
        out.extend(beside(x, right, place.at + 4.0, &said.level));
        out.extend(beside(x, right, place.at + BELOW, &said.below));
        out
    }

    /// Who waits for whom; waits that form a cycle stand out.
    fn waits(&self) -> Vec<Element> {
        let cycle = self.chart.wait_cycle();
        let follows = |a: AgentId, b: AgentId| {
            let at = cycle.iter().position(|&it| it == a);
            at.is_some_and(|at| cycle[(at + 1) % cycle.len()] == b)
        };
        let mut out = Vec::new();
        if !self.layout.waits.is_empty() {
            let y = self.layout.end_of_rows + if self.chart.repeated_from.is_some() { 18.0 } else { 8.0 };
            out.push(line("lifeline", (8.0, y), (self.layout.width - 8.0, y)));
            out.push(text("number", 10.0, y + 14.0, "waits for"));
        }
        for (wait, place) in self.chart.waits.iter().zip(&self.layout.waits) {
            let at: At = (self.layout.x(wait.agent), place.at);
            for &on in wait.on.iter().filter(|&&on| on != wait.agent) {
                let in_cycle = follows(wait.agent, on);
                let to = self.layout.x(on);
                let end = (if to > at.0 { to - 2.0 } else { to + 2.0 }, at.1);
                let class = if in_cycle { "wait circle" } else { "wait" };
                out.push(line(class, at, shorter(at, end)));
                out.push(tip(if in_cycle { "circle-tip" } else { "wait-tip" }, at, end));
            }
            out.push(dot(if cycle.contains(&wait.agent) { "circle-tip" } else { "wait-tip" }, at, 4.0));
            let lines = place.said.len() as f64;
            let top = if wait.on.is_empty() { at.1 + 4.0 } else { at.1 - ABOVE - LINE * (lines - 1.0) };
            out.extend(beside(at.0, if place.left { -space(0) } else { space(0) }, top, &place.said));
        }
        out
    }

    /// The lines below the lifelines.
    fn below_all(&self) -> impl Iterator<Item = Element> {
        let lines = self.layout.below.iter().enumerate();
        lines.map(|(line, (said, bad))| {
            let y = self.layout.foot + 16.0 + LINE * line as f64;
            text(if *bad { "bad" } else { "note" }, 12.0, round(y), said)
        })
    }
}

/// Lines of text from the height `y` downwards, at that distance from `x`; to its left if the distance is negative.
fn beside(x: f64, distance: f64, y: f64, said: &[Words]) -> impl Iterator<Item = Element> {
    said.iter().enumerate().map(move |(index, it)| {
        let text = text(it.class, x + distance, y + LINE * index as f64, &it.text);
        if distance < 0.0 { text.with("text-anchor", "end") } else { text }
    })
}
