//! `--play`: all agents but one are played, and that one is tested alone.

mod args;
mod chart;

use std::sync::Arc;

use map_conform::CastRules;
use map_diagnostics::SourceFile;
use map_doors::{PlayError, PlayReport, PlaySettings, coverage_text, share};
use map_guard::{Record, Rules};
use map_ir::AgentId;
use map_json::guard::GuardHeader;

pub(super) use args::{PlayArgs, adapt, agent_meant, agents_meant};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_targets, write_besides};
use crate::interrupt::Interrupt;

/// How many dialogues are held if nothing else is said.
const DIALOGUES: u64 = 100;

/// Plays dialogues, and reports.
pub(super) fn run(
    args: &PlayArgs,
    source: &SourceFile,
    (rules, tested): (Rules, AgentId),
    cast: &CastRules,
    opening: &GuardHeader,
    console: &mut Console,
) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("guard", what);
    let replay = args.choices().map_err(usage)?;
    let words = args.start.as_deref().and_then(shlex::split).filter(|words| !words.is_empty());
    let words =
        words.ok_or_else(|| usage("--start: a command was expected, with all quotes closed".to_owned()))?;
    let written =
        [("--junit", &args.junit), ("--chart", &args.chart), ("--save-failure", &args.save_failure)];
    check_targets(&written, &[source.name()]).map_err(usage)?;
    let (program, interrupt) = (Arc::clone(rules.scene.program()), Interrupt::install());
    let settings = PlaySettings {
        tested,
        words,
        dialogues: args.dialogues.unwrap_or(DIALOGUES),
        seed: args.seed,
        replay,
    };
    let played = map_doors::play(source, rules, cast, opening, settings, interrupt.flag());
    let report = played.map_err(|error| match error {
        PlayError::Start(text) => usage(format!("--start: {text}")),
        PlayError::Internal(text) => Failure::Internal(text),
    })?;
    show(args, source, &program.scene, &report, console)?;
    if let Some(path) = &args.chart {
        match chart::chart(&program, tested, &report.coverage) {
            Ok(chart) => {
                write_besides("the chart", path, &chart, console)?;
            }
            Err(_) => console.complain("note: the chart of the role would be too large\n")?,
        }
    }
    if interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

/// Prints what came of the dialogues, and writes the files that are asked for.
fn show(
    args: &PlayArgs,
    source: &SourceFile,
    scene: &str,
    report: &PlayReport,
    console: &mut Console,
) -> Result<(), Failure> {
    let PlayReport { tested, tally, failure, rows, coverage: _ } = report;
    console.print(&format!("{}  {scene}  {tested} tested alone\n{}", source.name(), tally.text()))?;
    if let Some(failure) = failure {
        if let Some(path) = &args.save_failure {
            let journal: String = failure.records.iter().map(Record::to_line).collect();
            write_besides("the journal", path, &journal, console)?;
        }
        console.print(&failure.text)?;
        console.set_exit(Exit::Violation);
    }
    console.print(&coverage_text(rows))?;
    if let Some(wanted) = args.cover.filter(|&wanted| share(rows) < usize::from(wanted)) {
        console.print(&format!("covered: {}%, less than {wanted}%\n", share(rows)))?;
        console.set_exit(Exit::Inconclusive);
    }
    if let Some(path) = &args.junit {
        write_besides("the JUnit file", path, &report.to_junit(source, scene)?, console)?;
    }
    if tally.is_unfinished() {
        console.set_exit(Exit::Inconclusive);
    }
    Ok(())
}
