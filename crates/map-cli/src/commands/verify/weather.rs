//! `map verify --weather`: repeats the search under each kind of fault in turn.

use std::fmt::Write as _;
use std::path::Path;

use map_doors::shown;
use map_explain::verification::properties::violation_of;
use map_explain::verification::{Table, run_in_words, verdict_text, weathers_in_full, weathers_in_short};
use map_flags::TimeoutsArg;
use map_session::{Compilation, Fall, FaultSweep, WEATHERS, Weather};
use map_verify::Limit;

use super::args::{Args, Detail};
use super::found::FileResult;
use super::report;
use super::searched::{Searched, search};
use super::task::Task;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::junit::VerifySuites;
use crate::json::{Header, WeatherOutput, WeatherRow};
use crate::style;
use map_flags::alone;

/// A file searched in every weather, or in fewer if that was interrupted.
pub(super) struct WeatherReport<'a> {
    args: &'a Args,
    /// As on the command line.
    file: &'a Path,
    loaded: &'a Compilation,
    sweep: FaultSweep,
    /// For each row, the files to which the traces of violations were saved.
    saved: Vec<Vec<String>>,
}

/// Searches the scene in every weather; people see each row of the table as soon as it is known.
pub(super) fn forecast<'a>(task: &Task<'a>, console: &mut Console) -> Result<WeatherReport<'a>, Failure> {
    let &Task { args, file, loaded, .. } = task;
    let mut sweep = FaultSweep { scene: task.scene.clone(), rows: Vec::new() };
    let is_text = args.format == Format::Text;
    if is_text {
        console.print_wrapped(&style::text(&table().head(&sweep.scene)))?;
        console.flush()?;
    }
    for weather in &WEATHERS {
        let found = search(&Task { scene: task.scene.under(weather), ..task.clone() }, None)?;
        if is_text {
            let mut row = table().row(weather.name, &found, &[]);
            row.append(table().fewer_states(&found));
            console.print_wrapped(&style::text(&row))?;
            console.flush()?;
        }
        let interrupted = found.report.limit == Some(Limit::Interrupted);
        sweep.rows.push((weather, found));
        if interrupted {
            break;
        }
    }
    let saved = vec![Vec::new(); sweep.rows.len()];
    Ok(WeatherReport { args, file, loaded, sweep, saved })
}

fn table() -> Table<'static> {
    Table::new("weather", WEATHERS.iter().map(|weather| weather.name))
}

impl FileResult for WeatherReport<'_> {
    fn exit(&self) -> Exit {
        self.rows().fold(Exit::Fine, |worst, (_, searched)| worst.and(searched.exit()))
    }

    /// A suite for each weather.
    fn add_to(&self, suites: &mut VerifySuites) {
        let denied = self.args.denied();
        self.rows()
            .for_each(|(weather, searched)| suites.searched(searched.found, &denied, Some(weather.name)));
        let not_reached = self.sweep.not_reached();
        not_reached
            .for_each(|weather| suites.not_run(self.loaded, Some(weather.name), self.args.properties_only));
    }

    /// A trace for each violated verdict and property, and the report: of all weathers a row, everything of the first
    /// in which something falls, or of fair weather.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        if let Some(target) = &self.args.report {
            let rows: Vec<_> = self.rows().map(|(weather, searched)| (weather.name, searched)).collect();
            let shown = self.sweep.falls().iter().map(|fall| fall.rows[0]).min().unwrap_or(0);
            report::write_several(|report| &mut report.weathers, &rows, rows[shown], target, console)?;
        }
        for ((weather, found), saved) in self.sweep.rows.iter().zip(&mut self.saved) {
            let searched = Searched::new(self.args, found);
            let termination = searched.run_of_verdict().map(|shown| (None, shown));
            let properties = searched.answers().all_violated();
            let properties = properties.map(|property| (Some(property.name), property.shown));
            let fallen = termination.into_iter().chain(properties).collect();
            *saved = searched.answers().save_all(weather.name, fallen, console)?;
        }
        match &self.args.save.save_trace {
            Some(target) if self.saved.iter().all(Vec::is_empty) => {
                Ok(console.complain(&format!("no trace is saved to {}: nothing falls\n", shown(target)))?)
            }
            _ => Ok(()),
        }
    }

    /// What comes behind the table: each run that shows what falls, once, then the small print.
    fn text(&self) -> String {
        let not_reached = self.sweep.not_reached().map(|weather| weather.name);
        let mut text = style::text(&table().not_reached(not_reached));
        match self.args.detail() {
            Detail::Line => {}
            Detail::Short => {
                text.push_str(&self.commands());
                text.push_str(&style::text(&weathers_in_short(&self.sweep, "-v shows all runs")));
            }
            Detail::Full => {
                self.sweep.falls().iter().for_each(|fall| text.push_str(&self.told(fall)));
                text.push_str(&style::text(&weathers_in_full(&self.sweep)));
            }
        }
        text
    }
}

