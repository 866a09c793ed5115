//! Dialogues in which one agent is a program of its own, and all others are played.

mod junit;
mod reach;
mod report;
mod stage;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use map_conform::CastRules;
use map_diagnostics::SourceFile;
use map_explain::Namer;
use map_guard::{
    Arrival, Branch, BranchCoverage, BranchState, Choices, Guard, Players, Policy, Record, Rules, shrink,
};
use map_ir::{AgentId, ClauseId, PointId, Program};
use map_json::guard::GuardHeader;
use map_semantics::Timeouts;
use map_simulate::seed_of_run;

use reach::Reach;
use report::{branch_name, failure_text, transcript};
use stage::{AgentFailure, DialogueEnd, HeldDialogue, Stage};

pub use report::{BranchRow, coverage_text, share};

/// How often a failing dialogue is repeated once it is shrunk.
const REPETITIONS: usize = 5;
/// How long a failing dialogue is shrunk. Only agents that say nothing for long come near it.
const MAX_SHRINKING: Duration = Duration::from_secs(60);

/// Which dialogues are held.
pub struct PlaySettings {
    /// The agent under test.
    pub tested: AgentId,
    /// The program that speaks for it, with its arguments; it is started for each dialogue.
    pub words: Vec<String>,
    /// The most dialogues.
    pub dialogues: u64,
    /// The seed of what is drawn.
    pub seed: u64,
    /// The choices of the only dialogue, if there is to be one.
    pub replay: Option<Vec<u32>>,
}

/// Why no dialogue can be held.
#[derive(Debug)]
pub enum PlayError {
    /// The program cannot be started, which the text says.
    Start(String),
    /// The guard contradicts itself.
    Internal(String),
}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

/// What came of dialogues.
pub struct PlayReport {
    /// The name of the agent under test.
    pub tested: String,
    /// How dialogues ended.
    pub tally: Tally,
    /// The dialogue that failed, shrunk.
    pub failure: Option<FailedDialogue>,
    /// The clauses and branches of the agent under test, in the order of the file.
    pub rows: Vec<BranchRow>,
    /// What of its role was covered.
    pub coverage: BranchCoverage,
}

/// A dialogue in which the agent under test failed.
pub struct FailedDialogue {
    /// What happened in it, in lines.
    pub text: String,
    /// Its journal.
    pub records: Vec<Record>,
}

/// How many dialogues ended how.
#[derive(Default)]
pub struct Tally {
    complete: u64,
    stuck: u64,
    too_long: u64,
    failed: u64,
    interrupted: bool,
}

/// When time runs out in dialogues: only when all are at rest, if everybody is known to have what was sent.
fn timeouts_of(policy: &Policy) -> Timeouts {
    let is_strict = policy.arrivals.iter().all(|&arrival| arrival == Arrival::Strict);
    if is_strict && !policy.has_early_waits() { Timeouts::Quiescent } else { Timeouts::Any }
}

/// Holds dialogues, until one fails.
///
/// # Errors
/// If the program cannot be started.
pub fn play(
    source: &SourceFile,
    rules: Rules,
    cast: &CastRules,
    opening: &GuardHeader,
    settings: PlaySettings,
    stop: &AtomicBool,
) -> Result<PlayReport, PlayError> {
    let PlaySettings { tested, words, dialogues, seed, replay } = settings;
    let scene = Arc::clone(&rules.scene);
    let timeouts = timeouts_of(&rules.policy);
    let program = Arc::clone(scene.program());
    let names: Vec<String> = program.cast().map(|it| cast.usual_name(&program, it).to_owned()).collect();
    let patience = Duration::from_nanos(rules.policy.answers[tested.index()].unwrap_or_default());
    let players = Players::new(&program, tested);
    let coverage = BranchCoverage::new(&program, tested);
    let opening = serde_json::to_value(opening).map_err(io::Error::other)?;
    let parts = (Guard::new(rules), players, coverage);
    let mut stage = Stage::new(source, parts, names, words, opening, patience, stop);

    let (mut tally, mut failed) = (Tally::default(), None);
    for number in 1..=if replay.is_some() { 1 } else { dialogues } {
        let choices = match &replay {
            Some(choices) => Choices::given(choices.clone()),
            None => Choices::drawn(seed_of_run(seed, number - 1)),
        };
        let held = stage.hold(choices)?;
        tally.add(&held.end);
        if matches!(held.end, DialogueEnd::Failed(_)) {
            failed = Some((number, held));
        }
        if tally.interrupted || failed.is_some() {
            break;
        }
    }
    // What shrinking tries besides is not among the dialogues that are counted.
    let (mut rows, coverage) = (rows(&stage, source, &program), stage.coverage.clone());
    let failure = match failed {
        Some((number, held)) => shrunk(&mut stage, &program, (number, held), replay.is_some())?,
        None => None,
    };
    if !rows.iter().all(BranchRow::is_covered)
        && let Some(reach) = Reach::of(&scene, timeouts)
    {
        rows.iter_mut().for_each(|row| row.is_unreachable = !reach.has(&program, row.branch));
    }
    let tested = stage.tested().to_owned();
    Ok(PlayReport { tested, tally, failure, rows, coverage })
}

