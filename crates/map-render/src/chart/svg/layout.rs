//! The layout of the SVG picture of a chart, in pixels.

use map_ir::AgentId;

use super::lanes::Lanes;
use super::said::{Directions, LINES, Said, Words, lines, words};
use crate::chart::next::Outlook;
use crate::chart::{Act, Chart, Row, Wait, What, fold};
use crate::measure::{width, wrap};

/// The width of a character of a label. The font is monospaced, and none of the common ones is wider.
pub(super) const CHARACTER: f64 = 7.3;

/// The height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// How far the last line above an arrow stands above it.
pub(super) const ABOVE: f64 = 8.0;

/// How far the first line below an arrow stands below it.
pub(super) const BELOW: f64 = 16.0;

/// The height of the boxes with the names.
pub(super) const HEAD: f64 = 38.0;

/// The top of the boxes with the names.
pub(super) const TOP: f64 = 10.0;

/// The height of the words for a repetition, and of the frame's edge above them.
pub(super) const LOOP: f64 = 40.0;

/// The height of the line above what can happen next.
const NEXT: f64 = 24.0;

/// The height of the box for steps that are not drawn.
pub(super) const MORE: f64 = 36.0;

/// The most kinds of unread message listed for an agent.
const MAX_UNREAD: usize = 6;

/// The positions of everything in a chart.
pub(super) struct Layout {
    /// The agents drawn.
    pub(super) agents: Vec<AgentId>,
    /// The lifeline of each.
    pub(super) columns: Vec<Column>,
    /// The width of the column with step numbers.
    pub(super) gutter: f64,
    pub(super) lanes: Lanes,
    /// The rows, in order.
    pub(super) rows: Vec<Place>,
    /// The rows that can happen next, and the y above them.
    pub(super) next: (Outlook, f64),
    /// The y below the last row.
    pub(super) end_of_rows: f64,
    /// The places of the waits.
    pub(super) waits: Vec<WaitPlace>,
    /// The lower end of lifelines that have not ended.
    pub(super) foot: f64,
    /// The lines below the lifelines, each with whether it is bad.
    pub(super) below: Vec<(String, bool)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A lifeline.
pub(super) struct Column {
    pub(super) x: f64,
    /// How many characters fit to its left and to its right.
    room: (usize, usize),
}

/// The place of a row and its words.
pub(super) struct Place {
    /// Its upper edge.
    pub(super) top: f64,
    /// The y at which its event is drawn.
    pub(super) at: f64,
    /// Its lower edge.
    pub(super) bottom: f64,
    /// Its words, line by line.
    pub(super) said: Said,
    /// Their distance from the lifeline, to the left and to the right.
    pub(super) offsets: [f64; 2],
}

/// The place of a wait and its words.
pub(super) struct WaitPlace {
    pub(super) at: f64,
    /// Its words, line by line: above its arrows, or, if nobody is waited for, at its height.
    pub(super) said: Vec<Words>,
    /// Whether they stand to the left.
    pub(super) left: bool,
}

impl Layout {
    pub(super) fn new(chart: &Chart, outlook: Outlook) -> Self {
        let agents = chart.involved();
        let said: Vec<Said> = (0..chart.rows.len())
            .map(|index| Said::new(chart, index, directions(chart, &chart.rows[index], &agents)))
            .collect();
        let lanes = Lanes::new(chart, &agents, |row| words_on_the_way(chart, row, &agents, &said));
        let gutter = gutter(chart, outlook);
        let (columns, mut width) = columns(chart, &agents, &said, &lanes, gutter);
        width = chart.rows.iter().map(|row| text_width(&fold::summary(row)) + 40.0).fold(width, f64::max);
        let mut y = TOP + HEAD + 14.0;
        let mut rows = Vec::new();
        let mut next = (outlook, y);
        for (index, (row, said)) in chart.rows.iter().zip(said).enumerate() {
            if chart.repeated_from == Some(index) {
                y += LOOP;
            }
            if index == outlook.from {
                next.1 = y + 4.0;
                y += NEXT;
            }
            let column = row.agent().map_or(0, |agent| column_of(&agents, agent));
            let room = columns.get(column).map_or((20, 20), |column| column.room);
            let place = place(row, said.broken(room), lanes.offsets(index), y);
            y = place.bottom;
            rows.push(place);
        }
        y += if outlook.hidden > 0 { MORE } else { 0.0 };
        let end_of_rows = y + 4.0;
        y = end_of_rows + if chart.repeated_from.is_some() { 10.0 } else { 0.0 };
        if !chart.waits.is_empty() {
            y += 22.0;
        }
        let mut waits = Vec::new();
        for wait in &chart.waits {
            let (place, bottom) = wait_place(wait, &agents, &columns, y);
            waits.push(place);
            y = bottom;
        }
        let foot = y + 6.0;
        let below = below(chart, &agents, ((width - 28.0) / CHARACTER) as usize);
        let height = foot + 10.0 + LINE * below.len() as f64 + if below.is_empty() { 0.0 } else { 8.0 };
        let (width, height) = (width.ceil(), height.ceil());
        Self { agents, columns, gutter, lanes, rows, next, end_of_rows, waits, foot, below, width, height }
    }