impl WeatherReport<'_> {
    fn rows(&self) -> impl Iterator<Item = (&'static Weather, Searched<'_>)> {
        self.sweep.rows.iter().map(|(weather, found)| (*weather, Searched::new(self.args, found)))
    }

    /// What goes wrong in a run, with the command that searches in the first of its weathers alone.
    fn told(&self, fall: &Fall<'_>) -> String {
        let (weather, found) = &self.sweep.rows[fall.rows[0]];
        let searched = Searched::new(self.args, found);
        let names: Vec<&str> = fall.rows.iter().map(|&row| self.sweep.rows[row].0.name).collect();
        let headline = style::head(names.join(", "));
        let mut text = match fall.property {
            None => {
                let verdict = style::text(&verdict_text(found));
                let run = style::text(&searched.presented(run_in_words));
                format!("\n{headline}: {verdict}\n\n{run}")
            }
            Some(index) => {
                let told = searched.presented(|found, how| violation_of(&found.properties, index, how));
                let told = style::text(&told);
                format!("\n{headline}: {}\n", told.trim_end_matches('\n'))
            }
        };
        let _ = writeln!(text, "{} {}", style::aside("alone:"), self.alone(weather));
        let saved: Vec<&str> = fall.rows.iter().flat_map(|&row| self.saved_of(row, fall.property)).collect();
        if !saved.is_empty() {
            let _ = writeln!(text, "{} {}", style::aside("saved:"), saved.join(", "));
        }
        text
    }

    /// The file to which the run of a row was saved that shows a property violated, or that of its verdict.
    fn saved_of(&self, row: usize, property: Option<usize>) -> Option<&str> {
        let (_, found) = &self.sweep.rows[row];
        let termination = usize::from(found.evidence().is_some());
        let place = match property {
            None => 0,
            Some(index) => termination + found.properties.violated().position(|it| it.index == index)?,
        };
        self.saved[row].get(place).map(String::as_str)
    }

    /// The command that searches in one weather only.
    fn alone(&self, weather: &Weather) -> String {
        let timeouts = TimeoutsArg::from(weather.timeouts);
        let mut args = self.args.search.clone();
        (args.bounds.network, args.bounds.timeouts) = (weather.network, timeouts);
        alone(&args, self.file)
    }

    /// For each weather that something falls in, and no earlier one in the same way, the command that shows it.
    fn commands(&self) -> String {
        let mut text = String::new();
        let mut told: Vec<usize> = Vec::new();
        for fall in self.sweep.falls() {
            let row = fall.rows[0];
            if !told.contains(&row) {
                told.push(row);
                let (weather, _) = &self.sweep.rows[row];
                let _ = writeln!(text, "{} {}", style::aside("next:"), self.alone(weather));
            }
            let saved: Vec<&str> =
                fall.rows.iter().flat_map(|&row| self.saved_of(row, fall.property)).collect();
            if !saved.is_empty() {
                let _ = writeln!(text, "{} {}", style::aside("saved:"), saved.join(", "));
            }
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    pub(super) fn output(&self) -> WeatherOutput {
        let rows = self.rows().zip(&self.saved).map(|((weather, searched), saved)| WeatherRow {
            weather: weather.name.to_owned(),
            result: searched.output(),
            saved: saved.clone(),
        });
        WeatherOutput {
            header: Header::new("verify"),
            file: self.loaded.source.name().to_owned(),
            scene: self.sweep.scene.program.scene.clone(),
            weather: rows.collect(),
        }
    }
}
