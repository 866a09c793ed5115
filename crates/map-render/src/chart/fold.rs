//! Shortens long charts: repetitions, irrelevant steps, and the middle of a chart that is still too long each become
//! one row that says how many steps it stands for.

use std::collections::HashMap;
use std::ops::Range;

use map_ir::AgentId;

use super::{Act, Chart, Fate, MessageCopy, Row, What, Why};

/// The longest sequence of rows whose repetition is detected.
const MAX_PERIOD: usize = 48;

/// Fewer rows are not worth folding.
const MIN_FOLDED: usize = 4;

/// Folds repetitions, then the middle of the chart if it still has more than `most` rows.
#[must_use]
pub fn usual(chart: &Chart, most: usize) -> Chart {
    middle(&repetitions(chart), most)
}

/// Folds rows that repeat those just before them, up to the numbers of abstract values.
#[must_use]
pub fn repetitions(chart: &Chart) -> Chart {
    let kinds = kinds(chart);
    let from = chart.repeated_from.map_or(chart.rows.len(), |from| from.min(chart.rows.len()));
    let mut folds = Vec::new();
    for segment in [0..from, from..chart.rows.len()] {
        let mut at = segment.start;
        while at < segment.end {
            let (period, times) = repetition(&kinds[at..segment.end]);
            if times > 0 {
                let start = at + period;
                at = start + period * times;
                let why = Why::Again { period: period as u64, times: times as u64 };
                folds.push((start..at, why));
            } else {
                at += 1;
            }
        }
    }
    collapse(chart, &folds)
}

/// Folds runs of at least two rows that are not `relevant`, which has an entry for each row.
#[must_use]
pub fn irrelevant(chart: &Chart, relevant: &[bool]) -> Chart {
    let mut folds = Vec::new();
    let mut at = 0;
    for rows in relevant.chunk_by(|a, b| a == b) {
        if !rows[0] && rows.len() > 1 {
            folds.push((at..at + rows.len(), Why::Irrelevant));
        }
        at += rows.len();
    }
    collapse(chart, &folds)
}

/// Folds the middle of a chart with more than `most` rows, unless there are only a few more.
#[must_use]
pub fn middle(chart: &Chart, most: usize) -> Chart {
    let rows = chart.rows.len();
    if rows <= most + MIN_FOLDED {
        return chart.clone();
    }
    let kept = most / 2;
    collapse(chart, &[(kept..rows - (most - kept), Why::Middle)])
}

/// The words for folded steps; empty for a row that is a step.
#[must_use]
pub fn summary(row: &Row) -> String {
    let What::Folded { steps, why, .. } = &row.what else { return String::new() };
    let which = if row.first == row.last {
        format!("step {}", row.first)
    } else {
        format!("steps {} to {}", row.first, row.last)
    };
    match why {
        Why::Again { period: 1, times } => format!("the same step {}: {which}", more_times(*times)),
        Why::Again { period, times } => format!("the same {period} steps {}: {which}", more_times(*times)),
        Why::Irrelevant => format!("{which}: no part in how this ends"),
        Why::Middle => format!("{steps} more steps: {which}"),
    }
}

fn more_times(times: u64) -> String {
    if times == 1 { "once more".to_owned() } else { format!("{times} times more") }
}

/// A list with equal neighbours combined: `3 x bid(5) from !A`.
#[must_use]
pub fn counted(list: &[String]) -> Vec<String> {
    let groups = list.chunk_by(|a, b| a == b);
    groups.map(|it| if it.len() == 1 { it[0].clone() } else { format!("{} x {}", it.len(), it[0]) }).collect()
}

/// A number for each row; rows that look the same have the same number.
fn kinds(chart: &Chart) -> Vec<usize> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut kinds = Vec::with_capacity(chart.rows.len());
    for row in &chart.rows {
        let next = known.len();
        kinds.push(*known.entry(appearance(chart, row)).or_insert(next));
    }
    kinds
}

/// Everything visible of a row except its number and the numbers of abstract values.
fn appearance(chart: &Chart, row: &Row) -> String {
    let what = match &row.what {
        What::Step { agent, thread, act, ends, .. } => {
            let act = match act {
                Act::Send(copies) => {
                    let copies = copies.iter().map(|&copy| &chart.copies[copy]);
                    let sent = copies.map(|it| {
                        let fate = if let Fate::Received(_) = it.fate { Fate::Received(0) } else { it.fate };
                        format!("{:?} {} {fate:?}", it.to, it.label)
                    });
                    format!("send {:?}", sent.collect::<Vec<_>>())
                }
                Act::Receive(copy, label) => {
                    format!("receive {:?} {label}", copy.map(|copy| chart.copies[copy].from))
                }
                other => format!("{other:?}"),
            };
            format!("{agent:?} {thread:?} {act} {ends:?}")
        }
        What::Folded { .. } => format!("{row:?}"),
    };
    without_numbers(&format!("{what} {:?} {:?}", row.notes, row.wrong))
}