    /// The lifeline of an agent that is drawn.
    pub(super) fn column(&self, agent: AgentId) -> &Column {
        &self.columns[column_of(&self.agents, agent)]
    }

    /// Whether a row can happen next.
    pub(super) fn is_next(&self, row: usize) -> bool {
        row >= self.next.0.from
    }

    /// The x of an agent's lifeline.
    pub(super) fn x(&self, agent: AgentId) -> f64 {
        self.column(agent).x
    }
}

fn column_of(agents: &[AgentId], agent: AgentId) -> usize {
    agents.binary_search(&agent).unwrap_or(0)
}

fn text_width(text: &str) -> f64 {
    width(text) as f64 * CHARACTER
}

/// The directions of the arrows of a row.
fn directions(chart: &Chart, row: &Row, agents: &[AgentId]) -> Directions {
    let Some(Act::Send(copies)) = row.act() else {
        return Directions { left: false, right: false, mostly_left: false };
    };
    let is_left = |&&copy: &&usize| {
        let copy = &chart.copies[copy];
        column_of(agents, copy.to) < column_of(agents, copy.from)
    };
    let left = copies.iter().filter(is_left).count();
    let mostly_left = 2 * left > copies.len();
    Directions { left: left > 0, right: left < copies.len(), mostly_left }
}

/// Whether words would stand where a straight arrow leads from a row to the next one: below its start, or to the right
/// of its end, where it comes from there.
fn words_on_the_way(chart: &Chart, row: usize, agents: &[AgentId], said: &[Said]) -> bool {
    let comes_from_the_right = directions(chart, &chart.rows[row], agents).left;
    !said[row].below.is_empty()
        || comes_from_the_right && said.get(row + 1).is_some_and(|it| !it.level.is_empty())
}

/// The number of a row, with that of its thread.
pub(super) fn number(row: &Row, is_next: bool) -> String {
    let number = if is_next { format!("{})", row.first) } else { row.first.to_string() };
    match &row.what {
        What::Step { thread: Some(thread), .. } => format!("{number} [{thread}]"),
        _ => number,
    }
}

/// The width of the column with step numbers. The words beside repetitions and waits fit there, too.
fn gutter(chart: &Chart, outlook: Outlook) -> f64 {
    let numbers = chart.rows.iter().enumerate().map(|(index, row)| number(row, index >= outlook.from));
    let widest = numbers.map(|it| text_width(&it)).fold(0.0, f64::max);
    (widest + 24.0).max(60.0)
}

/// The width of the box with an agent's name.
pub(super) fn head_width(chart: &Chart, agent: AgentId) -> f64 {
    let lifeline = chart.lifeline(agent);
    text_width(&lifeline.name).max(text_width(&lifeline.role)) * 1.05 + 18.0
}

/// The lifelines, and the width of the picture.
fn columns(
    chart: &Chart,
    agents: &[AgentId],
    said: &[Said],
    lanes: &Lanes,
    gutter: f64,
) -> (Vec<Column>, f64) {
    let count = agents.len();
    let most = (2000.0 / count.max(1) as f64).clamp(150.0, 300.0) - 24.0;
    let half_head = |column: usize| agents.get(column).map_or(0.0, |&agent| head_width(chart, agent) / 2.0);
    let spaces: Vec<[f64; 2]> = (0..count).map(|column| lanes.space_beside(column)).collect();
    // For each lifeline, the width of the words between it and the next one.
    let mut wanted = vec![0.0_f64; count];
    let mut want = |column: usize, text: &str, left: bool| {
        let gap = if left { column.wrapping_sub(1) } else { column };
        if let Some(wanted) = wanted.get_mut(gap) {
            *wanted = wanted.max(text_width(text));
        }
    };
    for (row, said) in chart.rows.iter().zip(said) {
        if let Some(agent) = row.agent() {
            said.all().for_each(|(it, left)| want(column_of(agents, agent), &it.text, left));
        }
    }
    for wait in &chart.waits {
        want(column_of(agents, wait.agent), &wait_words(wait), waits_to_the_left(wait, agents));
    }
    let mut x = gutter + half_head(0).max(30.0);
    let mut columns: Vec<Column> = Vec::new();
    let mut room_left = 0;
    for column in 0..count {
        let is_last = column + 1 == count;
        let beside = spaces[column][1] + spaces.get(column + 1).map_or(12.0, |next| next[0]);
        let heads = half_head(column) + half_head(column + 1) + 12.0;
        let gap = (wanted[column].min(most) + beside + 2.0).max(heads).max(if is_last { 60.0 } else { 80.0 });
        let room = ((gap - beside) / CHARACTER) as usize;
        columns.push(Column { x, room: (room_left, room) });
        room_left = room;
        x += gap;
    }
    (columns, x.max(240.0))
}

fn place(row: &Row, said: Said, offsets: [f64; 2], top: f64) -> Place {
    if row.act().is_none() {
        return Place { top, at: top + 18.0, bottom: top + 36.0, said, offsets };
    }
    let height = |lines: &[Words]| LINE * lines.len() as f64;
    let at = top + if matches!(row.act(), Some(Act::Send(_))) { 10.0 + height(&said.above) } else { 14.0 };
    let level = height(&said.level);
    let below = if said.below.is_empty() { 0.0 } else { BELOW - 8.0 + height(&said.below) };
    Place { top, at, bottom: at + level.max(below).max(LINE), said, offsets }
}

/// The place of a wait below `top`, and its lower edge.
fn wait_place(wait: &Wait, agents: &[AgentId], columns: &[Column], top: f64) -> (WaitPlace, f64) {
    let left = waits_to_the_left(wait, agents);
    let room = columns[column_of(agents, wait.agent)].room;
    let said = lines(&[words("note", &wait_words(wait))], if left { room.0 } else { room.1 });
    let height = LINE * said.len() as f64;
    let (at, bottom) = match wait.on.is_empty() {
        true => (top + 16.0, top + 10.0 + height),
        false => (top + 8.0 + height, top + 18.0 + height),
    };
    (WaitPlace { at, said, left }, bottom)
}

/// The words for a wait.
fn wait_words(wait: &Wait) -> String {
    match wait.on.is_empty() {
        true => format!("{}: nobody is left to send it", wait.what),
        false => wait.what.clone(),
    }
}

/// Whether the words for a wait stand to the left of the agent that waits, as do all that it waits for.
fn waits_to_the_left(wait: &Wait, agents: &[AgentId]) -> bool {
    let column = column_of(agents, wait.agent);
    !wait.on.is_empty() && wait.on.iter().all(|&on| column_of(agents, on) < column)
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
