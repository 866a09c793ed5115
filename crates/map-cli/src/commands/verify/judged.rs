//! `map verify --properties-only`: verdicts on properties, but none on termination.

use map_doors::memory;
use map_explain::verification::{judged_in_full, judged_in_line, judged_in_short};
use map_flags::Host as _;
use map_session::{Figures, PropertyAnswers, Watch as _};

use super::args::{Args, Detail};
use super::found::FileResult;
use super::properties::Answers;
use super::task::Task;
use super::together::Member;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::JudgedOutput;
use crate::json::junit::VerifySuites;
use crate::style;

/// A file of which only the properties were judged.
pub(super) struct Judged<'a> {
    args: &'a Args,
    found: PropertyAnswers,
    figures: Figures,
}

/// Judges the properties of a file, perhaps with other processes.
pub(super) fn judge<'a>(task: &Task<'a>, member: Option<Member>) -> Result<Judged<'a>, Failure> {
    let limits = task.next_limits();
    let mut watch = task.watch(&task.scene, &limits);
    let question = task.args.search.question(limits);
    let found = match member {
        None => question.ask_properties(&task.scene, &mut watch).map_err(Failure::from),
        Some(member) => {
            let mut joined = member.join(task, &limits.limits)?;
            let found = question.ask_properties_of(&mut joined, &task.scene, &mut watch);
            joined.leave();
            found
        }
    };
    let took = watch.elapsed();
    let found = found?;
    let used = found.report.as_ref().map_or(0, |report| report.statistics.memory as u64);
    let peak_memory = memory::peak().unwrap_or(used);
    let figures = Figures { took, peak_memory, ..Figures::default() };
    Ok(Judged { args: task.args, found, figures })
}

impl FileResult for Judged<'_> {
    fn exit(&self) -> Exit {
        self.answers().exit()
    }

    fn add_to(&self, suites: &mut VerifySuites) {
        suites.judged(self.answers().found);
    }

    /// The run of the first violated property.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        self.answers().save_the_one(self.answers().first_violated(), console)
    }

    fn text(&self) -> String {
        let text = self.args.present(&self.found.scene, None, |how| match self.args.detail() {
            Detail::Line => judged_in_line(&self.found, how),
            Detail::Short => judged_in_short(&self.found, self.figures, how),
            Detail::Full => judged_in_full(&self.found, self.figures, how),
        });
        style::text(&text)
    }
}

impl Judged<'_> {
    fn answers(&self) -> Answers<'_> {
        Answers { args: self.args, found: &self.found }
    }

    /// The answers for programs.
    pub(super) fn output(&self) -> JudgedOutput {
        JudgedOutput::new(&self.found, self.figures, &self.args.search.scene.agents)
    }
}
