//! Draws a chart according to its layout.

use map_ir::AgentId;

use super::layout::{
    GUTTER, HEAD, LINE, Layout, Place, TOP, alone, goes_right, head_width, is_folded, taken_in,
};
use crate::chart::{Act, Chart, Ended, Fate, Row, What, fold};
use crate::markup::Element;
use crate::measure::wrap;

/// The drop of the arrow of a message that does not arrive or is not received.
const FALL: f64 = 12.0;

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
        let (mut lines, mut words) = (Vec::new(), Vec::new());
        for (index, (row, place)) in rows {
            lines.push(self.group(row).children(self.arrows(index, row, place)));
            words.push(self.group(row).children(self.words(row, place)));
        }
        all.extend(lines);
        all.extend(words);
        all.extend(self.layout.agents.iter().map(|&agent| self.head(agent)));
        all.extend(self.waits());
        all.extend(self.below_all());
        all
    }

    fn group(&self, row: &Row) -> Element {
        let group = Element::new("g").with("class", "row").with("data-step", row.first);
        if row.first == row.last { group } else { group.with("data-last", row.last) }
    }

    fn head(&self, agent: AgentId) -> Element {
        let lifeline = self.chart.lifeline(agent);
        let (x, wide) = (self.layout.x(agent), head_width(self.chart, agent));
        let middle =
            |class: &'static str, y: f64, said: &str| text(class, x, y, said).with("text-anchor", "middle");
        Element::new("g")
            .child(
                Element::new("rect")
                    .with("class", "head")
                    .with("x", round(x - wide / 2.0))
                    .with("y", TOP)
                    .with("width", round(wide))
                    .with("height", HEAD)
                    .with("rx", 5),
            )
            .child(middle("name", TOP + 16.0, &lifeline.name))
            .child(middle("role", TOP + 31.0, &lifeline.role))
    }

    /// The height at which an agent ends, if it does.
    fn end_of(&self, agent: AgentId) -> Option<(Ended, f64)> {
        let (how, row) = self.chart.lifeline(agent).end?;
        let at = match row {
            Some(row) => {
                let place = &self.layout.rows[row];
                if is_folded(&self.chart.rows[row]) { place.bottom } else { place.at }
            }
            None => TOP + HEAD + 10.0,
        };
        Some((how, at))
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
            (Some((_, Some(row))), _) if !is_folded(&self.chart.rows[row]) => group,
            (_, Some((how, at))) => group.child(end_mark(how, x, at)),
            _ => group,
        }
    }

    /// A frame around the rows that are repeated for ever.
    fn frame(&self) -> Option<Element> {
        let from = self.chart.repeated_from?;
        let top = self.layout.rows.get(from)?.top - 18.0;
        let bottom = self.layout.end_of_rows + 2.0;
        let frame = Element::new("rect")
            .with("class", "loop")
            .with("x", 6)
            .with("y", round(top))
            .with("width", round(self.layout.width - 12.0))
            .with("height", round(bottom - top))
            .with("rx", 4);
        Some(Element::new("g").child(frame).child(text("looped", 14.0, top + 14.0, "repeated for ever")))
    }

    /// The arrows and marks of a row.
    fn arrows(&self, index: usize, row: &Row, place: &Place) -> Vec<Element> {
        let What::Step { agent, act, ends, .. } = &row.what else {
            let fold = Element::new("rect")
                .with("class", "fold")
                .with("x", 8)
                .with("y", round(place.top + 5.0))
                .with("width", round(self.layout.width - 16.0))
                .with("height", round(place.bottom - place.top - 10.0))
                .with("rx", 4);
            return std::iter::once(fold).chain(self.out_of_fold(index, place)).collect();
        };
        let x = self.layout.x(*agent);
        let mut out = Vec::new();
        if let Act::Send(copies) = act {
            out.extend(copies.iter().flat_map(|&copy| self.arrow(copy, (x, place.at))));
        }
        let mark = match (ends, &row.wrong, act) {
            (Some(how), _, _) => end_mark(*how, x, place.at),
            (None, Some(_), _) => cross(x, place.at),
            (None, None, Act::Ask(_)) => diamond(x, place.at),
            (None, None, Act::Timeout) => clock(x, place.at),
            (None, None, Act::Move) => dot("move", x, place.at, 3.5),
            (None, None, _) => dot("dot", x, place.at, 3.0),
        };
        out.push(mark);
        out
    }

    /// The arrows of messages that are sent in a folded row and received in one that is drawn.
    fn out_of_fold(&self, index: usize, place: &Place) -> Vec<Element> {
        let copies = self.chart.copies.iter().enumerate().filter(|(_, copy)| copy.sent == index);
        copies.flat_map(|(copy, it)| self.arrow(copy, (self.layout.x(it.from), place.bottom - 5.0))).collect()
    }

    fn arrow(&self, index: usize, from: (f64, f64)) -> Vec<Element> {
        let copy = &self.chart.copies[index];
        let to = self.layout.x(copy.to);
        let side = if to > from.0 { -1.0 } else { 1.0 };
        match copy.fate {
            Fate::Received(_) => {
                let Some(row) = taken_in(self.chart, index) else { return Vec::new() };
                let place = &self.layout.rows[row];
                let at = if is_folded(&self.chart.rows[row]) { place.top + 5.0 } else { place.at };
                let end = (to + side * 3.0, at);
                vec![line("arrow", from, shorter(from, end)), tip("tip", from, end)]
            }
            Fate::Unread => {
                let end = (to + side * 4.0, from.1 + FALL);
                vec![line("arrow unread", from, end), dot("open", to, end.1, 4.0)]
            }
            Fate::Dropped => {
                let end = (to + side * 2.0, from.1 + FALL);
                vec![line("arrow unread", from, shorter(from, end)), tip("tip", from, end)]
            }
            Fate::Lost | Fate::Undelivered => {
                let share = if copy.fate == Fate::Lost { 0.6 } else { 0.9 };
                let end = (from.0 + (to - from.0) * share, from.1 + FALL * share);
                vec![line("arrow unread", from, end), cross(end.0, end.1)]
            }
        }
    }

    /// The words of a row.
    fn words(&self, row: &Row, place: &Place) -> Vec<Element> {
        let What::Step { agent, act, thread, .. } = &row.what else {
            let middle = (self.layout.width + GUTTER) / 2.0;
            let said = text("folded", middle, place.at + 4.0, &fold::summary(row));
            return vec![said.with("text-anchor", "middle")];
        };
        let x = self.layout.x(*agent);
        let number = match thread {
            Some(thread) => format!("{} [{thread}]", row.first),
            None => row.first.to_string(),
        };
        let mut out = vec![text("number", GUTTER - 12.0, place.at + 4.0, &number).with("text-anchor", "end")];
        match act {
            Act::Send(copies) => {
                let right = goes_right(self.chart, copies, &self.layout.agents);
                let notes = place.above.iter().map(|said| ("note", said));
                let said = notes.chain(place.label.iter().map(|said| ("label", said)));
                let count = place.above.len() + place.label.len();
                for (index, (class, said)) in said.enumerate() {
                    let y = place.at - 6.0 - LINE * (count - 1 - index) as f64;
                    out.push(beside(class, x, y, said, right));
                }
                self.below(row, place, place.at + 14.0, &mut out);
            }
            _ => {
                let class = if matches!(act, Act::Receive(..)) { "late" } else { "label" };
                for (index, said) in place.label.iter().enumerate() {
                    let class = if *act == Act::Crash { "bad" } else { class };
                    out.push(beside(class, x, place.at + 4.0 + LINE * index as f64, said, true));
                }
                let lines = place.label.len() as f64;
                self.below(row, place, place.at + 4.0 + LINE * lines, &mut out);
            }
        }
        let full = row.words(self.chart).join("; ");
        out.push(Element::new("title").text(match act {
            Act::Send(copies) => copies.first().map_or(full, |&copy| self.chart.copies[copy].label.clone()),
            _ => full,
        }));
        out
    }

    /// Adds the notes below a row.
    fn below(&self, row: &Row, place: &Place, y: f64, out: &mut Vec<Element>) {
        let Some(agent) = row.agent() else { return };
        let count = place.beside.len();
        for (index, said) in place.beside.iter().enumerate() {
            let is_last = index + 1 == count;
            let class = match row.ends() {
                Some(Ended::Done) if is_last => "good",
                Some(_) if is_last => "bad",
                None if is_last && row.wrong.is_some() => "bad",
                _ => "note",
            };
            out.push(beside(class, self.layout.x(agent), y + LINE * index as f64, said, true));
        }
    }

    /// Who waits for whom; waits that form a cycle stand out.
    fn waits(&self) -> Vec<Element> {
        let cycle = self.chart.wait_cycle();
        let follows = |a: AgentId, b: AgentId| {
            let at = cycle.iter().position(|&it| it == a);
            at.is_some_and(|at| cycle[(at + 1) % cycle.len()] == b)
        };
        let mut out = Vec::new();
        if let Some(first) = self.layout.waits.first() {
            let y = first - 26.0;
            out.push(line("lifeline", (8.0, y), (self.layout.width - 8.0, y)));
            out.push(text("number", 10.0, y + 14.0, "waits for"));
        }
        for (wait, &y) in self.chart.waits.iter().zip(&self.layout.waits) {
            let x = self.layout.x(wait.agent);
            if wait.on.is_empty() {
                out.push(dot("wait-tip", x, y, 4.0));
                let room = self.layout.room_right_of(x);
                for (index, said) in wrap(&alone(wait), room, 2).iter().enumerate() {
                    out.push(beside("note", x, y + 4.0 + LINE * index as f64, said, true));
                }
                continue;
            }
            let nearest = wait
                .on
                .iter()
                .map(|&on| self.layout.x(on))
                .min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()));
            for &on in wait.on.iter().filter(|&&on| on != wait.agent) {
                let in_cycle = follows(wait.agent, on);
                let to = self.layout.x(on);
                let end = (if to > x { to - 2.0 } else { to + 2.0 }, y);
                let class = if in_cycle { "wait circle" } else { "wait" };
                out.push(line(class, (x, y), shorter((x, y), end)));
                out.push(tip(if in_cycle { "circle-tip" } else { "wait-tip" }, (x, y), end));
            }
            out.push(dot(if cycle.contains(&wait.agent) { "circle-tip" } else { "wait-tip" }, x, y, 4.0));
            let right = nearest.is_none_or(|nearest| nearest >= x);
            out.push(beside("note", x, y - 6.0, &wait.what, right));
        }
        out
    }

    /// The lines below the lifelines.
    fn below_all(&self) -> impl Iterator<Item = Element> {
        let lines = self.layout.below.iter().enumerate();
        lines.map(|(line, (said, bad))| {
            let y = self.layout.foot + 16.0 + LINE * line as f64;
            text(if *bad { "bad" } else { "note" }, 12.0, y, said)
        })
    }
}

