//! `map verify --weather`: repeats the search under each kind of fault in turn.

use std::fmt::Write as _;

use map_explain::{Teller, bounds};
use map_ir::Program;
use map_semantics::{Bounds, Network, Timeouts};
use map_verify::Limit;

use super::args::Args;
use super::found::FileResult;
use super::junit::Suites;
use super::limits::limits_in_words;
use super::searched::{Searched, search};
use super::task::Task;
use crate::again::CommandLine;
use crate::args::TimeoutsArg;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Loaded;
use crate::json::{Header, WeatherOutput, WeatherRow};
use crate::numbers::grouped;
use crate::style;

/// The conditions of one search.
struct Weather {
    /// Its name in the table.
    name: &'static str,
    /// Its explanation in the legend.
    meaning: &'static str,
    network: Network,
    timeouts: Timeouts,
}

const FAIR: Weather = Weather {
    name: "instant",
    meaning: "messages arrive at once and in order; time runs out only when everybody is waiting",
    network: Network::INSTANT,
    timeouts: Timeouts::Quiescent,
};

/// Fair weather first, then one fault at a time.
const WEATHERS: [Weather; 5] = [
    FAIR,
    Weather {
        name: "unordered",
        meaning: "messages are read in any order",
        network: Network { unordered: true, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "lossy:1",
        meaning: "one copy of a message may be lost",
        network: Network { losses: 1, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "crash:1",
        meaning: "one agent may stop for ever",
        network: Network { crashes: 1, ..Network::INSTANT },
        ..FAIR
    },
    Weather {
        name: "timeouts any",
        meaning: "time may run out for anybody who is waiting",
        timeouts: Timeouts::Any,
        ..FAIR
    },
];

/// A file searched in every weather, or in fewer if that was interrupted.
pub(super) struct Forecast<'a> {
    args: &'a Args,
    /// Its name as given on the command line.
    file: &'a str,
    loaded: &'a Loaded,
    program: &'a Program,
    rows: Vec<(&'static Weather, Searched<'a>)>,
    /// For each row, the files to which the traces of violations were saved.
    saved: Vec<Vec<String>>,
}

/// Searches the scene in every weather.
pub(super) fn forecast<'a>(task: &Task<'a>) -> Result<Forecast<'a>, Failure> {
    let &Task { args, file, loaded, program, .. } = task;
    let mut rows = Vec::new();
    for weather in &WEATHERS {
        let bounds = Bounds { network: weather.network, timeouts: weather.timeouts, ..task.bounds.clone() };
        let searched = search(&Task { bounds, ..task.clone() })?;
        let interrupted = searched.report.limit == Some(Limit::Interrupted);
        rows.push((weather, searched));
        if interrupted {
            break;
        }
    }
    let saved = vec![Vec::new(); rows.len()];
    Ok(Forecast { args, file, loaded, program, rows, saved })
}

/// The names of the weathers that were not reached, if the first `searched` were.
pub(super) fn not_reached(searched: usize) -> impl Iterator<Item = &'static str> {
    WEATHERS[searched..].iter().map(|weather| weather.name)
}

/// The width of the longest name of a weather.
fn name_width() -> usize {
    WEATHERS.iter().map(|weather| weather.name.len()).max().unwrap_or(0)
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
            let properties = searched.answers.all_violated();
            let properties = properties.map(|(name, shown)| (Some(name), shown));
            let violated = termination.into_iter().chain(properties).collect();
            *saved = searched.answers.save_all(&searched.report.bounds, weather.name, violated, console)?;
        }
        match &self.args.save.save_trace {
            Some(target) if self.saved.iter().all(Vec::is_empty) => {
                Ok(console.complain(&format!("no trace is saved to {target}: nothing falls\n"))?)
            }
            _ => Ok(()),
        }
    }

    /// The table, then for each weather what goes wrong in it, then the fine print.
    fn text(&self) -> String {
        let mut text = format!("{}  {}\n\n", self.loaded.source.name(), style::head(&self.program.scene));
        text.push_str(&self.table());
        text.push_str(&self.properties());
        for ((weather, searched), saved) in self.rows.iter().zip(&self.saved) {
            if searched.violation().is_some() {
                text.push_str(&self.what_goes_wrong(weather, searched));
            }
            let violated = searched.answers.violated(&mut Teller::new(&self.loaded.source, self.program));
            if !violated.is_empty() {
                let _ = write!(text, "\n{}: {violated}", style::head(weather.name));
            }
            if !saved.is_empty() {
                let _ = writeln!(text, "{} {}", style::aside("saved:"), saved.join(", "));
            }
        }
        text.push_str(&self.fine_print());
        text
    }
}

