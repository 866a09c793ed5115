//! `map verify --weather`: repeats the search under each kind of fault in turn.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use map_explain::verification::limits::{self, fewer_states};
use map_explain::verification::properties::violation_of;
use map_explain::verification::{run_in_words, verdict_text};
use map_explain::{Teller, bounds};
use map_ir::Program;
use map_semantics::Timeouts;
use map_session::Compilation;
use map_session::{Evidence, WEATHERS, Weather};
use map_verify::Limit;

use super::args::{Args, Detail};
use super::found::FileResult;
use super::junit::Suites;
use super::searched::{Searched, search};
use super::table::{Table, alone};
use super::task::Task;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::{Header, WeatherOutput, WeatherRow};
use crate::names::shown;
use crate::style;
use map_flags::TimeoutsArg;

/// The title of the first column.
const TITLE: &str = "weather";

/// A file searched in every weather, or in fewer if that was interrupted.
pub(super) struct Forecast<'a> {
    args: &'a Args,
    /// As on the command line.
    file: &'a Path,
    loaded: &'a Compilation,
    program: Arc<Program>,
    rows: Vec<(&'static Weather, Searched<'a>)>,
    /// For each row, the files to which the traces of violations were saved.
    saved: Vec<Vec<String>>,
}

/// A run that shows what falls, in one weather or in several.
struct Fall<'s> {
    /// The rows that it falls in.
    rows: Vec<usize>,
    /// The property that is violated, by its place; none for termination.
    property: Option<usize>,
    run: Evidence<'s>,
}

/// Searches the scene in every weather; people see each row of the table as soon as it is known.
pub(super) fn forecast<'a>(task: &Task<'a>, console: &mut Console) -> Result<Forecast<'a>, Failure> {
    let &Task { args, file, loaded, .. } = task;
    let program = Arc::clone(&task.scene.program);
    let mut forecast = Forecast { args, file, loaded, program, rows: Vec::new(), saved: Vec::new() };
    let is_text = args.format == Format::Text;
    if is_text {
        let head = Forecast::table().head(loaded.source.name(), &task.scene.program.scene, TITLE);
        console.print_wrapped(&head)?;
        console.flush()?;
    }
    for weather in &WEATHERS {
        let searched = search(&Task { scene: task.scene.under(weather), ..task.clone() }, None)?;
        if is_text {
            console.print_wrapped(&forecast.row(weather, &searched))?;
            console.flush()?;
        }
        let interrupted = searched.found.report.limit == Some(Limit::Interrupted);
        forecast.rows.push((weather, searched));
        if interrupted {
            break;
        }
    }
    forecast.saved = vec![Vec::new(); forecast.rows.len()];
    Ok(forecast)
}

/// How many weathers there are: a search for each.
pub(super) const fn searches() -> usize {
    WEATHERS.len()
}

/// The names of the weathers that were not reached, if the first `searched` were.
pub(super) fn not_reached(searched: usize) -> impl Iterator<Item = &'static str> {
    WEATHERS[searched..].iter().map(|weather| weather.name)
}

impl FileResult for Forecast<'_> {
    fn exit(&self) -> Exit {
        self.rows.iter().fold(Exit::Fine, |worst, (_, searched)| worst.and(searched.exit()))
    }

    /// A suite for each weather.
    fn add_to(&self, suites: &mut Suites) {
        self.rows.iter().for_each(|(weather, searched)| suites.searched(searched, Some(weather.name)));
        not_reached(self.rows.len()).for_each(|it| suites.not_run(self.args, self.loaded, Some(it)));
    }

    /// A trace for each violated verdict and property.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        for ((weather, searched), saved) in self.rows.iter().zip(&mut self.saved) {
            let termination = searched.run_of_verdict().map(|shown| (None, shown));
            let properties = searched.answers().all_violated();
            let properties = properties.map(|it| (Some(it.name), it.shown));
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
        let mut text = Self::table().not_reached(not_reached(self.rows.len()));
        match self.args.detail() {
            Detail::Line => {}
            Detail::Short => {
                text.push_str(&self.commands());
                text.push_str(&self.in_short());
            }
            Detail::Full => {
                self.falls().iter().for_each(|fall| text.push_str(&self.told(fall)));
                text.push_str(&self.fine_print());
            }
        }
        text
    }
}

