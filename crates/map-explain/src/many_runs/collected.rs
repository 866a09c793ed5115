//! What was collected of many runs, in words.

use std::fmt::Write as _;

use map_session::ManyRuns;
use map_simulate::{CollectedValue, Distribution};

use super::{BAR, percent};
use crate::{Role, Text, counted, grouped};

/// The most lines for the values of a measure.
const LINES: usize = 12;

/// The columns that a line may have.
const WIDTH: usize = 80;

/// The columns of a line for a value besides its name, its number of runs and its bar.
const FIXED: usize = 33;

/// Values that have a line of their own.
struct Row {
    name: String,
    runs: u64,
}

/// A paragraph for each measure.
pub(super) fn in_words(played: &ManyRuns) -> Text {
    let mut text = Text::default();
    for (measure, found) in played.measures() {
        text.push(Role::Heading, &measure.name);
        text.push_str(&headline(found));
        if found.runs() > 0 {
            text.push_str(&moments(found));
            let rows = rows(found);
            let name = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
            let number = rows.iter().map(|row| grouped(row.runs).len()).max().unwrap_or(0);
            let most = rows.iter().map(|row| row.runs).max().unwrap_or(0).max(1);
            let room = WIDTH.saturating_sub(FIXED + name + number).clamp(BAR as usize / 4, BAR as usize);
            for row in &rows {
                let (share, low, high) = found.share(row.runs);
                let runs = grouped(row.runs);
                let _ = write!(text, "  {:>name$}  {runs:>number$}  {:>5} %  ", row.name, percent(share));
                text.push(Role::Aside, format!("{:>5} .. {:>5} %", percent(low), percent(high)));
                let bar = (u128::from(row.runs) * room as u128).div_ceil(u128::from(most)) as usize;
                let _ = writeln!(text, "  {}", "#".repeat(bar));
            }
        }
        text.push_str("\n");
    }
    text
}

/// How many runs have a value.
fn headline(found: &Distribution) -> String {
    let (runs, without, stopped) = (found.runs(), found.without, found.stopped);
    let mut text = format!("  {} of {}", grouped(runs), counted(runs + without + stopped, "run"));
    if without > 0 {
        let _ = write!(text, "; {} without", grouped(without));
    }
    if stopped > 0 {
        let _ = write!(text, "; {} stopped", grouped(stopped));
    }
    text + "\n"
}

/// The mean and the quantiles of those values that are integers.
fn moments(found: &Distribution) -> String {
    let Some(moments) = found.moments() else { return String::new() };
    let mut text = format!("  mean {:.3}", moments.mean);
    if let Some((low, high)) = moments.interval {
        let _ = write!(text, " ({low:.3} .. {high:.3})");
    }
    let _ = write!(text, ", standard deviation {:.3}\n  quantiles", moments.deviation);
    for percent in [5, 25, 50, 75, 95] {
        let Some(quantile) = found.quantile(percent) else { continue };
        let _ = write!(text, "  {percent} %: {quantile}");
        if let (50, Some((low, high))) = (percent, found.median_interval()) {
            let _ = write!(text, " ({low} .. {high})");
        }
    }
    text + "\n"
}

/// The values; integers in order, in classes of equal width if there are many, then others, the most frequent first.
fn rows(found: &Distribution) -> Vec<Row> {
    let mut rows = integers(found);
    let mut others: Vec<Row> = found.values.iter().filter_map(|(value, &runs)| other(value, runs)).collect();
    others.sort_by_key(|row| std::cmp::Reverse(row.runs));
    let rest: u64 = others.iter().skip(LINES).map(|row| row.runs).sum();
    let more = others.len().saturating_sub(LINES);
    rows.extend(others.into_iter().take(LINES));
    if more > 0 {
        rows.push(Row { name: format!("{} more", grouped(more as u64)), runs: rest });
    }
    rows
}

fn integers(found: &Distribution) -> Vec<Row> {
    let all: Vec<(i64, u64)> = found.integers().collect();
    let (Some(&(first, _)), Some(&(last, _))) = (all.first(), all.last()) else { return Vec::new() };
    if all.len() <= LINES {
        return all.into_iter().map(|(number, runs)| Row { name: number.to_string(), runs }).collect();
    }
    let width = (i128::from(last) - i128::from(first)) / LINES as i128 + 1;
    let mut rows: Vec<Row> = Vec::new();
    for class in 0..LINES as i128 {
        let from = i128::from(first) + class * width;
        if from > i128::from(last) {
            break;
        }
        let to = (from + width - 1).min(i128::from(last));
        let runs = all.iter().filter(|(number, _)| (from..=to).contains(&i128::from(*number)));
        rows.push(Row { name: format!("{from} .. {to}"), runs: runs.map(|(_, runs)| runs).sum() });
    }
    rows
}

fn other(value: &CollectedValue, runs: u64) -> Option<Row> {
    match value {
        CollectedValue::Integer(_) => None,
        CollectedValue::Word(word) => Some(Row { name: word.clone(), runs }),
        CollectedValue::Unknown => Some(Row { name: "unknown".to_owned(), runs }),
    }
}