impl Forecast<'_> {
    fn table(&self) -> String {
        let verdicts: Vec<String> =
            self.rows.iter().map(|(_, searched)| searched.verdict_in_words()).collect();
        let width = verdicts.iter().map(String::len).max().unwrap_or(0).max("termination".len());
        let name_width = name_width();
        let mut text = String::new();
        let head = format!("{:name_width$}  {:width$}  {:>12}", "weather", "termination", "states");
        let _ = writeln!(text, "{}", style::aside(head));
        for ((weather, searched), verdict) in self.rows.iter().zip(&verdicts) {
            let states = grouped(searched.report.statistics.states as u64);
            // Padded before it is coloured: escape sequences have no width.
            let verdict = searched.coloured(&format!("{verdict:width$}"));
            let _ = writeln!(text, "{:name_width$}  {verdict}  {states:>12}", weather.name);
        }
        for weather in not_reached(self.rows.len()) {
            let _ = writeln!(text, "{weather:name_width$}  {}", style::aside("not searched: interrupted"));
        }
        text
    }

    /// The verdict on each property in each weather.
    fn properties(&self) -> String {
        let name_width = name_width();
        let mut text = String::new();
        for (index, entry) in self.loaded.properties.entries.iter().enumerate() {
            let _ = writeln!(text, "\nproperty {}", style::head(&entry.name));
            for (weather, searched) in &self.rows {
                let verdict = &searched.answers.verdicts()[index];
                let _ = writeln!(text, "  {:name_width$}  {verdict}", weather.name);
            }
        }
        text
    }

    fn what_goes_wrong(&self, weather: &Weather, searched: &Searched<'_>) -> String {
        let mut teller = Teller::new(&self.loaded.source, self.program);
        let headline = style::head(weather.name);
        let verdict = searched.coloured(&searched.verdict_in_words());
        let trace = searched.trace(&mut teller);
        let explanation = style::text(&searched.explanation(&teller));
        let command = format!("{} {}", style::aside("alone:"), self.alone(weather));
        format!("\n{headline}: {verdict}\n\n{trace}{explanation}{command}\n")
    }

    /// The command that searches in one weather only.
    fn alone(&self, weather: &Weather) -> String {
        let mut words = CommandLine::new("verify", self.file);
        words.scene(&self.args.scene);
        let timeouts = match weather.timeouts {
            Timeouts::Quiescent => TimeoutsArg::Quiescent,
            Timeouts::Any => TimeoutsArg::Any,
        };
        let mut bounds = self.args.bounds.clone();
        (bounds.network, bounds.timeouts) = (weather.network, timeouts);
        words.bounds(&bounds);
        if self.args.no_properties {
            words.switch("no-properties");
        }
        words.line()
    }

    fn fine_print(&self) -> String {
        let mut text = "\n".to_owned();
        let Some((_, fair)) = self.rows.first() else { return text };
        let teller = Teller::new(&self.loaded.source, self.program);
        let meanings = self.rows.iter().map(|(weather, _)| format!("{}: {}", weather.name, weather.meaning));
        let mut lines: Vec<String> = meanings.collect();
        lines.push(
            "crashed agents count as ended; the good end has to be within reach without further losses and crashes"
                .to_owned(),
        );
        lines.push(format!("cast: {}", bounds::cast(self.program)));
        lines.push(format!("bounds: {}", bounds::sizes(&teller, &fair.report.bounds)));
        lines.push(format!("limits of each search: {}", limits_in_words(self.args, &fair.limits)));
        let assumptions = bounds::procedures(self.program);
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

#[cfg(test)]
mod tests {
    use map_semantics::Network;

    use super::WEATHERS;

    #[test]
    fn every_fault_has_its_weather() {
        let has = |bad: fn(&Network) -> bool| WEATHERS.iter().any(|weather| bad(&weather.network));
        // Exhaustive, so that a new fault does not compile until it is added here, with a weather of its own.
        let Network { unordered: _, losses: _, crashes: _ } = Network::INSTANT;
        assert!(has(|it| it.unordered) && has(|it| it.losses > 0) && has(|it| it.crashes > 0));
    }
}