/// The text without the digits after `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut behind = false;
    for c in text.chars() {
        behind = c == '#' || behind && c.is_ascii_digit();
        if !behind || c == '#' {
            out.push(c);
        }
    }
    out
}

/// The length of a prefix that is immediately repeated, and how often it is; the prefix that repeats the most rows, and
/// of several the shortest. `(0, 0)` if none is worth folding.
fn repetition(kinds: &[usize]) -> (usize, usize) {
    let longest = MAX_PERIOD.min(kinds.len() / 2);
    let repeats = |period: usize| {
        let (first, rest) = kinds.split_at(period);
        (period, rest.chunks_exact(period).take_while(|&it| it == first).count())
    };
    let worth = (1..=longest).map(repeats).filter(|&(period, times)| period * times >= MIN_FOLDED);
    worth.max_by_key(|&(period, times)| (period * times, std::cmp::Reverse(period))).unwrap_or((0, 0))
}

/// Replaces ranges of rows, which must be in order and disjoint, by one row each.
fn collapse(chart: &Chart, folds: &[(Range<usize>, Why)]) -> Chart {
    if folds.is_empty() {
        return chart.clone();
    }
    let mut rows: Vec<Row> = Vec::new();
    // For each old row, the index of its new row, and whether it is still shown.
    let mut places: Vec<(usize, bool)> = Vec::with_capacity(chart.rows.len());
    let mut folds = folds.iter().peekable();
    let mut at = 0;
    while at < chart.rows.len() {
        while folds.next_if(|(range, _)| range.end <= at).is_some() {}
        match folds.peek() {
            Some((range, why)) if range.contains(&at) => {
                // The part that is repeated for ever begins with a row of its own.
                let cut = chart.repeated_from.filter(|&from| at < from && from < range.end);
                let end = cut.unwrap_or(range.end);
                places.extend((at..end).map(|_| (rows.len(), false)));
                rows.push(folded(&chart.rows[at..end], *why));
                at = end;
            }
            _ => {
                places.push((rows.len(), true));
                rows.push(chart.rows[at].clone());
                at += 1;
            }
        }
    }
    let mut copies: Vec<MessageCopy> = Vec::new();
    let mut renumbered: Vec<Option<usize>> = Vec::with_capacity(chart.copies.len());
    for copy in &chart.copies {
        let (sent, shown) = places[copy.sent];
        let fate = match copy.fate {
            Fate::Received(row) => Fate::Received(places[row].0),
            other => other,
        };
        let is_taken_in_sight = matches!(copy.fate, Fate::Received(row) if places[row].1);
        let keep = shown || is_taken_in_sight;
        renumbered.push(keep.then_some(copies.len()));
        if keep {
            copies.push(MessageCopy { sent, fate, ..copy.clone() });
        }
    }
    let renumber = |copy: usize| renumbered[copy];
    for row in &mut rows {
        match &mut row.what {
            What::Step { act: Act::Send(copies), .. } => {
                *copies = copies.iter().filter_map(|&copy| renumber(copy)).collect();
            }
            What::Step { act: Act::Receive(copy, _), .. } => *copy = copy.and_then(renumber),
            What::Step { .. } | What::Folded { .. } => {}
        }
    }
    let mut lifelines = chart.lifelines.clone();
    for lifeline in &mut lifelines {
        if let Some((_, Some(row))) = &mut lifeline.end {
            *row = places[*row].0;
        }
    }
    let repeated_from = chart.repeated_from.map(|row| places.get(row).map_or(rows.len(), |place| place.0));
    Chart { scene: chart.scene.clone(), lifelines, rows, copies, repeated_from, waits: chart.waits.clone() }
}

fn folded(rows: &[Row], why: Why) -> Row {
    let mut agents: Vec<AgentId> = Vec::new();
    let mut steps = 0;
    for row in rows {
        match &row.what {
            What::Step { agent, .. } => {
                agents.push(*agent);
                steps += 1;
            }
            What::Folded { agents: its, steps: more, .. } => {
                agents.extend(its);
                steps += more;
            }
        }
    }
    agents.sort_unstable();
    agents.dedup();
    let (first, last) = (rows.first().map_or(0, |row| row.first), rows.last().map_or(0, |row| row.last));
    Row { first, last, what: What::Folded { steps, why, agents }, notes: Vec::new(), wrong: None }
}

#[cfg(test)]
mod tests {
    use super::{repetition, without_numbers};

    #[test]
    fn repetitions() {
        assert_eq!(repetition(&[1, 1, 1, 1, 1]), (1, 4));
        assert_eq!(repetition(&[1, 2, 1, 2, 1, 2, 3]), (2, 2));
        assert_eq!(repetition(&[1, 2, 1, 2, 3]), (0, 0), "two rows are not worth it");
        assert_eq!(repetition(&[1, 2, 3, 4, 1, 2, 3, 4]), (4, 1));
        assert_eq!(repetition(&[]), (0, 0));
        assert_eq!(without_numbers("a#12 b#3, 45"), "a# b#, 45");
    }
}
