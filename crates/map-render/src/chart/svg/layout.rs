//! The layout of the SVG picture of a chart, in pixels.

use map_ir::AgentId;

use crate::chart::{Act, Chart, Fate, Row, Wait, What, fold};
use crate::measure::{width, wrap};

/// The width of a character of a label. The font is monospaced, and none of the common ones is wider.
pub(super) const CHARACTER: f64 = 7.3;

/// The height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// The width of the column with step numbers.
pub(super) const GUTTER: f64 = 60.0;

/// The most lines of a label.
const LINES: usize = 4;

/// The height of the boxes with the names.
pub(super) const HEAD: f64 = 38.0;

/// The top of the boxes with the names.
pub(super) const TOP: f64 = 10.0;

/// The most kinds of unread message listed for an agent.
const MAX_UNREAD: usize = 6;

/// The positions of everything in a chart.
pub(super) struct Layout {
    /// The agents drawn.
    pub(super) agents: Vec<AgentId>,
    /// The x of each agent's lifeline.
    pub(super) columns: Vec<f64>,
    /// The rows, in order.
    pub(super) rows: Vec<Place>,
    /// The y below the last row.
    pub(super) end_of_rows: f64,
    /// The y of each wait.
    pub(super) waits: Vec<f64>,
    /// The lower end of lifelines that have not ended.
    pub(super) foot: f64,
    /// The lines below the lifelines, each with whether it is bad.
    pub(super) below: Vec<(String, bool)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The place of a row and its words.
pub(super) struct Place {
    /// Its upper edge.
    pub(super) top: f64,
    /// The y at which its event is drawn.
    pub(super) at: f64,
    /// Its lower edge.
    pub(super) bottom: f64,
    /// The lines of its label, which stands above its arrow if it has one.
    pub(super) label: Vec<String>,
    /// The lines above the label.
    pub(super) above: Vec<String>,
    /// The lines below the event.
    pub(super) beside: Vec<String>,
}

impl Layout {
    pub(super) fn new(chart: &Chart) -> Self {
        let agents = chart.involved();
        let gaps = gaps(chart, &agents);
        let mut columns = Vec::new();
        let first = agents.first().map_or(0.0, |&first| head_width(chart, first) / 2.0);
        let mut x = GUTTER + first.max(30.0);
        for gap in &gaps {
            columns.push(x);
            x += gap;
        }
        let last = agents.last().map_or(0.0, |&last| head_width(chart, last) / 2.0 + 12.0);
        let width = (columns.last().copied().unwrap_or(GUTTER)
            + gaps.last().copied().unwrap_or(0.0).max(last))
        .max(240.0);
        let mut y = TOP + HEAD + 14.0;
        let mut rows = Vec::new();
        for (index, row) in chart.rows.iter().enumerate() {
            if chart.repeated_from == Some(index) {
                y += 22.0;
            }
            let place = place(chart, index, row, &agents, &gaps, y);
            y = place.bottom;
            rows.push(place);
        }
        let end_of_rows = y + 4.0;
        y = end_of_rows + if chart.repeated_from.is_some() { 10.0 } else { 0.0 };
        if !chart.waits.is_empty() {
            y += 26.0;
        }
        let waits: Vec<f64> = (0..chart.waits.len()).map(|index| y + 18.0 + 32.0 * index as f64).collect();
        y = waits.last().map_or(y, |last| last + 14.0);
        let foot = y + 6.0;
        let below = below(chart, &agents, ((width - 28.0) / CHARACTER) as usize);
        let height = foot + 10.0 + LINE * below.len() as f64 + if below.is_empty() { 0.0 } else { 8.0 };
        let (width, height) = (width.ceil(), height.ceil());
        Self { agents, columns, rows, end_of_rows, waits, foot, below, width, height }
    }

    /// The column of an agent that is drawn.
    pub(super) fn column(&self, agent: AgentId) -> usize {
        self.agents.binary_search(&agent).unwrap_or(0)
    }

    /// How many characters fit between a lifeline and the next one, or the edge.
    pub(super) fn room_right_of(&self, x: f64) -> usize {
        let next = self.columns.iter().copied().find(|&next| next > x).unwrap_or(self.width);
        ((next - x - 14.0) / CHARACTER) as usize
    }

