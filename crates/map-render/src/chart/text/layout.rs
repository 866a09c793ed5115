//! The layout of a text chart, in columns.

use map_ir::AgentId;

use crate::chart::{Act, Chart};
use crate::measure::width;

/// The least distance of lifelines with labels between them.
const MIN_INLINE: usize = 15;

/// The greatest distance.
const MAX_INLINE: usize = 34;

/// From that many agents on, labels stand beside the lifelines if those of messages do not fit on one line between
/// them.
const MANY: usize = 4;

/// The columns between two lifelines that are not for a label on its arrow, and for one above it.
const ON_ARROW: usize = 6;
const ABOVE: usize = 3;

/// The least width of labels that stand beside the lifelines.
const MIN_LABELS: usize = 30;

/// The columns of a chart.
pub(super) struct Layout {
    /// The width of a line.
    pub(super) width: usize,
    /// The width of the gutter with step numbers, where the lifelines begin.
    pub(super) gutter: usize,
    /// The agents drawn.
    pub(super) agents: Vec<AgentId>,
    /// The column of each.
    pub(super) columns: Vec<usize>,
    /// The distance between them.
    pub(super) spacing: usize,
    /// Whether labels stand between the lifelines, not to their right.
    pub(super) inline: bool,
    /// The column at which labels to the right of the lifelines begin.
    pub(super) labels: usize,
}

impl Layout {
    pub(super) fn new(chart: &Chart, total: usize) -> Self {
        let last = chart.rows.last().map_or(0, |row| row.last).to_string().len();
        Self::with_gutter(chart, total, (2 * last + 1).max(5) + 2)
    }

    pub(super) fn with_gutter(chart: &Chart, total: usize, gutter: usize) -> Self {
        let agents = chart.involved();
        let name = |agent: &AgentId| width(&chart.lifeline(*agent).name);
        let count = agents.len().max(1);
        let margin = agents.first().map_or(0, |first| name(first) / 2).min(MIN_INLINE / 2);
        let room = (total.saturating_sub(gutter + margin)) / count;
        let inline = room >= MIN_INLINE && (count < MANY || room >= for_messages(chart, &agents, ABOVE));
        let spacing = if inline {
            let names = agents.iter().map(|agent| name(agent) + 2).max().unwrap_or(0);
            names.max(wanted(chart, &agents)).clamp(MIN_INLINE, MAX_INLINE).min(room)
        } else {
            (total.saturating_sub(gutter + MIN_LABELS) / count).clamp(1, 6)
        };
        let start = gutter + if inline { margin } else { 0 };
        let columns: Vec<usize> = (0..agents.len()).map(|index| start + index * spacing).collect();
        let labels = columns.last().map_or(start, |last| last + 3);
        let width = if inline { total } else { total.max(labels + MIN_LABELS) };
        Self { width, gutter, agents, columns, spacing, inline, labels }
    }

    /// The column of an agent that is drawn.
    pub(super) fn column(&self, agent: AgentId) -> usize {
        self.agents.binary_search(&agent).unwrap_or(0)
    }

    /// The width of labels to the right of the lifelines.
    pub(super) fn label_width(&self) -> usize {
        self.width - self.labels
    }

    /// The width available between a lifeline and the next one that has not ended.
    pub(super) fn room_right_of(&self, column: usize, alive: &[bool]) -> usize {
        let next = (column + 1..self.columns.len()).find(|&it| alive[it]);
        let end = next.map_or(self.width, |next| self.columns[next] - 1);
        end.saturating_sub(self.columns[column] + 2)
    }
}

/// The distance at which the labels of messages fit on one line, with so many columns to spare.
fn for_messages(chart: &Chart, agents: &[AgentId], spare: usize) -> usize {
    let column = |agent: AgentId| agents.binary_search(&agent).unwrap_or(0);
    let arrow = |from: AgentId, to: AgentId, label: &str| {
        let gaps = column(from).abs_diff(column(to)).max(1);
        (width(label) + spare).div_ceil(gaps)
    };
    let copies = chart.copies.iter().map(|copy| arrow(copy.from, copy.to, &copy.label));
    let waits = chart.waits.iter().map(|wait| match wait.on.iter().find(|&&on| on != wait.agent) {
        Some(&on) => arrow(wait.agent, on, &wait.what),
        None => width(&wait.what) + 4,
    });
    copies.chain(waits).max().unwrap_or(0)
}

/// The distance at which all labels fit on one line.
fn wanted(chart: &Chart, agents: &[AgentId]) -> usize {
    let asks = chart.rows.iter().filter_map(|row| match row.act() {
        Some(Act::Ask(label)) => Some(width(label) + 4),
        _ => None,
    });
    asks.max().unwrap_or(0).max(for_messages(chart, agents, ON_ARROW))
}
