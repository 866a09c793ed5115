//! A chart as text, for terminals of a given width.
//!
//! With few agents, labels stand on the arrows. With many, the lifelines are close together and labels stand to their
//! right.

mod canvas;
mod layout;

use map_ir::{AgentId, SourceSpan};

use self::canvas::Line;
use self::layout::Layout;
use super::{Act, AgentEnd, Chart, Fate, Row, What, fold};
use crate::measure::wrap;

/// The most lines a label takes.
const MAX_LINES: usize = 6;

/// The chart in lines of at most `width` columns (at least 40); with very many agents they are longer.
#[must_use]
pub fn draw(chart: &Chart, width: usize) -> String {
    draw_with_places(chart, width, &|_| String::new())
}

/// The same with the place of each step in the source behind its number.
#[must_use]
pub fn draw_with_places(chart: &Chart, width: usize, place: &dyn Fn(SourceSpan) -> String) -> String {
    let place_of = |row: &Row| match row.what {
        What::Step { span, .. } => place(span),
        What::Folded { .. } => String::new(),
    };
    let places: Vec<String> = chart.rows.iter().map(place_of).collect();
    let width_of_places = places.iter().map(String::len).max().unwrap_or(0);
    let mut layout = Layout::new(chart, width.max(40));
    if width_of_places > 0 {
        layout = Layout::with_gutter(chart, width.max(40), layout.gutter + width_of_places + 1);
    }
    let mut drawing = Drawing { chart, places, alive: started(chart, &layout), layout, lines: Vec::new() };
    drawing.header();
    let mut row = 0;
    while row < chart.rows.len() {
        row += drawing.rows_from(row);
    }
    if chart.repeated_from.is_some_and(|from| from < chart.rows.len()) {
        drawing.rule("and so on");
    }
    drawing.waits();
    drawing.space();
    drawing.below();
    let mut text = String::new();
    for line in drawing.lines {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// For each lifeline drawn, whether the agent is running at the start.
fn started(chart: &Chart, layout: &Layout) -> Vec<bool> {
    let ended = |agent: &AgentId| matches!(chart.lifeline(*agent).end, Some((_, None)));
    layout.agents.iter().map(|agent| !ended(agent)).collect()
}

struct Drawing<'c> {
    chart: &'c Chart,
    /// The places of the rows; empty texts if they are not wanted.
    places: Vec<String>,
    layout: Layout,
    /// For each column, whether its lifeline has not ended.
    alive: Vec<bool>,
    lines: Vec<String>,
}

/// An arrow from one lifeline to others.
struct Arrow<'l> {
    from: usize,
    /// The columns it leads to, each with its arrowhead.
    to: Vec<(usize, char)>,
    dash: char,
    mark: char,
    label: &'l str,
    /// Its label where labels stand beside the lifelines.
    aside: String,
}

