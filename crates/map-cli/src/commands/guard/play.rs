//! `--play`: all agents but one are played, and that one is tested alone.

mod args;
mod junit;
mod reach;
mod report;
mod stage;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use map_conform::CastRules;
use map_diagnostics::SourceFile;
use map_explain::Namer;
use map_guard::{Branch, BranchCoverage, BranchState, Choices, Guard, Players, Record, Rules, shrink};
use map_ir::{AgentId, ClauseId, PointId, Program};
use map_json::guard::GuardHeader;
use map_simulate::seed_of_run;

pub(super) use args::{PlayArgs, adapt};
use reach::Reach;
use report::{BranchRow, branch_name, coverage_text, failure_text, share, transcript};
use stage::{AgentFailure, DialogueEnd, HeldDialogue, Stage};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};

/// How often a failing dialogue is repeated once it is shrunk.
const REPETITIONS: usize = 5;
/// How long a failing dialogue is shrunk. Only agents that say nothing for long come near it.
const MAX_SHRINKING: Duration = Duration::from_secs(60);

/// What came of many dialogues.
#[derive(Default)]
struct Tally {
    complete: u64,
    stuck: u64,
    too_long: u64,
    /// The number of the dialogue that failed, from 1, with what happened in it.
    failed: Option<(u64, HeldDialogue)>,
    interrupted: bool,
}

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
    let given = args.choices().map_err(usage)?;
    let words = args.start.as_deref().and_then(shlex::split).filter(|words| !words.is_empty());
    let words =
        words.ok_or_else(|| usage("--start: a command was expected, with all quotes closed".to_owned()))?;
    for (flag, path) in [("--junit", &args.junit), ("--save-failure", &args.save_failure)] {
        if let Some(path) = path {
            check_target(flag, path, [source.name()]).map_err(usage)?;
        }
    }
    let program = Arc::clone(rules.scene.program());
    let name =
        |agent| cast.name_of(program.agent_name(agent)).unwrap_or(program.agent_name(agent)).to_owned();
    let names: Vec<String> = program.cast().map(name).collect();
    let patience = Duration::from_nanos(rules.policy.answers[tested.index()].unwrap_or_default());
    let players = Players::new(&program, tested);
    let coverage = BranchCoverage::new(&program, tested);
    let opening = serde_json::to_value(opening).map_err(std::io::Error::other)?;
    let parts = (Guard::new(rules), players, coverage);
    let mut stage = Stage::new(source, parts, names, words, opening, patience);

    let tally = match given {
        Some(choices) => replay(&mut stage, choices)?,
        None => hold_all(&mut stage, args)?,
    };
    let rows = rows(&stage, source, &program);
    let who = stage.tested().to_owned();
    console.print(&format!("{}  {}  {who} tested alone\n", source.name(), program.scene))?;
    console.print(&tally.text())?;
    let is_unfinished = tally.too_long > 0;
    let mut failure = None;
    if let Some((number, held)) = tally.failed {
        let text = told(&mut stage, &program, (number, held), args, console)?;
        console.print(&text)?;
        console.set_exit(Exit::Violation);
        failure = Some(text);
    }
    console.print(&coverage_text(&rows))?;
    if let Some(wanted) = args.cover.filter(|&wanted| share(&rows) < usize::from(wanted)) {
        console.print(&format!("covered: {}%, less than {wanted}%\n", share(&rows)))?;
        console.set_exit(Exit::Inconclusive);
    }
    if let Some(path) = &args.junit {
        let text = junit::text(source, &program.scene, &rows, failure.as_deref())?;
        write_besides("the JUnit file", path, &text, console)?;
    }
    if is_unfinished {
        console.set_exit(Exit::Inconclusive);
    }
    if stage.interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    Ok(())
}

fn hold_all(stage: &mut Stage<'_>, args: &PlayArgs) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for number in 0..args.dialogues {
        let held = stage.hold(Choices::drawn(seed_of_run(args.seed, number)))?;
        if tally.add(number + 1, held) {
            break;
        }
    }
    Ok(tally)
}

fn replay(stage: &mut Stage<'_>, choices: Vec<u32>) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let held = stage.hold(Choices::given(choices))?;
    tally.add(1, held);
    Ok(tally)
}