    /// The x of an agent's lifeline.
    pub(super) fn x(&self, agent: AgentId) -> f64 {
        self.columns.get(self.column(agent)).copied().unwrap_or(GUTTER)
    }
}

/// The width of the box with an agent's name.
pub(super) fn head_width(chart: &Chart, agent: AgentId) -> f64 {
    let lifeline = chart.lifeline(agent);
    let name = width(&lifeline.name).max(width(&lifeline.role)) as f64;
    name * CHARACTER * 1.05 + 18.0
}

/// The distance of each lifeline to the next, and of the last one to the edge.
fn gaps(chart: &Chart, agents: &[AgentId]) -> Vec<f64> {
    let count = agents.len();
    let most = (2000.0 / count.max(1) as f64).clamp(150.0, 300.0);
    let column = |agent: AgentId| agents.binary_search(&agent).unwrap_or(0);
    let mut wanted = vec![0.0_f64; count];
    let mut want = |gap: usize, text: &str, more: f64| {
        if let Some(wanted) = wanted.get_mut(gap) {
            *wanted = wanted.max(width(text) as f64 * CHARACTER + more);
        }
    };
    for copy in &chart.copies {
        let (from, to) = (column(copy.from), column(copy.to));
        want(if to > from { from } else { from.wrapping_sub(1) }, &copy.label, 26.0);
    }
    for row in &chart.rows {
        if let Some(agent) = row.agent() {
            let said = said(chart, row);
            said.0.iter().chain(&said.1).for_each(|text| want(column(agent), text, 30.0));
            if let Some(Act::Receive(_, text)) = row.act() {
                want(column(agent), text, 30.0);
            }
        }
    }
    for wait in &chart.waits {
        if wait.on.is_empty() {
            want(column(wait.agent), &alone(wait), 30.0);
        }
        for &on in &wait.on {
            want(column(wait.agent).min(column(on)), &wait.what, 26.0);
        }
    }
    let heads = |index: usize| {
        let half = |at: usize| agents.get(at).map_or(0.0, |&agent| head_width(chart, agent) / 2.0);
        half(index) + half(index + 1) + 12.0
    };
    let last = count.saturating_sub(1);
    wanted
        .iter()
        .enumerate()
        .map(|(index, wanted)| {
            let least = if index == last { 60.0 } else { 70.0_f64.max(heads(index)) };
            wanted.clamp(least, most.max(least))
        })
        .collect()
}

/// The words of a row that are not on an arrow: its act, and its notes.
fn said(chart: &Chart, row: &Row) -> (Vec<String>, Vec<String>) {
    let beside = row.words_beside();
    let act = match row.act() {
        Some(Act::Ask(_) | Act::Timeout | Act::Crash | Act::Receive(None, _)) => {
            row.words(chart).into_iter().take(1).collect()
        }
        Some(Act::Move) if beside.is_empty() => vec!["goes on".to_owned()],
        _ => Vec::new(),
    };
    (act, beside)
}

/// How many characters fit between a lifeline and the next one.
fn room(gaps: &[f64], column: usize) -> usize {
    gaps.get(column).map_or(20, |gap| ((gap - 22.0) / CHARACTER) as usize)
}

fn place(chart: &Chart, index: usize, row: &Row, agents: &[AgentId], gaps: &[f64], top: f64) -> Place {
    let column = row.agent().map_or(0, |agent| agents.binary_search(&agent).unwrap_or(0));
    let lines = |texts: &[String], room: usize| -> Vec<String> {
        texts.iter().flat_map(|text| wrap(text, room, LINES)).collect()
    };
    let right = room(gaps, column);
    match row.act() {
        None => {
            let label = vec![fold::summary(row)];
            Place { top, at: top + 18.0, bottom: top + 36.0, label, above: Vec::new(), beside: Vec::new() }
        }
        Some(Act::Send(copies)) => {
            let said = copies.first().map(|&copy| chart.copies[copy].label.clone());
            let goes_right = goes_right(chart, copies, agents);
            let side = if goes_right { right } else { room(gaps, column.wrapping_sub(1)) };
            let label = lines(&said.into_iter().collect::<Vec<_>>(), side.max(14));
            let lost = chart.said_of(copies, Fate::Lost, "lost");
            let above: Vec<String> = row.notes.iter().cloned().chain(lost).collect();
            let above = lines(&above, side.max(14));
            let ends = row.ends().map(|how| how.word().to_owned());
            let beside = lines(&row.wrong.iter().cloned().chain(ends).collect::<Vec<_>>(), right);
            let at = top + 8.0 + LINE * (above.len() + label.len()) as f64;
            Place { top, at, bottom: at + 12.0 + LINE * beside.len() as f64, label, above, beside }
        }
        Some(act) => {
            let (mut label, mut beside) = said(chart, row);
            if let Act::Receive(Some(copy), text) = act
                && index > chart.copies[*copy].sent + 2
            {
                label = vec![text.clone()];
            }
            if label.is_empty() && !matches!(act, Act::Receive(..)) {
                std::mem::swap(&mut label, &mut beside);
            }
            let label = lines(&label, right);
            let beside = lines(&beside, right);
            let extra = (label.len().saturating_sub(1) + beside.len()) as f64;
            let extra = if label.is_empty() { (extra - 1.0).max(0.0) } else { extra };
            Place { top, at: top + 14.0, bottom: top + 28.0 + LINE * extra, label, above: Vec::new(), beside }
        }
    }
}

/// Whether the label of a message stands to the right of its sender: where most of its copies go.
pub(super) fn goes_right(chart: &Chart, copies: &[usize], agents: &[AgentId]) -> bool {
    let column = |agent: AgentId| agents.binary_search(&agent).unwrap_or(0);
    let right = copies.iter().filter(|&&copy| {
        let copy = &chart.copies[copy];
        column(copy.to) > column(copy.from)
    });
    right.count() * 2 >= copies.len()
}

/// The words for an agent that waits for a message nobody can send any more.
pub(super) fn alone(wait: &Wait) -> String {
    format!("{}: nobody is left to send it", wait.what)
}

/// The lines below the lifelines: a cycle of waits, unread messages, agents that are not drawn.
fn below(chart: &Chart, agents: &[AgentId], room: usize) -> Vec<(String, bool)> {
    let mut said = Vec::new();
    let cycle = chart.wait_cycle();
    if let Some(first) = cycle.first() {
        let way = cycle.iter().chain([first]).map(|&agent| chart.lifeline(agent).name.as_str());
        said.push((format!("waiting in a circle: {}", way.collect::<Vec<_>>().join(" → ")), true));
    }
    for &agent in agents {
        let lifeline = chart.lifeline(agent);
        let mut unread = fold::counted(&lifeline.unread);
        if unread.len() > MAX_UNREAD {
            let more = unread.len() - MAX_UNREAD;
            unread.truncate(MAX_UNREAD);
            unread.push(format!("and {more} more"));
        }
        if !unread.is_empty() {
            said.push((format!("unread by {}: {}", lifeline.name, unread.join(", ")), false));
        }
    }
    let silent = chart.lifelines.len() - agents.len();
    if silent > 0 {
        let agents = if silent == 1 { "agent does" } else { "agents do" };
        said.push((format!("{silent} more {agents} nothing here"), false));
    }
    let lines = said.into_iter().flat_map(|(text, bad)| {
        wrap(&text, room, LINES).into_iter().enumerate().map(move |(line, text)| {
            let indent = if line > 0 { "\u{a0}\u{a0}" } else { "" };
            (format!("{indent}{text}"), bad)
        })
    });
    lines.collect()
}

/// The row in which a copy is received, if it is.
pub(super) fn taken_in(chart: &Chart, copy: usize) -> Option<usize> {
    match chart.copies[copy].fate {
        Fate::Received(row) => Some(row),
        _ => None,
    }
}

/// Whether a row stands for folded steps.
pub(super) fn is_folded(row: &Row) -> bool {
    matches!(row.what, What::Folded { .. })
}
