//! `--play`: all agents but one are played, and that one is tested alone.

mod args;
mod chart;
mod reach;
use std::sync::Arc;

use map_conform::CastRules;
use map_diagnostics::SourceFile;
use map_doors::{BranchRow, PlayError, PlayReport, PlaySettings, coverage_text, share};
use map_guard::{Record, Rules};
use map_ir::AgentId;
use map_json::guard::GuardHeader;

pub(super) use args::{PlayArgs, adapt, agent_meant, agents_meant};
use reach::Reach;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
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
    for (flag, path) in
        [("--junit", &args.junit), ("--chart", &args.chart), ("--save-failure", &args.save_failure)]
    {
        if let Some(path) = path {
            check_target(flag, path, [source.name()]).map_err(usage)?;
        }
    }
    let (scene, interrupt) = (Arc::clone(&rules.scene), Interrupt::install());
    let settings = PlaySettings {
        tested,
        words,
        dialogues: args.dialogues.unwrap_or(DIALOGUES),
        seed: args.seed,
        replay,
    };
    let played = map_doors::play(source, rules, cast, opening, settings, interrupt.flag());
    let mut report = played.map_err(|error| match error {
        PlayError::Start(text) => usage(format!("--start: {text}")),
        PlayError::Internal(text) => Failure::Internal(text),
    })?;
    let program = Arc::clone(scene.program());
    if !report.rows.iter().all(BranchRow::is_covered)
        && let Some(reach) = Reach::of(&program, scene.bounds())
    {
        for row in &mut report.rows {
            row.is_unreachable = !reach.has(&program, row.branch);
        }
    }
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