impl PlayReport {
    /// The results in JUnit's format: a case for each clause and branch, and one for the dialogues.
    ///
    /// # Errors
    /// If the format cannot say it.
    pub fn to_junit(&self, source: &SourceFile, scene: &str) -> io::Result<String> {
        junit::text(source, scene, &self.rows, self.failure.as_ref().map(|failure| &*failure.text))
    }
}

impl Tally {
    fn add(&mut self, end: &DialogueEnd) {
        match end {
            DialogueEnd::Complete => self.complete += 1,
            DialogueEnd::Stuck => self.stuck += 1,
            DialogueEnd::TooLong => self.too_long += 1,
            DialogueEnd::Interrupted => self.interrupted = true,
            DialogueEnd::Failed(_) => self.failed += 1,
        }
    }

    /// Whether some dialogue went on for too long.
    #[must_use]
    pub const fn is_unfinished(&self) -> bool {
        self.too_long > 0
    }

    /// How many there were, in a line.
    #[must_use]
    pub fn text(&self) -> String {
        let counts = [
            (self.complete, "complete"),
            (self.stuck, "stuck"),
            (self.too_long, "too long"),
            (self.failed, "failed"),
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

/// Shrinks a dialogue that failed, unless it is a replay, and repeats it.
fn shrunk(
    stage: &mut Stage<'_>,
    program: &Program,
    (number, held): (u64, HeldDialogue),
    is_replay: bool,
) -> Result<Option<FailedDialogue>, PlayError> {
    let HeldDialogue { end: DialogueEnd::Failed(failure), choices, records } = held else {
        return Ok(None);
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
    let shrunk = match is_replay {
        true => choices,
        false => shrink::<PlayError>(choices, &mut |choices| {
            if started.elapsed() > MAX_SHRINKING || stage.stop.load(Ordering::Relaxed) {
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
    let numbers: Vec<String> = shrunk.iter().map(ToString::to_string).collect();
    let place = |point: PointId| Namer::new(stage.source, program).place_of(point);
    let shrunk_to = if is_replay { "" } else { ", shrunk to" };
    let mut text = format!("dialogue {number} fails{shrunk_to}:\n");
    text += &transcript(&records, &place);
    text += &what;
    let numbers = numbers.join(",");
    let _ = writeln!(text, "  again: --replay {numbers:?} fails {again} times of {REPETITIONS}");
    Ok(Some(FailedDialogue { text, records }))
}

/// The clauses in which an agent failed.
fn clauses(program: &Program, failure: &AgentFailure) -> BTreeSet<ClauseId> {
    failure.places.iter().map(|&place| program.point(place).clause).collect()
}

/// The clauses and branches of the agent under test, in the order of the file.
fn rows(stage: &Stage<'_>, source: &SourceFile, program: &Program) -> Vec<BranchRow> {
    let row = |(branch, taken): (Branch, BranchState)| {
        let start = match branch {
            Branch::Clause(clause) => program.clause(clause).span.start,
            Branch::Region(region) => program.regions[region].span.start,
        };
        let name = branch_name(source, program, branch);
        (start, BranchRow { branch, name, taken, is_unreachable: false })
    };
    let mut rows: Vec<(u32, BranchRow)> = stage.coverage.iter().map(row).collect();
    rows.sort_by_key(|(start, _)| *start);
    rows.into_iter().map(|(_, row)| row).collect()
}