fn text(class: &'static str, x: f64, y: f64, said: &str) -> Element {
    Element::new("text").with("class", class).with("x", round(x)).with("y", round(y)).text(said)
}

/// A text on one side of a lifeline.
fn beside(class: &'static str, x: f64, y: f64, said: &str, right: bool) -> Element {
    if right {
        text(class, x + 10.0, y, said)
    } else {
        text(class, x - 10.0, y, said).with("text-anchor", "end")
    }
}

fn line(class: &'static str, from: (f64, f64), to: (f64, f64)) -> Element {
    Element::new("line")
        .with("class", class)
        .with("x1", round(from.0))
        .with("y1", round(from.1))
        .with("x2", round(to.0))
        .with("y2", round(to.1))
}

/// The end of a line, moved back to make room for the arrowhead.
fn shorter(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy, long) = way(from, to);
    let back = 6.0_f64.min(long);
    (to.0 - dx * back, to.1 - dy * back)
}

/// An arrowhead.
fn tip(class: &'static str, from: (f64, f64), to: (f64, f64)) -> Element {
    let (dx, dy, _) = way(from, to);
    let (x, y) = (to.0 - dx * 9.0, to.1 - dy * 9.0);
    let points = [to, (x - dy * 4.0, y + dx * 4.0), (x + dy * 4.0, y - dx * 4.0)];
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", round(x), round(y))).collect();
    Element::new("polygon").with("class", class).with("points", points.join(" "))
}

