//! `--agents bidder=1..5`: verifies a scene with one cast after the other, and prints a table.

use std::fmt::Write as _;

use map_explain::verification::{Table, casts_in_short, in_full};
use map_semantics::Bounds;
use map_session::Verification;
use map_verify::Limit;

use super::args::{Args, Detail};
use super::collected::Collected;
use super::found::FileResult;
use super::limits::SharedTime;
use super::report;
use super::scenes::SceneOfFile;
use super::searched::{Searched, search};
use super::task::Task;
use super::together;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::json::VerifyResult;
use crate::json::junit::VerifySuites;
use crate::style;
use map_flags::alone;

/// The title of the first column.
const TITLE: &str = "agents";

/// A scene verified with several casts, or with fewer if that was interrupted.
struct Series<'a> {
    table: Table<'static>,
    rows: Vec<Row<'a>>,
    /// The casts that were not reached.
    rest: Vec<&'a SceneOfFile>,
}

/// The scene with one cast.
struct Row<'a> {
    scene: &'a SceneOfFile,
    found: Verification,
}

/// A flag that is about one search.
pub(super) fn about_one_search(args: &Args) -> Option<&'static str> {
    let flags = [
        ("--weather", args.weather),
        ("--properties-only", args.properties_only),
        ("--with", args.with.is_some()),
        ("--checkpoint", args.long.checkpoint.is_some()),
        ("--resume", args.long.resume.is_some()),
        ("a search by several processes", together::is_asked_for(args)),
        ("--save-test", args.save_test.is_some()),
        ("--save-trace", args.save.save_trace.is_some()),
    ];
    flags.into_iter().find(|&(_, given)| given).map(|(flag, _)| flag)
}

/// Refuses flags that are about one search.
pub(super) fn check(args: &Args) -> Result<(), String> {
    let casts = args.search.scene.casts()?;
    let [first, _, ..] = casts.as_slice() else { return Ok(()) };
    match about_one_search(args) {
        Some(flag) => {
            Err(format!("{flag} is for one cast: give one number of agents, such as --agents {}", first.name))
        }
        None => Ok(()),
    }
}

/// Refuses several casts of a scene of which the file asks for any number of agents of another role.
pub(super) fn check_file(scene: &SceneOfFile) -> Result<(), String> {
    let any = scene.args.search.scene.any_in(&scene.loaded.source)?;
    match (scene.cast.is_some(), any.first()) {
        (true, Some(any)) => Err(format!(
            "--agents: the file asks for any number of %{}; give a number for it, such as --agents {0}=2",
            any.role
        )),
        _ => Ok(()),
    }
}

/// Verifies a scene with each cast; people see each row of the table as soon as it is known.
pub(super) fn verify<'a>(
    scenes: &[(&'a SceneOfFile, Option<Bounds>)],
    interrupt: &'a Interrupt,
    time: &'a SharedTime,
    collected: &mut Collected,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut tasks = Vec::new();
    for (scene, bounds) in scenes {
        let SceneOfFile { args, file, loaded, .. } = *scene;
        match bounds.clone().and_then(|bounds| loaded.scene(bounds)) {
            Some(scene_under_bounds) => {
                let task = Task {
                    args,
                    file,
                    loaded,
                    scene: scene_under_bounds,
                    interrupt,
                    time,
                    checkpoints: None,
                };
                tasks.push((*scene, task));
            }
            None => collected.reject(args, loaded, console)?,
        }
    }
    let Some((first, task)) = tasks.first() else { return Ok(()) };
    task.print_diagnostics(console)?;
    collected.begin(task, console)?;
    collected.begin_more(tasks.len() - 1);
    let is_text = first.args.format == Format::Text;
    let names = tasks.iter().map(|(scene, _)| scene.cast_name());
    let mut series = Series { table: Table::new(TITLE, names), rows: Vec::new(), rest: Vec::new() };
    if is_text {
        console.print_wrapped(&style::text(&series.table.head(&task.scene)))?;
        console.flush()?;
    }
    let mut to_come = tasks.iter();
    for (scene, task) in to_come.by_ref() {
        let found = search(task, None)?;
        if is_text {
            let row = series.table.row(scene.cast_name(), &found, &task.args.denied());
            console.print_wrapped(&style::text(&row))?;
            console.flush()?;
        }
        let interrupted = found.report.limit == Some(Limit::Interrupted);
        series.rows.push(Row { scene, found });
        if interrupted {
            break;
        }
    }
    series.rest = to_come.map(|(scene, _)| *scene).collect();
    collected.add(task, &mut series, console)?;
    for row in &series.rows {
        collected.keep(task, || VerifyResult::Verified(Box::new(row.searched().output())));
    }
    Ok(())
}

impl FileResult for Series<'_> {
    fn exit(&self) -> Exit {
        self.rows.iter().fold(Exit::Fine, |worst, row| worst.and(row.searched().exit()))
    }

    /// A suite for each cast.
    fn add_to(&self, suites: &mut VerifySuites) {
        for row in &self.rows {
            let searched = row.searched();
            suites.searched(searched.found, &searched.args.denied(), Some(row.scene.cast_name()));
        }
        for SceneOfFile { args, loaded, cast, .. } in &self.rest {
            let name = cast.as_ref().map(|cast| cast.name.as_str());
            suites.not_run(loaded, name, args.properties_only);
        }
    }

    /// The report: of all casts a row, everything of the first with which not all is well, or of the last one.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        let Some(shown) = self.first_fall().or(self.rows.last()) else { return Ok(()) };
        let Some(target) = &shown.scene.args.report else { return Ok(()) };
        let casts: Vec<_> = self.rows.iter().map(|row| (row.scene.cast_name(), row.searched())).collect();
        report::write_several(
            |report| &mut report.casts,
            &casts,
            (shown.scene.cast_name(), shown.searched()),
            target,
            console,
        )
    }

    /// What comes behind the table.
    fn text(&self) -> String {
        let rest = self.table.not_reached(self.rest.iter().map(|scene| scene.cast_name()));
        let mut text = style::text(&rest);
        let Some(Row { scene: first, .. }) = self.rows.first() else { return text };
        match first.args.detail() {
            Detail::Line => {}
            Detail::Short => text.push_str(&self.in_short(&first.args)),
            Detail::Full => {
                for row in &self.rows {
                    let full = style::text(&row.searched().presented(in_full));
                    let _ = write!(text, "\n{}: {full}", style::head(row.scene.cast_name()));
                }
            }
        }
        text
    }
}

impl Row<'_> {
    fn searched(&self) -> Searched<'_> {
        Searched::new(&self.scene.args, &self.found)
    }
}

impl Series<'_> {
    /// The first cast with which not all is well.
    fn first_fall(&self) -> Option<&Row<'_>> {
        self.rows.iter().find(|row| !matches!(row.searched().exit(), Exit::Fine | Exit::Interrupted))
    }

    /// The command that shows the first cast with which not all is well, what the verdicts depend on, and a line that
    /// sums up.
    fn in_short(&self, args: &Args) -> String {
        let mut text = String::new();
        if let Some(Row { scene: SceneOfFile { args, file, .. }, .. }) = self.first_fall() {
            let _ = writeln!(text, "\n{} {}", style::aside("next:"), alone(&args.search, file));
        }
        let rows: Vec<&Verification> = self.rows.iter().map(|row| &row.found).collect();
        text.push_str(&style::text(&casts_in_short(&rows, self.rest.len(), &args.denied())));
        text
    }
}