impl Drawing<'_> {
    /// A line with the lifelines, and a number in front.
    fn line(&self, number: &str) -> Line {
        let mut line = Line::default();
        line.put(self.layout.gutter.saturating_sub(2 + number.len()), number);
        for (index, &x) in self.layout.columns.iter().enumerate() {
            if self.alive[index] {
                line.put(x, "│");
            }
        }
        line
    }

    fn push(&mut self, line: &Line) {
        self.lines.push(line.text());
    }

    /// The number of a row, and its place.
    fn numbered(&self, number: String, row: usize) -> String {
        match self.places.iter().map(String::len).max() {
            None | Some(0) => number,
            Some(width) => format!("{number} {:width$}", self.places[row]),
        }
    }

    /// Adds a line with nothing but lifelines, unless the last one is such a line.
    fn space(&mut self) {
        let line = self.line("").text();
        if self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
    }

    fn header(&mut self) {
        let layout = &self.layout;
        let mut lines = Vec::new();
        if layout.inline {
            let mut line = Line::default();
            for (agent, &x) in layout.agents.iter().zip(&layout.columns) {
                let name = crate::measure::shorten(&self.chart.lifeline(*agent).name, layout.spacing - 1);
                line.put(x.saturating_sub(crate::measure::width(&name) / 2), &name);
            }
            lines.push(line);
        } else {
            for (index, agent) in layout.agents.iter().enumerate() {
                let mut line = Line::default();
                layout.columns[..index].iter().for_each(|&x| line.put(x, "│"));
                line.put(layout.columns[index], &self.chart.lifeline(*agent).name);
                lines.push(line);
            }
        }
        lines.into_iter().for_each(|line| self.push(&line));
        let line = self.line("");
        self.push(&line);
        let ended: Vec<AgentId> = layout_ended(self.chart, &self.layout);
        for agent in ended {
            if let Some((how, None)) = self.chart.lifeline(agent).end {
                let column = self.layout.column(agent);
                self.local("", column, mark_of_end(how), &[format!("{} before the first step", how.word())]);
            }
        }
    }

    /// Draws a row, and the next one too if both are one arrow; returns the number of rows.
    fn rows_from(&mut self, index: usize) -> usize {
        let row = &self.chart.rows[index];
        if self.chart.repeated_from == Some(index) {
            self.rule("repeated for ever from here");
        }
        match &row.what {
            What::Folded { .. } => {
                self.rule(&fold::summary(row));
                1
            }
            What::Step { act: Act::Send(copies), agent, ends, .. } => {
                let (copies, agent, ends) = (copies.clone(), *agent, *ends);
                let at_once = self.chart.taken_at_once(index);
                self.send(index, agent, &copies, at_once);
                let column = self.layout.column(agent);
                let notes = row.words_beside();
                if !notes.is_empty() {
                    self.local("", column, ends.map_or(' ', mark_of_end), &notes);
                }
                self.end(column, ends);
                if at_once.is_some() {
                    self.taken(&self.chart.rows[index + 1]);
                    return 2;
                }
                1
            }
            What::Step { agent, act, ends, thread, .. } => {
                let mut words = row.words(self.chart);
                if let (Some(thread), Some(first)) = (thread, words.first_mut()) {
                    *first = format!("[{thread}] {first}");
                }
                let mark = match (ends, &row.wrong, act) {
                    (Some(how), _, _) => mark_of_end(*how),
                    (None, Some(_), _) => '✕',
                    (None, None, Act::Move) => '○',
                    (None, None, Act::Ask(_)) => '◇',
                    _ => '●',
                };
                let column = self.layout.column(*agent);
                let number = self.numbered(row.first.to_string(), index);
                self.local(&number, column, mark, &words);
                self.end(column, *ends);
                1
            }
        }
    }

    /// Draws the rest of a row that receives what the previous row sends.
    fn taken(&mut self, row: &Row) {
        let Some(agent) = row.agent() else { return };
        let column = self.layout.column(agent);
        let words = row.words_beside();
        if !words.is_empty() {
            let mark = row.ends().map_or(if row.wrong.is_some() { '✕' } else { '●' }, mark_of_end);
            self.local("", column, mark, &words);
        }
        self.end(column, row.ends());
    }

    fn send(&mut self, index: usize, agent: AgentId, copies: &[usize], at_once: Option<usize>) {
        let row = &self.chart.rows[index];
        let from = self.layout.column(agent);
        let mut to: Vec<(usize, char)> = Vec::new();
        for &index in copies {
            let copy = &self.chart.copies[index];
            let head = match copy.fate {
                Fate::Lost | Fate::Undelivered => '✕',
                _ if at_once == Some(index) => '▶',
                _ => '▷',
            };
            to.push((self.layout.column(copy.to), head));
        }
        let label = copies.first().map_or("", |&copy| self.chart.copies[copy].label.as_str());
        let said = [(Fate::Lost, "lost"), (Fate::Dropped, "never read")];
        let said = said.iter().filter_map(|&(fate, word)| self.chart.said_of(copies, fate, word));
        let label = said.fold(label.to_owned(), |label, said| format!("{label} ({said})"));
        let names: Vec<&str> = copies
            .iter()
            .map(|&copy| self.chart.lifeline(self.chart.copies[copy].to).name.as_str())
            .collect();
        let aside = format!("{label}: {} to {}", self.chart.lifeline(agent).name, names.join(", "));
        let number = match at_once {
            Some(_) => format!("{}-{}", row.first, row.first + 1),
            None => row.first.to_string(),
        };
        let number = self.numbered(number, index);
        self.arrow(&number, &Arrow { from, to, dash: '─', mark: '●', label: &label, aside });
    }

    fn arrow(&mut self, number: &str, arrow: &Arrow<'_>) {
        let columns = self.layout.columns.clone();
        let start = columns[arrow.from];
        let mut line = self.line(number);
        for &(to, head) in &arrow.to {
            let end = columns[to];
            let (low, high) = (start.min(end) + 1, start.max(end));
            for x in low..high {
                let crosses = columns.iter().position(|&it| it == x).is_some_and(|it| self.alive[it]);
                if line.is_free(x) || crosses && line.at(x) == '│' {
                    line.put(x, &(if crosses { '┼' } else { arrow.dash }).to_string());
                }
            }
            let head = if end < start { mirrored(head) } else { head };
            line.put(if end > start { end - 1 } else { end + 1 }, &head.to_string());
        }
        line.put(start, &arrow.mark.to_string());
        if !self.layout.inline {
            let notes = wrap(&arrow.aside, self.layout.label_width(), MAX_LINES);
            line.put(self.layout.labels, &notes[0]);
            self.push(&line);
            self.more(&notes[1..], self.layout.labels);
            return;
        }
        let Some((low, high)) = self.room_for_label(arrow) else { return };
        let room = high - low;
        let wide = crate::measure::width(arrow.label);
        if wide + 5 <= room {
            line.put(low + (room - wide - 2) / 2, &format!(" {} ", arrow.label));
            self.push(&line);
            return;
        }
        for text in wrap(arrow.label, room.saturating_sub(2), MAX_LINES) {
            let mut above = self.line("");
            let wide = crate::measure::width(&text);
            above.put(low + room.saturating_sub(wide) / 2, &text);
            self.push(&above);
        }
        self.push(&line);
    }

    /// The columns between which the label of an arrow is written: the gap next to the sender if two lines there are
    /// enough, else the whole length of the arrow, across other lifelines. `None` if the arrow leads nowhere.
    fn room_for_label(&self, arrow: &Arrow<'_>) -> Option<(usize, usize)> {
        let columns = &self.layout.columns;
        let start = columns[arrow.from];
        let &(first, _) = arrow.to.first()?;
        let goes_right = first > arrow.from;
        let ends = arrow.to.iter().map(|&(to, _)| to).filter(|&to| (to > arrow.from) == goes_right);
        let far = if goes_right { ends.max() } else { ends.min() }?;
        let drawn = |&column: &usize| self.alive[column] || arrow.to.iter().any(|&(to, _)| to == column);
        let next = match goes_right {
            true => (arrow.from + 1..far).find(drawn),
            false => (far + 1..arrow.from).rev().find(drawn),
        };
        let gap = |to: usize| (start.min(columns[to]) + 1, start.max(columns[to]));
        let is_enough =
            |&(low, high): &(usize, usize)| wrap(arrow.label, high - low - 2, MAX_LINES).len() <= 2;
        Some(next.map(gap).filter(is_enough).unwrap_or_else(|| gap(far)))
    }

    /// Draws something that an agent does by itself.
    fn local(&mut self, number: &str, column: usize, mark: char, words: &[String]) {
        let x = self.layout.columns[column];
        let mut line = self.line(number);
        if mark != ' ' {
            line.put(x, &mark.to_string());
        }
        let said = words.join("; ");
        let (at, lines) = if self.layout.inline {
            let at = x + 2;
            (at, wrap(&said, self.layout.room_right_of(column, &self.alive), MAX_LINES))
        } else {
            let name = &self.chart.lifeline(self.layout.agents[column]).name;
            let said = format!("{name} {said}");
            (self.layout.labels, wrap(&said, self.layout.label_width(), MAX_LINES))
        };
        line.put(at, &lines[0]);
        self.push(&line);
        self.more(&lines[1..], at);
    }

    /// Adds the remaining lines of a label.
    fn more(&mut self, lines: &[String], at: usize) {
        for text in lines {
            let mut line = self.line("");
            line.put(at, text);
            self.push(&line);
        }
    }

    fn end(&mut self, column: usize, ends: Option<AgentEnd>) {
        if ends.is_some() {
            self.alive[column] = false;
        }
    }

    /// Draws a line across the chart, with words on it.
    fn rule(&mut self, said: &str) {
        for text in wrap(said, self.layout.width - self.layout.gutter - 8, MAX_LINES) {
            let mut line = Line::default();
            line.put(self.layout.gutter, &format!("┄┄ {text} "));
            let end = self.layout.columns.last().copied().unwrap_or(self.layout.gutter) + 3;
            for x in line.width()..end.min(self.layout.width) {
                line.put(x, "┄");
            }
            self.push(&line);
        }
    }

    /// Draws who waits for whom.
    fn waits(&mut self) {
        if self.chart.waits.is_empty() {
            return;
        }
        self.space();
        self.rule("waits for");
        for wait in &self.chart.waits {
            let from = self.layout.column(wait.agent);
            if wait.on.is_empty() {
                let words = [format!("{}: nobody is left to send it", wait.what)];
                self.local("", from, '○', &words);
                continue;
            }
            let names: Vec<&str> = wait.on.iter().map(|&on| self.chart.lifeline(on).name.as_str()).collect();
            let aside = format!(
                "{} waits for {} from {}",
                self.chart.lifeline(wait.agent).name,
                wait.what,
                names.join(", ")
            );
            let to = wait.on.iter().filter(|&&on| on != wait.agent).map(|&on| (self.layout.column(on), '▷'));
            self.arrow("", &Arrow { from, to: to.collect(), dash: '┄', mark: '○', label: &wait.what, aside });
        }
    }

    /// Adds the lines below the lifelines: a cycle of waits, unread messages, agents that are not drawn.
    fn below(&mut self) {
        let mut said = Vec::new();
        let cycle = self.chart.wait_cycle();
        if let Some(first) = cycle.first() {
            let name = |agent: &AgentId| self.chart.lifeline(*agent).name.as_str();
            let way: Vec<&str> = cycle.iter().chain([first]).map(name).collect();
            said.push(format!("waiting in a circle: {}", way.join(" ┄▷ ")));
        }
        for agent in &self.layout.agents {
            let lifeline = self.chart.lifeline(*agent);
            if !lifeline.unread.is_empty() {
                said.push(format!(
                    "unread by {}: {}",
                    lifeline.name,
                    fold::counted(&lifeline.unread).join(", ")
                ));
            }
        }
        let silent = self.chart.lifelines.len() - self.layout.agents.len();
        if silent > 0 {
            let agents = if silent == 1 { "agent does" } else { "agents do" };
            said.push(format!("{silent} more {agents} nothing here"));
        }
        for text in said {
            let lines = wrap(&text, self.layout.width - 4, MAX_LINES);
            for (index, text) in lines.into_iter().enumerate() {
                let mut line = Line::default();
                line.put(if index == 0 { 2 } else { 4 }, &text);
                self.push(&line);
            }
        }
    }
}

fn layout_ended(chart: &Chart, layout: &Layout) -> Vec<AgentId> {
    let ended = |agent: &&AgentId| matches!(chart.lifeline(**agent).end, Some((_, None)));
    layout.agents.iter().filter(ended).copied().collect()
}

const fn mark_of_end(how: AgentEnd) -> char {
    match how {
        AgentEnd::Done => '■',
        AgentEnd::Failed | AgentEnd::Crashed => '✕',
    }
}

const fn mirrored(head: char) -> char {
    match head {
        '▷' => '◁',
        '▶' => '◀',
        other => other,
    }
}