impl Forecast<'_> {
    fn table() -> Table {
        Table::new(TITLE, WEATHERS.iter().map(|weather| weather.name))
    }

    /// A row of the table; below it, where a limit has ended the search, what would make fewer states.
    fn row(&self, weather: &Weather, searched: &Searched<'_>) -> String {
        let table = Self::table();
        let mut text = table.row(weather.name, searched);
        let of_properties = searched.found.properties.limit();
        let limit = searched.found.report.limit.or(of_properties);
        if matches!(limit, Some(Limit::States | Limit::Memory | Limit::NoRoom | Limit::Time)) {
            let fewer = fewer_states(&self.program, &searched.found.report.bounds);
            let lines = fewer.map(|fewer| table.below(&style::aside(format!("for fewer states: {fewer}"))));
            text.extend(lines);
        }
        text
    }

    /// All that falls, each run once.
    fn falls(&self) -> Vec<Fall<'_>> {
        let mut falls: Vec<Fall<'_>> = Vec::new();
        for (row, (_, searched)) in self.rows.iter().enumerate() {
            let termination =
                searched.found.violation().and_then(|_| searched.found.evidence()).map(|run| (None, run));
            let properties = searched.found.properties.violated().map(|it| (Some(it.index), it.evidence));
            for (property, run) in termination.into_iter().chain(properties) {
                match falls.iter_mut().find(|known| known.property == property && known.run.is_same(run)) {
                    Some(known) => known.rows.push(row),
                    None => falls.push(Fall { rows: vec![row], property, run }),
                }
            }
        }
        falls
    }

    /// What goes wrong in a run, with the command that searches in the first of its weathers alone.
    fn told(&self, fall: &Fall<'_>) -> String {
        let (weather, searched) = &self.rows[fall.rows[0]];
        let names: Vec<&str> = fall.rows.iter().map(|&row| self.rows[row].0.name).collect();
        let headline = style::head(names.join(", "));
        let mut text = match fall.property {
            None => {
                let verdict = style::text(&verdict_text(&searched.found));
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
        let (_, searched) = &self.rows[row];
        let termination = usize::from(searched.found.evidence().is_some());
        let place = match property {
            None => 0,
            Some(index) => {
                termination + searched.answers().all_violated().position(|it| it.index == index)?
            }
        };
        self.saved[row].get(place).map(String::as_str)
    }

    /// The command that searches in one weather only.
    fn alone(&self, weather: &Weather) -> String {
        let timeouts = match weather.timeouts {
            Timeouts::Quiescent => TimeoutsArg::Quiescent,
            Timeouts::Any => TimeoutsArg::Any,
        };
        let mut bounds = self.args.search.bounds.clone();
        (bounds.network, bounds.timeouts) = (weather.network, timeouts);
        alone(self.args, self.file, &bounds)
    }

    /// For each weather that something falls in, and no earlier one in the same way, the command that shows it.
    fn commands(&self) -> String {
        let mut text = String::new();
        let mut told: Vec<usize> = Vec::new();
        for fall in self.falls() {
            let row = fall.rows[0];
            if !told.contains(&row) {
                told.push(row);
                let (weather, _) = &self.rows[row];
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

    /// What the verdicts depend on, and a line that sums up.
    fn in_short(&self) -> String {
        let Some((_, fair)) = self.rows.first() else { return String::new() };
        let teller = Teller::new(&self.loaded.source, &self.program);
        let within = format!(
            "within: {}; {}; in each weather up to {}",
            bounds::cast_in_short(&self.program),
            bounds::sizes_in_short(&teller, &fair.found.report.bounds),
            limits::words(&fair.found.limits)
        );
        let mut text = format!("\n{}\n", style::aside(within));
        let assumptions = bounds::procedures(&self.program);
        if !assumptions.is_empty() {
            let _ = writeln!(text, "{}", style::aside(format!("assuming: {}", assumptions.join("; "))));
        }
        let fine = self.rows.iter().filter(|(_, searched)| searched.exit() == Exit::Fine).count();
        let all = WEATHERS.len();
        let _ = writeln!(
            text,
            "{}: all is well in {fine} of {all} weathers (-v shows all runs)",
            self.program.scene
        );
        text
    }

    fn fine_print(&self) -> String {
        let mut text = "\n".to_owned();
        let Some((_, fair)) = self.rows.first() else { return text };
        let teller = Teller::new(&self.loaded.source, &self.program);
        let meanings = self.rows.iter().map(|(weather, _)| format!("{}: {}", weather.name, weather.meaning));
        let mut lines: Vec<String> = meanings.collect();
        lines.push(
            "crashed agents count as ended; the good end has to be within reach without further losses and crashes"
                .to_owned(),
        );
        lines.push(format!("cast: {}", bounds::cast(&self.program)));
        lines.push(format!("bounds: {}", bounds::sizes(&teller, &fair.found.report.bounds)));
        lines.push(format!("limits of each weather: {}", limits::words(&fair.found.limits)));
        let assumptions = bounds::procedures(&self.program);
        lines.extend(assumptions.into_iter().map(|assumption| format!("assumed: {assumption}")));
        for line in lines {
            let _ = writeln!(text, "{}", style::aside(line));
        }
        text
    }

    pub(super) fn output(&self) -> WeatherOutput {
        let rows = self.rows.iter().zip(&self.saved).map(|((weather, searched), saved)| WeatherRow {
            weather: weather.name.to_owned(),
            result: searched.output(),
            saved: saved.clone(),
        });
        WeatherOutput {
            header: Header::new("verify"),
            file: self.loaded.source.name().to_owned(),
            scene: self.program.scene.clone(),
            weather: rows.collect(),
        }
    }
}