impl Tally {
    /// Adds a dialogue; returns whether it is the last one.
    fn add(&mut self, number: u64, held: HeldDialogue) -> bool {
        match held.end {
            DialogueEnd::Complete => self.complete += 1,
            DialogueEnd::Stuck => self.stuck += 1,
            DialogueEnd::TooLong => self.too_long += 1,
            DialogueEnd::Interrupted => self.interrupted = true,
            DialogueEnd::Failed(_) => self.failed = Some((number, held)),
        }
        self.interrupted || self.failed.is_some()
    }

    fn text(&self) -> String {
        let counts = [
            (self.complete, "complete"),
            (self.stuck, "stuck"),
            (self.too_long, "too long"),
            (u64::from(self.failed.is_some()), "failed"),
            (u64::from(self.interrupted), "interrupted"),
        ];
        let total: u64 = counts.iter().map(|(count, _)| count).sum();
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let dialogues = if total == 1 { "dialogue" } else { "dialogues" };
        format!("{total} {dialogues}: {}\n", counts.join(", "))
    }
}

/// Shrinks a dialogue that failed, repeats it, and tells of it.
fn told(
    stage: &mut Stage<'_>,
    program: &Program,
    (number, held): (u64, HeldDialogue),
    args: &PlayArgs,
    console: &mut Console,
) -> Result<String, Failure> {
    let HeldDialogue { end: DialogueEnd::Failed(failure), choices, records } = held else {
        return Ok(String::new());
    };
    let is_like = |held: &HeldDialogue| match &held.end {
        DialogueEnd::Failed(other) => {
            other.kind == failure.kind && clauses(program, other) == clauses(program, &failure)
        }
        _ => false,
    };
    let started = Instant::now();
    let mut smallest: Option<(String, Vec<Record>)> = None;
    let who = stage.tested().to_owned();
    let shrunk = match &args.replay {
        Some(_) => choices,
        None => shrink::<Failure>(choices, &mut |choices| {
            if started.elapsed() > MAX_SHRINKING || stage.interrupt.is_set() {
                return Ok(false);
            }
            let held = stage.hold(Choices::given(choices.to_vec()))?;
            let fails = is_like(&held);
            if let (true, DialogueEnd::Failed(failure)) = (fails, held.end) {
                smallest = Some((failure_text(&who, &failure), held.records));
            }
            Ok(fails)
        })?,
    };
    let mut again = 0;
    for _ in 0..REPETITIONS {
        again += usize::from(is_like(&stage.hold(Choices::given(shrunk.clone()))?));
    }
    let (what, records) = smallest.unwrap_or_else(|| (failure_text(&who, &failure), records));
    if let Some(path) = &args.save_failure {
        let journal: String = records.iter().map(Record::to_line).collect();
        write_besides("the journal", path, &journal, console)?;
    }
    let numbers: Vec<String> = shrunk.iter().map(ToString::to_string).collect();
    let place = |point: PointId| Namer::new(stage.source, program).place_of(point);
    let shrunk_to = if args.replay.is_some() { "" } else { ", shrunk to" };
    let mut text = format!("dialogue {number} fails{shrunk_to}:\n");
    text += &transcript(&records, &place);
    text += &what;
    text += &format!("  again: --replay {:?} fails {again} times of {REPETITIONS}\n", numbers.join(","));
    Ok(text)
}

/// The clauses in which an agent failed.
fn clauses(program: &Program, failure: &AgentFailure) -> BTreeSet<ClauseId> {
    failure.places.iter().map(|&place| program.point(place).clause).collect()
}

/// The clauses and branches of the agent under test, in the order of the file.
fn rows(stage: &Stage<'_>, source: &SourceFile, program: &Program) -> Vec<BranchRow> {
    let scene = &stage.guard.rules().scene;
    let is_whole = stage.coverage.iter().all(|(_, taken)| taken != BranchState::Missed);
    let reach = if is_whole { None } else { Reach::of(program, scene.bounds()) };
    let row = |(branch, taken): (Branch, _)| {
        let start = match branch {
            Branch::Clause(clause) => program.clause(clause).span.start,
            Branch::Region(region) => program.regions[region].span.start,
        };
        let is_unreachable = reach.as_ref().is_some_and(|reach| !reach.has(program, branch));
        let name = branch_name(source, program, branch);
        (start, BranchRow { name, taken, is_unreachable })
    };
    let mut rows: Vec<(u32, BranchRow)> = stage.coverage.iter().map(row).collect();
    rows.sort_by_key(|(start, _)| *start);
    rows.into_iter().map(|(_, row)| row).collect()
}