/// The unit vector from one point to another, and their distance.
fn way(from: (f64, f64), to: (f64, f64)) -> (f64, f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy).max(0.1);
    (dx / long, dy / long, long)
}

fn dot(class: &'static str, x: f64, y: f64, radius: f64) -> Element {
    Element::new("circle").with("class", class).with("cx", round(x)).with("cy", round(y)).with("r", radius)
}

fn diamond(x: f64, y: f64) -> Element {
    let points = [(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)];
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", round(x), round(y))).collect();
    Element::new("polygon").with("class", "ask").with("points", points.join(" "))
}

fn clock(x: f64, y: f64) -> Element {
    Element::new("g").child(dot("clock", x, y, 5.5)).child(line("clock", (x, y), (x, y - 3.5))).child(line(
        "clock",
        (x, y),
        (x + 2.5, y + 1.0),
    ))
}

fn cross(x: f64, y: f64) -> Element {
    let (low, high) = (round(y - 5.0), round(y + 5.0));
    let (left, right) = (round(x - 5.0), round(x + 5.0));
    let way = format!("M{left},{low} L{right},{high} M{left},{high} L{right},{low}");
    Element::new("path").with("class", "bad").with("d", way)
}

fn end_mark(how: Ended, x: f64, y: f64) -> Element {
    match how {
        Ended::Done => Element::new("rect")
            .with("class", "good")
            .with("x", round(x - 5.0))
            .with("y", round(y - 5.0))
            .with("width", 10)
            .with("height", 10)
            .with("rx", 2),
        Ended::Failed | Ended::Crashed => cross(x, y),
    }
}

/// Rounds to a tenth of a pixel.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
