//! `map verify --properties-only`: verdicts on properties, but none on termination.

use std::fmt::Write as _;
use std::time::Duration;

use map_explain::{Teller, bounds};
use map_semantics::Bounds;

use super::args::Detail;
use super::brief::effort;
use super::found::FileResult;
use super::junit::Suites;
use super::limits::cuts_in_words;
use super::properties::{self, Answers};
use super::task::Task;
use super::together::Member;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::{BoundsOutput, Header, JudgedOutput, Origin, Word};
use crate::memory;
use crate::numbers::{bytes, counted, seconds};
use crate::style;

/// The ways to look at a run more closely.
const SAVE_THE_RUN: &str = "--save-trace run.json keeps the run for map replay, -v says everything";

/// A file of which only the properties were judged.
pub(super) struct Judged<'a> {
    pub(super) answers: Answers<'a>,
    bounds: Bounds,
    took: Duration,
    peak_memory: u64,
}

/// Judges the properties of a file, perhaps with other processes.
pub(super) fn judge<'a>(task: &Task<'a>, member: Option<Member>) -> Result<Judged<'a>, Failure> {
    let limits = task.next_limits();
    let mut watch = task.watch(&limits);
    let mut others = member.map(|member| member.join(task, &limits.limits)).transpose()?;
    let report = properties::judge(task, &limits, others.as_mut(), &mut watch);
    let took = watch.finish();
    if let Some(others) = others {
        others.leave();
    }
    let report = report?;
    let used = report.as_ref().map_or(0, |report| report.statistics.memory as u64);
    let answers = Answers::new(task, limits, report)?;
    let peak_memory = memory::peak().unwrap_or(used);
    Ok(Judged { answers, bounds: task.bounds.clone(), took, peak_memory })
}

impl FileResult for Judged<'_> {
    fn exit(&self) -> Exit {
        self.answers.exit()
    }

    fn add_to(&self, suites: &mut Suites) {
        suites.judged(&self.answers);
    }

    /// The run of the first violated property.
    fn save(&mut self, console: &mut Console) -> Result<(), Failure> {
        self.answers.save_the_one(&self.bounds, self.answers.first_violated(), console)
    }

    fn text(&self) -> String {
        match self.answers.args.detail() {
            Detail::Line => self.in_a_line(),
            Detail::Short => self.in_short(),
            Detail::Full => self.in_full(),
        }
    }
}

impl Judged<'_> {
    fn in_a_line(&self) -> String {
        format!("{}{}\n", self.answers.headed(), self.answers.in_brief().0.unwrap_or_default())
    }

    /// Headline, properties, what they depend on, summary.
    fn in_short(&self) -> String {
        let answers = &self.answers;
        let mut teller = Teller::new(&answers.loaded.source, answers.program);
        let words = answers.in_brief().0.unwrap_or_default();
        let mut text = format!("{}{words}\n", answers.headed());
        text.push_str(&answers.briefly(&mut teller, None));
        text.push_str(&self.stopped());
        let assumptions = answers.assumptions(self.bounds.network);
        text.push_str(&answers.depends_on(&teller, &self.bounds, answers.cut_by(), assumptions));
        if answers.first_violated().is_some() {
            let _ = writeln!(text, "{} {SAVE_THE_RUN}", style::aside("next:"));
        }
        let states = answers.report.as_ref().map_or(0, |report| report.statistics.states);
        let states = counted(states as u64, "state");
        let effort = effort(self.took, self.peak_memory);
        let _ = writeln!(text, "{}: {words} ({states}, {effort})", answers.program.scene);
        text
    }

    /// Which limit ended the search, if one did.
    fn stopped(&self) -> String {
        let limit = self.answers.report.as_ref().and_then(|report| report.limit);
        limit.map_or_else(String::new, |limit| {
            format!(
                "The search is not complete: {}.\n",
                self.answers.limits.reached(limit, self.answers.cut_by())
            )
        })
    }

    /// Headline, properties, figures, bounds.
    fn in_full(&self) -> String {
        let answers = &self.answers;
        let mut teller = Teller::new(&answers.loaded.source, answers.program);
        let mut text = format!("{}  {}\n", answers.loaded.source.name(), style::head(&answers.program.scene));
        if answers.loaded.properties.entries.is_empty() {
            text.push_str("no properties\n");
        }
        text.push_str(&answers.text(&mut teller));
        let cut_by = answers.cut_by();
        text.push_str(&self.stopped());
        let _ = writeln!(text, "{}, {}", seconds(self.took), bytes(self.peak_memory));
        let mut lines = vec![
            format!("cast: {}", bounds::cast(answers.program)),
            format!("bounds: {}", bounds::bounds(&teller, &self.bounds)),
        ];
        lines.extend(cuts_in_words(cut_by));
        lines.extend(answers.fine_print());
        lines.push(format!("limits: {}", answers.limits.words()));
        let assumptions = answers.assumptions(self.bounds.network);
        lines.extend(assumptions.into_iter().map(|assumption| format!("assumed: {assumption}")));
        for line in lines {
            let _ = writeln!(text, "{}", style::aside(line));
        }
        text
    }

    pub(super) fn output(&self) -> JudgedOutput {
        let Answers { args, loaded, program, report, .. } = &self.answers;
        let counts = report.as_ref().map(|report| report.statistics).unwrap_or_default();
        let (searched, cut) =
            (report.as_ref().is_some_and(|it| it.searched), !self.answers.cut_by().is_empty());
        let limit = report.as_ref().and_then(|report| report.limit);
        JudgedOutput {
            header: Header::new("verify"),
            origin: Origin::new(&loaded.source, program, &args.scene.agents),
            complete: searched && !cut && limit.is_none(),
            cut,
            searched,
            limit: limit.map(Word),
            states: counts.states,
            transitions: counts.transitions,
            properties: self.answers.output(&mut Teller::new(&loaded.source, program)),
            bounds: BoundsOutput::new(program, &self.bounds),
            limits: self.answers.limits.output(),
            assumptions: self.answers.assumptions(self.bounds.network),
            seconds: self.took.as_secs_f64(),
            peak_memory_bytes: self.peak_memory,
            states_memory_bytes: counts.states_memory,
        }
    }
}
