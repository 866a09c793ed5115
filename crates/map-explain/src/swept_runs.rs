//! How the runs of a sweep came out, in words: a table for each thing that is told of many runs.

use std::fmt::Write as _;

use map_session::{SweptPoint, SweptRuns};
use map_simulate::{Distribution, EndWord, Moments};

use crate::many_runs::percent;
use crate::{Namer, Role, Text, Tone, bounds, counted, grouped};

/// The runs of a sweep in words. `again` is the command that makes all of them, `one` that of a point alone, by its
/// index.
///
/// # Panics
/// If no point was reached.
#[must_use]
pub fn in_words(swept: &SweptRuns, again: &str, one: &dyn Fn(usize) -> String) -> Text {
    let first = &swept.points[0].played;
    let mut text = headline(swept);
    text.append(table(Role::Heading, "how runs end", &ends(swept)));
    let steps = |point: &SweptPoint| {
        let found = &point.played.statistics;
        let quantile = |percent| grouped(found.quantile(percent).unwrap_or(0));
        let mean = with_interval(found.mean_steps(), found.mean_steps_interval());
        vec![mean, quantile(5), quantile(50), quantile(95)]
    };
    text.append(table(Role::Heading, "steps", &rows(swept, &["mean", "5 %", "50 %", "95 %"], &steps)));
    for name in swept.measures() {
        let columns = ["runs", "mean", "5 %", "50 %", "95 %"];
        let of = |point: &SweptPoint| point.measure(name).map_or_else(Vec::new, measured);
        text.append(table(Role::Heading, name, &rows(swept, &columns, &of)));
    }
    let mut holds = false;
    for (index, property) in first.properties().enumerate() {
        let is_violated =
            |point: &SweptPoint| point.played.properties().nth(index).is_some_and(|it| it.runs > 0);
        if !swept.points.iter().any(is_violated) {
            let _ = writeln!(text, "property {}  violated in no run at any point", property.name);
            holds = true;
            continue;
        }
        let violated = |point: &SweptPoint| {
            let Some(found) = point.played.properties().nth(index) else { return Vec::new() };
            let (share, low, high) = found.share;
            let interval = format!("{} .. {} %", percent(low), percent(high));
            vec![grouped(found.runs), format!("{} %", percent(share)), interval]
        };
        if std::mem::take(&mut holds) {
            text.push_str("\n");
        }
        let title = format!("property {}", property.name);
        let rows = rows(swept, &["violated in", "share", "interval"], &violated);
        text.append(table(Role::Heading, &title, &rows));
    }
    if holds {
        text.push_str("\n");
    }
    let namer = Namer::new(&first.scene.source, &first.scene.program);
    let fine = [
        "intervals: 95 %; of shares Wilson's score interval, of means the normal approximation".to_owned(),
        format!("bounds: {}", bounds::bounds(&namer, &first.scene.bounds)),
    ];
    for line in fine {
        text.push(Role::Aside, line);
        text.push_str("\n");
    }
    for (what, command) in [("first point:", &one(0)), ("again:", &again.to_owned())] {
        text.push(Role::Aside, what);
        let _ = writeln!(text, " {command}");
    }
    text
}

fn headline(swept: &SweptRuns) -> Text {
    let first = &swept.points[0].played;
    let mut text = Text::plain(format!("{}  ", first.scene.source.name()));
    text.push(Role::Heading, &first.scene.program.scene);
    let runs = counted(first.wanted, "run");
    let _ = write!(text, "  {runs} at each of {}", counted(swept.wanted as u64, "point"));
    if swept.points.len() < swept.wanted {
        let reached = grouped(swept.points.len() as u64);
        text.push_str(", ");
        text.push(Role::Verdict(Tone::Doubtful), format!("{reached} reached, interrupted"));
    }
    let _ = writeln!(text, ", seed {}\n", first.options.seed);
    text
}

/// Headings, and a row for each point: where it is, and what is told of it.
struct Rows {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn rows(swept: &SweptRuns, columns: &[&str], of: &dyn Fn(&SweptPoint) -> Vec<String>) -> Rows {
    let headings = swept.names.iter().cloned().chain(columns.iter().map(|&it| it.to_owned())).collect();
    let rows = swept.points.iter().map(|point| point.at.iter().cloned().chain(of(point)).collect());
    Rows { headings, rows: rows.collect() }
}

/// The share of each way to end that occurs at some point.
fn ends(swept: &SweptRuns) -> Rows {
    let occurs =
        |end: &EndWord| swept.points.iter().any(|point| point.played.statistics.ends.contains_key(end));
    let ends: Vec<EndWord> = EndWord::ALL.into_iter().filter(occurs).collect();
    let columns: Vec<&str> = ends.iter().map(|end| end.word()).collect();
    let share = |point: &SweptPoint| {
        let found = &point.played.statistics;
        ends.iter().map(|&end| format!("{} %", percent(found.share(end).0))).collect()
    };
    rows(swept, &columns, &share)
}

/// What is told of a measure: without integers only how many runs have a value.
fn measured(found: &Distribution) -> Vec<String> {
    let runs = grouped(found.runs());
    let Some(Moments { mean, interval, .. }) = found.moments() else { return vec![runs] };
    let quantile = |percent| found.quantile(percent).map_or_else(String::new, |it| it.to_string());
    vec![runs, with_interval(mean, interval), quantile(5), quantile(50), quantile(95)]
}

fn with_interval(mean: f64, interval: Option<(f64, f64)>) -> String {
    match interval {
        Some((low, high)) => format!("{mean:.3} ({low:.3} .. {high:.3})"),
        None => format!("{mean:.3}"),
    }
}

/// A table with a title; all columns are set right.
fn table(role: Role, title: &str, table: &Rows) -> Text {
    let width = |column: usize| {
        let cells = std::iter::once(&table.headings).chain(&table.rows);
        cells.filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.headings.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  "))
    };
    let mut text = Text::of(role, title);
    text.push_str("\n");
    text.push(Role::Aside, line(&table.headings));
    text.push_str("\n");
    for row in &table.rows {
        let _ = writeln!(text, "{}", line(row).trim_end());
    }
    text.push_str("\n");
    text
}
