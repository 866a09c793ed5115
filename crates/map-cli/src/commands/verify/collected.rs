//! The results of all files. Text is printed as soon as each result is known; JSON and JUnit at the end.

use map_flags::Any;
use map_session::{Compilation, WEATHERS};

use super::args::{Args, Detail};
use super::found::FileResult;
use super::properties::show_refused;
use super::scenes::SceneOfFile;
use super::task::Task;
use crate::args::Format;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::json::junit::{VerifySuites, number_of};
use crate::json::{self, Header, RejectedOutput, Several, VerifyOutput, VerifyResult};

/// The results so far, for JSON and JUnit.
#[derive(Default)]
pub(super) struct Collected {
    /// How many scenes were begun.
    begun: usize,
    results: Vec<VerifyResult>,
    suites: VerifySuites,
}

impl Collected {
    /// Adds a file with errors.
    pub(super) fn reject(
        &mut self,
        args: &Args,
        loaded: &Compilation,
        console: &mut Console,
    ) -> Result<(), Failure> {
        console.set_exit(Exit::Source);
        self.begun += 1;
        self.suites.rejected(loaded);
        if args.tells() {
            show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
        }
        if args.format == Format::Json {
            self.results.push(VerifyResult::Rejected(RejectedOutput::new(
                "verify",
                &loaded.source,
                &loaded.diagnostics,
            )));
        }
        Ok(())
    }

    /// Before a file is searched: prints what is wrong with its properties, and an empty line after the file before.
    pub(super) fn begin(&mut self, task: &Task<'_>, console: &mut Console) -> Result<(), Failure> {
        let is_first = self.begun == 0;
        self.begun += 1;
        if task.args.tells() {
            show_refused(task.loaded, console)?;
        }
        if task.args.format == Format::Text && !is_first && task.args.detail() != Detail::Line {
            console.print("\n")?;
        }
        Ok(())
    }

    /// Counts further scenes that were begun with the last one: their results come with its own.
    pub(super) fn begin_more(&mut self, scenes: usize) {
        self.begun += scenes;
    }

    /// Adds a result: sets the exit code, writes the files that flags ask for, and prints the text.
    pub(super) fn add(
        &mut self,
        task: &Task<'_>,
        found: &mut impl FileResult,
        console: &mut Console,
    ) -> Result<(), Failure> {
        found.add_to(&mut self.suites);
        self.show(task, found, console)
    }

    /// Adds to the verdicts in JUnit's format.
    pub(super) fn add_suite(&mut self, add: impl FnOnce(&mut VerifySuites)) {
        add(&mut self.suites);
    }

    /// Like [`Collected::add`], without JUnit suites.
    pub(super) fn show(
        &mut self,
        task: &Task<'_>,
        found: &mut impl FileResult,
        console: &mut Console,
    ) -> Result<(), Failure> {
        console.set_exit(found.exit());
        // Before anything is printed, since printing ends the command if the pipe is closed.
        found.save(console)?;
        match task.args.format {
            Format::Text => console.print_wrapped(&found.text())?,
            Format::Json => {}
        }
        Ok(())
    }

    /// Keeps a result for the JSON output, if that is the format.
    pub(super) fn keep(&mut self, task: &Task<'_>, result: impl FnOnce() -> VerifyResult) {
        if task.args.format == Format::Json {
            self.results.push(result());
        }
    }

    /// Writes the verdicts in JUnit's format, if `--junit` is given.
    pub(super) fn save_junit(
        &mut self,
        args: &Args,
        scenes: &[SceneOfFile],
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(path) = &args.junit else { return Ok(()) };
        for SceneOfFile { args, loaded, cast, .. } in &scenes[self.begun..] {
            let any = args.search.scene.any_in(&loaded.source).unwrap_or_default();
            if args.weather {
                WEATHERS.iter().for_each(|weather| {
                    self.suites.not_run(loaded, Some(weather.name), args.properties_only);
                });
            } else if any.is_empty() {
                let name = cast.as_ref().map(|cast| cast.name.as_str());
                self.suites.not_run(loaded, name, args.properties_only);
            }
            for Any { role, from } in any {
                self.suites.not_run(loaded, Some(&number_of(&role, from)), args.properties_only);
            }
        }
        write_besides("the JUnit file", path, &self.suites.text()?, console).map(|_| ())
    }

    /// Prints the JSON output of so many scenes, if that is the format.
    pub(super) fn print(self, args: &Args, scenes: usize, console: &mut Console) -> Result<(), Failure> {
        if args.format == Format::Text {
            return Ok(());
        }
        let output = match <[VerifyResult; 1]>::try_from(self.results) {
            Ok([result]) if scenes == 1 => VerifyOutput::One(Box::new(result)),
            Ok(results) => several(results.into()),
            Err(results) => several(results),
        };
        Ok(console.print(&json::to_text(&output)?)?)
    }
}

fn several(results: Vec<VerifyResult>) -> VerifyOutput {
    VerifyOutput::Several(Several { header: Header::new("verify"), results })
}
