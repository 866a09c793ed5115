//! `--csv`: a line for each run.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use map_session::Scene;
use map_simulate::{CollectedValue, EndWord, JudgedRun};

/// The lines of runs that were made, by their numbers: threads make them in any order.
pub(super) struct Rows {
    header: String,
    /// The indices of the properties that single runs may violate.
    properties: Vec<usize>,
    /// By column of a measure: its index in the scene, if it is one of this scene.
    measures: Vec<Option<usize>>,
    rows: Mutex<BTreeMap<u64, String>>,
}

impl Rows {
    /// For runs of a scene, whose measures belong to the columns `own`: with a column for each property about single
    /// runs, and these others, of which the scene may lack some.
    pub(super) fn new(scene: &Scene, own: &[String], columns: &[String]) -> Self {
        let properties = &scene.properties.compiled.list;
        let about_runs = |&index: &usize| !properties[index].formula.is_about_all_runs();
        let judged: Vec<usize> = (0..properties.len()).filter(about_runs).collect();
        let measures = columns.iter().map(|name| own.iter().position(|it| it == name)).collect();
        let names = ["run", "seed", "end", "steps"].map(str::to_owned).into_iter();
        let names = names
            .chain(judged.iter().map(|&index| quoted(&properties[index].name)))
            .chain(columns.iter().map(|name| quoted(name)));
        let header = line(&names.collect::<Vec<_>>());
        Self { header, properties: judged, measures, rows: Mutex::default() }
    }

    /// Adds a run with its number and its seed.
    pub(super) fn add(&self, (number, seed): (u64, u64), judged: &JudgedRun) {
        let JudgedRun { run, violated, collected } = judged;
        let mut fields = vec![number.to_string(), seed.to_string()];
        fields.extend([EndWord::of(run).word().to_owned(), run.steps.to_string()]);
        let word = |index: &usize| match (violated.contains(index), run.has_come_to_an_end()) {
            (true, _) => "violated",
            (false, true) => "ok",
            (false, false) => "open",
        };
        fields.extend(self.properties.iter().map(|index| word(index).to_owned()));
        let of_run = |index: &Option<usize>| collected.get((*index)?)?.as_ref().map(value);
        fields.extend(self.measures.iter().map(|index| of_run(index).unwrap_or_default()));
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).insert(number, line(&fields));
    }

    /// The tables of several points as one: in front of each line are the values there.
    ///
    /// # Errors
    /// If the columns are not the same everywhere.
    pub(super) fn swept(
        names: &[String],
        points: impl Iterator<Item = (Vec<String>, Self)>,
    ) -> Result<String, String> {
        let in_front = |values: &[String]| values.iter().map(|it| quoted(it) + ",").collect::<String>();
        let mut text = String::new();
        let mut header: Option<String> = None;
        for (at, Self { header: columns, rows, .. }) in points {
            if header.as_ref().is_some_and(|known| *known != columns) {
                return Err("--csv: not all points have the same columns".to_owned());
            }
            if header.is_none() {
                text.push_str(&(in_front(names) + &columns));
                header = Some(columns);
            }
            let values = in_front(&at);
            for row in rows.into_inner().unwrap_or_else(PoisonError::into_inner).into_values() {
                text.push_str(&values);
                text.push_str(&row);
            }
        }
        Ok(text)
    }

    /// The whole table.
    pub(super) fn text(self) -> String {
        let rows = self.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        std::iter::once(self.header).chain(rows.into_values()).collect()
    }
}

fn line(fields: &[String]) -> String {
    fields.join(",") + "\n"
}

fn value(value: &CollectedValue) -> String {
    match value {
        CollectedValue::Integer(number) => number.to_string(),
        CollectedValue::Word(word) => quoted(word),
        CollectedValue::Unknown => "unknown".to_owned(),
    }
}

/// A field in quotation marks, if it needs any (RFC 4180).
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
